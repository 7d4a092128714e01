//! The rules for calls.
//!
//! Invariant: a call passes the arguments that its callee takes, and binds the results that it gives. The calls of a
//! fork do not depend on each other, except for arrays to which they append.

use indexmap::IndexSet;

use super::{FunctionVerifier, same};
use crate::concrete::def_use::{defines, uses};
use crate::concrete::{Phase, Step};
use arrc_fusion::cnf::{Callee, Component, Type};
use arrc_fusion::process::verify_process::ensure;
use arrc_syntax::ids::VarId;

impl<P: Phase> FunctionVerifier<'_, P> {
    /// Checks a call with arguments and results of these types, and returns which arguments the callee owns.
    pub(super) fn call(
        &self,
        callee: Callee,
        args: &[Type],
        results: &[Type],
    ) -> Result<Vec<bool>, String> {
        match callee {
            Callee::Function(function) => {
                let callee = self.program.functions.get(function);
                let callee =
                    callee.ok_or_else(|| format!("a call of {function}, which is none"))?;
                let params =
                    callee.params.iter().map(|&param| callee.tables.vars[param].ty.clone());
                same("a call's arguments", args, &params.collect::<Vec<_>>())?;
                same("a call's results", results, &callee.results)?;
                Ok(callee.params.iter().map(|param| callee.owned.contains(param)).collect())
            }
            Callee::External(external) => {
                let callee = self.program.externals.get(external);
                let callee =
                    callee.ok_or_else(|| format!("a call of {external}, which is none"))?;
                if takes(&callee.inputs, args) && takes(&callee.outputs, results) {
                    // A C function only borrows its arguments.
                    return Ok(vec![false; args.len()]);
                }
                Err(format!("a call of {} passes or binds what it does not have", callee.name))
            }
        }
    }
}

impl<P: Phase> FunctionVerifier<'_, P> {
    /// Checks the results that the function appends to its last parameters.
    pub(super) fn appends(&self) -> Result<(), String> {
        let function = self.function;
        let are_there = function.appends.len() <= function.params.len()
            && function.appends.iter().all(|&at| at < function.results.len());
        ensure(are_there, || "a function appends more than it gives or takes".to_owned())?;
        let pairs = function.appended().map(|(param, result)| {
            (function.tables.vars[function.params[param]].ty.clone(), &function.results[result])
        });
        let (params, results): (Vec<_>, Vec<_>) = pairs.map(|(a, b)| (a, b.clone())).unzip();
        same("what a function appends to", &params, &results)
    }

    /// Checks that the calls of a fork may run at the same time.
    pub(super) fn forks(&self, group: &[Step<P>]) -> Result<(), String> {
        let mut given: IndexSet<VarId> = IndexSet::new();
        for (at, call) in group.iter().enumerate().filter(|_| group.len() > 1) {
            ensure(matches!(call, Step::Call { callee: Callee::Function(_), .. }), || {
                "a fork is followed by what is no call".to_owned()
            })?;
            let chained = match at.checked_sub(1) {
                Some(before) => self.program.chained(&group[before], call),
                None => Vec::new(),
            };
            let mut used = uses(call);
            used.retain(|var| chained.iter().all(|chained| chained.array != *var));
            ensure(used.iter().all(|var| !given.contains(var)), || {
                "a call of a fork needs what one before it gives".to_owned()
            })?;
            given.extend(defines(call));
        }
        let last = group.last();
        ensure(!matches!(last, Some(Step::Call { forks: true, .. })), || {
            "a fork ends with a call that forks".to_owned()
        })
    }
}

fn takes(components: &[Component], types: &[Type]) -> bool {
    let mut pairs = components.iter().zip(types);
    components.len() == types.len() && pairs.all(|(component, ty)| component.takes(ty))
}
