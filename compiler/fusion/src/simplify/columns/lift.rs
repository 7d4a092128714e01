//! What becomes of the operations of a step when all steps run at the same time: a scalar of the step is an array with
//! an element for each step, and an array of the step a matrix with a column for each step. The steps are called lanes.
//!
//! ```text
//! r = loop r = z for i < n do { t = c[i]; r' = r with [i] = t; r' }
//! ⇒ r = loop r = z for i < n do { row = generate m (\j -> c[i, j]); r' = r with [i] = row; r' }
//! ```
//!
//! Invariant: an operation that may fail fails after this only if there is a lane that it fails in. So what may fail
//! runs in a lane, or in a loop that has no step unless there is a lane.

use indexmap::{IndexMap, IndexSet};

use super::super::extents::Extents;
use super::lanes;
use crate::cnf::{
    Atom, Bind, Block, Extent, FoldOrder, LoopForm, Op, ScanKind, Type, UNNAMED_ARRAY,
    UNNAMED_SCALAR, Var, Worker,
};
use crate::process::uses;
use crate::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

/// What a variable of a step is for all lanes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lifted {
    /// The number of the lane.
    Lane,
    /// A scalar: the elements of an array.
    Scalar(VarId),
    /// A scalar of the group of lanes that is being collected.
    Pending,
    /// An array: the columns of a matrix.
    Column(VarId),
    /// An array: the rows of a matrix.
    Row(VarId),
}

/// The steps of a pass.
#[derive(Clone, Copy)]
pub(super) struct Lanes {
    /// How many there are.
    pub(super) count: Atom,
    /// The same number.
    pub(super) extent: Extent,
    pub(super) span: Span,
}

/// What was found in a step.
#[derive(Default)]
pub(super) struct Found {
    /// A loop, a fold or a scan runs through a column.
    pub sequential: bool,
    /// A combinator goes through an array that is the same for all lanes.
    pub uniform_input: bool,
    /// The lengths of the arrays of a lane that become matrices.
    pub lengths: IndexSet<Extent>,
    /// The replacement of a row may fail.
    may_fail: bool,
}

pub(super) struct Lifter<'a> {
    pub(super) tables: &'a mut Tables,
    extents: &'a mut Extents,
    pub(super) lanes: Lanes,
    /// The variables that differ between lanes.
    pub(super) lifted: IndexMap<VarId, Lifted>,
    /// The counters of the loops around the operation, with the extents that they count to.
    counters: IndexMap<VarId, Option<Extent>>,
    pub(super) found: Found,
}

/// The operations for all lanes that are made from a block of a step.
#[derive(Default)]
struct Done {
    binds: Vec<Bind>,
    /// Operations on scalars that will be one pass over lanes.
    pending: Vec<Bind>,
}

impl<'a> Lifter<'a> {
    pub(super) fn new(
        tables: &'a mut Tables,
        extents: &'a mut Extents,
        lanes: Lanes,
        lifted: IndexMap<VarId, Lifted>,
    ) -> Self {
        Self { tables, extents, lanes, lifted, counters: IndexMap::new(), found: Found::default() }
    }

    /// The steps as a pass over the numbers of the lanes, if they only read elements of the arrays of a lane.
    pub(super) fn by_index(&mut self, body: Block) -> Option<Op> {
        let (mut uses, mut reads) = (0_usize, 0_usize);
        let is_array =
            |var| matches!(self.lifted.get(&var), Some(Lifted::Column(_) | Lifted::Row(_)));
        body.for_each_use(&mut |atom| uses += usize::from(atom.as_var().is_some_and(is_array)));
        body.for_each_op(&mut |op| {
            reads += usize::from(matches!(op, Op::Index { array, .. } if is_array(*array)));
        });
        (uses == reads).then(|| lanes::generate(self, body))
    }

    /// The block for all lanes: its scalar results become arrays, and its arrays matrices.
    pub(super) fn block(&mut self, block: Block) -> Option<Block> {
        self.block_yielding(block, &[])
    }

    /// The block for all lanes, where some results stay: they are the same for all lanes.
    fn block_yielding(&mut self, block: Block, stays: &[bool]) -> Option<Block> {
        let mut done = Done::default();
        for bind in block.binds {
            self.bind(bind, &mut done)?;
        }
        self.flush(&mut done);
        let results = self.results(block.results, stays, &mut done)?;
        Some(Block { binds: done.binds, results })
    }

