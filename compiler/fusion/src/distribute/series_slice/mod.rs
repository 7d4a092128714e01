//! Computes parts of a series in the pass that makes the series: `take`, `drop`, `tail`, `init`, slices and windows of
//! the result of a filter, a flatmap or a scan.
//!
//! A `generate` that reads the series at a position for each index needs the series in memory. Rewritten as a filter of
//! the series by position, it runs in the pass. A step may read several elements, such as one of `init` beside one of
//! `tail`. A scan hands the elements before the last one on from step to step.
//!
//! Invariant: the elements are the same, in the same order, and a position outside the series is the same error. Where
//! the part is needed at its own size, such as beside another array or as a result, it is a view of the filter's
//! result.
//!
//! ```text
//! ys = filter p xs; zs = generate m (\i -> ys[i + k]), where m = length ys - k; s = reduce (+) 0 zs
//! ⇒ ys = filter p xs; at = exscan (\i y -> i + 1) 0 ys; zs = filter (>= k) at keeping ys; s = reduce (+) 0 zs
//! ```

pub(super) mod linear;
pub(super) mod series;

use arr_abi::ErrorCode;
use indexmap::IndexMap;

use self::linear::{AffineIndex, SizeRelations};
use super::{end_elements, position};
use crate::cnf::{Assertion, Atom, Bind, Block, Extent, Op, SizeDef, SizeInfo, Type, Var, Worker};
use crate::copy::Copier;
use crate::process::uses;
use crate::tables::Tables;
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

/// The largest distance from an element that a step reads to the last element that it reads. A step hands on all
/// elements between the two. `scripts/bench kept_neighbours_i64` has a distance of 1. The limit was not measured by
/// itself.
const MAX_WINDOW: i64 = 4;

/// The elements of a series that some `generate`s of one size read.
#[derive(Clone, Debug)]
struct SeriesSlice {
    /// The size of the `generate`s.
    size: Atom,
    /// The size of the series.
    extent: Extent,
    /// An array of the series.
    series: VarId,
    /// The position of the last element that the first step reads.
    first: Atom,
    /// The distance from that position to the position of the last element that the next step reads.
    stride: i64,
    /// Whether the steps go on to the end of the series.
    to_end: bool,
    /// Whether the size of the `generate`s implies that all their positions lie in the series.
    known: bool,
    /// A read whose positions still have to be checked, if there is one.
    checked: Option<Span>,
}

/// An element of the series that a step reads: the variable that it is bound to, and the position.
struct SeriesRead {
    var: VarId,
    array: VarId,
    form: AffineIndex,
    inside: bool,
    span: Span,
}

/// Whether a binding reads a part of a series that the pass of the series can compute.
pub(super) fn is_cut(block: &Block, bind: &Bind, tables: &Tables) -> bool {
    cut(block, bind, tables).is_some()
}

/// The block in which the `generate` at this place, and others of its size, go over a filter of the series.
pub(super) fn rewrite(block: &Block, at: usize, tables: &mut Tables) -> Option<Block> {
    let mut cut = cut(block, &block.binds[at], tables)?;
    // A later `generate` of the same size shares the filter: it reads the series as well, or positions only.
    let mut group = IndexMap::new();
    let own = |bind: &Bind| bind.vars.first().and_then(|&var| extent(var, tables));
    for (of, bind) in block.binds.iter().enumerate().skip(at) {
        let Op::Generate { size, .. } = bind.op else { continue };
        let same_size = size == cut.size || own(bind) == own(&block.binds[at]);
        let reads = reads(block, bind, cut.extent, tables).filter(|_| same_size);
        let Some(reads) = reads.filter(|reads| of == at || cut.joins(block, at, reads)) else {
            continue;
        };
        group.insert(of, reads);
    }
    cut.widen(group.values().flatten());
    let mut parts =
        FilterRewriter { cut, tables, done: Vec::new(), size: None, kept: IndexMap::new() };
    let mut parts_of: IndexMap<VarId, VarId> = IndexMap::new();
    for (of, bind) in block.binds.iter().enumerate() {
        if of == at {
            parts.filter(group.values().flatten(), bind.span)?;
        }
        match group.get(&of) {
            Some(reads) => parts.rewrite_generate(bind, reads, &mut parts_of)?,
            None => parts.consumed(block, bind, &mut parts_of),
        }
    }
    let mut block = Block { binds: parts.done, results: block.results.clone() };
    drop_unused_views(&mut block);
    Some(position::rewrite_all(block, parts.tables))
}

