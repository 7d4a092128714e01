//! A step that reads the previous element of a series, `ys[i - 1]`. An exclusive scan passes this element to the step,
//! so the series need not be in memory.
//!
//! Invariant: a step reads such an element only where its position is not 0. So the element exists, and the read cannot
//! fail.
//!
//! ```text
//! ys = filter p xs; zs = filter (\i y -> if i == 0 then true else y != ys[i - 1]) is ys
//! ⇒ ys = filter p xs; before = exscan … ys; zs = filter (\i y b -> if i == 0 then true else y != b) is ys before
//! ```

use indexmap::IndexMap;

use super::position;
use super::series_slice::series;
use crate::cnf::{Atom, Bind, Block, Extent, Op, Operation, Worker};
use crate::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Const, UnOp};

/// The reads of a step: for each variable that is bound to an element of a series, the series, and the distance of that
/// element before the step's own.
type NeighbourReads = IndexMap<VarId, (VarId, i64)>;

/// Whether the steps of a binding read elements of a series only at their own positions and at the ones before.
pub(super) fn reads_before(block: &Block, bind: &Bind, tables: &Tables) -> bool {
    reads(block, bind, tables).is_some()
}

/// The block in which the steps of a binding take these elements as inputs.
pub(super) fn rewrite(block: &Block, at: usize, tables: &mut Tables) -> Option<Block> {
    let bind = &block.binds[at];
    let reads = reads(block, bind, tables)?;
    let mut before = Vec::new();
    let mut op = bind.op.clone();
    let (Op::Map { worker, inputs } | Op::Filter { worker, inputs, .. }) = &mut op else {
        return None;
    };
    let mut params = IndexMap::new();
    for (var, (array, distance)) in reads {
        let param = match params.get(&(array, distance)) {
            Some(&known) => known,
            None => {
                let param = tables.vars.push(tables.vars[var].clone());
                worker.params.push(param);
                inputs.push(series::delayed(array, distance, bind.span, &mut before, tables)?);
                params.insert((array, distance), param);
                param
            }
        };
        unbind(&mut worker.body, var);
        worker.body.replace_uses(&mut |atom| {
            if atom == Atom::Var(var) { Atom::Var(param) } else { atom }
        });
    }
    let mut binds = block.binds.clone();
    before.push(Bind { op, ..bind.clone() });
    binds.splice(at..=at, before);
    let block = Block { binds, results: block.results.clone() };
    Some(position::rewrite_all(block, tables))
}

/// Removes the binding of a variable from a block or from a block in it.
fn unbind(block: &mut Block, var: VarId) {
    block.binds.retain(|bind| bind.vars != [var]);
    for inner in block.binds.iter_mut().flat_map(|bind| bind.op.blocks_mut()) {
        unbind(inner, var);
    }
}

/// The reads of a binding, if one of them is of an element before, and the worker uses the series in no other way.
fn reads(block: &Block, bind: &Bind, tables: &Tables) -> Option<NeighbourReads> {
    let (Op::Map { worker, inputs } | Op::Filter { worker, inputs, .. }) = &bind.op else {
        return None;
    };
    let (place, index) = inputs
        .iter()
        .zip(&worker.params)
        .find_map(|(&input, &param)| has_positions(block, input).then_some((input, param)))?;
    let extent = *tables.vars[place].ty.shape().first()?;
    let mut search = NeighbourReadFinder {
        block,
        tables,
        extent,
        index,
        known: Vec::new(),
        reads: NeighbourReads::new(),
    };
    search.block(&worker.body, false)?;
    let NeighbourReadFinder { reads, .. } = search;
    let is_before = reads.values().any(|&(_, distance)| distance > 0);
    (is_before && uses_of(worker, &reads) == reads.len()).then_some(reads)
}

/// Whether an array has its position in each place.
fn has_positions(block: &Block, array: VarId) -> bool {
    let Some((_, maker)) = series::maker(block, array) else { return false };
    // A worker that also checks or does something runs, so its array has to be read.
    let hands_on = |worker: &Worker| {
        !worker.body.stays() && worker.body.results == [Atom::Var(worker.params[0])]
    };
    #[allow(clippy::wildcard_enum_match_arm, reason = "the other operations do not make positions")]
    match &maker.op {
        Op::Generate { worker, .. } => hands_on(worker),
        Op::Map { worker, inputs } => hands_on(worker) && has_positions(block, inputs[0]),
        Op::Scan { prefix, worker, init, .. } => position::counts(*prefix, worker, init),
        _ => false,
    }
}

