//! Checks passes: the counters, elements and vectors of a pass are its own, and its end defines the variables that it
//! yields.

use indexmap::{IndexMap, IndexSet};

use super::{FunctionVerifier, is_window, same};
use crate::concrete::{self, def_use};
use crate::concrete::{
    End, Guard, Length, Loop, Memory, Nest, Phase, Position, Procedure, Range, RowLocation, Start,
    Stmt, Subarray, Variant, Worker,
};
use arrc_fusion::cnf::{Atom, Type};
use arrc_fusion::process::verify_process::ensure;
use arrc_syntax::ids::{AccId, VarId};
use arrc_syntax::prim::Scalar;

/// A pass under inspection.
struct PassVerifier<'a, P: Phase> {
    pass: &'a Procedure<P>,
    written: Writers,
    /// The accumulators that count entries of guards.
    counters: IndexSet<AccId>,
    /// The arrays that it writes over.
    ends: Vec<VarId>,
}

/// The accumulators and vectors, and which of them have a writer.
#[derive(Clone, PartialEq, Default)]
struct Writers {
    /// The accumulators, and whether an update or a guard that writes to the accumulator has been found.
    accs: IndexMap<AccId, bool>,
    /// The vectors, and whether a write to the vector has been found.
    vecs: IndexMap<VarId, bool>,
}