/// The part of a series that a `generate` reads, if the pass of the series can compute it.
fn cut(block: &Block, bind: &Bind, tables: &Tables) -> Option<SeriesSlice> {
    let Op::Generate { size, worker } = &bind.op else { return None };
    let series = worker.body.binds.iter().find_map(|bind| {
        let Op::Index { array, .. } = bind.op else { return None };
        series::is_made(block, array).then_some(array)
    })?;
    let extent = extent(series, tables)?;
    let reads = reads(block, bind, extent, tables)?;
    let AffineIndex { base, stride } = reads.first()?.form;
    let size = *size;
    let is_alone = reads.iter().all(|read| read.form == reads[0].form);
    let checked = reads.iter().find(|read| !read.inside).map(|read| read.span);
    let mut cut = SeriesSlice {
        size,
        extent,
        series,
        first: base,
        stride,
        to_end: false,
        known: false,
        checked,
    };
    if !reads.iter().all(|read| read.form.stride == stride) {
        return None;
    }
    let linear = SizeRelations { block, extent, tables };
    if stride > 1 {
        cut.to_end = linear.is_rounded_up(size, base, stride);
        let known = cut.to_end || !linear.is_known_late(size);
        return (known && is_alone && checked.is_none()).then_some(cut);
    }
    if let Some(left) = linear.omitted_count(size) {
        // All positions lie in the series if the first step reads none above the number of elements that are left out.
        // If its last position is that number, the steps go on to the end.
        let last = reads.iter().map(|read| read.form.constant()).max()?;
        cut.to_end = match (left.constant(), last) {
            (Some(left), Some(last)) => {
                (0..=left).contains(&last).then_some(())?;
                if series::is_rigid(block, series) || left == last {
                    cut.first = Const::i64(left).into();
                }
                cut.known = true;
                cut.checked = None;
                cut.first == Const::i64(left).into()
            }
            _ => is_alone && left == base,
        };
        if cut.to_end || cut.known {
            return cut.at_last(&reads);
        }
    }
    let from_start = is_alone && base == Const::i64(0).into();
    (!linear.is_known_late(size) && (checked.is_none() || from_start)).then_some(())?;
    cut.at_last(&reads)
}

impl SeriesSlice {
    /// The cut that begins at the last element that the first step reads. There is none if it takes the whole series,
    /// or if another element is too far from the last one.
    fn at_last(mut self, reads: &[SeriesRead]) -> Option<Self> {
        self.widen(reads);
        let takes_all = self.to_end && self.stride == 1 && self.first == Const::i64(0).into();
        (!takes_all).then_some(())?;
        let near = |read: &SeriesRead| self.before(read).is_some_and(|gap| gap <= MAX_WINDOW);
        reads.iter().all(near).then_some(self)
    }

    /// Moves the beginning to the last of some elements, if it comes later.
    fn widen<'a>(&mut self, reads: impl IntoIterator<Item = &'a SeriesRead>) {
        for read in reads {
            if let Some((base, first)) = read.form.constant().zip(self.constant())
                && i128::from(base) > first
            {
                self.first = Const::i64(base).into();
            }
        }
    }

    fn constant(&self) -> Option<i128> {
        match self.first {
            Atom::Const(first) => Some(first.as_i128()),
            Atom::Var(_) => None,
        }
    }

    /// The distance from an element that a step reads to the last one, if it is known and not negative.
    fn before(&self, read: &SeriesRead) -> Option<i64> {
        if read.form.base == self.first {
            return Some(0);
        }
        let (base, first) = read.form.constant().zip(self.constant())?;
        i64::try_from(first - i128::from(base)).ok().filter(|gap| *gap >= 0)
    }

    /// Whether a `generate` with these reads shares the filter.
    fn joins(&self, block: &Block, at: usize, reads: &[SeriesRead]) -> bool {
        reads.iter().all(|read| {
            let is_made = series::maker(block, read.array).is_some_and(|(from, _)| from < at);
            let same = read.form.base == self.first;
            // If the steps do not go on to the end, an element after the last one may become the last one.
            let gap = |(base, first): (i64, i128)| first - i128::from(base);
            let gap = read.form.constant().zip(self.constant()).map(gap);
            let least = if self.to_end { 0 } else { -i128::from(MAX_WINDOW) };
            let near =
                same || gap.is_some_and(|gap| (least..=i128::from(MAX_WINDOW)).contains(&gap));
            let is_checked = self.known || read.inside == self.checked.is_none();
            let fits = if self.known || self.checked.is_none() { near } else { same };
            read.form.stride == self.stride && is_made && is_checked && fits
        })
    }
}

