//! Numbers of a program in the program's own names, as formulas.
//!
//! Invariant: a formula has only constants, names and sizes of the program, lengths of arrays that the program names, and
//! new names for the other sizes if they are asked for. A number has no text if it depends on others.
//!
//! ```text
//! t.4 = k - 1; loop … for t.4   ⇒   k - 1
//! ```

use std::collections::BTreeSet;

use indexmap::IndexMap;

use arrc_fusion::cnf::{Atom, Extent, Operation, SizeDef, SizeInfo};
use arrc_fusion::tables::Tables;
use arrc_loops::concrete::{Length, Step};
use arrc_syntax::ids::{SizeId, VarId};
use arrc_syntax::prim::{BinOp, UnOp};

/// The maximum number of characters of a formula. A longer one tells a reader little.
const LONGEST: usize = 32;

/// The texts of the scalars so far.
pub(crate) struct Symbols {
    scalars: IndexMap<VarId, String>,
    /// The texts of sizes that only an array has, such as the number of elements that a filter keeps. If the program names
    /// no such array, a text is a name that the program does not use.
    lengths: IndexMap<SizeId, String>,
}

impl Symbols {
    /// No scalars, and the lengths of arrays that the program names.
    pub(crate) fn new(tables: &Tables) -> Self {
        let mut lengths = IndexMap::new();
        for (var, info) in tables.vars.iter() {
            if let Some(&Extent::Size(size)) = info.ty.shape().first()
                && only_arrays_have(size, tables)
                && let Some(name) = tables.user_name(var)
            {
                lengths.entry(size).or_insert_with(|| format!("length {name}"));
            }
        }
        Self { scalars: IndexMap::new(), lengths }
    }

    /// Gives each other size that only arrays have a new name: one that the program does not use.
    pub(crate) fn with_new_names(mut self, tables: &Tables) -> Self {
        let names = tables.vars.keys().filter_map(|var| tables.user_name(var));
        let (inner, outer): (Vec<_>, Vec<_>) =
            tables.sizes.iter().partition(|&(size, _)| only_arrays_have(size, tables));
        let sizes = outer.iter().map(|(_, size)| &size.name);
        let mut taken: BTreeSet<String> = names.chain(sizes).map(ToString::to_string).collect();
        for (size, SizeInfo { name, .. }) in inner {
            if !self.lengths.contains_key(&size) {
                let numbered = (2..).map(|number| format!("{name}{number}"));
                let mut names = std::iter::once(name.to_string()).chain(numbered);
                let free = names.find(|name| taken.insert(name.clone()));
                self.lengths.extend(free.map(|name| (size, name)));
            }
        }
        self
    }

    /// Notes the result of a step.
    pub(crate) fn step(&mut self, step: &Step, tables: &Tables) {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others have no formula")]
        let (var, text) = match step {
            Step::Scalar { var, op, .. } => (*var, self.operation(*op, tables)),
            Step::Length { var, array, dim } => {
                let extent = tables.vars[*array].ty.shape().get(*dim);
                (*var, extent.and_then(|&extent| self.extent(extent, tables)))
            }
            _ => return,
        };
        self.scalars.extend(text.map(|text| (var, text)));
    }

