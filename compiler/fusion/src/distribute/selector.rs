//! `combine flags xs ys` and its producers (002, section 8: a selector with two sides).
//!
//! Each element of the result is the next element of one side: of `xs` where the flag is true, of `ys` where it is
//! false. Its position in `xs` is the number of true flags before it, and its position in `ys` is the number of false
//! flags before it. If a side is the result of a map, its element is computed where it is taken. If a side is a filter
//! of an array by `flags` or by their negation, its element is the element of that array at the position of the flag.
//!
//! Invariant: an element that no flag takes is not computed, so it cannot fail. A position in a side is checked as
//! before, unless the side is such a filter: then the element is always there.
//!
//! ```text
//! xs = filter p zs; us = map f xs; vs = map g ys; c = combine flags us vs
//!   where flags = map p zs; ys = filter (\z -> !(p z)) zs
//! ⇒ c = map2 (\flag z -> if flag then f z else g z) flags zs
//! ```

use indexmap::IndexMap;

use super::operations;
use crate::cnf;
use crate::cnf::{Atom, Bind, Block, ElementWorker, Op, Operation, ScanKind, Var, Worker};
use crate::copy::Copier;
use crate::simplify::{inverse, same_worker};
use crate::tables::Tables;
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::prim::{BinOp, Const, Scalar, UnOp};
use arrc_syntax::source::Span;

/// The largest number of operations that the copied workers of both sides may have together. It bounds the size of the
/// code. No benchmark shows it alone.
const MAX_OPERATIONS: usize = 100;

/// A side of a selector: the result takes elements from it where the flags are true, or where they are false.
#[derive(Clone, Copy)]
struct SelectorSide<'a, 'v> {
    block: &'a Block,
    vars: &'v PrimaryMap<VarId, Var>,
    flags: VarId,
    is_true: bool,
}

/// A choice in a worker that takes the next element of one side or of the other.
struct SelectedBranch {
    /// The index of the choice among the bindings of the worker.
    choice: usize,
    flags: VarId,
    /// The position of the next element in each side: a variable of the worker or of the side's branch.
    positions: [Atom; 2],
}

/// Whether a binding takes elements of two sides, and those of at least one side can be computed where they are taken.
pub(super) fn is_selector(block: &Block, bind: &Bind, tables: &Tables) -> bool {
    selected(block, bind).is_some_and(|selected| selected.gains(block, bind, tables))
}

/// The block in which the elements are computed where they are taken.
pub(super) fn rewrite(block: &Block, at: usize, tables: &mut Tables) -> Option<Block> {
    let mut bind = block.binds[at].clone();
    let selected = selected(block, &bind).filter(|of| of.gains(block, &bind, tables))?;
    let ElementWorker { worker, inputs, .. } = bind.op.elements_mut()?;
    let choice = &mut worker.body.binds[selected.choice];
    let span = choice.span;
    let mut taken =
        BranchRewriter { block, selected: &selected, tables, streams: IndexMap::new(), span };
    for (branch, is_true) in choice.op.blocks_mut().into_iter().zip([true, false]) {
        taken.branch(branch, is_true)?;
    }
    for (array, element) in taken.streams {
        inputs.push(array);
        worker.params.push(element);
    }
    trim(&mut bind);
    let mut binds = block.binds.clone();
    binds[at] = bind;
    Some(Block { binds, results: block.results.clone() })
}

/// The choice by flags in the worker of a binding, with the position of the next element in each side.
fn selected(block: &Block, bind: &Bind) -> Option<SelectedBranch> {
    let ElementWorker { worker, accs, inputs } = bind.op.elements()?;
    if bind.op.is_paired() {
        return None;
    }
    let elements = &worker.params[accs..];
    let input = |atom: Atom| {
        let at = elements.iter().position(|&element| Atom::Var(element) == atom)?;
        inputs.get(at).copied()
    };
    worker.body.binds.iter().enumerate().find_map(|(choice, inner)| {
        let Op::If { cond, otherwise, .. } = &inner.op else { return None };
        let flags = input(*cond)?;
        let count = |element: &&VarId| {
            input(Atom::Var(**element)).is_some_and(|array| counts(block, array, flags))
        };
        let before = Atom::Var(*elements.iter().find(count)?);
        let is_behind = |bind: &&Bind| match bind.op.binary() {
            Some((BinOp::Sub, [at, taken])) => {
                taken == before && input(at).is_some_and(|array| is_positions(block, array))
            }
            Some(_) | None => false,
        };
        let around = worker.body.binds[..choice].iter();
        let behind = otherwise.binds.iter().chain(around).find(is_behind)?;
        Some(SelectedBranch {
            choice,
            flags,
            positions: [before, Atom::Var(*behind.vars.first()?)],
        })
    })
}

