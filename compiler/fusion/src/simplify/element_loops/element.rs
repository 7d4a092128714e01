//! The step of a loop over whole arrays, rewritten to compute one element of them.
//!
//! Invariant: an operation outside of the passes of the step cannot fail, and is a few instructions. Each element computes
//! it again.
//!
//! ```text
//! { t = x[j]; y' = map (\e c -> { p = c * t; s = e + p; s }) y b; y' }   ⇒   { t = x[j]; p = c * t; s = e + p; s }
//! with the elements e of y and c of b
//! ```

use indexmap::{IndexMap, IndexSet};

use super::{ElementLoops, Steps};
use crate::cnf::{Atom, Bind, Block, Extent, LoopForm, Op, Var, Worker};
use crate::copy::Copier;
use crate::simplify::extents::Extents;
use crate::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::Cost;
use arrc_syntax::source::Span;

/// The step of a loop, while it is rewritten to compute one element.
pub(super) struct Element<'a> {
    pub(super) tables: &'a mut Tables,
    extents: &'a mut Extents,
    positions: &'a IndexSet<VarId>,
    transposed: &'a IndexMap<VarId, VarId>,
    /// The length of the arrays that the loop carries.
    extent: Extent,
    /// The position of the element.
    lane: VarId,
    /// The counter of the loop, and the number of its steps.
    counter: (VarId, Atom),
    /// The initial arrays, by the parameters that carry them.
    initial: IndexMap<VarId, VarId>,
    /// The elements of the arrays that the loop carries and that its steps make.
    elements: IndexMap<VarId, Atom>,
    /// The elements of arrays that exist before the loop.
    pub(super) inputs: IndexMap<VarId, VarId>,
    /// The elements of rows that the step reads.
    read: IndexMap<VarId, Atom>,
    /// The rows of arrays, with the array and the first indices.
    rows: IndexMap<VarId, (VarId, Vec<Atom>)>,
    /// The variables that have become others.
    names: IndexMap<VarId, Atom>,
    /// How many passes the step has. A step without any only exchanges arrays.
    passes: usize,
    /// What the step does so far.
    done: Vec<Bind>,
    /// What the step of the loop does outside of passes.
    shared: Vec<Bind>,
}

impl<'a> Element<'a> {
    /// Nothing so far of the step of a loop with this counter and number of steps.
    pub(super) fn new(
        loops: &'a mut ElementLoops<'_>,
        extent: Extent,
        lane: VarId,
        counter: (VarId, Atom),
    ) -> Self {
        Self {
            tables: &mut *loops.tables,
            extents: &mut loops.extents,
            positions: &loops.positions,
            transposed: &loops.transposed,
            extent,
            lane,
            counter,
            initial: IndexMap::new(),
            elements: IndexMap::new(),
            inputs: IndexMap::new(),
            read: IndexMap::new(),
            rows: IndexMap::new(),
            names: IndexMap::new(),
            passes: 0,
            done: Vec::new(),
            shared: Vec::new(),
        }
    }

    /// The step that carries the elements.
    pub(super) fn step(&mut self, steps: &Steps<'_>, span: Span) -> Option<Worker> {
        let Worker { params, body } = steps.worker;
        let mut carried = Vec::new();
        for (&param, init) in params.iter().zip(steps.init) {
            let one = self.like(param);
            carried.push(one);
            if self.tables.vars[param].ty.is_array() {
                self.elements.insert(param, Atom::Var(one));
                self.initial.insert(param, init.as_var()?);
            } else {
                self.names.insert(param, Atom::Var(one));
            }
        }
        for (&param, &input) in params[steps.init.len()..].iter().zip(steps.inputs) {
            let indices = vec![Atom::Var(self.counter.0)];
            let op = Op::Index { array: input, indices, inside: true };
            self.outside(Bind { vars: vec![param], op, span })?;
        }
        for bind in &body.binds {
            self.bind(bind.clone())?;
        }
        if self.passes == 0 {
            return None;
        }
        let results = body.results.iter().map(|&result| match result.as_var() {
            Some(var) if self.tables.vars[var].ty.is_array() => self.element(var, span),
            Some(_) | None => Some(result.substitute(&self.names)),
        });
        let results = results.collect::<Option<Vec<_>>>()?;
        carried.push(self.counter.0);
        let body = Block { binds: std::mem::take(&mut self.done), results };
        Some(Worker { params: carried, body })
    }

