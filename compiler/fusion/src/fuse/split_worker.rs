//! Splits the worker of a `flatmap` into the work for an input element, and the work for each element of its part.
//!
//! The part is no array if the worker ends in maps, generators, literals, and appends and branches of these, and
//! nothing else in it uses their arrays. Then the workers of these operations are the work for each element. Any other
//! part is a row, which is read element by element. A worker that ends in another `flatmap` becomes two: see
//! [`super::nested`].
//!
//! Invariant: all work of the worker other than making the part is done once for an input element, in the worker's
//! order.
//!
//! ```text
//! \x -> { k = x & 3; a = generate k (\i -> { t = x + i; t }); a }
//! ⇒ once \x -> { k = x & 3; k }      each \i x -> { t = x + i; t }
//! ```

use std::borrow::Cow;

use indexmap::{IndexMap, IndexSet};

use super::interval::Intervals;
use crate::cnf::{Atom, Bind, Block, Op, Type, Var, Worker};
use crate::process::uses;
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

/// The most elements of a literal that is replaced by its elements. No benchmark shows it alone.
const LITERAL: usize = 8;

/// A part with at most this many elements is small. Memory for this many elements may be reserved for each part, and
/// all of them may be computed even if only some are used. `scripts/bench flatmap_i32` has parts of up to three
/// elements. The limit was not measured by itself.
const FEW: u32 = 8;

/// The split worker of a `flatmap`.
pub(super) struct SplitWorker {
    /// The work that is done once. It yields the length of the part, and then the values that `each` takes.
    pub(super) once: Worker,
    /// The most elements that the part may have, if it is known to be small.
    pub(super) max_count: Option<u32>,
    /// The work for each element of the part.
    pub(super) each: ElementWork,
}

/// The work for each element of a part.
pub(super) struct ElementWork {
    /// Its parameters are the position, elements of the outer rate, and items of rows at that rate.
    pub(super) worker: Worker,
    /// The number of its parameters that are elements.
    pub(super) elements: usize,
}

impl SplitWorker {
    /// Splits a worker. Only some of its results are used.
    pub(super) fn of(
        worker: &Worker,
        used: &[bool],
        span: Span,
        vars: &mut PrimaryMap<VarId, Var>,
    ) -> Self {
        let inside = bound(&worker.body, &worker.params);
        Self::split(worker, Some(inside), used, span, vars)
    }

    /// The same. `inside` are the variables that belong to the step, if they are known.
    fn split(
        worker: &Worker,
        inside: Option<IndexSet<VarId>>,
        used: &[bool],
        span: Span,
        vars: &mut PrimaryMap<VarId, Var>,
    ) -> Self {
        let results = worker.body.results.iter().map(|result| match result {
            Atom::Var(var) => *var,
            Atom::Const(_) => panic!("the part of a flatmap is an array"),
        });
        let results: Vec<VarId> = results.collect();
        let mut splitter = Splitter::new(&worker.body, inside, span, vars);
        let mut once = splitter.rest();
        splitter.count_appends(&mut once);
        let count = splitter.count(results[0], &mut once);
        let wanted = results.iter().zip(used).filter(|(_, used)| **used).map(|(&var, _)| var);
        let (mut body, rows, place) = splitter.elements(&wanted.collect::<Vec<_>>());
        let inside = bound(&once, &worker.params);
        let mut captured = IndexMap::new();
        body.replace_uses(&mut |atom| match atom {
            Atom::Var(var) if inside.contains(&var) => {
                Atom::Var(*captured.entry(var).or_insert_with(|| fresh_like(var, splitter.vars)))
            }
            Atom::Var(_) | Atom::Const(_) => atom,
        });
        let elements = captured.len();
        let (of_rows, items): (Vec<VarId>, Vec<VarId>) = rows.into_iter().unzip();
        let given = captured.keys().copied().chain(of_rows).map(Atom::Var);
        once.results = std::iter::once(count).chain(given).collect();
        let params = std::iter::once(place).chain(captured.into_values()).chain(items).collect();
        let each = ElementWork { worker: Worker { params, body }, elements };
        let most = max_count(&once, count, splitter.vars);
        Self { once: Worker { params: worker.params.clone(), body: once }, max_count: most, each }
    }
}

