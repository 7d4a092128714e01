//! Conditions that the lengths of arrays decide: what a program does only where an array is long.
//!
//! Invariant: if all lengths are below the limit, each condition has the outcome that is noted for it.
//!
//! ```text
//! t = length xs; t.2 = t >= 4096; t.3 = t.2 && c; if t.3 then … else …   ⇒   with the limit 4096: else
//! ```

use std::collections::BTreeSet;

use indexmap::{IndexMap, IndexSet};

use super::parallel::grouped;
use arrc_fusion::cnf::{Atom, Operation, SizeDef};
use arrc_fusion::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Const, UnOp};

/// The least constant that makes a condition: what holds for shorter arrays only says little.
const LEAST: u64 = 256;

/// The lengths of a function, and the conditions that a limit of all lengths decides.
#[derive(Default)]
pub(crate) struct Limits {
    /// All lengths are below this, if it is given.
    limit: Option<u64>,
    /// The scalars that are lengths of arrays.
    lengths: IndexSet<VarId>,
    decided: IndexMap<VarId, bool>,
    /// The comparisons so far.
    pub(crate) compared: ComparedConstants,
}

/// The constants with which a program compares lengths. Each length has its text, if it has one.
#[derive(Default)]
pub(crate) struct ComparedConstants(IndexSet<(u64, Option<String>)>);

impl ComparedConstants {
    /// The constants, the largest first.
    pub(crate) fn limits(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|(limit, _)| *limit).collect::<BTreeSet<_>>().into_iter().rev()
    }

    pub(crate) fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// The condition that all lengths are below the limit: only those matter that are compared with it or with larger
    /// constants.
    pub(crate) fn below(&self, limit: u64) -> String {
        self.condition(limit, "<", " and ", "lengths are less than")
    }

    /// The condition that some length is not.
    pub(crate) fn reach(&self, limit: u64) -> String {
        self.condition(limit, ">=", " or ", "a length is at least")
    }

    fn condition(&self, limit: u64, relation: &str, joined: &str, unnamed: &str) -> String {
        let number = grouped(limit);
        let lengths = self.0.iter().filter(|(of, _)| *of >= limit);
        match lengths.map(|(_, length)| length.as_deref()).collect::<Option<BTreeSet<_>>>() {
            Some(lengths) => {
                let each = lengths.iter().map(|length| format!("{length} {relation} {number}"));
                each.collect::<Vec<_>>().join(joined)
            }
            None => format!("{unnamed} {number}"),
        }
    }
}

impl Limits {
    pub(crate) fn new(tables: &Tables, limit: Option<u64>) -> Self {
        let lengths = tables.sizes.values().filter_map(|size| match size.def {
            SizeDef::Value(var) => Some(var),
            SizeDef::Param | SizeDef::Exists | SizeDef::Sum(..) | SizeDef::Product(..) => None,
        });
        Self { limit, lengths: lengths.collect(), ..Self::default() }
    }

    /// The limits of a function that is called with these arguments.
    pub(crate) fn of_call(&self, tables: &Tables, params: &[VarId], args: &[Atom]) -> Self {
        let mut of_callee = Self::new(tables, self.limit);
        for (&param, &arg) in params.iter().zip(args) {
            of_callee.decided.extend(self.decision(arg).map(|holds| (param, holds)));
            let length = arg.as_var().filter(|var| self.lengths.contains(var));
            of_callee.lengths.extend(length.map(|_| param));
        }
        of_callee
    }

    /// Notes a length.
    pub(crate) fn length(&mut self, var: VarId) {
        self.lengths.insert(var);
    }

    /// Whether a condition holds, if the limit decides it.
    pub(crate) fn decision(&self, cond: Atom) -> Option<bool> {
        cond.as_var().and_then(|var| self.decided.get(&var).copied())
    }

    /// Notes an operation and its result. `text` gives the text of a length.
    pub(crate) fn operation(
        &mut self,
        var: VarId,
        operation: Operation,
        text: impl FnOnce(VarId) -> Option<String>,
    ) {
        let holds = match operation {
            Operation::Un(UnOp::Not, arg) => self.decision(arg).map(|holds| !holds),
            Operation::Bin(BinOp::And, args) => self.any(args, false),
            Operation::Bin(BinOp::Or, args) => self.any(args, true),
            Operation::Bin(BinOp::Ge, [length, Atom::Const(limit)]) => {
                self.is_below(length, limit, text).map(|below| !below)
            }
            Operation::Bin(BinOp::Lt, [length, Atom::Const(limit)]) => {
                self.is_below(length, limit, text)
            }
            Operation::Un(..) | Operation::Bin(..) | Operation::MulAdd(..) => None,
        };
        self.decided.extend(holds.map(|holds| (var, holds)));
    }

    /// The outcome, if one of the conditions has it.
    fn any(&self, conds: [Atom; 2], outcome: bool) -> Option<bool> {
        conds.iter().any(|&cond| self.decision(cond) == Some(outcome)).then_some(outcome)
    }

    /// Whether the scalar is a length that is below a constant.
    fn is_below(
        &mut self,
        scalar: Atom,
        constant: Const,
        text: impl FnOnce(VarId) -> Option<String>,
    ) -> Option<bool> {
        let length = scalar.as_var().filter(|var| self.lengths.contains(var))?;
        let constant = u64::try_from(constant.as_i128()).ok().filter(|&of| of >= LEAST)?;
        self.compared.0.insert((constant, text(length)));
        self.limit.is_some_and(|limit| limit <= constant).then_some(true)
    }
}
