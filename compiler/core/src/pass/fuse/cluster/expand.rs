//! A `flatmap` becomes an expansion: what its worker does once for an element, and what it does once for each
//! element of the part.
//!
//! Where the worker ends in maps, generators and literals that nothing else of it looks at, their workers are what
//! is done for each element, and the part is no array. Any other part is a row, which is read element by element.
//!
//! Invariant: what the worker does besides making the part is done once for an element, in the worker's order.
//!
//! ```text
//! ys = flatmap (\x -> { k = x & 3; a = generate k (\i -> { t = x + i; t }); a }) xs
//! ⇒ s2 <- map k1 (\x -> { k = x & 3; k }) s1
//!   mkExp (k2) from k1 s2 in { s3 <- expand k2 (\i x -> { t = x + i; t }) s1; … }
//! ```

use indexmap::{IndexMap, IndexSet};

use super::Builder;
use crate::ids::{NodeId, PrimaryMap, RateId, SeriesId, VarId};
use crate::ir::cnf::{Atom, Bind, Block, Op, Type, Var, Worker};
use crate::ir::process::{Operator, Series, uses};
use crate::names::Name;
use crate::prim::{BinOp, Const, Scalar};
use crate::source::Span;

/// A literal is looked through if it has no more elements.
const LITERAL: usize = 8;

impl Builder<'_> {
    /// The expansion of a `flatmap`, whose results run at a rate of their own.
    pub(super) fn expand(&mut self, node: NodeId, rate: RateId, worker: &Worker, ins: &[SeriesId]) {
        let Bind { vars, span, .. } = self.cluster.bind(node);
        let used: Vec<bool> = vars.iter().map(|&var| self.used(var)).collect();
        let Parts { once, each } = Parts::of(worker, &used, *span, self.vars);
        let given = self.once(once, rate, ins, *span);
        let inner = self.rates.expand(node, rate, given[0]);
        self.rate_of_array.extend(vars.iter().map(|&var| (var, inner)));
        let operators = Vec::new();
        self.push(rate, Operator::MkExp { inner, outer: rate, counts: given[0], operators });
        let (ins, rows) = given[1..].split_at(each.elements);
        let wanted = vars.iter().zip(&used).filter(|(_, used)| **used);
        let mut made = IndexMap::<Atom, SeriesId>::new();
        let mut defs = Vec::new();
        for (&var, &result) in wanted.map(|(var, _)| var).zip(&each.worker.body.results) {
            let known = made.get(&result).copied();
            let series = known.unwrap_or_else(|| self.new_series(var, inner));
            made.insert(result, series);
            defs.push((var, series));
        }
        if !made.is_empty() {
            let mut worker = each.worker;
            worker.body.results = made.keys().copied().collect();
            let (outs, ins, rows) = (made.into_values().collect(), ins.to_vec(), rows.to_vec());
            self.push(
                inner,
                Operator::Expand { outs, rate: inner, worker, ins, rows, span: *span },
            );
        }
        self.define(&defs, inner, *span);
    }

    /// The series of what a worker gives once for an element; those that it hands on are there already.
    fn once(
        &mut self,
        mut worker: Worker,
        rate: RateId,
        ins: &[SeriesId],
        span: Span,
    ) -> Vec<SeriesId> {
        let mut made = IndexMap::<Atom, SeriesId>::new();
        let mut given = Vec::new();
        for &result in &worker.body.results {
            let param = worker.params.iter().position(|&param| Atom::Var(param) == result);
            given.push(match param {
                Some(place) => ins[place],
                None => *made.entry(result).or_insert_with(|| {
                    let (name, ty) = match result {
                        Atom::Var(var) => (self.vars[var].name.clone(), self.vars[var].ty.clone()),
                        Atom::Const(value) => (Name::new_static("count"), Type::Scalar(value.ty)),
                    };
                    self.series.push(Series { name, rate, ty })
                }),
            });
        }
        if made.is_empty() && worker.body.stays() {
            // It runs for what it asserts or does besides.
            let name = Name::new_static("count");
            let ty = Type::Scalar(Scalar::I64);
            made.insert(worker.body.results[0], self.series.push(Series { name, rate, ty }));
        }
        if !made.is_empty() {
            worker.body.results = made.keys().copied().collect();
            let (outs, ins) = (made.into_values().collect(), ins.to_vec());
            self.push(rate, Operator::Map { outs, rate, worker, ins, span });
        }
        given
    }
}

/// The worker of a `flatmap`, taken apart.
struct Parts {
    /// What is done once: it yields the length of the part, and then what `each` gets of it.
    once: Worker,
    /// What is done for each element of the part.
    each: Each,
}

struct Each {
    /// It gets the position, elements of the outer rate, and items of rows at that rate.
    worker: Worker,
    /// How many of its parameters are elements.
    elements: usize,
}

