//! The elements that a pass reads of an array, while it writes into a window or a part of the array.
//!
//! Invariant: positions are affine forms. Two of them are compared only where their difference is a constant. The
//! constant is then their true distance, since both positions lie in the array or at its end.
//!
//! ```text
//! window [k + 1, k + 1] of n - k - 1 by m
//! xs[k, j] and xs[k + 1 + i, k] lie outside; xs[k + 1 + i, k + 1 + j] is in it
//! ```

use crate::affine::AffineForms;
use crate::concrete::def_use;
use crate::concrete::{
    Block, Guard, Loop, LoopForm, Memory, Nest, Position, Procedure, RowLocation, Start, Step,
    Stmt, Subarray, Worker,
};
use arrc_fusion::affine::AffineForm;
use arrc_fusion::cnf::Atom;
use arrc_syntax::ids::VarId;
use indexmap::{IndexMap, IndexSet};

/// A sum of values that are known before the pass, and of counters.
type Sum = AffineForm<VarId>;

/// A window of an array.
pub(in crate::memory::reuse) struct Window {
    /// For each dimension, the first position and the position after the last one, if the window ends before the array.
    dims: Vec<(Sum, Option<Sum>)>,
    /// How many dimensions the value has. They are the last dimensions of the array.
    along: usize,
}

impl Window {
    /// The window that begins at these indices, with these extents in the last dimensions.
    pub(super) fn new(indices: &[Atom], extents: &[Atom], forms: &AffineForms) -> Option<Self> {
        let before = indices.len() - extents.len();
        let dim = |(at, &index): (usize, &Atom)| {
            let from = forms.of(index)?;
            let to = match at.checked_sub(before) {
                None => from.shifted(1),
                Some(at) => from.plus(1, &forms.of(extents[at])?),
            };
            Some((from, Some(to)))
        };
        let dims = indices.iter().enumerate().map(dim).collect::<Option<_>>()?;
        Some(Self { dims, along: extents.len() })
    }

    /// The part of an array at these indices, with all positions in the other dimensions.
    pub(in crate::memory::reuse) fn part(
        indices: &[Atom],
        rank: usize,
        forms: &AffineForms,
    ) -> Option<Self> {
        let along = rank.checked_sub(indices.len())?;
        let at = |&index: &Atom| forms.of(index).map(|from| (from.clone(), Some(from.shifted(1))));
        let whole = (0..along).map(|_| Some((Sum::constant(0), None)));
        let dims = indices.iter().map(at).chain(whole).collect::<Option<_>>()?;
        Some(Self { dims, along })
    }

    /// Whether no element of a region is in the window.
    fn is_apart(&self, region: &[PositionRange]) -> bool {
        self.dims.iter().zip(region).any(|((from, to), positions)| {
            let [first, end] = match positions {
                PositionRange::At(at) => [at.clone(), at.shifted(1)],
                PositionRange::Range(first, end) => [first.clone(), end.clone()],
                PositionRange::All => return false,
            };
            let distance = |a: &Sum, b: &Sum| a.plus(-1, b).as_constant();
            let beyond = to.as_ref().and_then(|to| distance(&first, to));
            distance(&end, from).is_some_and(|behind| behind <= 0)
                || beyond.is_some_and(|beyond| beyond >= 0)
        })
    }

    /// Whether a region is a single element that the step with these counters writes: its only element, or one of its
    /// row.
    fn is_written_at(&self, region: &[PositionRange], counters: &[VarId]) -> bool {
        let before = self.dims.len() - self.along;
        !counters.is_empty()
            && self.dims.iter().zip(region).enumerate().all(|(dim, ((from, _), positions))| {
                let PositionRange::At(at) = positions else { return false };
                match dim.checked_sub(before) {
                    None => at == from,
                    Some(dim) => counters
                        .get(dim)
                        .is_none_or(|&counter| *at == from.plus(1, &Sum::symbol(counter))),
                }
            })
    }
}

/// Positions in a dimension.
enum PositionRange {
    At(Sum),
    /// The positions from the first number up to the second, without the second.
    Range(Sum, Sum),
    All,
}

