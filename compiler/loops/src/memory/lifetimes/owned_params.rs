//! Parameters without a mark that a recursive function releases itself.
//!
//! If a function cuts up an array, and calls itself with the parts, the array would stay in memory until the
//! innermost call returns, if the caller owned it. One more reference, where the caller still needs the array, costs
//! little in comparison. A function that passes an array on to its calls only reads it, and borrows it.
//!
//! Invariant: entries borrow their arguments.
//!
//! ```text
//! f (xs : [n]i64)  = { …; a = filter p xs; …; l = f a; … }
//! ⇒ f (xs : *[n]i64) = { …; a = filter p xs; release xs; …; l = f a; … }
//! ```

use indexmap::{IndexMap, IndexSet};

use crate::concrete::{Block, Function, Ranged, Step};
use arrc_fusion::cnf::{Atom, Callee};
use arrc_syntax::ids::VarId;

/// The array parameters that the function owns from here on.
pub(super) fn owned_params(function: &mut Function<Ranged>) -> Vec<VarId> {
    if !function.recursive {
        return function.owned.clone();
    }
    let mut calls = CallArguments::default();
    calls.block(&mut function.body);
    let Function { params, owned, tables, .. } = function;
    let ends = |param: VarId| calls.any && tables.vars[param].ty.is_array() && !calls.passes(param);
    params.iter().copied().filter(|&param| owned.contains(&param) || ends(param)).collect()
}

/// The calls in a function.
#[derive(Default)]
struct CallArguments {
    any: bool,
    args: IndexSet<VarId>,
    /// The views, and the arrays in whose memory they are.
    views: IndexMap<VarId, VarId>,
}

impl CallArguments {
    fn block(&mut self, block: &mut Block<Ranged>) {
        for step in &mut block.steps {
            self.views.extend(step.view());
            if let Step::Call { callee: Callee::Function(_), args, .. } = step {
                self.any = true;
                self.args.extend(args.iter().filter_map(Atom::as_var));
            }
            step.blocks_mut().into_iter().for_each(|inner| self.block(inner));
        }
    }

    /// Whether the array, or a view of it, is an argument of a call.
    fn passes(&self, array: VarId) -> bool {
        self.args.iter().any(|&arg| {
            let mut behind = std::iter::successors(Some(arg), |arg| self.views.get(arg).copied());
            behind.any(|behind| behind == array)
        })
    }
}