impl Parts {
    /// Takes apart a worker of which some results are used.
    fn of(worker: &Worker, used: &[bool], span: Span, vars: &mut PrimaryMap<VarId, Var>) -> Self {
        let results = worker.body.results.iter().map(|result| match result {
            Atom::Var(var) => *var,
            Atom::Const(_) => panic!("the part of a flatmap is an array"),
        });
        let results: Vec<VarId> = results.collect();
        let inlined = inlined(&worker.body);
        let mut splitter = Splitter { body: &worker.body, inlined, span, vars };
        let mut once = splitter.rest();
        let count = splitter.count(results[0], &mut once);
        let wanted = results.iter().zip(used).filter(|(_, used)| **used).map(|(&var, _)| var);
        let (mut body, rows, place) = splitter.elements(&wanted.collect::<Vec<_>>());
        let inside = bound(&once, &worker.params);
        let mut captured = IndexMap::new();
        body.replace_uses(&mut |atom| match atom {
            Atom::Var(var) if inside.contains(&var) => {
                Atom::Var(*captured.entry(var).or_insert_with(|| again(var, splitter.vars)))
            }
            Atom::Var(_) | Atom::Const(_) => atom,
        });
        let elements = captured.len();
        let (of_rows, items): (Vec<VarId>, Vec<VarId>) = rows.into_iter().unzip();
        let given = captured.keys().copied().chain(of_rows).map(Atom::Var);
        once.results = std::iter::once(count).chain(given).collect();
        let params = std::iter::once(place).chain(captured.into_values()).chain(items).collect();
        let each = Each { worker: Worker { params, body }, elements };
        Self { once: Worker { params: worker.params.clone(), body: once }, each }
    }
}

/// Another variable of the same name and type.
fn again(var: VarId, vars: &mut PrimaryMap<VarId, Var>) -> VarId {
    let Var { name, ty } = vars[var].clone();
    vars.push(Var { name, ty })
}

/// What a worker's body binds, but for what is bound inside its bindings.
fn bound(body: &Block, params: &[VarId]) -> IndexSet<VarId> {
    let made = body.binds.iter().flat_map(|bind| &bind.vars);
    params.iter().chain(made).copied().collect()
}

/// The bindings of a body whose arrays need not exist: they are looked at element by element, on the way to
/// the results, and by nothing else.
fn inlined(body: &Block) -> IndexSet<usize> {
    let mut inlined = IndexSet::new();
    // What is used otherwise.
    let mut whole = IndexSet::new();
    for (at, bind) in body.binds.iter().enumerate().rev() {
        let streamed = !bind.vars.is_empty() && !bind.vars.iter().any(|var| whole.contains(var));
        match Maker::of(&bind.op) {
            Some(maker) if streamed && !bind.op.has_effect() => {
                inlined.insert(at);
                whole.extend(maker.whole());
            }
            Some(_) | None => whole.extend(uses::free(bind)),
        }
    }
    inlined
}

/// An operation of which each element can be made by itself.
enum Maker<'a> {
    Map { worker: &'a Worker, inputs: &'a [VarId] },
    Generate { size: Atom, worker: &'a Worker },
    Literal { elem: Scalar, elems: &'a [Atom] },
}

impl<'a> Maker<'a> {
    fn of(op: &'a Op) -> Option<Self> {
        match op {
            Op::Map { worker, inputs } => Some(Self::Map { worker, inputs }),
            Op::Generate { size, worker } => Some(Self::Generate { size: *size, worker }),
            Op::Array { elem, elems } if elems.len() <= LITERAL => {
                Some(Self::Literal { elem: *elem, elems })
            }
            Op::Array { .. }
            | Op::Un(..)
            | Op::Bin(..)
            | Op::Fma(_)
            | Op::Index { .. }
            | Op::Length { .. }
            | Op::Assert { .. }
            | Op::If { .. }
            | Op::Filter { .. }
            | Op::FlatMap { .. }
            | Op::Fold { .. }
            | Op::Scan { .. }
            | Op::Gather { .. }
            | Op::Cross { .. }
            | Op::Call { .. }
            | Op::Append { .. }
            | Op::Reshape { .. }
            | Op::Loop { .. }
            | Op::Replace { .. } => None,
        }
    }

    /// What it uses but the elements that it streams.
    fn whole(&self) -> IndexSet<VarId> {
        match self {
            Self::Map { worker, .. } => uses::free_in(worker),
            Self::Generate { size, worker } => {
                uses::free_in(worker).into_iter().chain(uses::var(size)).collect()
            }
            Self::Literal { elems, .. } => elems.iter().filter_map(uses::var).collect(),
        }
    }
}

/// A worker's body while it is taken apart.
struct Splitter<'a> {
    body: &'a Block,
    inlined: IndexSet<usize>,
    span: Span,
    vars: &'a mut PrimaryMap<VarId, Var>,
}

impl<'a> Splitter<'a> {
    /// The bindings that are done once.
    fn rest(&self) -> Block {
        let binds = self.body.binds.iter().enumerate();
        let rest = binds.filter(|(at, _)| !self.inlined.contains(at));
        Block { binds: rest.map(|(_, bind)| bind.clone()).collect(), results: Vec::new() }
    }