/// The worker of a flatmap that ends in a filter, without this filter. It yields the flags, and the arrays that they
/// select from.
pub(super) fn unfiltered(
    worker: &Worker,
    span: Span,
    vars: &mut PrimaryMap<VarId, Var>,
) -> Option<Worker> {
    let (last, before) = worker.body.binds.split_last()?;
    let Op::Filter { worker: predicate, inputs, keep } = &last.op else { return None };
    let kept = worker.body.results.iter().map(|result| {
        let place = last.vars.iter().position(|&var| Atom::Var(var) == *result);
        place.map(|place| Atom::Var(keep[place]))
    });
    let kept = kept.collect::<Option<Vec<_>>>()?;
    let Type::Array { shape, .. } = &vars[inputs[0]].ty else { panic!("arrays are filtered") };
    let ty = Type::Scalar(Scalar::Bool).array_of(shape[0]);
    let flags = vars.push(Var { name: Name::new_static("flags"), ty });
    let op = Op::Map { worker: predicate.clone(), inputs: inputs.clone() };
    let binds = before.iter().cloned().chain([Bind { vars: vec![flags], op, span }]).collect();
    let results = std::iter::once(Atom::Var(flags)).chain(kept).collect();
    Some(Worker { params: worker.params.clone(), body: Block { binds, results } })
}

/// The most that the count may be, if it is known to be small.
fn max_count(once: &Block, count: Atom, vars: &PrimaryMap<VarId, Var>) -> Option<u32> {
    let mut intervals = Intervals::new(vars);
    intervals.block(once);
    intervals.of(count)?.high.try_into().ok().filter(|&most| most <= FEW)
}

/// Another variable of the same name and type.
pub(super) fn fresh_like(var: VarId, vars: &mut PrimaryMap<VarId, Var>) -> VarId {
    let Var { name, ty } = vars[var].clone();
    vars.push(Var { name, ty })
}

/// The parameters of a worker and the variables that its body binds, without nested blocks.
pub(super) fn bound(body: &Block, params: &[VarId]) -> IndexSet<VarId> {
    let made = body.binds.iter().flat_map(|bind| &bind.vars);
    params.iter().chain(made).copied().collect()
}

/// The bindings of a body whose arrays need not exist: only the results use the arrays, element by element, directly
/// or through other such bindings.
fn inlined(
    body: &Block,
    is_outside: &dyn Fn(VarId) -> bool,
    vars: &PrimaryMap<VarId, Var>,
) -> IndexSet<usize> {
    let mut stored = IndexSet::new();
    loop {
        let found = streamed(body, &stored, vars);
        let joins = |&&at: &&usize| matches!(body.binds[at].op, Op::Append { .. });
        let stays = |&&at: &&usize| !has_parts_of_its_own(body, at, &found, is_outside);
        match found.iter().filter(joins).find(stays) {
            Some(&at) => stored.insert(at),
            None => return found,
        };
    }
}

/// The same, where the arrays of some bindings are stored.
fn streamed(
    body: &Block,
    stored: &IndexSet<usize>,
    vars: &PrimaryMap<VarId, Var>,
) -> IndexSet<usize> {
    let mut inlined = IndexSet::new();
    // Variables that are used in another way.
    let mut whole = IndexSet::new();
    for (at, bind) in body.binds.iter().enumerate().rev() {
        let streamed = !bind.vars.is_empty()
            && !stored.contains(&at)
            && !bind.vars.iter().any(|var| whole.contains(var));
        match ElementProducer::of(bind, vars) {
            Some(maker) if streamed && !bind.op.has_effect() => {
                inlined.insert(at);
                whole.extend(maker.whole());
            }
            Some(_) | None => whole.extend(uses::free(bind)),
        }
    }
    inlined
}

/// Whether inlined bindings make both parts of an append, or the parts come from outside of the worker, and nothing
/// else uses the arrays of these bindings. Each part has positions of its own, so the workers of these bindings are
/// copied for this append only.
fn has_parts_of_its_own(
    body: &Block,
    append: usize,
    inlined: &IndexSet<usize>,
    is_outside: &dyn Fn(VarId) -> bool,
) -> bool {
    let Op::Append { left, right } = &body.binds[append].op else { return false };
    let (mut first, mut second) = (IndexSet::new(), IndexSet::new());
    let makers = |arrays, found| makers(body, arrays, (inlined, is_outside), found);
    let are_made = makers(left, &mut first) && makers(right, &mut second);
    let arrays = |at: &usize| body.binds[*at].vars.iter();
    let inside: IndexSet<VarId> = first.iter().chain(&second).flat_map(arrays).copied().collect();
    let is_elsewhere =
        |at: &&usize| **at != append && !first.contains(*at) && !second.contains(*at);
    let mut others = inlined.iter().filter(is_elsewhere);
    are_made
        && first.is_disjoint(&second)
        && !others.any(|&at| sources(&body.binds[at].op).iter().any(|var| inside.contains(var)))
        && !body.results.iter().filter_map(Atom::as_var).any(|var| inside.contains(&var))
}