    fn bind(&mut self, bind: Bind, done: &mut Done) -> Option<()> {
        if self.is_same(&bind, &IndexSet::new()) {
            done.binds.push(bind);
            return Some(());
        }
        if self.is_scalar(&bind) {
            self.lifted.extend(bind.vars.iter().map(|&var| (var, Lifted::Pending)));
            done.pending.push(bind);
            return Some(());
        }
        self.flush(done);
        self.operation(bind, done)
    }

    /// Whether an operation is the same for all lanes, and cannot fail; beside the lifted variables, `differing` are
    /// not the same.
    fn is_same(&self, bind: &Bind, differing: &IndexSet<VarId>) -> bool {
        let differs = |var: &VarId| self.lifted.contains_key(var) || differing.contains(var);
        !uses::free(bind).iter().any(differs) && self.extents.cannot_fail(&bind.op, self.tables)
    }

    /// Whether an operation makes scalars from scalars and from elements of arrays.
    fn is_scalar(&self, bind: &Bind) -> bool {
        let is_scalar = |var: &VarId| !self.tables.vars[*var].ty.is_array();
        let in_block = |block: &Block| block.binds.iter().all(|bind| self.is_scalar(bind));
        let of_lane = |array: VarId| {
            matches!(self.lifted.get(&array), Some(Lifted::Column(_) | Lifted::Row(_)))
        };
        // A check must not end up in a pass whose results nothing uses.
        !bind.op.stays()
            && bind.vars.iter().all(is_scalar)
            && match bind.op.branches() {
                Some(branches) => branches.into_iter().all(in_block),
                None => bind.op.is_scalar() && !bind.op.length().is_some_and(|(of, _)| of_lane(of)),
            }
    }

    /// Makes a pass over lanes of the scalars that are collected.
    fn flush(&mut self, done: &mut Done) {
        let pending = std::mem::take(&mut done.pending);
        let scalars = pending.iter().flat_map(|bind| bind.vars.clone()).collect::<Vec<_>>();
        if pending.is_empty() {
            return;
        }
        let arrays = scalars.iter().map(|&scalar| self.array_like(scalar)).collect::<Vec<_>>();
        let results = scalars.iter().map(|&scalar| Atom::Var(scalar)).collect();
        let op = lanes::pass(self, Block { binds: pending, results });
        for (&scalar, &array) in scalars.iter().zip(&arrays) {
            self.lifted.insert(scalar, Lifted::Scalar(array));
        }
        done.binds.push(Bind { vars: arrays, op, span: self.lanes.span });
    }

    /// A new array or matrix with an element or a column for each lane.
    fn array_like(&mut self, var: VarId) -> VarId {
        let Var { name, ty } = self.tables.vars[var].clone();
        let name = if name == UNNAMED_SCALAR { Name::new_static(UNNAMED_ARRAY) } else { name };
        self.found.lengths.extend(ty.shape().first());
        let shape = [ty.shape(), &[self.lanes.extent]].concat();
        self.tables.vars.push(Var { name, ty: Type::Array { elem: ty.scalars(), shape } })
    }

    fn new_lifted(&mut self, var: VarId) -> VarId {
        let is_array = self.tables.vars[var].ty.is_array();
        let new = self.array_like(var);
        let lifted = if is_array { Lifted::Column(new) } else { Lifted::Scalar(new) };
        self.lifted.insert(var, lifted);
        new
    }

    fn all_new(&mut self, vars: &[VarId]) -> Vec<VarId> {
        vars.iter().map(|&var| self.new_lifted(var)).collect()
    }

    /// Whether each variable is a scalar or an array of scalars.
    fn are_flat(&self, vars: &[VarId]) -> bool {
        vars.iter().all(|&var| self.tables.vars[var].ty.rank() <= 1)
    }

    fn is_uniform(&self, atom: Atom) -> bool {
        atom.as_var().is_none_or(|var| !self.lifted.contains_key(&var))
    }

