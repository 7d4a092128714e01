//! A counted loop whose step writes a row of its own in each array that it carries, and reads no other row of it, is a
//! pass over rows: its steps are independent. A row may be an element, or a column of a matrix.
//!
//! ```text
//! r = loop r = z for i < n do { x = xs[i]; t = x * 2; r' = r with [i] = t; r' }
//! ⇒ r = generate n (\i -> { x = xs[i]; t = x * 2; t })
//!
//! r = loop r = z for j < m do { r' = loop q = r for i < n do { t = a[i, j]; q' = q with [i, j] = t; q' }; r' }
//! ⇒ g = generate m (\j -> { c = generate n (\i -> z[i, j]); r' = loop q = c for i < n do { t = a[i, j]; q' = q with [i] = t; q' }; r' })
//!   r = generate n (\i -> generate m (\j -> g[j, i]))
//! ```
//!
//! Invariant: there are as many steps as rows, so each row of the result is written; and each step writes its whole row, so
//! that a step that changes one element of a long row does not copy the others.

use indexmap::IndexMap;

use super::extents::Extents;
use super::transpositions;
use crate::cnf::{
    Atom, Bind, Block, Extent, Function, LoopForm, Op, Type, UNNAMED_SCALAR, Var, Worker,
};
use crate::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// Makes passes of loops with independent steps; says whether anything changed.
pub(super) fn parallelise(function: &mut Function) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let mut loops = IndependentLoops {
        tables: &mut function.tables,
        extents: Extents::default(),
        changed: false,
    };
    loops.block(&mut body);
    let changed = loops.changed;
    function.body = body;
    changed
}

struct IndependentLoops<'a> {
    tables: &'a mut Tables,
    extents: Extents,
    changed: bool,
}

/// The dimension of an array in which a step has one place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dimension {
    /// The step has a row, or an element.
    First,
    /// The step has a column of a matrix.
    Last,
}

impl IndependentLoops<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut done = Vec::with_capacity(block.binds.len());
        for mut bind in std::mem::take(&mut block.binds) {
            self.extents.note(&bind, self.tables);
            let pass = [Dimension::First, Dimension::Last].into_iter();
            if let Some(binds) = pass.filter_map(|dimension| self.pass(&bind, dimension)).next() {
                self.changed = true;
                done.extend(binds);
                continue;
            }
            for inner in bind.op.blocks_mut() {
                self.block(inner);
            }
            done.push(bind);
        }
        block.binds = done;
    }

    /// The pass that a loop is.
    fn pass(&mut self, bind: &Bind, dimension: Dimension) -> Option<Vec<Bind>> {
        let Op::Loop { form: LoopForm::For { count }, init, worker } = &bind.op else {
            return None;
        };
        let arrays = bind.vars.iter().zip(&worker.params).zip(init);
        let fits = |((&var, &param), &init): ((&VarId, &VarId), &Atom)| {
            let ty = &self.tables.vars[var].ty;
            let extent = dimension.extent(ty);
            *ty == self.tables.vars[param].ty
                && *ty == init.ty(&self.tables.vars)
                && extent.is_some_and(|extent| self.extents.is(*count, extent, self.tables))
        };
        if bind.vars.is_empty() || !arrays.into_iter().all(fits) || worker.body.has_effect() {
            return None;
        }
        let counter = worker.params[init.len()];
        let mut steps = Steps {
            tables: &mut *self.tables,
            extents: &mut self.extents,
            counter,
            dimension,
            slices: IndexMap::new(),
            names: IndexMap::new(),
        };
        let (mut before, mut slices) = (Vec::new(), Vec::new());
        for (&param, init) in worker.params.iter().zip(init) {
            slices.push(steps.slice(param, init.as_var()?, (&mut before, bind.span)));
        }
        let mut body = steps.block(worker.body.clone(), Place::Step)?;
        let results = worker.params.iter().zip(&worker.body.results);
        let is_own = |(&param, &result): (&VarId, &Atom)| {
            steps.version_of(result).is_some_and(|version| version.of == param)
        };
        if !results.into_iter().all(is_own) {
            return None;
        }
        body.binds.splice(0..0, slices);
        let worker = Worker { params: vec![counter], body };
        let op = Op::Generate { size: *count, worker };
        let made = match dimension {
            Dimension::First => bind.vars.clone(),
            Dimension::Last => bind.vars.iter().map(|&var| self.transposed(var)).collect(),
        };
        before.push(Bind { vars: made.clone(), op, span: bind.span });
        if dimension == Dimension::Last {
            for (&var, made) in bind.vars.iter().zip(made) {
                let back = self.transposition(var, made, (&mut before, bind.span));
                before.push(back);
            }
        }
        Some(before)
    }

    /// A variable for a matrix that is transposed.
    fn transposed(&mut self, matrix: VarId) -> VarId {
        let Var { name, ty } = self.tables.vars[matrix].clone();
        let shape = ty.shape().iter().rev().copied().collect();
        self.tables.vars.push(Var { name, ty: Type::Array { elem: ty.scalars(), shape } })
    }

    /// The binding of a matrix that was made transposed.
    fn transposition(
        &mut self,
        var: VarId,
        made: VarId,
        (before, span): (&mut Vec<Bind>, Span),
    ) -> Bind {
        let number = Var { name: Name::new_static(UNNAMED_SCALAR), ty: Type::Scalar(Scalar::I64) };
        let [outer, inner] = [1, 0].map(|dim| {
            let length = self.tables.vars.push(number.clone());
            before.push(Bind { vars: vec![length], op: Op::Length { array: made, dim }, span });
            Atom::Var(length)
        });
        transpositions::bind(&mut self.tables.vars, (var, made), [outer, inner], span)
    }
}