/// Whether an array of scalars comes from outside of the worker. Each step can then read it at any position.
fn is_outside(
    array: VarId,
    inside: Option<&IndexSet<VarId>>,
    vars: &PrimaryMap<VarId, Var>,
) -> bool {
    vars[array].ty.rank() == 1 && inside.is_some_and(|inside| !inside.contains(&array))
}

/// Adds the inlined bindings that make some arrays. Returns whether all other arrays that they read come from outside
/// of the worker.
fn makers(
    body: &Block,
    arrays: &[VarId],
    (inlined, is_outside): (&IndexSet<usize>, &dyn Fn(VarId) -> bool),
    found: &mut IndexSet<usize>,
) -> bool {
    arrays.iter().all(|array| {
        let Some(&at) = inlined.iter().find(|&&at| body.binds[at].vars.contains(array)) else {
            return is_outside(*array);
        };
        found.insert(at);
        makers(body, &sources(&body.binds[at].op), (inlined, is_outside), found)
    })
}

/// The arrays whose elements an inlined operation takes.
fn sources(op: &Op) -> Vec<VarId> {
    if let Op::Append { left, right } = op {
        return [&left[..], right].concat();
    }
    op.streams()
}

/// An operation that makes an array and can compute each element independently.
enum ElementProducer<'a> {
    Map { worker: &'a Worker, inputs: &'a [VarId] },
    Generate { size: Atom, worker: &'a Worker },
    Literal { elem: Scalar, elems: Cow<'a, [Atom]> },
    Append { left: &'a [VarId], right: &'a [VarId] },
    If { cond: Atom, then: &'a Block, otherwise: &'a Block },
}

impl<'a> ElementProducer<'a> {
    fn of(bind: &'a Bind, vars: &PrimaryMap<VarId, Var>) -> Option<Self> {
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "the other operations do not make an array one element after the other"
        )]
        match &bind.op {
            Op::Map { worker, inputs } => Some(Self::Map { worker, inputs }),
            Op::Generate { size, worker } => Some(Self::Generate { size: *size, worker }),
            Op::Array { elem, elems } if elems.len() <= LITERAL => {
                Some(Self::Literal { elem: *elem, elems: elems.into() })
            }
            Op::Constant { data, .. }
                if data.len() <= LITERAL && vars[bind.vars[0]].ty.rank() == 1 =>
            {
                let elems = data.values().map(Atom::Const).collect();
                Some(Self::Literal { elem: data.elem(), elems })
            }
            Op::Append { left, right } => Some(Self::Append { left, right }),
            Op::If { cond, then, otherwise } => {
                let arrays = bind.vars.iter().all(|&var| vars[var].ty.is_array());
                let both = [then, otherwise].into_iter().all(|branch| needs_no_array(branch, vars));
                (arrays && both).then_some(Self::If { cond: *cond, then, otherwise })
            }
            _ => None,
        }
    }

    /// The variables that it uses other than as streams.
    fn whole(&self) -> IndexSet<VarId> {
        match self {
            Self::Map { worker, .. } => uses::free_in(worker),
            Self::Append { .. } => IndexSet::new(),
            Self::Generate { size, worker } => {
                uses::free_in(worker).into_iter().chain(size.as_var()).collect()
            }
            Self::Literal { elems, .. } => elems.iter().filter_map(Atom::as_var).collect(),
            Self::If { cond, then, otherwise } => {
                let mut used: IndexSet<VarId> = cond.as_var().into_iter().collect();
                for branch in [then, otherwise] {
                    branch.for_each_use(&mut |atom| used.extend(atom.as_var()));
                }
                used
            }
        }
    }
}

/// Whether a branch makes the arrays that it yields, and none of its arrays need exist.
fn needs_no_array(branch: &Block, vars: &PrimaryMap<VarId, Var>) -> bool {
    let inlined = inlined(branch, &|_| false, vars);
    let mut made: IndexSet<VarId> = IndexSet::new();
    for (at, bind) in branch.binds.iter().enumerate() {
        if inlined.contains(&at) {
            made.extend(&bind.vars);
        } else if !bind.op.is_scalar() {
            return false;
        }
        if inlined.contains(&at) && !bind.op.streams().iter().all(|var| made.contains(var)) {
            return false;
        }
    }
    branch.results.iter().all(|result| result.as_var().is_some_and(|var| made.contains(&var)))
}