    fn operation(&mut self, Bind { vars, op, span }: Bind, done: &mut Done) -> Option<()> {
        if !self.are_flat(&vars) || op.has_effect() {
            return None;
        }
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "no column is known to be made by others"
        )]
        let op = match op {
            Op::Length { array, dim } => {
                let Lifted::Column(array) = *self.lifted.get(&array)? else { return None };
                done.binds.push(Bind { vars, op: Op::Length { array, dim }, span });
                return Some(());
            }
            Op::Map { worker, inputs } => self.map(worker, inputs)?,
            Op::Generate { size, worker } if self.extents.is_size(size) => {
                let worker = self.worker(worker)?;
                Op::Generate { size, worker }
            }
            Op::Fold { worker, init, inputs, .. } if self.makes_arrays(&vars) => {
                let (count, worker) = self.loop_over(&inputs, init.len(), worker, done)?;
                return self.counted_loop(&vars, (count, init, worker), done);
            }
            Op::Fold { order, worker, init, inputs } => {
                self.fold(order, (worker, init, inputs), done)?
            }
            Op::Scan { prefix, worker, init, inputs } => {
                self.scan(prefix, (worker, init, inputs), done)?
            }
            Op::Loop { form: LoopForm::For { count }, init, worker } => {
                return self.counted_loop(&vars, (count, init, worker), done);
            }
            Op::Replace { array, indices, value, inside } => {
                let Lifted::Column(array) = *self.lifted.get(&array)? else { return None };
                self.replace(array, (indices, value, inside), done)?
            }
            _ => return None,
        };
        let vars = self.all_new(&vars);
        done.binds.push(Bind { vars, op, span });
        Some(())
    }

    fn replace(
        &mut self,
        array: VarId,
        (indices, value, inside): (Vec<Atom>, Atom, bool),
        done: &mut Done,
    ) -> Option<Op> {
        let [index] = indices[..] else { return None };
        let extent = self.tables.vars[array].ty.shape()[0];
        let counts_to_end = |var| self.counters.get(&var) == Some(&Some(extent));
        let inside = inside || index.as_var().is_some_and(counts_to_end);
        if !self.is_uniform(index) || !inside && self.counters.is_empty() {
            return None;
        }
        self.found.may_fail |= !inside;
        let value = self.result(value, done)?;
        Some(Op::Replace { array, indices, value, inside })
    }

    /// A worker whose parameters are the same for all lanes, or are lifted already.
    fn worker(&mut self, Worker { params, body }: Worker) -> Option<Worker> {
        let body = self.block(body)?;
        Some(Worker { params, body })
    }

    /// The elements that a worker takes, and the arrays that they are elements of.
    fn elements(&mut self, params: &mut [VarId], inputs: &mut [VarId]) -> Option<()> {
        for (param, input) in params.iter_mut().zip(inputs) {
            match self.lifted.get(input) {
                Some(&Lifted::Column(matrix)) if self.tables.vars[*input].ty.rank() == 1 => {
                    *input = matrix;
                    *param = self.new_lifted(*param);
                }
                Some(_) => return None,
                None => self.found.uniform_input = true,
            }
        }
        Some(())
    }

    fn map(&mut self, mut worker: Worker, mut inputs: Vec<VarId>) -> Option<Op> {
        self.elements(&mut worker.params, &mut inputs)?;
        let worker = self.worker(worker)?;
        Some(Op::Map { worker, inputs })
    }

    fn makes_arrays(&self, vars: &[VarId]) -> bool {
        vars.iter().any(|&var| self.tables.vars[var].ty.is_array())
    }

    /// The count and the worker of a loop that reads the elements of arrays by index, where a fold takes them.
    fn loop_over(
        &mut self,
        inputs: &[VarId],
        carried: usize,
        mut worker: Worker,
        done: &mut Done,
    ) -> Option<(Atom, Worker)> {
        let number = Var { name: Name::new_static("i"), ty: Type::Scalar(Scalar::I64) };
        let counter = self.tables.vars.push(number.clone());
        let elements = worker.params.split_off(carried);
        let span = self.lanes.span;
        let reads = elements.into_iter().zip(inputs).map(|(element, &array)| {
            let op = Op::Index { array, indices: vec![Atom::Var(counter)], inside: true };
            Bind { vars: vec![element], op, span }
        });
        worker.body.binds.splice(0..0, reads);
        worker.params.push(counter);
        let &first = inputs.first()?;
        let array = match self.lifted.get(&first) {
            Some(&Lifted::Column(matrix)) => matrix,
            Some(_) => return None,
            None => first,
        };
        let count = self.tables.vars.push(number);
        let length = Bind { vars: vec![count], op: Op::Length { array, dim: 0 }, span };
        self.extents.note(&length, self.tables);
        done.binds.push(length);
        Some((Atom::Var(count), worker))
    }

    fn fold(
        &mut self,
        order: FoldOrder,
        (mut worker, init, mut inputs): (Worker, Vec<Atom>, Vec<VarId>),
        done: &mut Done,
    ) -> Option<Op> {
        self.found.sequential = true;
        let init = self.results(init, &[], done)?;
        let (accs, elements) = worker.params.split_at_mut(init.len());
        if !self.are_flat(accs) {
            return None;
        }
        self.elements(elements, &mut inputs)?;
        accs.iter_mut().for_each(|acc| *acc = self.new_lifted(*acc));
        // Accumulators can be combined with each other only where accumulators and elements have the same form.
        let is_paired = init.len() == 1
            && inputs.len() == 1
            && self.tables.vars[worker.params[0]].ty == self.tables.vars[worker.params[1]].ty;
        let order = if is_paired { order } else { FoldOrder::Strict };
        let worker = self.worker(worker)?;
        Some(Op::Fold { order, worker, init, inputs })
    }

    fn scan(
        &mut self,
        prefix: ScanKind,
        (mut worker, init, mut inputs): (Worker, Vec<Atom>, Vec<VarId>),
        done: &mut Done,
    ) -> Option<Op> {
        self.found.sequential = true;
        let [input] = inputs[..] else { return None };
        if !matches!(self.lifted.get(&input), Some(Lifted::Column(_))) {
            return None;
        }
        let init = self.results(init, &[], done)?;
        let (accs, elements) = worker.params.split_at_mut(init.len());
        self.elements(elements, &mut inputs)?;
        accs.iter_mut().for_each(|acc| *acc = self.new_lifted(*acc));
        let worker = self.worker(worker)?;
        Some(Op::Scan { prefix, worker, init, inputs })
    }

    fn counted_loop(
        &mut self,
        vars: &[VarId],
        (count, init, mut worker): (Atom, Vec<Atom>, Worker),
        done: &mut Done,
    ) -> Option<()> {
        self.found.sequential = true;
        let kept = |(&var, &param): (&VarId, &VarId)| {
            self.tables.vars[var].ty == self.tables.vars[param].ty
        };
        if !self.is_uniform(count) || !vars.iter().zip(&worker.params).all(kept) {
            return None;
        }
        let stays = self.same_carried(&init, &worker);
        let init = self.results(init, &stays, done)?;
        for (param, _) in worker.params.iter_mut().zip(&stays).filter(|(_, stays)| !**stays) {
            *param = self.new_lifted(*param);
        }
        let extent = self.extents.of(count);
        let outside = std::mem::take(&mut self.found.may_fail);
        self.counters.insert(worker.params[init.len()], extent);
        let body = self.block_yielding(worker.body, &stays)?;
        self.counters.pop();
        let may_fail = std::mem::replace(&mut self.found.may_fail, outside);
        // Without a lane, steps beyond the rows of a matrix would be made for nothing.
        let is_bounded = self.extents.is_size(count) && !may_fail;
        let count = if is_bounded { count } else { self.if_any_lane(count, done) };
        let vars = vars.iter().zip(stays).map(
            |(&var, stays)| {
                if stays { var } else { self.new_lifted(var) }
            },
        );
        let vars = vars.collect();
        let worker = Worker { params: worker.params, body };
        let op = Op::Loop { form: LoopForm::For { count }, init, worker };
        done.binds.push(Bind { vars, op, span: self.lanes.span });
        Some(())
    }

    /// For each value that a loop carries, whether it is a scalar that is the same for all lanes in each step.
    fn same_carried(&self, init: &[Atom], worker: &Worker) -> Vec<bool> {
        let is_scalar = |var: VarId| !self.tables.vars[var].ty.is_array();
        let starts = init.iter().zip(&worker.params);
        let mut stays = starts
            .map(|(&init, &param)| is_scalar(param) && self.is_uniform(init))
            .collect::<Vec<_>>();
        loop {
            let params = worker.params.iter().zip(&stays).filter(|(_, stays)| !**stays);
            let mut differing = params.map(|(&param, _)| param).collect::<IndexSet<_>>();
            for bind in &worker.body.binds {
                if !self.is_same(bind, &differing) {
                    differing.extend(&bind.vars);
                }
            }
            let before = stays.clone();
            for (stays, &next) in stays.iter_mut().zip(&worker.body.results) {
                let differs = |var| differing.contains(&var);
                *stays &= self.is_uniform(next) && !next.as_var().is_some_and(differs);
            }
            if stays == before {
                return stays;
            }
        }
    }

    /// The count, or 0 if there is no lane.
    fn if_any_lane(&mut self, count: Atom, done: &mut Done) -> Atom {
        if matches!(self.lanes.count, Atom::Const(lanes) if lanes.as_i128() > 0) {
            return count;
        }
        let [any, limit, least] = [Scalar::Bool, Scalar::I64, Scalar::I64].map(|ty| {
            self.tables.vars.push(Var { name: Name::new_static("t"), ty: Type::Scalar(ty) })
        });
        let yields = |value| Block { binds: Vec::new(), results: vec![Const::i64(value).into()] };
        let choice = Op::If { cond: Atom::Var(any), then: yields(i64::MAX), otherwise: yields(0) };
        let ops = [
            (any, Op::bin(BinOp::Gt, self.lanes.count, Const::i64(0).into())),
            (limit, choice),
            (least, Op::bin(BinOp::Min, count, Atom::Var(limit))),
        ];
        let span = self.lanes.span;
        done.binds.extend(ops.map(|(var, op)| Bind { vars: vec![var], op, span }));
        Atom::Var(least)
    }

    fn results(&mut self, atoms: Vec<Atom>, stays: &[bool], done: &mut Done) -> Option<Vec<Atom>> {
        let stays = stays.iter().copied().chain(std::iter::repeat(false));
        let result = |(atom, stays)| if stays { Some(atom) } else { self.result(atom, done) };
        atoms.into_iter().zip(stays).map(result).collect()
    }

    /// An array with a scalar of each lane, or a matrix with an array of each lane as a column.
    fn result(&mut self, atom: Atom, done: &mut Done) -> Option<Atom> {
        let lifted = atom.as_var().and_then(|var| self.lifted.get(&var).copied());
        match lifted {
            Some(Lifted::Scalar(array) | Lifted::Column(array)) => Some(Atom::Var(array)),
            Some(Lifted::Row(_)) => None,
            Some(Lifted::Lane | Lifted::Pending) | None => match atom.as_var() {
                Some(var) if self.tables.vars[var].ty.is_array() => self.same_column(var, done),
                Some(_) | None => Some(self.scalars(atom, done)),
            },
        }
    }

    /// `array = generate count (\j -> scalar)`.
    fn scalars(&mut self, scalar: Atom, done: &mut Done) -> Atom {
        let ty = scalar.ty(&self.tables.vars).array_of(self.lanes.extent);
        let array = self.tables.vars.push(Var { name: Name::new_static(UNNAMED_ARRAY), ty });
        let op = lanes::generate(self, Block { binds: Vec::new(), results: vec![scalar] });
        done.binds.push(Bind { vars: vec![array], op, span: self.lanes.span });
        Atom::Var(array)
    }

    /// `matrix = map (\x -> generate count (\j -> x)) array`, for an array that is the same for all lanes.
    fn same_column(&mut self, array: VarId, done: &mut Done) -> Option<Atom> {
        let element = self.tables.vars[array].ty.element().filter(|element| !element.is_array())?;
        let param = self.tables.vars.push(Var { name: Name::new_static("x"), ty: element });
        let matrix = self.array_like(array);
        let mut row = Done::default();
        let results = vec![self.scalars(Atom::Var(param), &mut row)];
        let body = Block { binds: row.binds, results };
        let op = Op::Map { worker: Worker { params: vec![param], body }, inputs: vec![array] };
        done.binds.push(Bind { vars: vec![matrix], op, span: self.lanes.span });
        Some(Atom::Var(matrix))
    }
}
