//! Reassociation of folds in order with exact operations: their elements may be grouped by chunks, and the result has
//! the same bits.
//!
//! The worker of such a fold combines each accumulator with values that do not depend on accumulators. It uses one
//! operation for each accumulator, as often as it likes. If an accumulator is an
//! array, a step may replace an element of it by such a combination of the element: a histogram.
//!
//! Invariant: the operations are associative and commutative on the accumulators' scalars, bit for bit.
//!
//! ```text
//! \acc k -> if k < n then (let t = acc[k] in let u = t + 1 in acc with [k] = u) else acc      ⇒ +, on i64
//! ```

use indexmap::{IndexMap, IndexSet};

use super::Chunker;
use super::outline::OutlinedFunction;
use super::slice::is_ordered;
use crate::chunked::{Arg, ChunkFold, PlanStep};
use crate::cnf::{Atom, Bind, Block, FoldOrder, Op, Type, Var, Worker};
use crate::cnf::{in_any_order, neutral};
use crate::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::BinOp;
use arrc_syntax::source::Span;

/// A fold whose chunks begin with neutral accumulators.
#[derive(Debug)]
pub(super) struct ReassociatedFold {
    /// The operation of each accumulator.
    pub(super) ops: Vec<BinOp>,
    /// The initial accumulators of the program.
    pub(super) init: Vec<Atom>,
    /// The combined accumulators of all chunks.
    pub(super) parts: Vec<VarId>,
    /// These combined with the initial accumulators: the results of the fold.
    pub(super) outs: Vec<VarId>,
    pub(super) span: Span,
}

impl Chunker<'_, '_> {
    /// The bindings of a cluster, where the folds that can be regrouped have neutral initial values. Also returns the
    /// bindings of the neutral values, and the regrouped folds.
    pub(super) fn regroup(
        &mut self,
        binds: &[&Bind],
    ) -> (Vec<Bind>, Vec<Bind>, Vec<ReassociatedFold>) {
        let (mut neutrals, mut folds) = (Vec::new(), Vec::new());
        let mut regroup = |bind: &&Bind| {
            let mut bind = (*bind).clone();
            if let Op::Fold { order, worker, init, .. } = &mut bind.op
                && is_ordered(*order, worker, init)
                && let Some(ops) = operations(*order, worker, init.len(), &self.tables)
            {
                let (first, span) = (init.clone(), bind.span);
                for (init, &op) in init.iter_mut().zip(&ops) {
                    *init = first_of_chunk(op, *init, span, &mut self.tables, &mut neutrals);
                }
                let part = |&out: &VarId| {
                    let ty = self.tables.vars[out].ty.clone();
                    let name = Name::new(format!("{}_part", self.tables.vars[out].name));
                    let part = self.tables.vars.push(Var { name, ty });
                    self.defined.insert(part);
                    part
                };
                let parts: Vec<VarId> = bind.vars.iter().map(part).collect();
                let outs = std::mem::replace(&mut bind.vars, parts.clone());
                folds.push(ReassociatedFold { ops, init: first, parts, outs, span });
            }
            bind
        };
        let binds = binds.iter().map(&mut regroup).collect();
        (binds, neutrals, folds)
    }

    /// The function that combines the accumulators of two chunks.
    pub(super) fn combination(&mut self, fold: &ReassociatedFold) -> ChunkFold {
        let mut cut = OutlinedFunction::new(self.tables.clone(), self.owners.clone(), &[]);
        let mut side = |arg: &str| -> Vec<VarId> {
            let types = fold.parts.iter().map(|&part| (part, self.tables.vars[part].ty.clone()));
            types.map(|(part, ty)| cut.param(Arg::Value(part), arg, ty)).collect()
        };
        let (left, right) = (side("left"), side("right"));
        for ((&op, &part), pair) in fold.ops.iter().zip(&fold.parts).zip(left.iter().zip(&right)) {
            let ty = self.tables.vars[part].ty.clone();
            let pair = [*pair.0, *pair.1].map(Atom::Var);
            let joined = pointwise(op, pair, &ty, fold.span, &mut cut.tables, &mut cut.binds);
            cut.results.push(Atom::Var(joined));
        }
        let combine = self.add("combine", cut, fold.span);
        ChunkFold { outs: fold.parts.clone(), combine, env: Vec::new() }
    }