/// Whether an array has at each position the number of true flags before it.
fn counts(block: &Block, array: VarId, flags: VarId) -> bool {
    let Some(Op::Scan { prefix: ScanKind::Exclusive, worker, init, inputs }) =
        defining_op(block, array)
    else {
        return false;
    };
    let zero = Atom::Const(Const::i64(0));
    let adds = is_sum(worker);
    let [ones] = inputs[..] else { return false };
    let Some(Op::Map { worker, inputs }) = defining_op(block, ones) else { return false };
    let number = Op::un(UnOp::To(Scalar::I64), Atom::Var(worker.params[0]));
    let number = matches!(&worker.body.binds[..], [bind] if bind.op == number);
    adds && *init == [zero] && number && *inputs == [flags]
}

/// Whether a worker gives the sum of its two parameters.
pub(super) fn is_sum(worker: &Worker) -> bool {
    let ([x, y], [bind]) = (&worker.params[..], &worker.body.binds[..]) else { return false };
    let adds = bind.op.binary() == Some((BinOp::Add, [Atom::Var(*x), Atom::Var(*y)]));
    adds && bind.vars.iter().map(|&var| Atom::Var(var)).eq(worker.body.results.clone())
}

/// Whether an array is 0, 1, 2 ….
pub(super) fn is_positions(block: &Block, array: VarId) -> bool {
    let Some(Op::Generate { worker, .. }) = defining_op(block, array) else { return false };
    let Some(&index) = worker.params.first() else { return false };
    !worker.body.stays() && worker.body.results == [Atom::Var(index)]
}

impl SelectedBranch {
    /// The position of the next element in a side.
    fn position(&self, is_true: bool) -> Atom {
        self.positions[usize::from(!is_true)]
    }

    fn side<'a, 'v>(
        &self,
        is_true: bool,
        block: &'a Block,
        tables: &'v Tables,
    ) -> SelectorSide<'a, 'v> {
        SelectorSide { block, vars: &tables.vars, flags: self.flags, is_true }
    }

    /// Whether some array of a side can be computed where it is taken, and the code for that is short.
    fn gains(&self, block: &Block, bind: &Bind, tables: &Tables) -> bool {
        let choice = bind.op.elements().map(|of| &of.worker.body.binds[self.choice].op);
        let branches = choice.and_then(Op::branches).into_iter().flatten();
        let mut computed = Vec::new();
        for (branch, is_true) in branches.zip([true, false]) {
            let side = self.side(is_true, block, tables);
            let reads = branch.binds.iter().filter_map(|bind| read(bind, self.position(is_true)));
            computed.extend(reads.filter_map(|array| side.operations(array)));
        }
        !computed.is_empty() && computed.into_iter().sum::<usize>() <= MAX_OPERATIONS
    }
}

/// The array whose element at a position a binding reads.
fn read(bind: &Bind, position: Atom) -> Option<VarId> {
    let Op::Index { array, indices, .. } = &bind.op else { return None };
    (*indices == [position]).then_some(*array)
}

/// The operation that makes an array of the block.
pub(super) fn defining_op(block: &Block, array: VarId) -> Option<&Op> {
    block.binds.iter().find(|bind| bind.vars.contains(&array)).map(|bind| &bind.op)
}

impl<'a> SelectorSide<'a, '_> {
    /// How many operations compute an element of an array of the side; nothing if it is read from memory.
    fn operations(self, array: VarId) -> Option<usize> {
        if self.source(array).is_some() {
            return Some(0);
        }
        let Op::Map { worker, inputs } = &self.mapped(array)?.op else { return None };
        let own: usize = worker.body.binds.iter().map(|bind| operations(&bind.op)).sum();
        let inner = inputs.iter().map(|&input| self.operations(input).unwrap_or(1));
        Some(own + inner.sum::<usize>())
    }

    /// The map that makes an array of scalars, if an element of it can be computed alone.
    fn mapped(self, array: VarId) -> Option<&'a Bind> {
        let bind = self.block.binds.iter().find(|bind| bind.vars.contains(&array))?;
        let Op::Map { worker, .. } = &bind.op else { return None };
        let is_scalar = worker.body.binds.iter().all(|bind| bind.op.is_scalar());
        let takes = worker.params.iter().all(|&param| !self.vars[param].ty.is_array());
        (is_scalar && takes && !worker.body.stays()).then_some(bind)
    }

    /// The array that a filter made an array of the side from, if the filter keeps exactly the elements of the side.
    fn source(self, array: VarId) -> Option<VarId> {
        let bind = self.block.binds.iter().find(|bind| bind.vars.contains(&array))?;
        let Op::Filter { worker, inputs, keep } = &bind.op else { return None };
        let of = bind.vars.iter().position(|&var| var == array)?;
        let source = keep.get(of).copied();
        source.filter(|_| self.keeps(worker, inputs))
    }

    /// Whether a predicate holds exactly where the flags take an element of the side.
    fn keeps(self, predicate: &Worker, inputs: &[VarId]) -> bool {
        if *inputs == [self.flags] {
            let flag = Atom::Var(predicate.params[0]);
            return match &predicate.body.binds[..] {
                [] => self.is_true && predicate.body.results == [flag],
                [bind] => !self.is_true && bind.op == Op::un(UnOp::Not, flag),
                _ => false,
            };
        }
        let Some(Op::Map { worker, inputs: of_flags }) = defining_op(self.block, self.flags) else {
            return false;
        };
        let is_one = worker.body.results.len() == 1;
        let same = |worker: &Worker| same_worker(self.vars, worker, predicate);
        is_one
            && *of_flags == *inputs
            && if self.is_true { same(worker) } else { negated(worker, self.vars).iter().any(same) }
    }
}

