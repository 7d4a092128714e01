//! A cluster as a function of one chunk.
//!
//! The loop of a cluster goes over arrays of one size, or takes the number of steps of a `generate`. A chunk has some
//! of these steps. The arrays that the loop streams come as chunks, and all arrays of their size have the chunk's
//! size. Positions are counted from the first step of all chunks. A scan, and a fold in order, begin with their
//! accumulators at the end of the chunk before.
//!
//! Invariant: an array that is read by index stays whole, even if the loop streams it too.
//!
//! ```text
//! ys = map2 f xs (generate n g)
//! ⇒ pass (xs: [c], offset) = { l = length xs; ys = map2 f xs (generate l (\i -> g (i + offset))) }
//! ```

use indexmap::{IndexMap, IndexSet};

use super::Chunker;
use super::outline::OutlinedFunction;
use crate::chunk::block_uses::UseCounts;
use crate::chunked::{Arg, CarriedState, Pass, PassResult, PlanStep};
use crate::cnf::{
    Atom, Bind, Extent, FoldOrder, Op, SizeDef, SizeInfo, Type, Usage, Var, VisitMut, Worker,
};
use crate::copy::Copier;
use crate::tables::Tables;
use arrc_syntax::ids::{SizeId, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Scalar};
use arrc_syntax::source::Span;

impl Chunker<'_, '_> {
    /// A pass over chunks, and the steps that follow it, if the cluster's loop goes over one size that is not
    /// constant.
    pub(super) fn pass(&mut self, written: &[&Bind], uses: &UseCounts) -> Option<Vec<PlanStep>> {
        let over = ChunkedLoop::of(written, &self.tables)?;
        let (binds, neutrals, regrouped) = self.regroup(written);
        let binds: &[&Bind] = &binds.iter().collect::<Vec<_>>();
        let lasts = self.last_accumulators(binds);
        let mut cut = OutlinedFunction::new(self.tables.clone(), self.owners.clone(), binds);
        over.resize(&mut cut);
        over.offsets(&mut cut);
        let mut outs = ChunkResults::default();
        let parts: IndexSet<VarId> =
            regrouped.iter().flat_map(|fold| fold.parts.iter().copied()).collect();
        carried(&mut cut, lasts, &parts, &mut outs);
        cut.binds.splice(0..0, neutrals);
        let inside: IndexSet<VarId> = over.sized.iter().copied().collect();
        cut.extents(|array, dim| dim == 0 && inside.contains(&array));
        // The chunks of an array together have its length. An accumulator is whole in each chunk.
        let chunked: IndexSet<VarId> = binds
            .iter()
            .filter(|bind| makes_elements(bind))
            .flat_map(|bind| &bind.vars)
            .copied()
            .collect();
        let needed = uses.used_by_others(binds, self.sizes(), |array| chunked.contains(&array));
        outs.needed(&needed.chain(parts).collect(), binds);
        let lengths = uses.lengths_used_by_others(binds, self.sizes());
        let lengths: Vec<VarId> = lengths.filter(|array| chunked.contains(array)).collect();
        for var in lengths {
            self.defined.insert(var);
            outs.length(var, &over, &mut cut);
        }
        cut.results.clone_from(&outs.results);
        let args = cut.close();
        let span = binds[0].span;
        let function = self.add("pass", cut, span);
        let mut folds = self.folds(binds, &outs.outs);
        folds.extend(regrouped.iter().map(|fold| self.combination(fold)));
        let ChunkResults { outs, carries, .. } = outs;
        let pass = Pass { function, args, outs, count: over.count, folds, carries };
        let ends = regrouped.iter().map(|fold| self.completed(fold));
        Some(std::iter::once(PlanStep::Pass(pass)).chain(ends).collect())
    }