/// The elements that a `generate` reads from series of one size, if it uses these series in no other way.
fn reads(block: &Block, bind: &Bind, size: Extent, tables: &Tables) -> Option<Vec<SeriesRead>> {
    let Op::Generate { worker, .. } = &bind.op else { return None };
    let is_flat = |var: &VarId| tables.vars[*var].ty.rank() == 1;
    (bind.vars.iter().all(is_flat) && !bind.op.has_effect()).then_some(())?;
    let of_series =
        |array: VarId| extent(array, tables) == Some(size) && series::is_made(block, array);
    let index = *worker.params.first()?;
    let mut reads = Vec::new();
    for bind in &worker.body.binds {
        if let Op::Index { array, indices, inside } = &bind.op
            && of_series(*array)
        {
            let form = AffineIndex::of(&worker.body, index, *indices.first()?)?;
            reads.push(SeriesRead {
                var: *bind.vars.first()?,
                array: *array,
                form,
                inside: *inside,
                span: bind.span,
            });
        }
    }
    let mut uses = 0;
    worker.body.for_each_use(&mut |atom| {
        uses += usize::from(matches!(atom, Atom::Var(var) if of_series(var)));
    });
    (uses == reads.len()).then_some(reads)
}

fn extent(array: VarId, tables: &Tables) -> Option<Extent> {
    tables.vars[array].ty.shape().first().copied()
}

/// A block while its `generate`s become filters.
struct FilterRewriter<'a> {
    cut: SeriesSlice,
    tables: &'a mut Tables,
    done: Vec<Bind>,
    /// The size of the filter's results.
    size: Option<Extent>,
    /// The filter's results. The key is an array and the distance of its element before the last one; the key `None`
    /// stands for the positions.
    kept: IndexMap<Option<(VarId, i64)>, VarId>,
}