    /// The step that combines the initial accumulators with the accumulators of all chunks.
    pub(super) fn completed(&mut self, fold: &ReassociatedFold) -> PlanStep {
        let mut cut = OutlinedFunction::new(self.tables.clone(), self.owners.clone(), &[]);
        for ((&op, &part), &init) in fold.ops.iter().zip(&fold.parts).zip(&fold.init) {
            let ty = self.tables.vars[part].ty.clone();
            let pair = [init, Atom::Var(part)];
            let joined = pointwise(op, pair, &ty, fold.span, &mut cut.tables, &mut cut.binds);
            cut.results.push(Atom::Var(joined));
        }
        let args = cut.close();
        let function = self.add("step", cut, fold.span);
        PlanStep::Once { function, args, outs: fold.outs.clone() }
    }
}

/// The initial accumulator of a chunk. Adds the bindings that make it.
fn first_of_chunk(
    op: BinOp,
    init: Atom,
    span: Span,
    tables: &mut Tables,
    binds: &mut Vec<Bind>,
) -> Atom {
    let ty = init.ty(&tables.vars);
    let neutral = neutral(op, ty.scalars(), init).expect("an operation in any order has one");
    match init {
        Atom::Var(array) if ty.is_array() && neutral != init => {
            filled(array, neutral, span, tables, binds)
        }
        Atom::Var(_) | Atom::Const(_) => neutral,
    }
}

/// The operation of each accumulator, if each has one.
fn operations(
    order: FoldOrder,
    worker: &Worker,
    count: usize,
    tables: &Tables,
) -> Option<Vec<BinOp>> {
    let accs = &worker.params[..count];
    let mut search = AccumulatorPaths::new(worker, accs);
    let ops = accs.iter().zip(&worker.body.results).map(|(&acc, &result)| {
        (search.op, search.led) = (None, IndexSet::new());
        search.reaches_accumulator(acc, result).then_some(())?;
        let op = search.op?;
        in_any_order(op, tables.vars[acc].ty.scalars(), order).then_some(op)
    });
    let ops = ops.collect::<Option<Vec<_>>>()?;
    search.is_complete().then_some(ops)
}

/// The search for the path of each accumulator through a worker.
struct AccumulatorPaths<'a> {
    /// The bindings in the worker and its branches, by the variables that they bind.
    binds: IndexMap<VarId, &'a Bind>,
    /// The variables that depend on accumulators.
    tainted: IndexSet<VarId>,
    /// The number of uses of each variable.
    uses: IndexMap<VarId, usize>,
    /// The number of these uses that are on the path of an accumulator.
    met: IndexMap<VarId, usize>,
    /// The operation on the current path.
    op: Option<BinOp>,
    /// The variables that lead to the accumulator.
    led: IndexSet<VarId>,
}

impl<'a> AccumulatorPaths<'a> {
    fn new(worker: &'a Worker, accs: &[VarId]) -> Self {
        let mut search = Self {
            binds: IndexMap::new(),
            tainted: accs.iter().copied().collect(),
            uses: IndexMap::new(),
            met: IndexMap::new(),
            op: None,
            led: IndexSet::new(),
        };
        search.collect(&worker.body);
        worker.body.for_each_use(&mut |atom| {
            if let Atom::Var(var) = atom {
                *search.uses.entry(var).or_default() += 1;
            }
        });
        search
    }

    fn collect(&mut self, block: &'a Block) {
        for bind in &block.binds {
            for inner in bind.op.inner() {
                self.collect(inner.block);
            }
            let mut depends = false;
            let one = Block { binds: vec![bind.clone()], results: Vec::new() };
            one.for_each_use(&mut |atom| {
                depends |= matches!(atom, Atom::Var(var) if self.tainted.contains(&var));
            });
            for &var in &bind.vars {
                self.binds.insert(var, bind);
                if depends {
                    self.tainted.insert(var);
                }
            }
        }
    }

    fn is_tainted(&self, atom: Atom) -> bool {
        matches!(atom, Atom::Var(var) if self.tainted.contains(&var))
    }

    fn meet(&mut self, var: VarId) {
        *self.met.entry(var).or_default() += 1;
    }

    fn takes(&mut self, op: BinOp) -> bool {
        *self.op.get_or_insert(op) == op
    }

