//! Numbers of a program in the program's own names, as formulas.
//!
//! Invariant: a formula has only names that the user gave, and constants. A number has no text if it depends on others.
//!
//! ```text
//! t.4 = k - 1; loop … for t.4   ⇒   k - 1
//! ```

use indexmap::IndexMap;

use arrc_fusion::cnf::{Atom, Extent, Operation, SizeDef};
use arrc_fusion::tables::Tables;
use arrc_loops::concrete::{Length, Step};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, UnOp};

/// The maximum number of characters of a formula. A longer one tells a reader little.
const LONGEST: usize = 32;

/// The texts of the scalars so far.
#[derive(Default)]
pub(super) struct Symbols(IndexMap<VarId, String>);

impl Symbols {
    /// Notes the result of a step.
    pub(super) fn step(&mut self, step: &Step, tables: &Tables) {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others have no formula")]
        let (var, text) = match step {
            Step::Scalar { var, op, .. } => (*var, self.operation(*op, tables)),
            Step::Length { var, array, dim } => {
                let extent = tables.vars[*array].ty.shape().get(*dim);
                (*var, extent.and_then(|&extent| self.extent(extent, tables)))
            }
            _ => return,
        };
        self.0.extend(text.map(|text| (var, text)));
    }

    /// Notes that a variable is another name of a scalar.
    pub(super) fn rename(&mut self, var: VarId, text: String) {
        self.0.insert(var, text);
    }

    fn operation(&self, operation: Operation, tables: &Tables) -> Option<String> {
        let (sign, [left, right]) = match operation {
            Operation::Un(UnOp::To(_), arg) => return self.scalar(arg, tables),
            Operation::Bin(BinOp::Add, args) => ("+", args),
            Operation::Bin(BinOp::Sub, args) => ("-", args),
            Operation::Bin(BinOp::Mul, args) => ("*", args),
            Operation::Bin(BinOp::Div, args) => ("/", args),
            Operation::Un(..) | Operation::Bin(..) | Operation::MulAdd(..) => return None,
        };
        let [left, right] = [left, right].map(|side| self.scalar(side, tables));
        Some(joined(&left?, sign, &right?)).filter(|text| text.len() <= LONGEST)
    }

    /// The text of a scalar.
    pub(super) fn scalar(&self, atom: Atom, tables: &Tables) -> Option<String> {
        match atom {
            Atom::Const(value) => Some(value.as_i128().to_string()),
            Atom::Var(var) => {
                let given = tables.user_name(var).map(ToString::to_string);
                given.or_else(|| self.0.get(&var).cloned())
            }
        }
    }

    /// The text of a trip count.
    pub(super) fn length(&self, length: &Length, tables: &Tables) -> Option<String> {
        match length {
            Length::Array(array) => {
                let extent = tables.vars[*array].ty.shape().first();
                extent.and_then(|&extent| self.extent(extent, tables))
            }
            Length::Value(value) => self.scalar(*value, tables),
            Length::Product(left, right) => {
                Some(joined(&self.length(left, tables)?, "*", &self.length(right, tables)?))
            }
        }
    }

    /// The text of an extent.
    pub(super) fn extent(&self, extent: Extent, tables: &Tables) -> Option<String> {
        let size = match extent {
            Extent::Const(count) => return Some(count.to_string()),
            Extent::Size(size) => &tables.sizes[size],
        };
        let both = |sign, sides: [Extent; 2]| {
            let [left, right] = sides.map(|side| self.extent(side, tables));
            Some(joined(&left?, sign, &right?))
        };
        match size.def {
            SizeDef::Param | SizeDef::Exists => Some(size.name.to_string()),
            SizeDef::Value(var) => self.scalar(var.into(), tables),
            SizeDef::Sum(left, right) => both("+", [left, right]),
            SizeDef::Product(left, right) => both("*", [left, right]),
        }
    }
}

/// The text of an operation on two texts. A text with an operator is put in parentheses where that is needed.
fn joined(left: &str, sign: &str, right: &str) -> String {
    if let ("+", Some(right)) = (sign, right.strip_prefix('-')) {
        return joined(left, "-", right);
    }
    if let ("*", "-1") = (sign, left) {
        return if right.contains(' ') { format!("-({right})") } else { format!("-{right}") };
    }
    let needs = |side: &str, is_right: bool| {
        let is_sum = side.contains(" + ") || side.contains(" - ");
        is_sum && (matches!(sign, "*" | "/") || (is_right && sign == "-"))
    };
    let side = |side: &str, is_right: bool| {
        if needs(side, is_right) { format!("({side})") } else { side.to_owned() }
    };
    format!("{} {sign} {}", side(left, false), side(right, true))
}