    /// What the loop of an element begins with.
    pub(super) fn initial(&mut self, init: Atom) -> Atom {
        match init.as_var() {
            Some(array) if self.tables.vars[array].ty.is_array() => Atom::Var(self.input(array)),
            Some(_) | None => init,
        }
    }

    /// The element of an array that exists before the loop.
    fn input(&mut self, array: VarId) -> VarId {
        if let Some(&element) = self.inputs.get(&array) {
            return element;
        }
        let element = self.like(array);
        self.inputs.insert(array, element);
        element
    }

    /// The loop that computes the scalars that the loop carries, if there are any. `worker` is the step of an element.
    pub(super) fn scalar_loop(
        &mut self,
        (vars, worker): (&[VarId], &Worker),
        init: &[Atom],
        (form, span): (LoopForm, Span),
    ) -> Option<Bind> {
        let is_scalar = |var: &VarId| !self.tables.vars[*var].ty.is_array();
        let places: Vec<usize> =
            vars.iter().enumerate().filter(|(_, var)| is_scalar(var)).map(|(at, _)| at).collect();
        if places.is_empty() {
            return None;
        }
        let mut params: Vec<VarId> = places.iter().map(|&at| worker.params[at]).collect();
        params.push(self.counter.0);
        let results = places.iter().map(|&at| worker.body.results[at]).collect();
        let body = Block { binds: std::mem::take(&mut self.shared), results };
        let mut copier = Copier::new(self.tables);
        let params = params.into_iter().map(|param| copier.fresh(param)).collect();
        let worker = Worker { params, body: copier.block(&body) };
        let init = places.iter().map(|&at| init[at]).collect();
        let vars = places.iter().map(|&at| vars[at]).collect();
        Some(Bind { vars, op: Op::Loop { form, init, worker }, span })
    }

    /// A variable for an element of an array, or a scalar like another one.
    pub(super) fn like(&mut self, var: VarId) -> VarId {
        let Var { name, ty } = self.tables.vars[var].clone();
        let ty = ty.element().unwrap_or(ty);
        self.tables.vars.push(Var { name, ty })
    }

    /// An operation of the step.
    fn bind(&mut self, bind: Bind) -> Option<()> {
        let is_pass = bind.vars.iter().all(|&var| self.is_whole(var));
        if let Op::Map { worker, inputs } = &bind.op
            && is_pass
        {
            for (&param, &input) in worker.params.iter().zip(inputs) {
                let element = self.element(input, bind.span)?;
                self.names.insert(param, element);
            }
            return self.inline(worker.body.clone(), &bind.vars);
        }
        if let Op::Generate { worker, .. } = &bind.op
            && is_pass
        {
            self.names.insert(worker.params[0], Atom::Var(self.lane));
            return self.inline(worker.body.clone(), &bind.vars);
        }
        self.outside(bind)
    }

    /// Whether an array has one element, or row, for each lane.
    fn is_whole(&self, array: VarId) -> bool {
        self.tables.vars[array].ty.shape().first() == Some(&self.extent)
    }

    /// An operation outside of the passes, which every lane repeats. It costs little and cannot fail.
    fn outside(&mut self, bind: Bind) -> Option<()> {
        let Some(bind) = self.inside(bind)? else { return Some(()) };
        let is_element = |operand: &Atom| self.elements.values().any(|one| one == operand);
        if bind.op.operands().iter().any(|of| of.as_var().is_some() && is_element(of)) {
            return None;
        }
        self.extents.note(&bind, self.tables);
        if let Op::Index { array, indices, inside } = &bind.op {
            if !inside && !self.is_inside(*array, indices) {
                return None;
            }
            if self.tables.vars[bind.vars[0]].ty.is_array() {
                self.rows.insert(bind.vars[0], (*array, indices.clone()));
            }
        } else if bind.op.length().is_none() {
            let operation = bind.op.operation()?;
            let vars = &self.tables.vars;
            if operation.has_trap(vars) || operation.cost(vars) != Cost::Quick {
                return None;
            }
        }
        self.shared.push(bind.clone());
        self.done.push(bind);
        Some(())
    }