    /// Whether the atom is the accumulator, possibly combined with values that depend on no accumulator.
    fn reaches_accumulator(&mut self, acc: VarId, atom: Atom) -> bool {
        let Atom::Var(var) = atom else { return false };
        self.meet(var);
        if var == acc || !self.led.insert(var) {
            return true;
        }
        let Some(&bind) = self.binds.get(&var) else { return false };
        #[allow(clippy::wildcard_enum_match_arm, reason = "no other operation combines")]
        match &bind.op {
            Op::If { cond, then, otherwise } => {
                let at = bind.vars.iter().position(|&bound| bound == var);
                let at = at.expect("a binding binds its variables");
                !self.is_tainted(*cond)
                    && self.reaches_accumulator(acc, then.results[at])
                    && self.reaches_accumulator(acc, otherwise.results[at])
            }
            Op::Replace { array, indices, value, .. } => {
                !indices.iter().any(|&index| self.is_tainted(index))
                    && self.combines(*array, indices, *value)
                    && self.reaches_accumulator(acc, Atom::Var(*array))
            }
            op => {
                let Some((op, [left, right])) = op.binary() else { return false };
                match [self.is_tainted(left), self.is_tainted(right)] {
                    [true, false] => self.takes(op) && self.reaches_accumulator(acc, left),
                    [false, true] => self.takes(op) && self.reaches_accumulator(acc, right),
                    [true, true] | [false, false] => false,
                }
            }
        }
    }

    /// Whether a value is the element at the indices, combined with a value that depends on no accumulator.
    fn combines(&mut self, array: VarId, indices: &[Atom], value: Atom) -> bool {
        let Atom::Var(value) = value else { return false };
        let Some((op, sides)) = self.binds.get(&value).and_then(|bind| bind.op.binary()) else {
            return false;
        };
        let element = match sides.map(|side| self.is_tainted(side)) {
            [true, false] => sides[0],
            [false, true] => sides[1],
            [true, true] | [false, false] => return false,
        };
        let Atom::Var(element) = element else { return false };
        let Some(Op::Index { array: of, indices: at, .. }) =
            self.binds.get(&element).map(|bind| &bind.op)
        else {
            return false;
        };
        if *of != array || at != indices {
            return false;
        }
        self.meet(value);
        self.meet(element);
        self.meet(array);
        self.takes(op)
    }

    /// Whether accumulators, and values that depend on them, have no use outside these paths.
    fn is_complete(&self) -> bool {
        let count = |uses: &IndexMap<VarId, usize>, var| uses.get(var).copied().unwrap_or(0);
        self.tainted.iter().all(|var| count(&self.uses, var) == count(&self.met, var))
    }
}

/// Adds bindings that combine two scalars, or two arrays element by element. Returns the result.
fn pointwise(
    op: BinOp,
    [left, right]: [Atom; 2],
    ty: &Type,
    span: Span,
    tables: &mut Tables,
    binds: &mut Vec<Bind>,
) -> VarId {
    let result = tables.vars.push(Var { name: Name::new_static("joined"), ty: ty.clone() });
    let op = match (ty.element(), left, right) {
        (Some(element), Atom::Var(left), Atom::Var(right)) => {
            let params = [0, 1].map(|_| {
                tables.vars.push(Var { name: Name::new_static("x"), ty: element.clone() })
            });
            let mut body = Vec::new();
            let joined = pointwise(op, params.map(Atom::Var), &element, span, tables, &mut body);
            let body = Block { binds: body, results: vec![Atom::Var(joined)] };
            Op::Map { worker: Worker { params: params.to_vec(), body }, inputs: vec![left, right] }
        }
        _ => Op::bin(op, left, right),
    };
    binds.push(Bind { vars: vec![result], op, span });
    result
}

/// Adds bindings that make an array of the shape of another one, filled with one scalar. Returns the array.
fn filled(like: VarId, with: Atom, span: Span, tables: &mut Tables, binds: &mut Vec<Bind>) -> Atom {
    let ty = tables.vars[like].ty.clone();
    let Some(element) = ty.element() else { return with };
    let param = tables.vars.push(Var { name: Name::new_static("x"), ty: element });
    let mut body = Vec::new();
    let result = filled(param, with, span, tables, &mut body);
    let body = Block { binds: body, results: vec![result] };
    let full = tables.vars.push(Var { name: Name::new_static("neutral"), ty });
    let op = Op::Map { worker: Worker { params: vec![param], body }, inputs: vec![like] };
    binds.push(Bind { vars: vec![full], op, span });
    Atom::Var(full)
}
