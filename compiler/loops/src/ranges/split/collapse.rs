//! Nests of loops that may run as one loop over all elements of arrays of one shape.
//!
//! A combinator over all dimensions of an array is a pass whose step is a pass over a row. Arrays have their elements
//! next to each other, so one loop can take all elements in order, and short rows cost no loop of their own. The passes
//! stay as they are; the outermost loop says that the nest may be lowered so.
//!
//! Invariant: the steps of all loops but the innermost one do nothing but run the next pass. The innermost one uses the
//! counters only as the last indices of elements, all of them in order. The results of a fold are joined by the
//! operator of the fold, and all begin with its neutral element.
//!
//! ```text
//! loopI i (n) { loopI j (m) { x = a[i, j]; y = f x; writeVecI j row y } }   ⇒   loopI i (n) collapsed 1 …   where a :
//! [n][m]f64
//! ```

use indexmap::IndexMap;

use super::element_counts::CounterAnalysis;
use crate::concrete::{
    Block, End, Memory, Plain, Position, Procedure, RowLocation, Start, Step, Stmt, Visit, Worker,
    WrittenCount,
};
use arrc_fusion::cnf::{Atom, FoldOrder, Operation, Type};
use arrc_syntax::ids::{AccId, VarId};
use arrc_syntax::prim::{BinOp, Const};

/// How many loops of passes inside the loop of a pass may run as one loop with it.
pub(super) fn depth(pass: &Procedure<Plain>, counters: &CounterAnalysis<'_>) -> u32 {
    let mut nest =
        CollapsibleNest { counters, levels: Vec::new(), items: IndexMap::new(), has_arrays: false };
    let folds = nest.pass(pass, None);
    let depth = nest.levels.len().saturating_sub(1);
    match folds {
        Some(_) if nest.has_arrays => u32::try_from(depth).expect("types have few dimensions"),
        Some(_) | None => 0,
    }
}

/// The meaning of a variable of the nest.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NestVariable {
    /// The counter of a level.
    Counter(usize),
    /// A row of an array. Its indices are the counters of the outermost levels, whose number this is.
    Row(VarId, usize),
}

/// The operator of a fold, and its initial value.
#[derive(Clone, Copy, PartialEq)]
struct Fold {
    op: BinOp,
    init: Const,
}

/// The folds of a pass, by the variables that it yields.
type Folds = IndexMap<VarId, Fold>;

/// A pass that is the whole step of another one.
struct InnerPass<'p> {
    elems: &'p [VarId],
    worker: &'p Worker<Plain>,
    args: &'p [Atom],
    pass: &'p Procedure<Plain>,
}

/// The nest as far as it is known.
struct CollapsibleNest<'a, 'p> {
    counters: &'a CounterAnalysis<'a>,
    /// The passes, the outermost first.
    levels: Vec<&'p Procedure<Plain>>,
    /// The meanings of variables.
    items: IndexMap<VarId, NestVariable>,
    /// Whether the nest reads or writes an array of its shape. Then the product of its lengths does not overflow.
    has_arrays: bool,
}

