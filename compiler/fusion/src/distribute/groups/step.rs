//! An iteration of a combinator that has one for each group, and the elements of the group that it reads.
//!
//! Invariant: the boundary `d` of an iteration is the position at which the group `d` groups after its own group
//! begins.
//!
//! ```text
//! ys = generate k (\g -> { b = begins[g]; e = begins[g + 1]; group = generate (e - b) (\i -> grouped[b + i]) … })
//! ⇒ b is the boundary 0, e is the boundary 1, and group has the elements of the iteration's own group
//! ```

use super::super::selector::{defining_op, is_positions};
use super::sorted::{CountingSort, outer};
use crate::cnf::{Atom, Bind, Block, Extent, Op, Worker};
use crate::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Const};

/// One iteration of a combinator.
pub(super) struct IterationBody<'a> {
    block: &'a Block,
    pub(super) worker: &'a Worker,
    /// The variable that has the number of the step, if the combinator is a `generate`.
    pub(super) counter: Option<VarId>,
    /// The variables of the worker that are elements of arrays, with these arrays.
    elements: Vec<(VarId, VarId)>,
    /// The number of steps.
    pub(super) extent: Option<Extent>,
}

/// The elements of a group as an array that a step makes.
pub(super) struct GroupArray<'a> {
    /// The worker that reads them.
    pub(super) worker: &'a Worker,
    /// The variables that are bound to elements, with the sorted arrays.
    pub(super) reads: Vec<(VarId, VarId)>,
}

impl<'a> IterationBody<'a> {
    pub(super) fn of(block: &'a Block, bind: &'a Bind, tables: &Tables) -> Option<Self> {
        let extent = |array: Option<&VarId>| array.and_then(|&array| outer(array, tables));
        if let Op::Generate { worker, .. } = &bind.op {
            let counter = worker.params.first().copied();
            let extent = extent(bind.vars.first());
            return Some(Self { block, worker, counter, elements: Vec::new(), extent });
        }
        let of = bind.op.elements().filter(|_| !bind.op.is_paired())?;
        let elements = of.worker.params[of.accs..].iter().copied();
        let elements = elements.zip(of.inputs.iter().copied()).collect();
        let extent = extent(of.inputs.first());
        Some(Self { block, worker: of.worker, counter: None, elements, extent })
    }

    /// The variables that have the number of the step.
    pub(super) fn counters(&self) -> impl Iterator<Item = VarId> {
        let is_counter = |(_, array): &&(VarId, VarId)| is_positions(self.block, *array);
        let elements = self.elements.iter().filter(is_counter).map(|&(element, _)| element);
        self.counter.into_iter().chain(elements)
    }