    /// Notes that a variable is another name of a scalar.
    pub(crate) fn rename(&mut self, var: VarId, text: String) {
        self.scalars.insert(var, text);
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
    pub(crate) fn scalar(&self, atom: Atom, tables: &Tables) -> Option<String> {
        match atom {
            Atom::Const(value) => Some(value.as_i128().to_string()),
            Atom::Var(var) => {
                let given = tables.user_name(var).map(ToString::to_string);
                given.or_else(|| self.scalars.get(&var).cloned())
            }
        }
    }

    /// The text of a trip count.
    pub(crate) fn length(&self, length: &Length, tables: &Tables) -> Option<String> {
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
    pub(crate) fn extent(&self, extent: Extent, tables: &Tables) -> Option<String> {
        self.short_extent(extent, LONGEST, tables)
    }

    /// The text of an extent, if it has at most `room` characters or is one name. Sizes share their parts: the whole text of the size of
    /// an array that was appended to itself often has more characters than memory has bytes.
    fn short_extent(&self, extent: Extent, room: usize, tables: &Tables) -> Option<String> {
        let id = match extent {
            Extent::Const(count) => return Some(count.to_string()),
            Extent::Size(size) => size,
        };
        let size = &tables.sizes[id];
        let both = |sign, [left, right]: [Extent; 2]| {
            // A sign with spaces around it, and at least one character.
            let left = self.short_extent(left, room.checked_sub(4)?, tables)?;
            let right = self.short_extent(right, room.checked_sub(left.len() + 3)?, tables)?;
            Some(joined(&left, sign, &right)).filter(|text| text.len() <= room)
        };
        match size.def {
            SizeDef::Param => Some(size.name.to_string()),
            SizeDef::Exists => self.lengths.get(&id).cloned(),
            SizeDef::Value(var) => self.scalar(var.into(), tables),
            SizeDef::Sum(left, right) => both("+", [left, right]),
            SizeDef::Product(left, right) => both("*", [left, right]),
        }
    }
}

/// Whether no scalar and no argument has the value of a size.
fn only_arrays_have(size: SizeId, tables: &Tables) -> bool {
    matches!(tables.sizes[size].def, SizeDef::Exists)
}

/// The text of the number of bytes of an array, of whose elements each takes `width` bytes.
pub(crate) fn bytes(width: u32, extents: &[String]) -> String {
    let counts = extents.iter().filter_map(|extent| extent.parse::<u64>().ok());
    let factor = counts.fold(u64::from(width), u64::saturating_mul);
    let formulas = extents.iter().filter(|extent| extent.parse::<u64>().is_err());
    formulas.fold(factor.to_string(), |left, right| joined(&left, "*", right))
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
        let outer = outside_parentheses(side);
        let has = |signs: &[&str]| signs.iter().any(|sign| outer.contains(&format!(" {sign} ")));
        match sign {
            "*" => has(&["+", "-"]) || (is_right && has(&["/"])),
            "/" => has(&["+", "-"]) || (is_right && has(&["*", "/"])),
            "-" => is_right && has(&["+", "-"]),
            _ => false,
        }
    };
    let side = |side: &str, is_right: bool| {
        if needs(side, is_right) { format!("({side})") } else { side.to_owned() }
    };
    format!("{} {sign} {}", side(left, false), side(right, true))
}

fn outside_parentheses(text: &str) -> String {
    let mut depth = 0_usize;
    let is_outside = |sign: &char| {
        match sign {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    };
    text.chars().filter(is_outside).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrc_syntax::names::Name;

    #[test]
    fn long_sums_of_sizes_have_no_text() {
        let mut tables = Tables::default();
        let name = Name::new_static;
        let n = tables.sizes.push(SizeInfo { name: name("n"), def: SizeDef::Param });
        let mut extents = vec![Extent::Size(n)];
        // The text of the last one would have some 2^200 terms.
        for _ in 0..200 {
            let last = extents[extents.len() - 1];
            let info = SizeInfo { name: name("k"), def: SizeDef::Sum(last, last) };
            extents.push(Extent::Size(tables.sizes.push(info)));
        }
        let symbols = Symbols::new(&tables);
        let texts: Vec<_> = extents.iter().map(|&size| symbols.extent(size, &tables)).collect();
        let [first, second, third, fourth, rest @ ..] = &texts[..] else { panic!("201 sizes") };
        assert_eq!(first.as_deref(), Some("n"));
        assert_eq!(second.as_deref(), Some("n + n"));
        assert_eq!(third.as_deref(), Some("n + n + n + n"));
        assert_eq!(fourth.as_deref(), Some("n + n + n + n + n + n + n + n"));
        assert!(rest.iter().all(Option::is_none));
    }
}
