//! Calls of functions that have passes of their own. These functions are recursive, since all other calls were
//! inlined.
//!
//! Invariant: each function that a plan calls has a plan, and an entry that runs all of it on whole arrays.
//!
//! ```text
//! def side [n] (ps: [n]f64): … = … side left …    ⇒   plan of side__whole0, with a step that calls side__whole0
//! ```

use indexmap::IndexSet;

use super::outline::{OutlinedFunction, identifier};
use super::{Chunker, Planner};
use crate::chunk::block_uses::SizeSources;
use crate::chunked::PlanStep;
use crate::cnf;
use crate::cnf::{Atom, Bind, Block, Callee, Op, Var};
use arrc_front::effect::Effect;
use arrc_syntax::ids::{FuncId, VarId};
use arrc_syntax::names::Name;

/// The functions that take arrays and have combinators, in themselves or in functions that they call.
pub(super) fn iterating(program: &cnf::Program) -> IndexSet<FuncId> {
    let mut found = IndexSet::new();
    loop {
        let before = found.len();
        for (id, function) in &program.functions {
            let mut params = function.params.iter();
            if params.any(|&param| function.tables.vars[param].ty.is_array())
                && iterates(&function.body, &found)
            {
                found.insert(id);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Whether a block, or a branch or loop in it, has combinators that could be passes over chunks, or calls of
/// functions that have them.
fn iterates(block: &Block, iterating: &IndexSet<FuncId>) -> bool {
    block.binds.iter().any(|bind| {
        bind.op.is_combinator()
            || callee(&bind.op).is_some_and(|callee| iterating.contains(&callee))
            || (!bind.op.is_scalar()
                && bind.op.inner().into_iter().any(|inner| iterates(inner.block, iterating)))
    })
}

/// The function of the program that is called, if the call has no effect.
fn callee(op: &Op) -> Option<FuncId> {
    let Op::Call { callee: Callee::Function(callee), effect, .. } = op else { return None };
    (!effect.is_some()).then_some(*callee)
}

impl Planner<'_> {
    /// Whether there are passes in a block.
    pub(super) fn iterates(&self, block: &Block) -> bool {
        iterates(block, &self.iterating)
    }

    /// The entry that runs all of a function. The function gets a plan.
    fn called(&mut self, callee: FuncId) -> Name {
        let function = &self.functions.functions[callee];
        let mut entries = self.functions.entries.iter();
        if function.owned.is_empty()
            && let Some(entry) = entries.find(|entry| entry.function == callee)
        {
            return entry.name.clone();
        }
        if let Some(entry) = self.called.get(&callee) {
            return entry.clone();
        }
        let entry = self.whole(callee);
        self.called.insert(callee, entry.clone());
        entry
    }

    /// An entry that only calls a function.
    fn whole(&mut self, callee: FuncId) -> Name {
        let function = &self.functions.functions[callee];
        let (prefix, span) = (Name::new(identifier(&function.name)), function.span);
        let mut cut = OutlinedFunction::new(function.tables.clone(), SizeSources::default(), &[]);
        cut.params.clone_from(&function.params);
        let outs = function
            .results
            .iter()
            .map(|ty| cut.tables.vars.push(Var { name: Name::new_static("out"), ty: ty.clone() }));
        let vars: Vec<VarId> = outs.collect();
        cut.results = vars.iter().map(|&var| Atom::Var(var)).collect();
        let op = Op::Call {
            callee: Callee::Function(callee),
            args: function.params.iter().map(|&param| Atom::Var(param)).collect(),
            effect: Effect::Pure,
        };
        cut.binds.push(Bind { vars, op, span });
        self.add(&prefix, "whole", cut, span)
    }
}

impl Chunker<'_, '_> {
    /// A call of a function that has passes.
    pub(super) fn call(&mut self, bind: &Bind, behind: &IndexSet<VarId>) -> Option<PlanStep> {
        let callee = callee(&bind.op)?;
        if !self.planner.iterating.contains(&callee) {
            return None;
        }
        let is_array = |var: &VarId| self.tables.vars[*var].ty.is_array();
        let ends = self.scope.iter().filter(|var| is_array(var) && !behind.contains(*var));
        let ends = ends.copied().collect();
        let args = bind.op.operands();
        let function = self.planner.called(callee);
        Some(PlanStep::Call { function, args, outs: bind.vars.clone(), ends })
    }
}