impl FilterRewriter<'_> {
    /// Adds the filter, and the check that all positions lie in the series.
    fn filter<'b>(
        &mut self,
        reads: impl Iterator<Item = &'b SeriesRead>,
        span: Span,
    ) -> Option<()> {
        let positions = position::scan(self.cut.series, span, self.tables)?;
        let at = *positions.vars.first()?;
        self.done.push(positions);
        let exists = SizeInfo { name: Name::new_static("k"), def: SizeDef::Exists };
        let size = Extent::Size(self.tables.sizes.push(exists));
        self.size = Some(size);
        let mut keep = vec![at];
        let mut kept = vec![None];
        for read in reads {
            let gap = self.cut.before(read)?;
            let key = Some((read.array, gap));
            if !kept.contains(&key) {
                kept.push(key);
                keep.push(series::delayed(read.array, gap, span, &mut self.done, self.tables)?);
            }
        }
        let vars: Vec<VarId> = keep.iter().map(|&array| self.of_size(array, size)).collect();
        let worker = self.condition(span)?;
        let op = Op::Filter { worker, inputs: vec![at], keep };
        self.kept = kept.into_iter().zip(vars.iter().copied()).collect();
        self.done.push(Bind { vars, op, span });
        self.check();
        Some(())
    }

    /// A new array like another one, but of the given size.
    fn of_size(&mut self, array: VarId, size: Extent) -> VarId {
        let Var { name, ty } = self.tables.vars[array].clone();
        let ty = ty.element().expect("an array has elements").array_of(size);
        self.tables.vars.push(Var { name, ty })
    }

    /// The predicate of the filter: whether some step reads the element at a position as its last one.
    fn condition(&mut self, span: Span) -> Option<Worker> {
        let mut code = ScalarBuilder { tables: self.tables, binds: Vec::new(), span };
        let SeriesSlice { size, first, stride, to_end, checked, .. } = self.cut;
        let param = code.var("i", Scalar::I64);
        let at = Atom::Var(param);
        let zero = Atom::Const(Const::i64(0));
        let mut all = Vec::new();
        if first != zero {
            all.push(code.test(BinOp::Ge, at, first));
        }
        if checked.is_some() && matches!(first, Atom::Var(_)) {
            all.push(code.test(BinOp::Ge, first, zero));
        }
        let mut behind =
            if first == zero { at } else { code.bin("at", Scalar::I64, BinOp::Sub, at, first) };
        if stride > 1 {
            let stride = Atom::Const(Const::i64(stride));
            let rest = code.bin("t", Scalar::I64, BinOp::Rem, behind, stride);
            all.push(code.test(BinOp::Eq, rest, zero));
            if !to_end {
                behind = code.bin("t", Scalar::I64, BinOp::Quot, behind, stride);
            }
        }
        if !to_end {
            all.push(code.test(BinOp::Lt, behind, size));
        }
        let holds = all.into_iter().reduce(|left, right| code.test(BinOp::And, left, right))?;
        let body = Block { binds: code.binds, results: vec![holds] };
        Some(Worker { params: vec![param], body })
    }

    /// Adds an assertion that all positions lie in the series, if this still has to be checked.
    fn check(&mut self) {
        let SeriesSlice { size, series, first, to_end, checked, .. } = self.cut;
        let Some(span) = checked else { return };
        let mut code = ScalarBuilder { tables: self.tables, binds: Vec::new(), span };
        let length = code.var("length", Scalar::I64);
        let op = Op::Length { array: series, dim: 0 };
        code.binds.push(Bind { vars: vec![length], op, span });
        let length = Atom::Var(length);
        let zero = Atom::Const(Const::i64(0));
        let (cond, index) = if to_end {
            (code.test(BinOp::Ge, first, zero), first)
        } else {
            (code.test(BinOp::Le, size, length), length)
        };
        let failure = Failure::index(ErrorCode::Index, index, length);
        let op = Op::Assert(Assertion { cond, failure });
        code.binds.push(Bind { vars: Vec::new(), op, span });
        self.done.append(&mut code.binds);
    }

    /// Adds a `generate` as a map over the filter's results.
    fn rewrite_generate(
        &mut self,
        bind: &Bind,
        reads: &[SeriesRead],
        parts_of: &mut IndexMap<VarId, VarId>,
    ) -> Option<()> {
        let Op::Generate { worker, .. } = &bind.op else { return None };
        let size = self.size?;
        let mut params = worker.params.clone();
        let mut inputs = vec![*self.kept.get(&None)?];
        let mut body = worker.body.clone();
        body.binds.retain(|bind| !reads.iter().any(|read| bind.vars.contains(&read.var)));
        for read in reads {
            params.push(read.var);
            inputs.push(*self.kept.get(&Some((read.array, self.cut.before(read)?)))?);
        }
        let worker = Worker { params, body };
        let mut copier = Copier::new(self.tables);
        let params: Vec<VarId> = worker.params.iter().map(|&param| copier.fresh(param)).collect();
        let (&at, elements) = params.split_first()?;
        let args = elements.iter().map(|&element| Atom::Var(element));
        let mut code = ScalarBuilder { tables: copier.tables, binds: Vec::new(), span: bind.span };
        let index = code.index(&self.cut, at);
        let before = code.binds;
        let args: Vec<Atom> = std::iter::once(index).chain(args).collect();
        let Block { binds, results } = Copier::new(self.tables).applied(&worker, &args);
        let body = Block { binds: [before, binds].concat(), results };
        let vars: Vec<VarId> = bind.vars.iter().map(|&var| self.of_size(var, size)).collect();
        let op = Op::Map { worker: Worker { params, body }, inputs };
        self.done.push(Bind { vars: vars.clone(), op, span: bind.span });
        // A `generate` that reads no series also stays as it was, for the uses at its own size.
        if reads.is_empty() {
            self.done.push(bind.clone());
            parts_of.extend(bind.vars.iter().copied().zip(vars));
        } else {
            self.view(&bind.vars, &vars, bind.span, parts_of);
        }
        Some(())
    }

    /// Binds each array, at its own size, as a view of its part.
    fn view(
        &mut self,
        vars: &[VarId],
        parts: &[VarId],
        span: Span,
        parts_of: &mut IndexMap<VarId, VarId>,
    ) {
        for (&var, &array) in vars.iter().zip(parts) {
            let op = Op::Reshape { array, shape: vec![self.cut.size] };
            self.done.push(Bind { vars: vec![var], op, span });
            parts_of.insert(var, array);
        }
    }

    /// Reads the first or the last element from the filter's result instead of the view. The module `end_elements`
    /// makes a fold of this read.
    fn read_end(
        &mut self,
        block: &Block,
        bind: &Bind,
        parts_of: &IndexMap<VarId, VarId>,
    ) -> Option<()> {
        let Op::Index { array: of, indices, inside } = &bind.op else { return None };
        let array = *parts_of.get(of)?;
        let [mut index] = indices[..] else { return None };
        if index != Const::i64(0).into() {
            let SeriesSlice { size, extent, .. } = self.cut;
            let is_before =
                SizeRelations { block, extent, tables: self.tables }.is_before(index, size);
            (is_before || self.is_last(block, *of, index)).then_some(())?;
            let one = Atom::Const(Const::i64(1));
            let mut code =
                ScalarBuilder { tables: self.tables, binds: Vec::new(), span: bind.span };
            let length = code.var("length", Scalar::I64);
            let op = Op::Length { array, dim: 0 };
            code.binds.push(Bind { vars: vec![length], op, span: bind.span });
            index = code.bin("at", Scalar::I64, BinOp::Sub, Atom::Var(length), one);
            self.done.append(&mut code.binds);
        }
        let op = Op::Index { array, indices: vec![index], inside: *inside };
        self.done.push(Bind { op, ..bind.clone() });
        Some(())
    }

    /// Whether an index is that of the last element of an array.
    fn is_last(&self, block: &Block, array: VarId, index: Atom) -> bool {
        let bind =
            block.binds.iter().find(|bind| bind.vars.iter().any(|&var| Atom::Var(var) == index));
        let Some((BinOp::Sub, [length, one])) = bind.and_then(|bind| bind.op.binary()) else {
            return false;
        };
        let is_length = |extent| end_elements::is_extent(block, length, extent, self.tables);
        one == Const::i64(1).into() && extent(array, self.tables).is_some_and(is_length)
    }

    /// Adds a binding. It goes over the filter's results if it streams nothing else.
    fn consumed(&mut self, block: &Block, bind: &Bind, parts_of: &mut IndexMap<VarId, VarId>) {
        if self.read_end(block, bind, parts_of).is_some() {
            return;
        }
        let streams = bind.op.streams();
        let beside = uses::beside_streams(bind);
        let of_parts = |var: &VarId| parts_of.contains_key(var) && !beside.contains(var);
        let goes_over = !streams.is_empty()
            && streams.iter().all(of_parts)
            && !matches!(bind.op, Op::Cross { .. })
            && !bind.op.has_effect();
        let is_flat = |var: &VarId| self.tables.vars[*var].ty.rank() == 1;
        let makes_each = bind.op.makes_each();
        if !goes_over || (makes_each && !bind.vars.iter().all(is_flat)) {
            self.done.push(bind.clone());
            return;
        }
        let mut bind = bind.clone();
        bind.op.replace_operands(&mut |atom| match atom {
            Atom::Var(var) if streams.contains(&var) => Atom::Var(parts_of[&var]),
            Atom::Var(_) | Atom::Const(_) => atom,
        });
        if !makes_each {
            self.done.push(bind);
            return;
        }
        let size = self.size.expect("the filter is there");
        let vars: Vec<VarId> = bind.vars.iter().map(|&var| self.of_size(var, size)).collect();
        let own = std::mem::replace(&mut bind.vars, vars.clone());
        let span = bind.span;
        self.done.push(bind);
        self.view(&own, &vars, span, parts_of);
    }
}

