//! A filtered array that is read from its end, as by `reverse` and `foldr`: the filter goes over its source from the
//! end instead.
//!
//! `reverse (filter p xs)` is equal to `filter p (reverse xs)`. So this pass reverses the traversal: the filter reads
//! its source from the last element to the first one. The maps and filters that produce or consume its elements are
//! reversed with it. The filtered array is then consumed in order, and needs no memory.
//!
//! Invariant: only a `map`, a `filter` or a `generate` whose steps cannot fail goes backwards, so the first failure by
//! position is the same. Nothing else uses its results in their order.
//!
//! ```text
//! ys = filter p xs; n = length ys; zs = generate n (\i -> ys[n - 1 - i])
//! ⇒ m = length xs; us = generate m (\i -> xs[m - 1 - i]); ys = filter p us; zs = map (\y -> y) ys
//! ```

use indexmap::{IndexMap, IndexSet};

use super::position;
use super::series_slice::linear::SizeRelations;
use super::series_slice::series;
use crate::cnf::{Atom, Bind, Block, Op, SizeDef, Type, Var, Worker};
use crate::process::uses;
use crate::tables::Tables;
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

/// A read of the element that is as far from the end as the step is from the first one.
struct ReversedRead {
    /// The variable that the element is bound to.
    var: VarId,
    array: VarId,
    /// The variable of the position.
    at: VarId,
}

/// Whether a binding reads the result of a filter from its end, and the filter can go over its source from the end.
pub(super) fn is_backwards(block: &Block, bind: &Bind, tables: &Tables) -> bool {
    reads(block, bind, tables).is_some_and(|reads| reversed_binds(block, &reads, tables).is_some())
}

/// The block in which the filter goes over its source from the end.
pub(super) fn rewrite(block: &Block, at: usize, tables: &mut Tables) -> Option<Block> {
    let reads_of = reads(block, &block.binds[at], tables)?;
    let turned = reversed_binds(block, &reads_of, tables)?;
    let mut turn = Reversal { tables, done: Vec::new(), sources: IndexMap::new() };
    for (of, bind) in block.binds.iter().enumerate() {
        if turned.contains(&of) {
            turn.reverse_bind(block, bind, &turned)?;
        } else {
            match reads(block, bind, turn.tables) {
                Some(reads) if reads_only_reversed(block, &reads, &turned) => {
                    turn.in_order(block, bind, &reads)?
                }
                Some(_) | None => turn.done.push(bind.clone()),
            }
        }
    }
    let mut block = Block { binds: turn.done, results: block.results.clone() };
    drop_counts(&mut block, tables);
    Some(position::rewrite_all(block, tables))
}

/// Removes the lengths, and the sums and differences of them, that nothing needs any more: otherwise a pass counts its
/// elements.
fn drop_counts(block: &mut Block, tables: &Tables) {
    let sizes = tables.sizes.values().filter_map(|size| match size.def {
        SizeDef::Value(var) => Some(var),
        SizeDef::Param | SizeDef::Exists | SizeDef::Sum(..) | SizeDef::Product(..) => None,
    });
    let mut used: IndexSet<VarId> =
        block.results.iter().filter_map(Atom::as_var).chain(sizes).collect();
    let mut kept = Vec::new();
    for bind in std::mem::take(&mut block.binds).into_iter().rev() {
        let is_sum = matches!(bind.op.binary(), Some((BinOp::Add | BinOp::Sub, _)));
        let is_count = bind.op.length().is_some() || is_sum;
        if !is_count || bind.vars.iter().any(|var| used.contains(var)) {
            used.extend(uses::free(&bind));
            kept.push(bind);
        }
    }
    kept.reverse();
    block.binds = kept;
}

/// The elements that a `generate`, or a `map` over positions, reads from the results of a filter, all from the end, if
/// it uses these in no other way.
fn reads(block: &Block, bind: &Bind, tables: &Tables) -> Option<Vec<ReversedRead>> {
    let (worker, index) = steps(block, bind)?;
    let mut reads = Vec::new();
    for inner in &worker.body.binds {
        let Op::Index { array, indices, .. } = &inner.op else { continue };
        if !series::is_rigid(block, *array) {
            continue;
        }
        let extent = *tables.vars[*array].ty.shape().first()?;
        let linear = SizeRelations { block, extent, tables };
        let is_left = |size, count| {
            linear.omitted_count(size).and_then(|left| left.constant()) == Some(count)
        };
        let goes_over_all = if let Op::Generate { size, .. } = &bind.op {
            is_left(*size, 0)
        } else {
            tables.vars[*bind.vars.first()?].ty.shape().first() == Some(&extent)
        };
        let [Atom::Var(at)] = indices[..] else { return None };
        let position = worker.body.binds.iter().find(|bind| bind.vars.contains(&at))?;
        let (BinOp::Sub, [last, step]) = position.op.binary()? else { return None };
        (goes_over_all && is_left(last, 1) && step == Atom::Var(index)).then_some(())?;
        reads.push(ReversedRead { var: *inner.vars.first()?, array: *array, at });
    }
    let mut uses = 0;
    worker.body.for_each_use(&mut |atom| {
        uses += usize::from(matches!(atom, Atom::Var(var) if series::is_rigid(block, var)));
    });
    (!reads.is_empty() && uses == reads.len()).then_some(reads)
}