    /// Whether indices are those of steps, and so in an array.
    fn is_inside(&self, array: VarId, indices: &[Atom]) -> bool {
        let (counter, count) = self.counter;
        let shape = self.tables.vars[array].ty.shape();
        let is_step = |(&index, &extent): (&Atom, &Extent)| {
            index == Atom::Var(counter) && self.extents.is(count, extent, self.tables)
        };
        indices.iter().zip(shape).all(is_step)
    }

    /// Takes the body of a pass into the step.
    fn inline(&mut self, body: Block, made: &[VarId]) -> Option<()> {
        self.passes += 1;
        for bind in body.binds {
            let bind = self.inside(bind)?;
            self.done.extend(bind);
        }
        for (&var, result) in made.iter().zip(body.results) {
            if self.has_one_element(result) {
                return None;
            }
            self.elements.insert(var, result.substitute(&self.names));
        }
        Some(())
    }

    /// An operation with elements in the place of arrays; nothing is left if it only names an element.
    #[allow(clippy::option_option, reason = "no binding is left, or there is no pass")]
    fn inside(&mut self, mut bind: Bind) -> Option<Option<Bind>> {
        bind.op.substitute(&self.names);
        if let Op::Index { array, indices, .. } = &mut bind.op {
            if let Some(&element) = self.elements.get(&*array) {
                let (own, rest) = indices.split_first()?;
                if *own != Atom::Var(self.lane) {
                    return None;
                }
                if rest.is_empty() {
                    self.names.insert(bind.vars[0], element);
                    return Some(None);
                }
                (*array, *indices) = (element.as_var()?, rest.to_vec());
            } else if let Some((of, first)) = self.rows.get(&*array) {
                (*array, *indices) = (*of, [&first[..], &indices[..]].concat());
            }
            self.untranspose(array, indices);
        } else if let Op::Length { array, dim } = &mut bind.op {
            if let Some(&initial) = self.initial.get(&*array) {
                *array = initial;
            } else if let Some(&element) = self.elements.get(&*array) {
                (*array, *dim) = (element.as_var()?, dim.checked_sub(1)?);
            }
        }
        if bind.op.operands().into_iter().any(|operand| self.has_one_element(operand)) {
            return None;
        }
        for block in bind.op.blocks_mut() {
            for bind in std::mem::take(&mut block.binds) {
                let bind = self.inside(bind)?;
                block.binds.extend(bind);
            }
            if block.results.iter().any(|&result| self.has_one_element(result)) {
                return None;
            }
            for result in &mut block.results {
                *result = result.substitute(&self.names);
            }
        }
        Some(Some(bind))
    }

    /// Makes a read of an element of a transposed matrix one of the matrix.
    fn untranspose(&self, array: &mut VarId, indices: &mut [Atom]) {
        if let Some(&matrix) = self.transposed.get(&*array)
            && indices.len() == 2
        {
            indices.reverse();
            *array = matrix;
        }
    }

    /// Whether the operand is an array that the step carries or makes. The rewritten step has only one element of it.
    fn has_one_element(&self, atom: Atom) -> bool {
        atom.as_var().is_some_and(|var| self.elements.contains_key(&var))
    }

    /// The element of an array in this lane.
    fn element(&mut self, array: VarId, span: Span) -> Option<Atom> {
        if let Some(&element) = self.elements.get(&array).or_else(|| self.read.get(&array)) {
            return Some(element);
        }
        if self.positions.contains(&array) {
            return Some(Atom::Var(self.lane));
        }
        if !self.is_whole(array) {
            return None;
        }
        let Some((mut of, mut indices)) = self.rows.get(&array).cloned() else {
            return Some(Atom::Var(self.input(array)));
        };
        indices.push(Atom::Var(self.lane));
        let element = self.like(array);
        self.untranspose(&mut of, &mut indices);
        let op = Op::Index { array: of, indices, inside: true };
        self.done.push(Bind { vars: vec![element], op, span });
        self.read.insert(array, Atom::Var(element));
        Some(Atom::Var(element))
    }
}