impl<P: Phase> FunctionVerifier<'_, P> {
    /// Checks a pass, and returns the variables that it yields. The caller binds them.
    pub(super) fn pass(
        &mut self,
        pass: &Procedure<P>,
        owned: &mut IndexSet<VarId>,
    ) -> Result<Vec<VarId>, String> {
        let (written, counters) = (Writers::default(), IndexSet::new());
        let mut parts = PassVerifier { pass, written, counters, ends: Vec::new() };
        for start in &pass.start {
            self.start(start, &mut parts)?;
        }
        self.counted_loop(&pass.nest, &mut parts)?;
        if let Some(slices) = pass.slices.clone() {
            let combiners = pass.combiners(&self.function.tables.vars);
            ensure(slices.into().block > 0 && combiners.is_some(), || {
                format!("{} is sliced, and its accumulators do not join", pass.name)
            })?;
        }
        let mut made = IndexSet::new();
        for end in &pass.end {
            let result = self.end(end, &parts)?;
            ensure(made.insert(result), || format!("{} is made twice", self.name(result)))?;
        }
        ensure(made == pass.yields.iter().copied().collect::<IndexSet<_>>(), || {
            format!("{} yields what its end does not define", pass.name)
        })?;
        for vec in parts.written.vecs.keys() {
            ensure(made.contains(vec), || format!("{} is never sliced", self.name(*vec)))?;
            // Before its end, a vector is no variable of the block.
            self.bound.swap_remove(vec);
        }
        parts.ends.iter().try_for_each(|&array| self.ends(array, owned))?;
        Ok(pass.yields.clone())
    }

    /// A row that is made in its place: itself, or a view of all its elements, has the type of the matrix's rows.
    pub(super) fn place(&self, row: VarId, place: &RowLocation) -> Result<(), String> {
        self.position(&place.index)?;
        let matrix = &self.function.tables.vars[place.vec].ty;
        let of_matrix = matrix.element().ok_or("a place is in a vector")?;
        let placed = self.reshaped.get(&row).copied().unwrap_or(row);
        let fits = self.function.tables.vars[placed].ty.agrees(&of_matrix);
        ensure(fits, || format!("{} fits its place", self.name(row)))
    }

    /// The part of an array that is made in its place.
    fn part(&self, vec: VarId, of: &Subarray<P>) -> Result<(), String> {
        let array = of.array.into();
        of.indices.iter().try_for_each(|&index| self.is(index, Scalar::I64))?;
        let made = &self.function.tables.vars[vec].ty;
        let whole = &self.function.tables.vars[array].ty;
        let fits = is_window(whole, of.indices.len(), made) || {
            let ty = self.element(array, &of.indices)?;
            ty.is_array() && made.agrees(&ty)
        };
        ensure(fits, || format!("{} is a part of {}", self.name(vec), self.name(array)))?;
        of.view.map_or(Ok(()), |view| self.used(Atom::Var(view.into())).map(drop))
    }

    fn start(&mut self, start: &Start<P>, parts: &mut PassVerifier<'_, P>) -> Result<(), String> {
        match start {
            Start::CheckSize { size, .. } => self.is(*size, Scalar::I64),
            Start::NewVec { vec, capacity, memory, .. } => {
                self.length(capacity)?;
                match memory {
                    Memory::New | Memory::Scratch | Memory::DoubleBuffer => {}
                    Memory::Row(place) => {
                        self.place(*vec, place)?;
                        if self.over.contains(&place.vec) {
                            ensure(place.over.is_some(), || {
                                format!(
                                    "{} is over an array, so its rows are",
                                    self.name(place.vec)
                                )
                            })?;
                            self.over.insert(*vec);
                        }
                    }
                    Memory::Over(array) => {
                        let array = (*array).into();
                        let bytes =
                            |var: VarId| self.function.tables.vars[var].ty.scalars().bytes();
                        ensure(bytes(*vec) == bytes(array), || {
                            format!("{} does not fit over {}", self.name(*vec), self.name(array))
                        })?;
                        parts.ends.push(array);
                        self.over.insert(*vec);
                    }
                    Memory::Behind(array) => {
                        let array = self.used(Atom::Var((*array).into()))?;
                        let made = self.function.tables.vars[*vec].ty.clone();
                        same("what is behind an array", &[made], &[array])?;
                    }
                    Memory::Part(part) => self.part(*vec, part)?,
                }
                self.type_of_array(*vec)?;
                parts.written.vecs.insert(*vec, false);
                self.bind_once(*vec)
            }
            Start::NewAcc { acc, init } => {
                let of = acc_type(parts, *acc)?;
                same("an accumulator", &[self.used(*init)?], &[of])?;
                parts.ends.extend(self.as_array(*init));
                let again = parts.written.accs.insert(*acc, false);
                ensure(again.is_none(), || format!("{acc} is made twice"))
            }
        }
    }

    fn end(&mut self, end: &End, parts: &PassVerifier<'_, P>) -> Result<VarId, String> {
        match end {
            End::Read { result, acc } => {
                let written = parts.written.accs.get(acc) == Some(&true);
                ensure(written, || format!("{acc} is read and has no writer"))?;
                let of = acc_type(parts, *acc)?;
                same("a result", &self.types_of(&[*result]), &[of])?;
                Ok(*result)
            }
            End::Slice { vec, length } => {
                let written = parts.written.vecs.get(vec) == Some(&true);
                ensure(written, || format!("{} has no writer", self.name(*vec)))?;
                self.written(length, parts)?;
                Ok(*vec)
            }
        }
    }

    fn counted_loop(
        &mut self,
        nest: &Loop<P>,
        parts: &mut PassVerifier<'_, P>,
    ) -> Result<(), String> {
        let Loop { counter, length, most: _, collapsed, body, inner, release, ranges } = nest;
        ensure(nest.collapses(*collapsed), || {
            format!(
                "the loop of {} is collapsed, but its step is not one pass",
                self.name(*counter)
            )
        })?;
        self.length(length)?;
        for bound in ranges.iter().flat_map(Range::bounds) {
            self.is(bound.into(), Scalar::I64)?;
        }
        ensure(ranges.iter().all(|range| !range.variants.is_empty()), || {
            format!("a range of {} has no way", self.name(*counter))
        })?;
        let period = |range: &Range<P>| {
            range.period.as_ref().is_none_or(|period| period.steps.len() == range.variants.len())
        };
        ensure(ranges.iter().all(period), || {
            format!("the turns of a range of {} do not have its ways", self.name(*counter))
        })?;
        let outside = self.visible.len();
        self.bind(*counter)?;
        self.is(Atom::Var(*counter), Scalar::I64)?;
        let inside = self.visible.len();
        let before = parts.written.clone();
        self.body(body, inner, release, parts)?;
        for variant in ranges.iter().flat_map(|range| &range.variants) {
            if variant.is_empty() {
                ensure(self.may_be_kept(&before, &parts.written), || {
                    format!("a range of {} does nothing", self.name(*counter))
                })?;
                continue;
            }
            let Variant { body, inner, release } = variant;
            self.visible.truncate(inside);
            let all = std::mem::replace(&mut parts.written, before.clone());
            self.body(body, inner, release, parts)?;
            ensure(all == parts.written, || {
                format!("a range of {} does not write what its loop does", self.name(*counter))
            })?;
        }
        self.visible.truncate(outside);
        Ok(())
    }

    /// Whether everything that a loop writes is there without it: elements of vectors over arrays.
    fn may_be_kept(&self, before: &Writers, after: &Writers) -> bool {
        let mut vecs = after.vecs.iter().filter(|(vec, is)| before.vecs.get(*vec) != Some(*is));
        before.accs == after.accs && vecs.all(|(vec, _)| self.over.contains(vec))
    }

    fn guard(&mut self, guard: &Guard<P>, parts: &mut PassVerifier<'_, P>) -> Result<(), String> {
        let Guard { index, counter, flag, body, inner, release } = guard;
        self.is(*flag, Scalar::Bool)?;
        write_acc(parts, *counter)?;
        let of = acc_type(parts, *counter)?;
        same("a guard's counter", &[of], &[Type::Scalar(Scalar::I64)])?;
        parts.counters.insert(*counter);
        let outside = self.visible.len();
        self.bind(*index)?;
        self.is(Atom::Var(*index), Scalar::I64)?;
        self.body(body, inner, release, parts)?;
        self.visible.truncate(outside);
        Ok(())
    }

    fn body(
        &mut self,
        body: &[Stmt<P>],
        inner: &[Nest<P>],
        release: &[P::Owned],
        parts: &mut PassVerifier<'_, P>,
    ) -> Result<(), String> {
        let mut owned = IndexSet::new();
        for stmt in body {
            self.stmt(stmt, &mut owned, parts)?;
        }
        for nest in inner {
            match nest {
                Nest::Loop(nest) => self.counted_loop(nest, parts)?,
                Nest::Guard(guard) => self.guard(guard, parts)?,
            }
        }
        let released = release.iter().map(|&array| array.into()).collect::<IndexSet<_>>();
        ensure(!P::OWNS || released == owned, || {
            format!("a step makes the rows {owned:?} and releases {released:?}")
        })
    }

    fn stmt(
        &mut self,
        stmt: &Stmt<P>,
        owned: &mut IndexSet<VarId>,
        parts: &mut PassVerifier<'_, P>,
    ) -> Result<(), String> {
        match stmt {
            Stmt::Next { elem, index, array } => {
                self.position(index)?;
                self.bind_element(*elem, *array)
            }
            Stmt::Read { elem, array, index, .. } => {
                self.is(*index, Scalar::I64)?;
                self.bind_element(*elem, *array)
            }
            Stmt::Position { elem, index } => {
                self.position(index)?;
                self.bind(*elem)?;
                self.is(Atom::Var(*elem), Scalar::I64)
            }
            Stmt::Copy { elem, from } => {
                same("a copy", &self.types_of(&[*elem]), &[self.used(*from)?])?;
                self.bind(*elem)
            }
            Stmt::Apply { elems, worker, args } => {
                let lent = def_use::outer_views(worker);
                self.applied(worker, &self.all_used(args)?, &self.types_of(elems), &lent)?;
                for (&elem, &result) in elems.iter().zip(&worker.body.results) {
                    match result.as_var().and_then(|result| lent.get(&result)) {
                        Some(&array) => self.views.extend([(elem, array)]),
                        None => owned.extend(self.as_array(elem.into())),
                    }
                }
                elems.iter().try_for_each(|&elem| self.bind(elem))
            }
            Stmt::Update { accs, worker, args, .. } => self.update(accs, worker, args, parts),
            Stmt::Current { elem, acc } => {
                let ty = acc_type(parts, *acc)?;
                self.bind(*elem)?;
                owned.extend(Some(*elem).filter(|&elem| self.is_array(elem)));
                same("an accumulator", &self.types_of(&[*elem]), &[ty])
            }
            Stmt::Reserve { vec, written, more } => {
                let made = parts.written.vecs.contains_key(vec);
                ensure(made, || format!("{} is not made by the pass", self.name(*vec)))?;
                self.length(more)?;
                counts(written, parts)
            }
            Stmt::Write { vec, index, elem, placed: _ } => {
                self.position(index)?;
                let ty = self.used(*elem)?;
                let row = self.function.tables.vars[*vec].ty.element();
                same("an element written", &[ty], row.as_slice())?;
                let first = parts.written.vecs.insert(*vec, true) == Some(false);
                ensure(first, || format!("{} has not one writer", self.name(*vec)))
            }
        }
    }

    /// An update of accumulators: its worker owns those that are arrays.
    fn update(
        &mut self,
        accs: &[AccId],
        worker: &Worker<P>,
        args: &[Atom],
        parts: &mut PassVerifier<'_, P>,
    ) -> Result<(), String> {
        let of = accs.iter().map(|&acc| acc_type(parts, acc));
        let of = of.collect::<Result<Vec<_>, _>>()?;
        let elems = self.all_used(args)?;
        let taken = worker.params.iter().copied().take(accs.len());
        let taken = taken.filter(|&param| self.is_array(param)).collect();
        self.worker(worker, &[of.clone(), elems].concat(), &of, taken)?;
        accs.iter().try_for_each(|&acc| write_acc(parts, acc))
    }

    /// An element of an array, or a row.
    fn bind_element(&mut self, elem: VarId, array: VarId) -> Result<(), String> {
        self.array(array)?;
        let row = self.function.tables.vars[array].ty.element();
        same("an element", &self.types_of(&[elem]), row.as_slice())?;
        self.bind(elem)
    }

    fn worker(
        &mut self,
        worker: &Worker<P>,
        args: &[Type],
        results: &[Type],
        owned: IndexSet<VarId>,
    ) -> Result<(), String> {
        same("a worker's parameters", &self.types_of(&worker.params), args)?;
        self.inside(worker, results, owned)
    }

    /// A worker that owns none of its arguments, and lends some views.
    fn applied(
        &mut self,
        worker: &Worker<P>,
        args: &[Type],
        results: &[Type],
        lent: &IndexMap<VarId, VarId>,
    ) -> Result<(), String> {
        same("a worker's parameters", &self.types_of(&worker.params), args)?;
        let outside = self.visible.len();
        worker.params.iter().try_for_each(|&param| self.bind(param))?;
        self.lending_block(&worker.body, results, IndexSet::new(), lent)?;
        self.visible.truncate(outside);
        Ok(())
    }

    fn position(&self, position: &Position) -> Result<(), String> {
        match position {
            Position::Var(index) => self.is(Atom::Var(*index), Scalar::I64),
            Position::Product { outer, length, inner } => {
                self.position(outer)?;
                self.length(length)?;
                self.is(Atom::Var(*inner), Scalar::I64)
            }
        }
    }

    pub(super) fn length(&self, length: &Length) -> Result<(), String> {
        match length {
            Length::Array(array) => self.array(*array).map(|_| ()),
            Length::Value(size) => self.is(*size, Scalar::I64),
            Length::Product(left, right) => {
                self.length(left)?;
                self.length(right)
            }
        }
    }

    fn written(
        &self,
        written: &concrete::WrittenCount,
        parts: &PassVerifier<'_, P>,
    ) -> Result<(), String> {
        match written {
            concrete::WrittenCount::All => Ok(()),
            concrete::WrittenCount::Counted(acc) => {
                ensure(parts.counters.contains(acc), || format!("{acc} counts no guard"))
            }
            concrete::WrittenCount::Rows(rows, row) => {
                self.written(rows, parts)?;
                self.length(row)
            }
        }
    }
}

/// Checks the entry counter, which may belong to a later guard.
fn counts<P: Phase>(
    written: &concrete::WrittenCount,
    parts: &PassVerifier<'_, P>,
) -> Result<(), String> {
    match written {
        concrete::WrittenCount::All => Err("room is reserved for what has a known length".into()),
        concrete::WrittenCount::Counted(acc) => {
            let counter = acc_type(parts, *acc)? == Type::Scalar(Scalar::I64);
            ensure(counter, || format!("{acc} counts nothing"))
        }
        concrete::WrittenCount::Rows(rows, _) => counts(rows, parts),
    }
}

fn acc_type<P: Phase>(parts: &PassVerifier<'_, P>, acc: AccId) -> Result<Type, String> {
    let acc = parts.pass.accs.get(acc).ok_or_else(|| format!("{acc} is no accumulator"))?;
    Ok(acc.ty.clone())
}

fn write_acc<P: Phase>(parts: &mut PassVerifier<'_, P>, acc: AccId) -> Result<(), String> {
    let first = parts.written.accs.insert(acc, true) == Some(false);
    ensure(first, || format!("{acc} has not one writer"))
}