    /// Variables for the last accumulators of each scan.
    fn last_accumulators(&mut self, binds: &[&Bind]) -> Vec<Vec<VarId>> {
        let inits = binds.iter().filter_map(|bind| {
            if let Op::Scan { init, .. } = &bind.op { Some(init) } else { None }
        });
        let mut last = |init: &Atom| {
            let ty = init.ty(&self.tables.vars);
            let last = self.tables.vars.push(Var { name: Name::new_static("last"), ty });
            self.defined.insert(last);
            last
        };
        inits.map(|inits| inits.iter().map(&mut last).collect()).collect()
    }
}

/// Makes scans, and folds in order, begin with the accumulators that the chunk before hands on. `lasts` are variables
/// for the last accumulators of the scans. The accumulators in `parts` are not handed on.
fn carried(
    cut: &mut OutlinedFunction,
    lasts: Vec<Vec<VarId>>,
    parts: &IndexSet<VarId>,
    outs: &mut ChunkResults,
) {
    let mut lasts = lasts.into_iter();
    let mut binds = Vec::new();
    for mut bind in std::mem::take(&mut cut.binds) {
        let mut total = None;
        if let Op::Scan { worker, init, inputs, .. } = &mut bind.op {
            let vars = lasts.next().expect("each scan has variables for its last accumulators");
            outs.carry_to_next_chunk(init, &vars);
            take_over(init, cut, outs);
            let (worker, init, inputs) = (worker.clone(), init.clone(), inputs.clone());
            let op = Op::Fold { order: FoldOrder::Strict, worker, init, inputs };
            total = Some(Bind { vars, op, span: bind.span });
        } else if let Op::Fold { order, worker, init, .. } = &mut bind.op
            && is_ordered(*order, worker, init)
            && !bind.vars.iter().any(|var| parts.contains(var))
        {
            outs.carry_to_next_chunk(init, &bind.vars);
            take_over(init, cut, outs);
        }
        binds.push(bind);
        binds.extend(total.map(|fold| copied(&fold, cut)));
    }
    cut.binds = binds;
}

/// A copy of the binding, with other variables in its worker.
fn copied(bind: &Bind, cut: &mut OutlinedFunction) -> Bind {
    let mut copier = Copier::new(&mut cut.tables);
    for &var in &bind.vars {
        copier.target(var, var);
    }
    copier.bind(bind)
}

/// Whether chunks of a fold run one after the other: the program fixes the order, or no function combines two
/// accumulators.
pub(super) fn is_ordered(order: FoldOrder, worker: &Worker, init: &[Atom]) -> bool {
    order == FoldOrder::Strict || worker.params.len() != 2 * init.len()
}

/// Replaces the initial values by parameters.
fn take_over(init: &mut [Atom], cut: &mut OutlinedFunction, outs: &mut ChunkResults) {
    for atom in init {
        let ty = atom.ty(&cut.tables.vars);
        *atom = Atom::Var(cut.param(Arg::Carry(outs.taken), "carry", ty));
        outs.taken += 1;
    }
}

/// The loop of a cluster.
struct ChunkedLoop {
    /// The extent of the loop over all chunks.
    size: SizeId,
    /// The arrays from outside that the loop streams.
    streams: IndexSet<VarId>,
    /// The arrays from inside and outside that have an element for each step.
    sized: Vec<VarId>,
    /// The number of steps, if there are no streams.
    count: Option<Atom>,
}

impl ChunkedLoop {
    fn of(binds: &[&Bind], tables: &Tables) -> Option<Self> {
        let inside: IndexSet<VarId> = binds.iter().flat_map(|bind| bind.vars.clone()).collect();
        let outside =
            |bind: &&Bind| bind.op.streams().into_iter().filter(|var| !inside.contains(var));
        let streams: IndexSet<VarId> =
            binds.iter().flat_map(|bind| outside(bind).collect::<Vec<_>>()).collect();
        let first = |var: VarId| match tables.vars[var].ty.shape().first() {
            Some(Extent::Size(size)) => Some(*size),
            Some(Extent::Const(_)) | None => None,
        };
        let counts = binds.iter().filter_map(|bind| {
            let Op::Generate { size, .. } = &bind.op else { return None };
            Some((*size, bind.vars[0]))
        });
        let counts: Vec<(Atom, VarId)> = counts.collect();
        let of = streams.first().copied().or_else(|| counts.first().map(|(_, var)| *var))?;
        let size = first(of)?;
        let counted = counts.iter().map(|(_, var)| *var);
        if !streams.iter().copied().chain(counted).all(|var| first(var) == Some(size)) {
            return None;
        }
        let made = binds.iter().filter(|bind| makes_elements(bind)).flat_map(|bind| &bind.vars);
        let sized = streams.iter().chain(made).copied();
        let sized = sized.filter(|&var| first(var) == Some(size)).collect();
        let count = streams.is_empty().then(|| counts[0].0);
        Some(Self { size, streams, sized, count })
    }