impl<'p> CollapsibleNest<'_, 'p> {
    /// Looks at a pass in the step of the loop with the counter `around`. Gives its folds, or nothing if it cannot be
    /// part of the nest.
    fn pass(&mut self, pass: &'p Procedure<Plain>, around: Option<VarId>) -> Option<Folds> {
        if !pass.nest.inner.is_empty()
            || !pass.start.iter().all(|start| starts(pass, start, around))
        {
            return None;
        }
        let level = self.levels.len();
        self.levels.push(pass);
        self.items.insert(pass.nest.counter, NestVariable::Counter(level));
        let accs = match pass.nest.body.iter().find_map(inner) {
            Some(inner) => self.outer(pass, level, &inner)?,
            None => self.innermost(pass, level)?,
        };
        let mut folds = Folds::new();
        for end in &pass.end {
            match end {
                End::Slice { length: WrittenCount::All, .. } => {}
                End::Slice { .. } => return None,
                End::Read { result, acc } => {
                    folds.insert(*result, *accs.get(acc)?);
                }
            }
        }
        Some(folds)
    }

    /// The steps of a loop that is not the innermost one. Gives its accumulators.
    fn outer(
        &mut self,
        pass: &'p Procedure<Plain>,
        level: usize,
        inner: &InnerPass<'p>,
    ) -> Option<IndexMap<AccId, Fold>> {
        let mut accs = IndexMap::new();
        let mut folds = None;
        let yielded = |elem: &Atom| {
            let at = inner.elems.iter().position(|&made| Atom::Var(made) == *elem)?;
            inner.worker.body.results[at].as_var()
        };
        for stmt in &pass.nest.body {
            match stmt {
                Stmt::Position { elem, index } if *index == Position::Var(pass.nest.counter) => {
                    self.items.insert(*elem, NestVariable::Counter(level));
                }
                Stmt::Next { elem, index, array } if *index == Position::Var(pass.nest.counter) => {
                    let row = match self.items.get(array) {
                        None if level == 0 => NestVariable::Row(*array, 1),
                        Some(NestVariable::Row(array, depth)) if *depth == level => {
                            NestVariable::Row(*array, level + 1)
                        }
                        None | Some(NestVariable::Row(..) | NestVariable::Counter(_)) => {
                            return None;
                        }
                    };
                    self.items.insert(*elem, row);
                }
                Stmt::Apply { .. } if folds.is_none() => {
                    self.params(&inner.worker.params, inner.args);
                    folds = Some(self.pass(inner.pass, Some(pass.nest.counter))?);
                }
                Stmt::Write { vec, index, elem, placed: true }
                    if *index == Position::Var(pass.nest.counter)
                        && lies_in(inner.pass, yielded(elem)?, *vec) => {}
                Stmt::Update { accs: updated, order, worker, args } => {
                    let (acc, fold) = fold(pass, updated, *order, worker)?;
                    let [elem] = args.as_slice() else { return None };
                    let same = folds.as_ref()?.get(&yielded(elem)?) == Some(&fold);
                    accs.insert(acc, same.then_some(fold)?);
                }
                Stmt::Position { .. }
                | Stmt::Next { .. }
                | Stmt::Apply { .. }
                | Stmt::Write { .. }
                | Stmt::Copy { .. }
                | Stmt::Read { .. }
                | Stmt::Current { .. }
                | Stmt::Reserve { .. } => return None,
            }
        }
        Some(accs)
    }

    /// The steps of the innermost loop. Gives its accumulators.
    fn innermost(
        &mut self,
        pass: &'p Procedure<Plain>,
        level: usize,
    ) -> Option<IndexMap<AccId, Fold>> {
        let mut accs = IndexMap::new();
        for stmt in &pass.nest.body {
            match stmt {
                Stmt::Position { elem, index } if *index == Position::Var(pass.nest.counter) => {
                    self.items.insert(*elem, NestVariable::Counter(level));
                }
                Stmt::Next { index, array, .. } if *index == Position::Var(pass.nest.counter) => {
                    let Some(&NestVariable::Row(array, depth)) = self.items.get(array) else {
                        return None;
                    };
                    self.whole(array, 0).filter(|()| depth == level)?;
                }
                Stmt::Apply { worker, args, .. } => {
                    self.params(&worker.params, args);
                    self.block(&worker.body).then_some(())?;
                }
                Stmt::Write { index, elem, placed: false, .. }
                    if *index == Position::Var(pass.nest.counter) && !self.is_item(elem) =>
                {
                    self.has_arrays = true;
                }
                Stmt::Update { accs: updated, order, worker, args } => {
                    let (acc, fold) = fold(pass, updated, *order, worker)?;
                    let [elem] = args.as_slice() else { return None };
                    (!self.is_item(elem)).then(|| accs.insert(acc, fold))?;
                }
                Stmt::Copy { from, .. } if !self.is_item(from) => {}
                Stmt::Position { .. }
                | Stmt::Next { .. }
                | Stmt::Write { .. }
                | Stmt::Copy { .. }
                | Stmt::Read { .. }
                | Stmt::Current { .. }
                | Stmt::Reserve { .. } => return None,
            }
        }
        Some(accs)
    }

    fn params(&mut self, params: &[VarId], args: &[Atom]) {
        for (&param, arg) in params.iter().zip(args) {
            if let Some(&item) = arg.as_var().and_then(|arg| self.items.get(&arg)) {
                self.items.insert(param, item);
            }
        }
    }

    fn is_item(&self, atom: &Atom) -> bool {
        atom.as_var().is_some_and(|var| self.items.contains_key(&var))
    }

    /// Whether a block of the innermost loop uses counters and rows only to read elements at the indices of the nest.
    fn block(&mut self, block: &Block<Plain>) -> bool {
        let results = block.results.iter().all(|result| !self.is_item(result));
        results && block.steps.iter().all(|step| self.step(step))
    }

    fn step(&mut self, step: &Step<Plain>) -> bool {
        if let Step::Index { array, indices, inside: true, .. } = step
            && (indices.iter().any(|index| self.is_item(index)) || self.items.contains_key(array))
        {
            return self.element(*array, indices).is_some();
        }
        let mut uses = CounterUses { nest: self, are_other: true };
        step.visit(&mut uses);
        uses.are_other
    }

    /// Checks that the last indices of the element are those of the nest.
    fn element(&mut self, array: VarId, indices: &[Atom]) -> Option<()> {
        let (array, from) = match self.items.get(&array) {
            Some(NestVariable::Row(array, depth)) => (*array, *depth),
            Some(NestVariable::Counter(_)) => return None,
            None => (array, 0),
        };
        let leading = (from + indices.len()).checked_sub(self.levels.len())?;
        if from > 0 && leading > 0 {
            return None;
        }
        let (before, own) = indices.split_at(leading);
        let counts = own.iter().enumerate().all(|(at, index)| {
            let item = index.as_var().and_then(|index| self.items.get(&index));
            item == Some(&NestVariable::Counter(from + at))
        });
        if !counts || before.iter().any(|index| self.is_item(index)) {
            return None;
        }
        self.whole(array, leading)
    }

    /// Whether an array has the extents of the nest from a dimension on, and scalars as elements.
    fn whole(&mut self, array: VarId, from: usize) -> Option<()> {
        let Type::Array { shape, .. } = &self.counters.vars[array].ty else { return None };
        if shape.len() != from + self.levels.len() {
            return None;
        }
        for (at, pass) in self.levels.iter().enumerate() {
            let extent = self.counters.extent(array, from + at)?;
            (self.counters.length(&pass.nest.length)? == extent).then_some(())?;
        }
        self.has_arrays = true;
        Some(())
    }
}