/// Builds bindings that compute scalars.
struct ScalarBuilder<'a> {
    tables: &'a mut Tables,
    binds: Vec<Bind>,
    span: Span,
}

impl ScalarBuilder<'_> {
    fn var(&mut self, name: &'static str, ty: Scalar) -> VarId {
        self.tables.vars.push(Var { name: Name::new_static(name), ty: Type::Scalar(ty) })
    }

    fn bin(&mut self, name: &'static str, ty: Scalar, op: BinOp, x: Atom, y: Atom) -> Atom {
        let var = self.var(name, ty);
        self.binds.push(Bind { vars: vec![var], op: Op::bin(op, x, y), span: self.span });
        Atom::Var(var)
    }

    fn test(&mut self, op: BinOp, x: Atom, y: Atom) -> Atom {
        self.bin("t", Scalar::Bool, op, x, y)
    }

    /// The index of the step whose last element is at a position.
    fn index(&mut self, cut: &SeriesSlice, at: VarId) -> Atom {
        let at = Atom::Var(at);
        let zero = Atom::Const(Const::i64(0));
        let behind = if cut.first == zero {
            at
        } else {
            self.bin("i", Scalar::I64, BinOp::Sub, at, cut.first)
        };
        if cut.stride == 1 {
            return behind;
        }
        self.bin("i", Scalar::I64, BinOp::Quot, behind, Const::i64(cut.stride).into())
    }
}

/// Removes the views that nothing uses, or that only such views use.
fn drop_unused_views(block: &mut Block) {
    let mut kept: Vec<Bind> = Vec::new();
    let mut used: Vec<VarId> = block.results.iter().filter_map(Atom::as_var).collect();
    for bind in std::mem::take(&mut block.binds).into_iter().rev() {
        let is_unused = !bind.vars.iter().any(|var| used.contains(var));
        if is_unused && matches!(bind.op, Op::Reshape { .. }) {
            continue;
        }
        used.extend(uses::free(&bind));
        kept.push(bind);
    }
    kept.reverse();
    block.binds = kept;
}