impl Dimension {
    fn extent(self, ty: &Type) -> Option<Extent> {
        match (self, ty.shape()) {
            (Self::First, [first, ..]) => Some(*first),
            (Self::Last, [_, last]) => Some(*last),
            (Self::First | Self::Last, _) => None,
        }
    }

    /// The type of a step's part of an array.
    fn slice(self, ty: &Type) -> Type {
        match (self, ty) {
            (Self::Last, Type::Array { elem, shape }) => {
                Type::Array { elem: *elem, shape: shape[..1].to_vec() }
            }
            (Self::First | Self::Last, ty) => ty.element().expect("an array has elements"),
        }
    }

    /// The indices in the part of the step with this counter, if a read or a write is in that part.
    fn inside(self, indices: &[Atom], rank: usize, counter: VarId) -> Option<Vec<Atom>> {
        let counter = Atom::Var(counter);
        let (own, rest) = match self {
            Self::First => indices.split_first()?,
            Self::Last if indices.len() == rank => indices.split_last()?,
            Self::Last => return None,
        };
        (*own == counter && !rest.contains(&counter)).then(|| rest.to_vec())
    }
}

/// Where a block of a step is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// It is the step, or a branch of it.
    Step,
    /// It is the step of an inner loop with this counter, which counts the rows of the step's part.
    Row(VarId),
    /// It may run any number of times.
    Anywhere,
}

/// A version of a step's part of an array.
#[derive(Clone, Copy)]
struct Slice {
    value: Atom,
    /// The array that it is a part of, as the loop carries it. A loop may exchange arrays.
    of: VarId,
    /// Whether it is an element, or the step has written all of it.
    is_whole: bool,
}

/// The step of a loop, while it is rewritten to work on its parts of the arrays.
struct Steps<'a> {
    tables: &'a mut Tables,
    extents: &'a mut Extents,
    counter: VarId,
    dimension: Dimension,
    /// The parts, by the versions of the arrays.
    slices: IndexMap<VarId, Slice>,
    /// The elements that have become values.
    names: IndexMap<VarId, Atom>,
}