/// Looks for uses of counters and rows.
struct CounterUses<'n, 'a, 'p> {
    nest: &'n mut CollapsibleNest<'a, 'p>,
    /// Whether no use is of a counter or a row of the nest.
    are_other: bool,
}

impl Visit<'_, Plain> for CounterUses<'_, '_, '_> {
    fn atom(&mut self, atom: &Atom) {
        self.are_other &= !self.nest.is_item(atom);
    }

    fn array(&mut self, array: &VarId) {
        self.are_other &= !self.nest.items.contains_key(array);
    }

    fn branch(&mut self, block: &Block<Plain>) {
        self.are_other &= self.nest.block(block);
    }

    fn worker(&mut self, worker: &Worker<Plain>) {
        self.are_other &= self.nest.block(&worker.body);
    }

    fn pass(&mut self, _: &Procedure<Plain>) {
        self.are_other = false;
    }
}

/// Whether a vector is as long as the loop; a vector of an inner pass must also be a row of one around it.
fn starts(pass: &Procedure<Plain>, start: &Start<Plain>, around: Option<VarId>) -> bool {
    match start {
        Start::CheckSize { .. } => false,
        Start::NewAcc { .. } => true,
        Start::NewVec { capacity, memory, .. } => {
            let is_placed = match (memory, around) {
                (_, None) => true,
                (Memory::Row(RowLocation { index, .. }), Some(around)) => {
                    *index == Position::Var(around)
                }
                (Memory::New | Memory::Scratch | Memory::DoubleBuffer, Some(_)) => false,
                (Memory::Over(never) | Memory::Behind(never), _) => match *never {},
                (Memory::Part(part), _) => match part.array {},
            };
            is_placed && *capacity == pass.nest.length
        }
    }
}

/// The pass that is the whole body of a worker.
fn inner(stmt: &Stmt<Plain>) -> Option<InnerPass<'_>> {
    let Stmt::Apply { elems, worker, args } = stmt else { return None };
    let [Step::Pass(pass)] = worker.body.steps.as_slice() else { return None };
    Some(InnerPass { elems, worker, args, pass })
}

/// Whether a vector of a pass is a row of another one.
fn lies_in(pass: &Procedure<Plain>, row: VarId, vector: VarId) -> bool {
    pass.start.iter().any(|start| match start {
        Start::NewVec { vec, memory: Memory::Row(place), .. } => *vec == row && place.vec == vector,
        Start::NewVec { .. } | Start::NewAcc { .. } | Start::CheckSize { .. } => false,
    })
}

/// The accumulator of an update that folds by one operator, in any grouping, with the fold.
fn fold(
    pass: &Procedure<Plain>,
    accs: &[AccId],
    order: FoldOrder,
    worker: &Worker<Plain>,
) -> Option<(AccId, Fold)> {
    let ([acc], [Step::Scalar { var, op: Operation::Bin(op, args), .. }]) =
        (accs, worker.body.steps.as_slice())
    else {
        return None;
    };
    let params: Vec<Atom> = worker.params.iter().copied().map(Atom::from).collect();
    if order == FoldOrder::Strict || params != args || worker.body.results != [Atom::Var(*var)] {
        return None;
    }
    let init = pass.start.iter().find_map(|start| match start {
        Start::NewAcc { acc: new, init: Atom::Const(init) } if new == acc => Some(*init),
        Start::NewAcc { .. } | Start::NewVec { .. } | Start::CheckSize { .. } => None,
    });
    Some((*acc, Fold { op: *op, init: init? }))
}
