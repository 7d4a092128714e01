//! An element of an array whose elements are all one scalar is that scalar.
//!
//! Invariant: the scalar is bound before the array, so it is in scope wherever the array is.
//!
//! ```text
//! vs = generate n (\i -> 1); t = reshape vs; s = fold (\acc x v -> { r = acc + v; r }) 0 xs t
//! ⇒ vs = generate n (\i -> 1); t = reshape vs; s = fold (\acc x v -> { r = acc + 1; r }) 0 xs t
//! ```

use indexmap::IndexMap;

use crate::cnf::{Atom, Block, ElementWorker, Function, Op, Var};
use arrc_syntax::ids::{PrimaryMap, SecondaryMap, VarId};

/// Replaces elements by the scalar that they all are; says whether anything changed.
pub(super) fn spread(function: &mut Function) -> bool {
    let mut used = SecondaryMap::new();
    function.body.for_each_use(&mut |atom| {
        if let Atom::Var(var) = atom {
            used[var] = true;
        }
    });
    let vars = &function.tables.vars;
    let mut replicas = ReplicaReplacer { vars, used, same: IndexMap::new(), changed: false };
    replicas.block(&mut function.body);
    replicas.changed
}

struct ReplicaReplacer<'a> {
    vars: &'a PrimaryMap<VarId, Var>,
    /// Whether each variable is used anywhere.
    used: SecondaryMap<VarId, bool>,
    /// The arrays that repeat one scalar, with the scalar.
    same: IndexMap<VarId, Atom>,
    changed: bool,
}

impl ReplicaReplacer<'_> {
    fn block(&mut self, block: &mut Block) {
        for bind in &mut block.binds {
            self.elements(&mut bind.op);
            for inner in bind.op.blocks_mut() {
                self.block(inner);
            }
            self.note(&bind.vars, &bind.op);
        }
    }

    /// Notes the arrays that an operation binds and that repeat one scalar.
    fn note(&mut self, vars: &[VarId], op: &Op) {
        if let Op::Generate { worker, .. } = op {
            for (&var, &result) in vars.iter().zip(&worker.body.results) {
                let is_outside = worker.body.binds.is_empty() && result != worker.params[0].into();
                let same = match result {
                    Atom::Const(_) => Some(result),
                    Atom::Var(row) if self.vars[row].ty.is_array() => {
                        // The worker may bind the scalar that a row repeats. Then the scalar is out of scope elsewhere.
                        self.same.get(&row).copied().filter(|same| is_outside || is_const(*same))
                    }
                    Atom::Var(_) => is_outside.then_some(result),
                };
                self.same.extend(same.map(|same| (var, same)));
            }
        } else if let Op::Reshape { array, .. } = op
            && let Some(&same) = self.same.get(array)
        {
            self.same.insert(vars[0], same);
        }
    }

    /// Replaces the parameters of a worker that are elements of such arrays.
    fn elements(&mut self, op: &mut Op) {
        // The worker of a reduction or a scan may be given accumulators as elements.
        let paired = op.is_paired();
        let Some(ElementWorker { worker, accs, inputs }) = op.elements_mut() else { return };
        if paired {
            return;
        }
        let elems = worker.params[accs..].iter().zip(inputs.iter());
        let known = elems.filter_map(|(&elem, input)| {
            let is_scalar = self.used[elem] && !self.vars[elem].ty.is_array();
            Some((elem, *self.same.get(input).filter(|_| is_scalar)?))
        });
        let known: IndexMap<VarId, Atom> = known.collect();
        if known.is_empty() {
            return;
        }
        worker.body.substitute(&known);
        self.changed = true;
    }
}

fn is_const(atom: Atom) -> bool {
    matches!(atom, Atom::Const(_))
}
