//! The pass over the lanes of a group of scalar operations: a map if it only combines elements at the lane, else a pass
//! over the numbers of the lanes.
//!
//! Invariant: a scalar of the lane that was computed before is read at the lane, and so is an element of an array of
//! the lane: of a matrix in the column of the lane, or in its row.
//!
//! ```text
//! t = x * 2.0; u = t + y                ⇒ map2 (\x y -> { t = x * 2.0; u = t + y; u }) xs ys
//! v = c[i]; t = x + v                   ⇒ generate m (\j -> { x = xs[j]; v = c[i, j]; t = x + v; t })
//! ```

use indexmap::{IndexMap, IndexSet};

use super::lift::{Lifted, Lifter};
use crate::cnf::{Atom, Bind, Block, Op, Type, Var, Worker};
use crate::process::uses;
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;

/// The pass of a block of scalar operations.
pub(super) fn pass(lifter: &mut Lifter<'_>, body: Block) -> Op {
    let used = differing(lifter, &body);
    let rows = used.iter().map(|var| match lifter.lifted[var] {
        Lifted::Scalar(array) => Some(array),
        Lifted::Lane | Lifted::Pending | Lifted::Column(_) | Lifted::Row(_) => None,
    });
    match rows.collect::<Option<Vec<VarId>>>() {
        Some(inputs) if !inputs.is_empty() => map(lifter, body, (&used, inputs)),
        Some(_) | None => generate(lifter, body),
    }
}

/// The variables of a block that differ between lanes and that the block does not bind.
fn differing(lifter: &Lifter<'_>, body: &Block) -> IndexSet<VarId> {
    let worker = Worker { params: Vec::new(), body: body.clone() };
    let free = uses::free_in(&worker).into_iter();
    free.filter(|var| lifter.lifted.contains_key(var)).collect()
}

fn map(
    lifter: &mut Lifter<'_>,
    mut body: Block,
    (used, inputs): (&IndexSet<VarId>, Vec<VarId>),
) -> Op {
    let names = used.iter().map(|&scalar| (scalar, copy(lifter, scalar))).collect();
    rename(&mut body, &names);
    let params = names.into_values().collect();
    Op::Map { worker: Worker { params, body }, inputs }
}

/// The pass over the numbers of the lanes.
pub(super) fn generate(lifter: &mut Lifter<'_>, mut body: Block) -> Op {
    let ty = Type::Scalar(Scalar::I64);
    let lane = lifter.tables.vars.push(Var { name: Name::new_static("j"), ty });
    let mut names = IndexMap::new();
    let mut reads = Vec::new();
    for var in differing(lifter, &body) {
        match lifter.lifted[&var] {
            Lifted::Lane => {
                names.insert(var, lane);
            }
            Lifted::Scalar(array) => {
                let scalar = copy(lifter, var);
                let indices = vec![Atom::Var(lane)];
                let op = Op::Index { array, indices, inside: true };
                reads.push(Bind { vars: vec![scalar], op, span: lifter.lanes.span });
                names.insert(var, scalar);
            }
            Lifted::Pending | Lifted::Column(_) | Lifted::Row(_) => {}
        }
    }
    rename(&mut body, &names);
    read_at(&lifter.lifted, &mut body, lane);
    body.binds.splice(0..0, reads);
    let worker = Worker { params: vec![lane], body };
    Op::Generate { size: lifter.lanes.count, worker }
}

fn copy(lifter: &mut Lifter<'_>, scalar: VarId) -> VarId {
    let var = lifter.tables.vars[scalar].clone();
    lifter.tables.vars.push(var)
}

fn rename(body: &mut Block, names: &IndexMap<VarId, VarId>) {
    body.replace_uses(&mut |atom| atom.substitute(names));
}

/// Reads the elements of arrays of the lane.
fn read_at(lifted: &IndexMap<VarId, Lifted>, block: &mut Block, lane: VarId) {
    for bind in &mut block.binds {
        if let Op::Index { array, indices, .. } = &mut bind.op {
            match lifted.get(array) {
                Some(&Lifted::Column(matrix)) => {
                    *array = matrix;
                    indices.push(Atom::Var(lane));
                }
                Some(&Lifted::Row(matrix)) => {
                    *array = matrix;
                    indices.insert(0, Atom::Var(lane));
                }
                Some(Lifted::Lane | Lifted::Scalar(_) | Lifted::Pending) | None => {}
            }
        }
        for inner in bind.op.blocks_mut() {
            read_at(lifted, inner, lane);
        }
    }
}