/// A worker's body that is being split.
struct Splitter<'a> {
    body: &'a Block,
    inlined: IndexSet<usize>,
    /// The inlined bindings that choose between arrays.
    choices: IndexMap<usize, SplitBranch>,
    /// The lengths of the left parts of the inlined bindings that append.
    lefts: IndexMap<usize, Atom>,
    /// The variables that belong to the step, if they are known.
    inside: Option<IndexSet<VarId>>,
    span: Span,
    vars: &'a mut PrimaryMap<VarId, Var>,
}

/// A split `if` over arrays.
struct SplitBranch {
    /// The work that is done once. It yields the length, and the values that the branches take.
    once: Bind,
    /// The work of each branch for an element, and its parameter for the position.
    each: [(Block, VarId); 2],
}

impl<'a> Splitter<'a> {
    fn new(
        body: &'a Block,
        inside: Option<IndexSet<VarId>>,
        span: Span,
        vars: &'a mut PrimaryMap<VarId, Var>,
    ) -> Self {
        let inlined = inlined(body, &|array| is_outside(array, inside.as_ref(), vars), vars);
        let mut choices = IndexMap::new();
        for &at in &inlined {
            let Bind { op, span, .. } = &body.binds[at];
            if let Op::If { cond, then, otherwise } = op {
                choices.insert(at, SplitBranch::of(*cond, [then, otherwise], *span, vars));
            }
        }
        Self { body, inlined, choices, lefts: IndexMap::new(), inside, span, vars }
    }

    /// Computes the lengths of the left parts of appends. Their bindings are added to `once`.
    fn count_appends(&mut self, once: &mut Block) {
        for at in 0..self.body.binds.len() {
            if let Op::Append { left, .. } = &self.body.binds[at].op
                && self.inlined.contains(&at)
            {
                let count = self.count(left[0], once);
                self.lefts.insert(at, count);
            }
        }
    }

    /// The bindings that are done once.
    fn rest(&self) -> Block {
        let rest = self.body.binds.iter().enumerate().filter_map(|(at, bind)| {
            let choice = self.choices.get(&at).map(|choice| choice.once.clone());
            choice.or_else(|| (!self.inlined.contains(&at)).then(|| bind.clone()))
        });
        Block { binds: rest.collect(), results: Vec::new() }
    }

    /// The operation that makes an array and its place in the body, if it is inlined.
    fn maker(&self, array: VarId) -> Option<(ElementProducer<'a>, usize)> {
        let made = |at: &&usize| self.body.binds[**at].vars.contains(&array);
        let at = *self.inlined.iter().find(made)?;
        Some((ElementProducer::of(&self.body.binds[at], self.vars)?, at))
    }

    /// The length of an array of the part. Bindings that compute it are added to `once`.
    fn count(&mut self, array: VarId, once: &mut Block) -> Atom {
        match self.maker(array) {
            Some((ElementProducer::Generate { size, .. }, _)) => size,
            Some((ElementProducer::Map { inputs, .. }, _)) => self.count(inputs[0], once),
            Some((ElementProducer::Literal { elems, .. }, _)) => {
                Const::i64(i64::try_from(elems.len()).expect("a literal is short")).into()
            }
            Some((ElementProducer::Append { right, .. }, at)) => {
                let both = [self.lefts[&at], self.count(right[0], once)];
                self.number("length", Op::bin(BinOp::Add, both[0], both[1]), once)
            }
            Some((ElementProducer::If { .. }, at)) => Atom::Var(self.choices[&at].once.vars[0]),
            None => self.number("length", Op::Length { array, dim: 0 }, once),
        }
    }

    /// The result of an operation, an `i64`.
    fn number(&mut self, name: &'static str, op: Op, into: &mut Block) -> Atom {
        self.scalar(name, Scalar::I64, op, into)
    }

    /// The result of an operation.
    fn scalar(&mut self, name: &'static str, ty: Scalar, op: Op, into: &mut Block) -> Atom {
        let ty = Type::Scalar(ty);
        let var = self.vars.push(Var { name: Name::new_static(name), ty });
        into.binds.push(Bind { vars: vec![var], op, span: self.span });
        Atom::Var(var)
    }