    /// The operation in the worker that makes a value.
    fn defining_op(&self, atom: Atom) -> Option<&'a Op> {
        let Atom::Var(var) = atom else { return None };
        defining_op(&self.worker.body, var)
    }

    /// The distance of a number from the number of the step.
    fn distance(&self, atom: Atom) -> Option<i64> {
        if self.counters().any(|counter| Atom::Var(counter) == atom) {
            return Some(0);
        }
        match self.defining_op(atom)?.binary()? {
            (BinOp::Add, [x, Atom::Const(more)] | [Atom::Const(more), x]) => {
                self.distance(x)?.checked_add(i64::try_from(more.as_i128()).ok()?)
            }
            (BinOp::Sub, [x, Atom::Const(less)]) => {
                self.distance(x)?.checked_sub(i64::try_from(less.as_i128()).ok()?)
            }
            _ => None,
        }
    }

    /// The boundary of a group that a number is.
    fn group_boundary(&self, atom: Atom, sorted: &CountingSort, tables: &Tables) -> Option<i64> {
        let element = self.elements.iter().find(|(element, _)| Atom::Var(*element) == atom);
        if let Some((_, array)) = element {
            let bind = self.block.binds.iter().find(|bind| bind.vars.contains(array))?;
            let at = bind.vars.iter().position(|var| var == array)?;
            let step = Self::of(self.block, bind, tables)?;
            let is_one_to_one = step.counter.is_some() && step.extent == self.extent;
            let result = *step.worker.body.results.get(at)?;
            return step.group_boundary(result, sorted, tables).filter(|_| is_one_to_one);
        }
        let Op::Index { array, indices, .. } = self.defining_op(atom)? else { return None };
        let [index] = indices[..] else { return None };
        if sorted.is_begins(self.block, *array) { self.distance(index) } else { None }
    }

    /// Whether a number is that of the elements of the step's group.
    fn is_count(&self, op: &Op, sorted: &CountingSort, tables: &Tables) -> bool {
        let Some((BinOp::Sub, [end, begin])) = op.binary() else { return false };
        let edges = [begin, end].map(|atom| self.group_boundary(atom, sorted, tables));
        edges == [Some(0), Some(1)]
    }

    /// The variables that are the number of elements of the step's group.
    pub(super) fn counts(&self, sorted: &CountingSort, tables: &Tables) -> Vec<VarId> {
        let binds = self.worker.body.binds.iter();
        let counts = binds.filter(|bind| self.is_count(&bind.op, sorted, tables));
        counts.flat_map(|bind| bind.vars.iter().copied()).collect()
    }

    /// The elements of the step's group, if these are what an array of the step has.
    pub(super) fn part(
        &self,
        array: VarId,
        sorted: &CountingSort,
        tables: &Tables,
    ) -> Option<GroupArray<'a>> {
        let Op::Generate { size, worker } = defining_op(&self.worker.body, array)? else {
            return None;
        };
        let index = Atom::Var(*worker.params.first()?);
        if !self.defining_op(*size).is_some_and(|op| self.is_count(op, sorted, tables)) {
            return None;
        }
        let is_at_index = |atom: Atom| {
            let Atom::Var(at) = atom else { return false };
            let Some(op) = defining_op(&worker.body, at) else { return false };
            let Some((BinOp::Add, [x, y])) = op.binary() else { return false };
            let begins = |atom| self.group_boundary(atom, sorted, tables) == Some(0);
            (x == index && begins(y)) || (y == index && begins(x))
        };
        let read = |bind: &Bind| {
            let Op::Index { array, indices, .. } = &bind.op else { return None };
            let is_read =
                sorted.values.contains_key(array) && matches!(indices[..], [at] if is_at_index(at));
            is_read.then_some((*bind.vars.first()?, *array))
        };
        let reads: Vec<_> = worker.body.binds.iter().filter_map(read).collect();
        (!reads.is_empty() && !worker.body.stays()).then_some(GroupArray { worker, reads })
    }

    /// Whether a fold goes over what the step makes of the elements of its group.
    pub(super) fn reads_group(&self, fold: &Bind, sorted: &CountingSort, tables: &Tables) -> bool {
        let inputs = fold.op.streams();
        !inputs.is_empty() && inputs.iter().all(|&input| self.is_of_group(input, sorted, tables))
    }

    fn is_of_group(&self, array: VarId, sorted: &CountingSort, tables: &Tables) -> bool {
        if let Some(Op::Map { worker, inputs }) = defining_op(&self.worker.body, array) {
            let is_made = inputs.iter().all(|&input| self.is_of_group(input, sorted, tables));
            return is_made && !inputs.is_empty() && !worker.body.stays();
        }
        self.part(array, sorted, tables).is_some()
    }

    /// The assertions of the worker that hold because the ends of the group are in order, as their places among the
    /// bindings.
    pub(super) fn known_checks(&self, sorted: &CountingSort, tables: &Tables) -> Vec<usize> {
        let is_known = |bind: &Bind| matches!(&bind.op, Op::Assert(check) if self.holds(check.cond, sorted, tables));
        let binds = self.worker.body.binds.iter().enumerate();
        binds.filter(|(_, bind)| is_known(bind)).map(|(at, _)| at).collect()
    }

    fn holds(&self, cond: Atom, sorted: &CountingSort, tables: &Tables) -> bool {
        let Some((op, [x, y])) = self.defining_op(cond).and_then(Op::binary) else { return false };
        let holds = |atom| self.holds(atom, sorted, tables);
        if op == BinOp::Le {
            let order = [x, y].map(|atom| self.order(atom, sorted, tables));
            return matches!(order, [Some(x), Some(y)] if x <= y);
        }
        (op == BinOp::And && holds(x) && holds(y)) || (op == BinOp::Or && (holds(x) || holds(y)))
    }

    /// The place of a number among 0, the two ends of the step's group, and the number of all elements, if it is one
    /// of these.
    fn order(&self, atom: Atom, sorted: &CountingSort, tables: &Tables) -> Option<i64> {
        if atom == Atom::Const(Const::i64(0)) {
            return Some(0);
        }
        if let Some(edge @ (0 | 1)) = self.group_boundary(atom, sorted, tables) {
            return Some(edge + 1);
        }
        let Atom::Var(var) = atom else { return None };
        let (array, dim) = defining_op(self.block, var)?.length()?;
        let is_length = dim == 0 && outer(array, tables) == outer(sorted.keys, tables);
        is_length.then_some(3)
    }
}