/// How often a worker uses arrays from which it reads.
fn uses_of(worker: &Worker, reads: &NeighbourReads) -> usize {
    let mut count = 0;
    worker.body.for_each_use(&mut |atom| {
        let is_read = |var| reads.values().any(|&(array, _)| array == var);
        count += usize::from(atom.as_var().is_some_and(is_read));
    });
    count
}

/// The search for the reads of a worker.
struct NeighbourReadFinder<'a> {
    block: &'a Block,
    tables: &'a Tables,
    /// The size of the positions.
    extent: Extent,
    /// The parameter for the position.
    index: VarId,
    /// The bindings so far, those of blocks around included.
    known: Vec<&'a Bind>,
    reads: NeighbourReads,
}

impl<'a> NeighbourReadFinder<'a> {
    /// Adds the reads of a block, in which the position may be known not to be 0. `None` if one is of another element.
    fn block(&mut self, body: &'a Block, behind_first: bool) -> Option<()> {
        let outside = self.known.len();
        for bind in &body.binds {
            if let Op::Index { array, indices, .. } = &bind.op
                && self.is_series(*array)
            {
                let distance = self.distance(*indices.first()?)?;
                (distance == 0 || behind_first).then_some(())?;
                self.reads.insert(bind.vars[0], (*array, distance));
            } else if let Op::If { cond, then, otherwise } = &bind.op {
                for (branch, outcome) in [(then, true), (otherwise, false)] {
                    self.block(branch, behind_first || self.excludes_first(*cond, outcome))?;
                }
            }
            self.known.push(bind);
        }
        self.known.truncate(outside);
        Some(())
    }

    fn is_series(&self, array: VarId) -> bool {
        let ty = &self.tables.vars[array].ty;
        ty.rank() == 1 && ty.shape()[0] == self.extent && series::is_made(self.block, array)
    }

    /// How many positions before the step's own one an index is: 0 or 1.
    fn distance(&self, index: Atom) -> Option<i64> {
        if index == Atom::Var(self.index) {
            return Some(0);
        }
        let own = Atom::Var(self.index);
        let is_before = match self.defining_op(index)?.binary()? {
            (BinOp::Sub, args) => args == [own, Const::i64(1).into()],
            (BinOp::Add, args) => {
                let step = Const::i64(-1).into();
                args == [own, step] || args == [step, own]
            }
            _ => false,
        };
        is_before.then_some(1)
    }

    /// Whether the position is not 0 where a condition has an outcome.
    fn excludes_first(&self, cond: Atom, outcome: bool) -> bool {
        let Some(op) = self.defining_op(cond) else { return false };
        if let Op::Scalar(Operation::Un(UnOp::Not, x)) = op {
            return self.excludes_first(*x, !outcome);
        }
        if let Op::If { cond, then, otherwise } = op {
            // `a || b` and `a && b`.
            let is_first = |branch: &Block, value| branch.results == [Const::bool(value).into()];
            return match outcome {
                false => is_first(then, true) && self.excludes_first(*cond, false),
                true => is_first(otherwise, false) && self.excludes_first(*cond, true),
            };
        }
        let Some((op, [x, y])) = op.binary() else { return false };
        let compares = |with: i64| x == Atom::Var(self.index) && y == Const::i64(with).into();
        match (op, outcome) {
            (BinOp::Eq | BinOp::Le, false) | (BinOp::Ne | BinOp::Gt, true) => compares(0),
            (BinOp::Lt, false) | (BinOp::Ge, true) => compares(1),
            (BinOp::Or, false) | (BinOp::And, true) => {
                self.excludes_first(x, outcome) || self.excludes_first(y, outcome)
            }
            _ => false,
        }
    }

    fn defining_op(&self, atom: Atom) -> Option<&'a Op> {
        let bound = |bind: &&&Bind| bind.vars.iter().any(|&var| Atom::Var(var) == atom);
        self.known.iter().find(bound).map(|bind| &bind.op)
    }
}