    /// Gives the arrays of the loop's size the chunk's size.
    fn resize(&self, cut: &mut OutlinedFunction) {
        let name = Name::new_static("c");
        let chunk = cut.tables.sizes.push(SizeInfo { name, def: SizeDef::Param });
        let mut sizes = IndexMap::from([(self.size, chunk)]);
        let mut renamed = IndexMap::new();
        for &stream in &self.streams {
            let Var { name, ty } = cut.tables.vars[stream].clone();
            let ty = resized(ty, &mut sizes, cut);
            renamed.insert(stream, cut.param(Arg::Chunk(stream), &name, ty));
        }
        if self.streams.is_empty() {
            let count = cut.count(Arg::Count, "count");
            cut.tables.sizes[chunk].def = SizeDef::Value(count);
        }
        let mut binds = std::mem::take(&mut cut.binds);
        for bind in &mut binds {
            bind.op.visit_mut(&mut StreamRenamer(&renamed));
            for &var in bind.vars.iter().filter(|_| makes_elements(bind)) {
                let ty = resized(cut.tables.vars[var].ty.clone(), &mut sizes, cut);
                cut.tables.vars[var].ty = ty;
            }
        }
        cut.binds = binds;
    }

    /// Makes each `generate` compute the chunk's elements, at positions that begin at the offset.
    fn offsets(&self, cut: &mut OutlinedFunction) {
        let mut binds = std::mem::take(&mut cut.binds);
        let Some(first) = binds.iter().position(|bind| matches!(bind.op, Op::Generate { .. }))
        else {
            cut.binds = binds;
            return;
        };
        let offset = cut.count(Arg::Offset, "offset");
        let steps = self.steps(&mut binds, first, cut);
        for bind in &mut binds {
            if let Op::Generate { size, worker } = &mut bind.op {
                *size = Atom::Var(steps);
                shift(worker, offset, bind.span, &mut cut.tables);
            }
        }
        cut.binds = binds;
    }

    /// The variable that holds the number of steps of the chunk.
    fn steps(&self, binds: &mut Vec<Bind>, first: usize, cut: &mut OutlinedFunction) -> VarId {
        let count = cut.args.iter().position(|arg| *arg == Arg::Count);
        if let Some(count) = count {
            return cut.params[count];
        }
        let stream = cut.args.iter().position(|arg| matches!(arg, Arg::Chunk(_)));
        let array = cut.params[stream.expect("a loop without a count has a stream")];
        let ty = Type::Scalar(Scalar::I64);
        let steps = cut.tables.vars.push(Var { name: Name::new_static("steps"), ty });
        let span = binds[first].span;
        binds.insert(0, Bind { vars: vec![steps], op: Op::Length { array, dim: 0 }, span });
        steps
    }
}

/// Whether the results have an element for each step. The accumulators of a fold stay whole, also where they are arrays
/// of as many elements as the loop has steps, as the counts and the places of a sort.
fn makes_elements(bind: &Bind) -> bool {
    !matches!(bind.op, Op::Fold { .. })
}

/// Adds the offset to the worker's position, so that it is a position in all chunks together.
fn shift(worker: &mut Worker, offset: VarId, span: Span, tables: &mut Tables) {
    let position = worker.params[0];
    let local = tables.vars.push(tables.vars[position].clone());
    worker.params[0] = local;
    let op = Op::bin(BinOp::Add, Atom::Var(local), Atom::Var(offset));
    worker.body.binds.insert(0, Bind { vars: vec![position], op, span });
}