/// The walk over the reads of the array in a pass.
pub(in crate::memory::reuse) struct WindowReads {
    array: VarId,
    /// The vector that goes to the window.
    vec: VarId,
    window: Window,
    forms: AffineForms,
    /// The counters of the loops around that make the vector and its rows.
    counters: Vec<VarId>,
    /// Rows of the array that were bound before the pass, with their indices.
    rows: IndexMap<VarId, Vec<Sum>>,
    /// Other views of the array that were bound before the pass, and may overlap the window.
    near: Vec<VarId>,
    /// Whether the current step has written an element.
    has_written: bool,
    /// The array and its rows, as far as the pass reads elements of the window by them: each element in the step that
    /// writes it, or that makes its row.
    pub(in crate::memory::reuse) of_window: IndexSet<VarId>,
    /// The array and its rows, as far as the pass reads elements outside of the window by them.
    pub(in crate::memory::reuse) outside: IndexSet<VarId>,
}

impl WindowReads {
    pub(in crate::memory::reuse) fn new(
        array: VarId,
        vec: VarId,
        window: Window,
        forms: AffineForms,
    ) -> Self {
        Self {
            array,
            vec,
            window,
            forms,
            counters: Vec::new(),
            rows: IndexMap::new(),
            near: Vec::new(),
            has_written: false,
            of_window: IndexSet::new(),
            outside: IndexSet::new(),
        }
    }

    /// Notes a view of the array that a step before the pass binds.
    pub(in crate::memory::reuse) fn view_before(&mut self, step: &Step) {
        let Some((view, of)) = step.view() else { return };
        if let Step::Row { indices, .. } = step
            && let Some(place) = self.place(of, indices)
        {
            self.rows.insert(view, place);
        } else if self.may_alias(of.into()) {
            let region = self.region(step);
            if !region.is_some_and(|(_, region)| self.window.is_apart(&region)) {
                self.near.push(view);
            }
        }
    }

    /// The indices in the array of a part of the array or of a row of it.
    fn place(&self, of: VarId, indices: &[Atom]) -> Option<Vec<Sum>> {
        let row = self.row(of)?;
        let at = indices.iter().map(|&index| self.forms.of(index)).collect::<Option<Vec<_>>>()?;
        Some([row, &at[..]].concat())
    }

    /// The indices of the array, none, or of a row of it.
    fn row(&self, of: VarId) -> Option<&[Sum]> {
        if of == self.array { Some(&[]) } else { self.rows.get(&of).map(Vec::as_slice) }
    }

    /// Whether each step of a pass reads no element of the window but those that it writes, and these before it
    /// writes.
    pub(in crate::memory::reuse) fn pass(&mut self, pass: &Procedure) -> bool {
        let makes = pass.start.iter().any(|start| match start {
            Start::NewVec { vec, memory, .. } => {
                *vec == self.vec
                    || matches!(memory, Memory::Row(RowLocation { vec, .. }) if *vec == self.vec)
            }
            Start::CheckSize { .. } | Start::NewAcc { .. } => false,
        });
        if makes {
            self.counters.push(pass.nest.counter);
        }
        let is_legal = pass.start.iter().all(|start| self.start(start)) && self.nest(&pass.nest);
        if makes {
            self.counters.pop();
        }
        is_legal
    }

    fn start(&self, start: &Start) -> bool {
        match start {
            Start::CheckSize { .. } => true,
            Start::NewAcc { init, .. } => !self.may_alias(*init),
            Start::NewVec { memory, .. } => match memory {
                Memory::New | Memory::Scratch | Memory::DoubleBuffer | Memory::Row(_) => true,
                Memory::Over(array)
                | Memory::Behind(array)
                | Memory::Part(Subarray { array, .. }) => !self.may_alias((*array).into()),
            },
        }
    }

    fn nest(&mut self, nest: &Loop) -> bool {
        let before = self.has_written;
        nest.variants().all(|(body, inner)| {
            self.has_written = before;
            self.inside(body, inner)
        })
    }