    /// The binding that makes an array, if that is inlined.
    fn maker(&self, array: VarId) -> Option<(Maker<'a>, &'a Bind)> {
        let made = |at: &&usize| self.body.binds[**at].vars.contains(&array);
        let bind = &self.body.binds[*self.inlined.iter().find(made)?];
        Some((Maker::of(&bind.op)?, bind))
    }

    /// The length of an array of the part; what computes it goes to the bindings.
    fn count(&mut self, array: VarId, once: &mut Block) -> Atom {
        match self.maker(array) {
            Some((Maker::Generate { size, .. }, _)) => size,
            Some((Maker::Map { inputs, .. }, _)) => self.count(inputs[0], once),
            Some((Maker::Literal { elems, .. }, _)) => {
                Const::i64(i64::try_from(elems.len()).expect("a literal is short")).into()
            }
            None => {
                let ty = Type::Scalar(Scalar::I64);
                let var = self.vars.push(Var { name: Name::new_static("length"), ty });
                let op = Op::Length { array, dim: 0 };
                once.binds.push(Bind { vars: vec![var], op, span: self.span });
                Atom::Var(var)
            }
        }
    }

    /// What yields an element of each of the arrays; the rows that it reads, each with the parameter for its
    /// item; and the parameter for the position.
    fn elements(&mut self, arrays: &[VarId]) -> (Block, Vec<(VarId, VarId)>, VarId) {
        let ty = Type::Scalar(Scalar::I64);
        let place = self.vars.push(Var { name: Name::new_static("place"), ty });
        let mut elements =
            Elements { body: Block::default(), known: IndexMap::new(), rows: vec![] };
        let results = arrays.iter().map(|&array| self.element(array, place, &mut elements));
        let results = results.collect();
        let Elements { body, rows, .. } = elements;
        (Block { results, ..body }, rows, place)
    }

    /// The element of an array at the position.
    fn element(&mut self, array: VarId, place: VarId, into: &mut Elements) -> Atom {
        if let Some(&known) = into.known.get(&array) {
            return known;
        }
        let Some((maker, Bind { vars, span, .. })) = self.maker(array) else {
            let elem = self.vars[array].ty.element().expect("a part is an array");
            let name = self.vars[array].name.clone();
            let item = self.vars.push(Var { name, ty: elem });
            into.rows.push((array, item));
            into.known.insert(array, Atom::Var(item));
            return Atom::Var(item);
        };
        match maker {
            Maker::Map { worker, inputs } => {
                let args = inputs.iter().map(|&input| self.element(input, place, into));
                let args = args.collect();
                into.apply(vars, worker, args);
            }
            Maker::Generate { worker, .. } => into.apply(vars, worker, vec![Atom::Var(place)]),
            Maker::Literal { elem, elems } => {
                let chosen = self.choose(elem, elems, place, *span, into);
                into.known.insert(array, chosen);
            }
        }
        into.known[&array]
    }

    /// That element of a literal.
    fn choose(
        &mut self,
        elem: Scalar,
        elems: &[Atom],
        place: VarId,
        span: Span,
        into: &mut Elements,
    ) -> Atom {
        let Some((&last, before)) = elems.split_last() else {
            // There is none to be chosen.
            return Const { ty: elem, bits: 0 }.into();
        };
        let ty = match last {
            Atom::Const(value) => Type::Scalar(value.ty),
            Atom::Var(var) => self.vars[var].ty.clone(),
        };
        let mut chosen = last;
        for (&element, at) in before.iter().zip(0..before.len()).rev() {
            let bool = Type::Scalar(Scalar::Bool);
            let is = self.vars.push(Var { name: Name::new_static("t"), ty: bool });
            let var = self.vars.push(Var { name: Name::new_static("t"), ty: ty.clone() });
            let at = Const::i64(i64::try_from(at).expect("a literal is short"));
            let op = Op::Bin(BinOp::Eq, Atom::Var(place), at.into());
            into.body.binds.push(Bind { vars: vec![is], op, span });
            let [then, otherwise] =
                [element, chosen].map(|atom| Block { binds: Vec::new(), results: vec![atom] });
            let op = Op::If { cond: Atom::Var(is), then, otherwise };
            into.body.binds.push(Bind { vars: vec![var], op, span });
            chosen = Atom::Var(var);
        }
        chosen
    }
}

/// What is done for each element, under way.
struct Elements {
    body: Block,
    /// The elements of the arrays so far.
    known: IndexMap<VarId, Atom>,
    /// The arrays that are read, and the parameters that stand for what is read.
    rows: Vec<(VarId, VarId)>,
}

impl Elements {
    /// Applies the worker that makes arrays, to make an element of each.
    fn apply(&mut self, arrays: &[VarId], worker: &Worker, args: Vec<Atom>) {
        let mut body = worker.body.clone();
        body.replace_uses(&mut |atom| {
            let param = worker.params.iter().position(|&param| Atom::Var(param) == atom);
            param.map_or(atom, |place| args[place])
        });
        self.body.binds.extend(body.binds);
        self.known.extend(arrays.iter().copied().zip(body.results));
    }
}
