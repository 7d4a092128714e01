//! What holds of calls.
//!
//! Invariant: a call passes what its callee takes, and binds what it gives.

use super::{Check, same};
use crate::ir::cnf::{Callee, Component, Type};
use crate::ir::procedure::concrete::Phase;

impl<P: Phase> Check<'_, P> {
    /// Checks a call with arguments and results of these types; says which arguments the callee takes.
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
                    // They are lent.
                    return Ok(vec![false; args.len()]);
                }
                Err(format!("a call of {} passes or binds what it does not have", callee.name))
            }
        }
    }
}

fn takes(components: &[Component], types: &[Type]) -> bool {
    let mut pairs = components.iter().zip(types);
    components.len() == types.len() && pairs.all(|(component, ty)| component.takes(ty))
}