/// The worker of a `generate`, or of a `map` over positions in a series, and its parameter for the position.
fn steps<'a>(block: &Block, bind: &'a Bind) -> Option<(&'a Worker, VarId)> {
    if let Op::Generate { worker, .. } = &bind.op {
        return Some((worker, *worker.params.first()?));
    }
    let Op::Map { worker, inputs } = &bind.op else { return None };
    let at = inputs.iter().position(|&array| {
        series::maker(block, array).is_some_and(|(_, bind)| is_positions(bind))
    })?;
    Some((worker, *worker.params.get(at)?))
}

/// Whether a binding gives the positions in a series.
fn is_positions(bind: &Bind) -> bool {
    matches!(&bind.op, Op::Scan { prefix, worker, init, .. } if position::counts(*prefix, worker, init))
}

fn reads_only_reversed(block: &Block, reads: &[ReversedRead], turned: &IndexSet<usize>) -> bool {
    let is_turned = |read: &ReversedRead| {
        series::maker(block, read.array).is_some_and(|(maker, _)| turned.contains(&maker))
    };
    reads.iter().all(is_turned)
}

/// The bindings that go backwards: those that make the arrays, back to the sources of the filters. There are none if
/// something else needs a result of them in its order.
fn reversed_binds(
    block: &Block,
    reads_of: &[ReversedRead],
    tables: &Tables,
) -> Option<IndexSet<usize>> {
    let mut turned = IndexSet::new();
    let mut open: Vec<VarId> = reads_of.iter().map(|read| read.array).collect();
    while let Some(array) = open.pop() {
        let (at, bind) = series::maker(block, array)?;
        matches!(bind.op, Op::Map { .. } | Op::Filter { .. }).then_some(())?;
        if turned.insert(at) {
            open.extend(bind.op.streams().into_iter().filter(|&of| series::is_rigid(block, of)));
        }
    }
    for &at in &turned {
        let bind = &block.binds[at];
        (can_reverse(bind, tables) && has_order(block, &bind.vars, &turned, tables))
            .then_some(())?;
    }
    // What only they use goes backwards too, instead of being stored.
    for (at, bind) in block.binds.iter().enumerate().rev() {
        let is_elementwise = matches!(bind.op, Op::Map { .. } | Op::Generate { .. });
        if is_elementwise
            && can_reverse(bind, tables)
            && has_order(block, &bind.vars, &turned, tables)
        {
            turned.insert(at);
        }
    }
    Some(turned)
}

/// Whether the steps of a combinator make scalars, and cannot fail.
fn can_reverse(bind: &Bind, tables: &Tables) -> bool {
    let is_flat = |var: &VarId| tables.vars[*var].ty.rank() == 1;
    let blocks = bind.op.inner();
    bind.vars.iter().chain(&bind.op.streams()).all(is_flat)
        && blocks.iter().all(|inner| is_total(inner.block, &tables.vars))
}

fn is_total(block: &Block, vars: &PrimaryMap<VarId, Var>) -> bool {
    let mut total = true;
    block.for_each_op(&mut |op| {
        let is_made = matches!(op, Op::If { .. } | Op::Map { .. } | Op::Fold { .. });
        let is_read = op.length().is_some() || matches!(op, Op::Index { inside: true, .. });
        let scalar = op.operation().is_some_and(|operation| !operation.fails(vars));
        total &= is_made || is_read || scalar;
    });
    total
}

/// Whether all uses of some arrays follow their order: those of what goes backwards, and of what reads them from the
/// end. Lengths and positions do not depend on it.
fn has_order(block: &Block, arrays: &[VarId], turned: &IndexSet<usize>, tables: &Tables) -> bool {
    let is_own = |var: &VarId| arrays.contains(var);
    let mut is_used = false;
    let all = block.binds.iter().enumerate().all(|(at, bind)| {
        let streams = bind.op.streams().iter().any(is_own);
        let beside = uses::beside_streams(bind).iter().any(is_own);
        is_used |= streams || beside;
        let counts = is_positions(bind);
        let reversed = || {
            reads(block, bind, tables)
                .is_some_and(|reads| reads_only_reversed(block, &reads, turned))
        };
        (!streams || turned.contains(&at) || counts)
            && (!beside || bind.op.length().is_some() || reversed())
    });
    all && is_used && !block.results.iter().filter_map(Atom::as_var).any(|var| is_own(&var))
}