    fn inside(&mut self, body: &[Stmt], inner: &[Nest]) -> bool {
        body.iter().all(|stmt| self.stmt(stmt))
            && inner.iter().all(|nest| match nest {
                Nest::Loop(nest) => self.nest(nest),
                Nest::Guard(Guard { body, inner, .. }) => self.inside(body, inner),
            })
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Next { index, array, .. } if self.may_alias((*array).into()) => {
                let Position::Var(counter) = index else { return false };
                let Some(row) = self.row(*array) else { return false };
                let at = [row, &[Sum::symbol(*counter)]].concat();
                self.allow_read(*array, &self.of_positions(at))
            }
            Stmt::Position { elem, index: Position::Var(counter) } => {
                self.forms.rename(*elem, (*counter).into());
                true
            }
            Stmt::Copy { elem, from } => {
                self.forms.rename(*elem, *from);
                !self.may_alias(*from)
            }
            Stmt::Apply { elems, worker, args } => {
                self.worker(worker, args)
                    && elems.iter().zip(&worker.body.results).all(|(&elem, &result)| {
                        self.forms.rename(elem, result);
                        !self.may_alias(result)
                    })
            }
            Stmt::Update { accs, worker, args, .. } => {
                let Worker { params, body } = worker;
                let given = params[accs.len()..].iter().zip(args);
                given.for_each(|(&param, &arg)| self.forms.rename(param, arg));
                !args.iter().any(|&arg| self.may_alias(arg)) && self.block(body)
            }
            Stmt::Read { array, .. } => !self.may_alias((*array).into()),
            Stmt::Write { .. } => {
                self.has_written = true;
                true
            }
            Stmt::Next { .. }
            | Stmt::Position { .. }
            | Stmt::Reserve { .. }
            | Stmt::Current { .. } => true,
        }
    }

    fn worker(&mut self, worker: &Worker, args: &[Atom]) -> bool {
        worker.params.iter().zip(args).for_each(|(&param, &arg)| self.forms.rename(param, arg));
        !args.iter().any(|&arg| self.may_alias(arg)) && self.block(&worker.body)
    }

    fn block(&mut self, block: &Block) -> bool {
        block.steps.iter().all(|step| self.step(step))
            && !block.results.iter().any(|&result| self.may_alias(result))
    }

    fn step(&mut self, step: &Step) -> bool {
        self.forms.note_step(step);
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others read whole arrays")]
        match step {
            Step::Length { .. } => true,
            Step::Index { array, .. } | Step::Slice { array, .. } | Step::Row { array, .. }
                if self.may_alias((*array).into()) =>
            {
                self.region(step).is_some_and(|(of, region)| self.allow_read(of, &region))
            }
            Step::Pass(pass) => self.pass(pass),
            Step::If { cond: _, takes, then, otherwise, .. } => {
                !takes.iter().any(|&taken| self.may_alias(taken.into()))
                    && self.block(then)
                    && self.block(otherwise)
            }
            Step::Loop { form, init, worker, .. } => {
                let looks = match form {
                    LoopForm::For { .. } => true,
                    LoopForm::While { cond } => self.block(&cond.body),
                };
                looks && !init.iter().any(|&init| self.may_alias(init)) && self.block(&worker.body)
            }
            other => !def_use::uses(other).iter().any(|&used| self.may_alias(used.into())),
        }
    }

    /// Whether an atom is the array, or a view that may lie in the window.
    fn may_alias(&self, atom: Atom) -> bool {
        matches!(atom, Atom::Var(var) if self.row(var).is_some() || self.near.contains(&var))
    }

    /// The region of the array that a step reads, or that its view shows, with the array or row that the step names.
    fn region(&self, step: &Step) -> Option<(VarId, Vec<PositionRange>)> {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others read no part of an array")]
        match step {
            Step::Index { array, indices, .. } | Step::Row { array, indices, .. } => {
                Some((*array, self.of_positions(self.place(*array, indices)?)))
            }
            Step::Slice { array, indices, count, .. } => {
                let mut at = self.place(*array, indices)?;
                let first = at.pop()?;
                let end = first.plus(1, &self.forms.of(*count)?);
                let rows = at.into_iter().map(PositionRange::At);
                Some((*array, rows.chain([PositionRange::Range(first, end)]).collect()))
            }
            _ => None,
        }
    }

    /// The row, matrix or element at these indices.
    fn of_positions(&self, at: Vec<Sum>) -> Vec<PositionRange> {
        let mut region = at.into_iter().map(PositionRange::At).collect::<Vec<_>>();
        region.resize_with(self.window.dims.len(), || PositionRange::All);
        region
    }

    /// Whether a region may be read, by the array or a row of it.
    fn allow_read(&mut self, by: VarId, region: &[PositionRange]) -> bool {
        if self.window.is_apart(region) {
            self.outside.insert(by);
            return true;
        }
        let is_own = !self.has_written && self.window.is_written_at(region, &self.counters);
        if is_own {
            self.of_window.insert(by);
        }
        is_own
    }
}