/// The worker that holds exactly where this one does not, if the result of this one is a comparison or a negation.
fn negated(worker: &Worker, vars: &PrimaryMap<VarId, Var>) -> Option<Worker> {
    let mut no = worker.clone();
    let [Atom::Var(result)] = worker.body.results[..] else { return None };
    let last = no.body.binds.last_mut().filter(|bind| bind.vars == [result])?;
    match last.op.operation()? {
        Operation::Un(UnOp::Not, x) => {
            no.body.results = vec![x];
            no.body.binds.pop();
        }
        Operation::Bin(op, [x, y]) => last.op = Op::bin(inverse(op, x.ty(vars).scalars())?, x, y),
        Operation::Un(..) | Operation::MulAdd(..) => return None,
    }
    Some(no)
}

/// Rewrites the branches of a choice, so that they compute the elements instead of reading them from the sides.
struct BranchRewriter<'a> {
    block: &'a Block,
    selected: &'a SelectedBranch,
    tables: &'a mut Tables,
    /// For each array that is streamed, the variable of its element in the worker.
    streams: IndexMap<VarId, VarId>,
    span: Span,
}

impl BranchRewriter<'_> {
    fn branch(&mut self, branch: &mut Block, is_true: bool) -> Option<()> {
        let position = self.selected.position(is_true);
        let mut names: IndexMap<VarId, Atom> = IndexMap::new();
        let mut binds = Vec::new();
        for bind in std::mem::take(&mut branch.binds) {
            let side = self.selected.side(is_true, self.block, self.tables);
            let computed = read(&bind, position).filter(|&array| side.operations(array).is_some());
            match computed {
                Some(array) => {
                    let element = self.element(array, is_true, &mut binds)?;
                    names.insert(*bind.vars.first()?, element);
                }
                None => binds.push(bind),
            }
        }
        branch.binds = binds;
        branch.substitute(&names);
        let mut is_used = false;
        branch.for_each_use(&mut |atom| is_used |= atom == position);
        if !is_used {
            branch.binds.retain(|bind| !bind.vars.iter().any(|&var| Atom::Var(var) == position));
        }
        Some(())
    }

    /// The next element of an array of a side.
    fn element(&mut self, array: VarId, is_true: bool, binds: &mut Vec<Bind>) -> Option<Atom> {
        let side = self.selected.side(is_true, self.block, self.tables);
        if let Some(source) = side.source(array) {
            let known = self.streams.get(&source).copied();
            let element = known.map_or_else(|| self.like_element(source), Some)?;
            self.streams.insert(source, element);
            return Some(Atom::Var(element));
        }
        let Some(bind) = side.mapped(array) else {
            let element = self.like_element(array)?;
            let indices = vec![self.selected.position(is_true)];
            let op = Op::Index { array, indices, inside: false };
            binds.push(Bind { vars: vec![element], op, span: self.span });
            return Some(Atom::Var(element));
        };
        let Op::Map { worker, inputs } = &bind.op else { return None };
        let of = bind.vars.iter().position(|&var| var == array)?;
        let mut args = Vec::new();
        for &input in inputs {
            args.push(self.element(input, is_true, binds)?);
        }
        let body = Copier::new(self.tables).applied(worker, &args);
        binds.extend(body.binds);
        body.results.get(of).copied()
    }

    fn like_element(&mut self, array: VarId) -> Option<VarId> {
        let Var { name, ty } = self.tables.vars[array].clone();
        let ty = ty.element()?;
        Some(self.tables.vars.push(Var { name, ty }))
    }
}

/// Drops the input arrays whose elements the worker does not use.
fn trim(bind: &mut Bind) {
    let Some(ElementWorker { worker, accs, inputs }) = bind.op.elements_mut() else { return };
    let mut used = Vec::new();
    worker.body.for_each_use(&mut |atom| used.push(atom));
    let live: Vec<bool> =
        worker.params[accs..].iter().map(|&param| used.contains(&Atom::Var(param))).collect();
    let elements: &mut Vec<VarId> = &mut worker.params.split_off(accs);
    cnf::retain_live(elements, &live);
    cnf::retain_live(inputs, &live);
    worker.params.append(elements);
}