/// A block while some of its bindings are reversed.
struct Reversal<'a> {
    tables: &'a mut Tables,
    done: Vec<Bind>,
    /// The arrays in memory that are read from the end, and their elements in that order.
    sources: IndexMap<VarId, VarId>,
}

impl Reversal<'_> {
    /// Adds a binding that goes backwards.
    fn reverse_bind(&mut self, block: &Block, bind: &Bind, turned: &IndexSet<usize>) -> Option<()> {
        let mut bind = bind.clone();
        if let Op::Generate { size, worker } = &mut bind.op {
            let index = *worker.params.first()?;
            let (step, at) = self.reversed_position(*size, bind.span);
            worker.params = vec![step];
            worker.body.binds.insert(0, Bind { vars: vec![index], op: at, span: bind.span });
        }
        let mut names = IndexMap::new();
        for array in bind.op.streams() {
            let maker = series::maker(block, array);
            if !maker.is_some_and(|(at, _)| turned.contains(&at)) {
                names.insert(array, self.source(array, bind.span)?);
            }
        }
        bind.op.substitute(&names);
        self.done.push(bind);
        Some(())
    }

    /// The elements of an array in memory, from the last one on.
    fn source(&mut self, array: VarId, span: Span) -> Option<VarId> {
        if let Some(&known) = self.sources.get(&array) {
            return Some(known);
        }
        let length = self.scalar("length");
        self.done.push(Bind { vars: vec![length], op: Op::Length { array, dim: 0 }, span });
        let (step, position) = self.reversed_position(Atom::Var(length), span);
        let at = self.scalar("at");
        let of = self.tables.vars[array].clone();
        let element = Var { ty: of.ty.element()?, name: of.name.clone() };
        let element = self.tables.vars.push(element);
        let read = Op::Index { array, indices: vec![Atom::Var(at)], inside: true };
        let binds = [(at, position), (element, read)];
        let binds = binds.map(|(var, op)| Bind { vars: vec![var], op, span }).to_vec();
        let body = Block { binds, results: vec![Atom::Var(element)] };
        let worker = Worker { params: vec![step], body };
        let reversed = self.tables.vars.push(of);
        let op = Op::Generate { size: Atom::Var(length), worker };
        self.done.push(Bind { vars: vec![reversed], op, span });
        self.sources.insert(array, reversed);
        Some(reversed)
    }

    /// A step, and the position that it has from the end of `length` elements.
    fn reversed_position(&mut self, length: Atom, span: Span) -> (VarId, Op) {
        let [last, step] = ["last", "i"].map(|name| self.scalar(name));
        let op = Op::bin(BinOp::Sub, length, Const::i64(1).into());
        self.done.push(Bind { vars: vec![last], op, span });
        (step, Op::bin(BinOp::Sub, Atom::Var(last), Atom::Var(step)))
    }

    fn scalar(&mut self, name: &'static str) -> VarId {
        let ty = Type::Scalar(Scalar::I64);
        self.tables.vars.push(Var { name: Name::new_static(name), ty })
    }

    /// Adds what has read the arrays from the end, as a `map` of them.
    fn in_order(&mut self, block: &Block, bind: &Bind, reads: &[ReversedRead]) -> Option<()> {
        let (worker, index) = steps(block, bind)?;
        let Worker { mut params, mut body } = worker.clone();
        body.binds.retain(|bind| !reads.iter().any(|read| bind.vars.contains(&read.var)));
        let is_used = |body: &Block, var: VarId| {
            let mut used = false;
            body.for_each_use(&mut |atom| used |= atom == Atom::Var(var));
            used
        };
        for &ReversedRead { at, .. } in reads {
            if !is_used(&body, at) {
                body.binds.retain(|bind| !bind.vars.contains(&at));
            }
        }
        let mut inputs = bind.op.streams();
        if matches!(bind.op, Op::Generate { .. }) {
            let positions = position::scan(reads.first()?.array, bind.span, self.tables)?;
            inputs.extend(&positions.vars);
            self.done.push(positions);
        }
        if !is_used(&body, index) {
            let at = params.iter().position(|&param| param == index)?;
            params.remove(at);
            inputs.remove(at);
        }
        params.extend(reads.iter().map(|read| read.var));
        inputs.extend(reads.iter().map(|read| read.array));
        let op = Op::Map { worker: Worker { params, body }, inputs };
        self.done.push(Bind { op, ..bind.clone() });
        Some(())
    }
}