impl Steps<'_> {
    /// Binds the part of an array before the step.
    fn slice(
        &mut self,
        param: VarId,
        array: VarId,
        (before, span): (&mut Vec<Bind>, Span),
    ) -> Bind {
        let Var { name, ty } = self.tables.vars[param].clone();
        let slice_ty = self.dimension.slice(&ty);
        let slice = self.tables.vars.push(Var { name, ty: slice_ty.clone() });
        let is_whole = !slice_ty.is_array();
        self.slices.insert(param, Slice { value: Atom::Var(slice), of: param, is_whole });
        let counter = Atom::Var(self.counter);
        let op = match self.dimension {
            Dimension::First => Op::Index { array, indices: vec![counter], inside: true },
            Dimension::Last => {
                let number = Type::Scalar(Scalar::I64);
                let names =
                    [("t", number.clone()), ("i", number), ("t", Type::Scalar(ty.scalars()))];
                let [count, row, element] = names.map(|(name, ty)| {
                    self.tables.vars.push(Var { name: Name::new_static(name), ty })
                });
                before.push(Bind { vars: vec![count], op: Op::Length { array, dim: 0 }, span });
                let indices = vec![Atom::Var(row), counter];
                let read = Op::Index { array, indices, inside: true };
                let read = Bind { vars: vec![element], op: read, span };
                transpositions::generate(Atom::Var(count), row, read)
            }
        };
        Bind { vars: vec![slice], op, span }
    }

    /// The block with parts in the place of arrays.
    fn block(&mut self, block: Block, place: Place) -> Option<Block> {
        let mut done = Vec::with_capacity(block.binds.len());
        for bind in block.binds {
            done.extend(self.bind(bind, place)?);
        }
        let results = block.results.into_iter().map(|result| match result.as_var() {
            Some(var) if self.slices.contains_key(&var) => {
                let Slice { value, is_whole, .. } = self.slices[&var];
                let is_part = is_whole || matches!(place, Place::Row(_));
                (is_part && place != Place::Anywhere).then_some(value)
            }
            Some(_) | None => Some(result.substitute(&self.names)),
        });
        let results = results.collect::<Option<Vec<_>>>()?;
        Some(Block { binds: done, results })
    }

    /// The binding with parts in the place of arrays; nothing if it only names a part or a value.
    #[allow(clippy::option_option, reason = "no binding is left, or there is no pass")]
    fn bind(&mut self, mut bind: Bind, place: Place) -> Option<Option<Bind>> {
        self.extents.note(&bind, self.tables);
        bind.op.substitute(&self.names);
        #[allow(clippy::wildcard_enum_match_arm, reason = "others use no part")]
        match &mut bind.op {
            Op::Index { array, indices, .. } if self.slices.contains_key(array) => {
                let rest = self.inside(*array, indices)?;
                let slice = self.slices[&*array].value;
                if rest.is_empty() {
                    self.names.insert(bind.vars[0], slice);
                    return Some(None);
                }
                (*array, *indices) = (slice.as_var()?, rest);
                Some(Some(bind))
            }
            Op::Replace { array, .. } if self.slices.contains_key(array) => {
                self.replace(bind, place)
            }
            Op::Loop { init, .. } if init.iter().any(|&init| self.is_slice(init)) => {
                Some(Some(self.inner_loop(bind)?))
            }
            Op::If { .. } => Some(Some(self.choice(bind, place)?)),
            op => {
                if op.operands().into_iter().any(|operand| self.is_slice(operand)) {
                    return None;
                }
                for inner in op.blocks_mut() {
                    *inner = self.block(std::mem::take(inner), Place::Anywhere)?;
                }
                Some(Some(bind))
            }
        }
    }

    fn is_slice(&self, atom: Atom) -> bool {
        atom.as_var().is_some_and(|var| self.slices.contains_key(&var))
    }

    fn inside(&self, array: VarId, indices: &[Atom]) -> Option<Vec<Atom>> {
        self.dimension.inside(indices, self.tables.vars[array].ty.rank(), self.counter)
    }

    #[allow(clippy::option_option, reason = "as in `bind`")]
    fn replace(&mut self, bind: Bind, place: Place) -> Option<Option<Bind>> {
        let Bind { vars, op: Op::Replace { array, indices, value, inside }, span } = bind else {
            panic!("a replacement was found here")
        };
        let rest = self.inside(array, &indices)?;
        if self.is_slice(value) || place == Place::Anywhere {
            return None;
        }
        let Slice { value: slice, of, is_whole } = self.slices[&array];
        if rest.is_empty() {
            self.slices.insert(vars[0], Slice { value, of, is_whole: true });
            return Some(None);
        }
        let Place::Row(row) = place else { return None };
        let is_row = rest[..] == [Atom::Var(row)];
        let made = self.version(vars[0], of, is_row || is_whole);
        let op = Op::Replace { array: slice.as_var()?, indices: rest, value, inside };
        Some(Some(Bind { vars: vec![made], op, span }))
    }

    /// A variable for a new version of a part.
    fn version(&mut self, array: VarId, of: VarId, is_whole: bool) -> VarId {
        let Var { name, ty } = self.tables.vars[array].clone();
        let made = self.tables.vars.push(Var { name, ty: self.dimension.slice(&ty) });
        self.slices.insert(array, Slice { value: Atom::Var(made), of, is_whole });
        made
    }

    /// A choice between versions of arrays, and others.
    fn choice(&mut self, bind: Bind, place: Place) -> Option<Bind> {
        let Bind { mut vars, op: Op::If { cond, then, otherwise }, span } = bind else {
            panic!("a choice was found here")
        };
        let yields = [then.results.clone(), otherwise.results.clone()];
        let then = self.block(then, place)?;
        let otherwise = self.block(otherwise, place)?;
        for (at, var) in vars.iter_mut().enumerate() {
            let versions = yields.each_ref().map(|results| self.version_of(results[at]));
            match versions {
                [Some(one), Some(other)] if one.of == other.of => {
                    *var = self.version(*var, one.of, one.is_whole && other.is_whole);
                }
                [None, None] => {}
                [_, _] => return None,
            }
        }
        Some(Bind { vars, op: Op::If { cond, then, otherwise }, span })
    }

    fn version_of(&self, atom: Atom) -> Option<Slice> {
        self.slices.get(&atom.as_var()?).copied()
    }

    /// An inner loop that carries versions of arrays: it writes all of a part if it counts the rows of the part, and
    /// each of its steps writes its row.
    fn inner_loop(&mut self, bind: Bind) -> Option<Bind> {
        let Bind { mut vars, op: Op::Loop { form, mut init, worker }, span } = bind else {
            panic!("a loop was found here")
        };
        let LoopForm::For { count } = form else { return None };
        let Worker { mut params, body } = worker;
        let counter = params[init.len()];
        let carried = init.iter().map(|&init| self.is_slice(init)).collect::<Vec<_>>();
        let mut counts_rows = true;
        let mut origins = IndexMap::new();
        for (at, _) in carried.iter().enumerate().filter(|(_, is_slice)| **is_slice) {
            let Slice { value, of, .. } = self.version_of(init[at])?;
            init[at] = value;
            let part = init[at].ty(&self.tables.vars);
            let counts = |&rows: &Extent| self.extents.is(count, rows, self.tables);
            counts_rows &= part.shape().first().is_some_and(counts) && part.rank() == 1;
            params[at] = self.version(params[at], of, !part.is_array());
            origins.insert(at, of);
        }
        let place = if counts_rows { Place::Row(counter) } else { Place::Step };
        let results = body.results.clone();
        let body = self.block(body, place)?;
        let others = results.iter().enumerate().filter(|(at, _)| !origins.contains_key(at));
        if others.into_iter().any(|(_, &result)| self.is_slice(result)) {
            return None;
        }
        for (at, array) in origins {
            let Slice { of, is_whole, .. } = self.version_of(results[at])?;
            if of != array {
                return None;
            }
            vars[at] = self.version(vars[at], of, is_whole);
        }
        let worker = Worker { params, body };
        Some(Bind { vars, op: Op::Loop { form, init, worker }, span })
    }
}