    /// A block that yields an element of each array, the rows that it reads, each with the parameter for its item,
    /// and the parameter for the position.
    fn elements(&mut self, arrays: &[VarId]) -> (Block, Vec<(VarId, VarId)>, VarId) {
        let ty = Type::Scalar(Scalar::I64);
        let place = self.vars.push(Var { name: Name::new_static("place"), ty });
        let mut elements = ElementBuilder {
            body: Block::default(),
            is_part: false,
            known: IndexMap::new(),
            rows: vec![],
        };
        let results = arrays.iter().map(|&array| self.element(array, place, &mut elements));
        let results = results.collect();
        let ElementBuilder { body, rows, .. } = elements;
        (Block { results, ..body }, rows, place)
    }

    /// The element of an array at the position.
    fn element(&mut self, array: VarId, place: VarId, into: &mut ElementBuilder) -> Atom {
        if let Some(&known) = into.known.get(&array) {
            return known;
        }
        let Some((maker, at)) = self.maker(array) else {
            if into.is_part && is_outside(array, self.inside.as_ref(), self.vars) {
                let op = Op::Index { array, indices: vec![Atom::Var(place)], inside: true };
                let elem = self.scalar("a", self.vars[array].ty.scalars(), op, &mut into.body);
                into.known.insert(array, elem);
                return elem;
            }
            let elem = self.vars[array].ty.element().expect("a part is an array");
            let name = self.vars[array].name.clone();
            let item = self.vars.push(Var { name, ty: elem });
            into.rows.push((array, item));
            into.known.insert(array, Atom::Var(item));
            return Atom::Var(item);
        };
        let Bind { vars, span, .. } = &self.body.binds[at];
        match maker {
            ElementProducer::Map { worker, inputs } => {
                let args = inputs.iter().map(|&input| self.element(input, place, into));
                let args = args.collect();
                into.apply(vars, worker, args);
            }
            ElementProducer::Generate { worker, .. } => {
                into.apply(vars, worker, vec![Atom::Var(place)])
            }
            ElementProducer::Literal { elem, elems } => {
                let chosen = self.choose(elem, &elems, place, *span, into);
                into.known.insert(array, chosen);
            }
            ElementProducer::Append { left, right } => {
                self.appended(vars, [left, right], self.lefts[&at], place, into);
            }
            ElementProducer::If { cond, .. } => self.chosen(vars, cond, at, place, into),
        }
        into.known[&array]
    }

    /// The elements of an append at the position: those of its left part up to the length of this part, and those of
    /// its right part behind them.
    fn appended(
        &mut self,
        arrays: &[VarId],
        [left, right]: [&[VarId]; 2],
        length: Atom,
        place: VarId,
        into: &mut ElementBuilder,
    ) {
        let then = self.part(left, place, Block::default());
        let mut before = Block::default();
        let op = Op::bin(BinOp::Sub, Atom::Var(place), length);
        let Atom::Var(behind) = self.number("place", op, &mut before) else {
            panic!("an operation binds a variable")
        };
        let otherwise = self.part(right, behind, before);
        let bool = Type::Scalar(Scalar::Bool);
        let is_left = self.vars.push(Var { name: Name::new_static("t"), ty: bool });
        let op = Op::bin(BinOp::Lt, Atom::Var(place), length);
        into.body.binds.push(Bind { vars: vec![is_left], op, span: self.span });
        self.choose_block(arrays, Atom::Var(is_left), [then, otherwise], self.span, into);
    }

    /// A block that ends with the elements of a part of an append.
    fn part(&mut self, arrays: &[VarId], place: VarId, before: Block) -> Block {
        let mut elements =
            ElementBuilder { body: before, is_part: true, known: IndexMap::new(), rows: vec![] };
        let results =
            arrays.iter().map(|&array| self.element(array, place, &mut elements)).collect();
        assert!(elements.rows.is_empty(), "inlined bindings make the parts of an append");
        Block { results, ..elements.body }
    }

    /// The elements of the arrays of one branch at the position.
    fn chosen(
        &mut self,
        arrays: &[VarId],
        cond: Atom,
        at: usize,
        place: VarId,
        into: &mut ElementBuilder,
    ) {
        let choice = &self.choices[&at];
        let [then, otherwise] = choice.each.clone().map(|(mut block, own)| {
            block.replace_uses(&mut |atom| {
                if atom == Atom::Var(own) { Atom::Var(place) } else { atom }
            });
            block
        });
        let span = choice.once.span;
        self.choose_block(arrays, cond, [then, otherwise], span, into);
    }