/// Renames the arrays that a binding streams.
struct StreamRenamer<'a>(&'a IndexMap<VarId, VarId>);

impl VisitMut<'_> for StreamRenamer<'_> {
    fn array(&mut self, array: &mut VarId, usage: Usage) {
        if usage == Usage::Stream
            && let Some(&new) = self.0.get(array)
        {
            *array = new;
        }
    }
}

/// The type with the chunk's size in its first dimension. A size that is made of the loop's size becomes a new size.
fn resized(ty: Type, sizes: &mut IndexMap<SizeId, SizeId>, cut: &mut OutlinedFunction) -> Type {
    let Type::Array { elem, mut shape } = ty else { return ty };
    if let Some(first) = shape.first_mut() {
        *first = resized_extent(*first, sizes, cut);
    }
    Type::Array { elem, shape }
}

fn resized_extent(
    extent: Extent,
    sizes: &mut IndexMap<SizeId, SizeId>,
    cut: &mut OutlinedFunction,
) -> Extent {
    let Extent::Size(size) = extent else { return extent };
    if let Some(&new) = sizes.get(&size) {
        return Extent::Size(new);
    }
    // Chunks divide the left factor. A `cross` needs the right one whole.
    let SizeInfo { name, def: SizeDef::Product(left, right) } = cut.tables.sizes[size].clone()
    else {
        return extent;
    };
    let part = resized_extent(left, sizes, cut);
    if part == left {
        return extent;
    }
    let def = SizeDef::Product(part, right);
    let new = cut.tables.sizes.push(SizeInfo { name, def });
    sizes.insert(size, new);
    Extent::Size(new)
}

/// The results of a pass.
#[derive(Default)]
struct ChunkResults {
    outs: Vec<PassResult>,
    results: Vec<Atom>,
    carries: Vec<CarriedState>,
    /// The number of carries that have a parameter.
    taken: usize,
}

impl ChunkResults {
    /// Makes the function return these values for the next chunk.
    fn carry_to_next_chunk(&mut self, inits: &[Atom], vars: &[VarId]) {
        for (&init, &out) in inits.iter().zip(vars) {
            self.outs.push(PassResult::Carry(self.carries.len()));
            self.results.push(Atom::Var(out));
            self.carries.push(CarriedState { init, out });
        }
    }

    /// Makes the function return the values that other steps use. For a fold it returns all accumulators, since they
    /// are combined together.
    fn needed(&mut self, needed: &IndexSet<VarId>, binds: &[&Bind]) {
        for bind in binds {
            let is_fold = matches!(bind.op, Op::Fold { .. });
            let is_needed = |var: &&VarId| needed.contains(*var);
            let all = if is_fold && bind.vars.iter().any(|var| needed.contains(var)) {
                bind.vars.iter().collect::<Vec<_>>()
            } else {
                bind.vars.iter().filter(is_needed).collect()
            };
            for &var in all {
                if self.carries.iter().any(|carry| carry.out == var) {
                    continue;
                }
                self.outs.push(if is_fold {
                    PassResult::Fold(var)
                } else {
                    PassResult::Array(var)
                });
                self.results.push(Atom::Var(var));
            }
        }
    }

    /// Makes the function return the length of an array that is not stored, unless the chunks together have that
    /// length.
    fn length(&mut self, var: VarId, over: &ChunkedLoop, cut: &mut OutlinedFunction) {
        if self.outs.contains(&PassResult::Array(var)) && over.sized.contains(&var) {
            return;
        }
        let ty = Type::Scalar(Scalar::I64);
        let length = cut.tables.vars.push(Var { name: Name::new_static("length"), ty });
        let span = cut.binds[0].span;
        cut.binds.push(Bind { vars: vec![length], op: Op::Length { array: var, dim: 0 }, span });
        self.outs.push(PassResult::Length(var));
        self.results.push(Atom::Var(length));
    }
}