    /// The elements of some arrays, which one of two blocks yields.
    fn choose_block(
        &mut self,
        arrays: &[VarId],
        cond: Atom,
        [then, otherwise]: [Block; 2],
        span: Span,
        into: &mut ElementBuilder,
    ) {
        let elem = |&array: &VarId| {
            let Var { name, ty } = self.vars[array].clone();
            let ty = ty.element().expect("a part is an array");
            self.vars.push(Var { name, ty })
        };
        let elems: Vec<VarId> = arrays.iter().map(elem).collect();
        into.known.extend(arrays.iter().copied().zip(elems.iter().map(|&elem| Atom::Var(elem))));
        let op = Op::If { cond, then, otherwise };
        into.body.binds.push(Bind { vars: elems, op, span });
    }

    /// The element of a literal at the position.
    fn choose(
        &mut self,
        elem: Scalar,
        elems: &[Atom],
        place: VarId,
        span: Span,
        into: &mut ElementBuilder,
    ) -> Atom {
        let Some((&last, before)) = elems.split_last() else {
            // The literal is empty, so no element is ever chosen.
            return Const { ty: elem, bits: 0 }.into();
        };
        let ty = last.ty(self.vars);
        let mut chosen = last;
        for (at, &element) in before.iter().enumerate().rev() {
            let bool = Type::Scalar(Scalar::Bool);
            let is = self.vars.push(Var { name: Name::new_static("t"), ty: bool });
            let var = self.vars.push(Var { name: Name::new_static("t"), ty: ty.clone() });
            let at = Const::i64(i64::try_from(at).expect("a literal is short"));
            let op = Op::bin(BinOp::Eq, Atom::Var(place), at.into());
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

impl SplitBranch {
    fn of(
        cond: Atom,
        branches: [&Block; 2],
        span: Span,
        vars: &mut PrimaryMap<VarId, Var>,
    ) -> Self {
        let parts = branches.map(|branch| {
            let (params, body) = (Vec::new(), branch.clone());
            let used = vec![true; body.results.len()];
            SplitWorker::split(&Worker { params, body }, None, &used, span, vars)
        });
        let ty = Type::Scalar(Scalar::I64);
        let mut all = vec![vars.push(Var { name: Name::new_static("count"), ty })];
        // Each branch yields the length, the values for its own elements, and placeholders for the values of the
        // other branch.
        let sizes = parts.each_ref().map(|part| part.each.elements);
        let given = parts.each_ref().map(|part| part.once.body.results[1..].to_vec());
        let mut each = Vec::new();
        let mut once = Vec::new();
        for (at, SplitWorker { once: before, each: ElementWork { worker, .. }, .. }) in
            parts.into_iter().enumerate()
        {
            let own = worker.params[1..=sizes[at]].iter();
            let own: IndexMap<VarId, VarId> =
                own.map(|&param| (param, fresh_like(param, vars))).collect();
            let mut body = worker.body;
            body.substitute(&own);
            each.push((body, worker.params[0]));
            all.extend(own.into_values());
            once.push(before.body);
        }
        let nothing = |atoms: &[Atom]| -> Vec<Atom> {
            let scalar = |&atom: &Atom| match atom {
                Atom::Const(value) => value.ty,
                Atom::Var(var) => vars[var].ty.scalars(),
            };
            atoms.iter().map(|atom| Const { ty: scalar(atom), bits: 0 }.into()).collect()
        };
        let [mut then, mut otherwise]: [Block; 2] = once.try_into().expect("two branches");
        then.results.extend(nothing(&given[1]));
        let length = otherwise.results[0];
        otherwise.results = [vec![length], nothing(&given[0]), given[1].clone()].concat();
        let op = Op::If { cond, then, otherwise };
        let each = each.try_into().expect("two branches");
        Self { once: Bind { vars: all, op, span }, each }
    }
}

/// The work for each element, which is being built.
struct ElementBuilder {
    body: Block,
    /// Whether these are the elements of a part of an append: then the position is that of the part.
    is_part: bool,
    /// The elements of the arrays so far.
    known: IndexMap<VarId, Atom>,
    /// The rows that are read, and the parameters that stand for their items.
    rows: Vec<(VarId, VarId)>,
}

impl ElementBuilder {
    /// Inlines the worker that makes arrays, to compute an element of each.
    fn apply(&mut self, arrays: &[VarId], worker: &Worker, args: Vec<Atom>) {
        let mut body = worker.body.clone();
        body.substitute(&worker.params.iter().copied().zip(args).collect::<IndexMap<_, _>>());
        self.body.binds.extend(body.binds);
        self.known.extend(arrays.iter().copied().zip(body.results));
    }
}
