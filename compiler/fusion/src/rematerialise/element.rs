//! One element of a producer, as an expression of the index.
//!
//! Invariant: the appended code computes the element as the producer's worker does, checks that the index is in the
//! producer's bounds, and binds only new variables.
//!
//! ```text
//! p = map (\x -> { t = x * x; t }) xs; p[j]   ⇒   x = xs[j]; t = x * x
//! ```

use indexmap::{IndexMap, IndexSet};

use super::cost;
use super::cost::ElementCost;
use super::levels::LoopNest;
use crate::cnf::{Assertion, Atom, Bind, Block, Extent, Op, Type, Var, Worker};
use crate::process::uses;
use arr_abi::ErrorCode;
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::ids::{EntityRef, PrimaryMap, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

/// Appends expressions for elements.
pub(super) struct Inliner<'a> {
    /// The variables of the function.
    pub(super) vars: &'a mut PrimaryMap<VarId, Var>,
    /// The combinators whose results are not in memory, by result.
    pub(super) makers: &'a IndexMap<VarId, &'a Bind>,
}

/// The meaning of the variables of inlined workers.
#[derive(Default)]
struct InlineEnv<'a> {
    /// The variables of the workers, and the atoms that replace them.
    names: IndexMap<VarId, Atom>,
    /// Rows that are parameters: an array, and the first indices in it.
    views: IndexMap<VarId, (VarId, Vec<Atom>)>,
    /// Combinators in the workers whose arrays are not made: only an element of each is computed.
    lazy: IndexMap<VarId, &'a Bind>,
    /// Indices that have to be checked, each with the extent of its dimension.
    checks: Vec<BoundsCheck>,
    /// Indices that are in bounds by construction, each with the extent of its dimension.
    inside: Vec<(Atom, Extent)>,
    /// The cost of the expression.
    cost: ElementCost,
    /// How many blocks of the copied code are around.
    depth: usize,
    /// The counters of the copied combinators around, and how many steps these have.
    counters: Vec<(Atom, Extent)>,
    /// How many variables there were before the expression: those behind are computed by it.
    known: usize,
}

impl InlineEnv<'_> {
    /// The atom that replaces an atom of an inlined worker.
    fn substitute(&self, atom: Atom) -> Atom {
        atom.substitute(&self.names)
    }
}

/// An index that has to be in bounds.
struct BoundsCheck {
    index: Atom,
    extent: Extent,
    size: ExtentSource,
    /// In how many blocks of the copied code it is.
    depth: usize,
}

/// The source of an extent's value.
enum ExtentSource {
    Atom(Atom),
    Length(VarId, usize),
}

/// The expression of an element.
pub(super) struct ElementExpr {
    /// Its value.
    pub(super) atom: Atom,
    /// Its cost.
    pub(super) cost: ElementCost,
}

impl<'a> Inliner<'a> {
    /// Appends the expression of an element of an array, or of a row; nothing if it has none. The indices are checked
    /// unless they are inside.
    pub(super) fn element(
        &mut self,
        (array, indices, inside): (VarId, &[Atom], bool),
        levels: &LoopNest,
        span: Span,
        out: &mut Vec<Bind>,
    ) -> Option<ElementExpr> {
        let shape = self.vars[array].ty.shape();
        let inside = indices.iter().copied().zip(shape.iter().copied()).filter(|_| inside);
        let inside = inside.collect();
        let mut env = InlineEnv { known: self.vars.len(), inside, ..InlineEnv::default() };
        let mut code = Vec::new();
        let atom = self.of_array(array, indices, span, &mut env, &mut code)?;
        env.checks.retain(|check| !levels.within(check.index, check.extent));
        self.assert_all(&mut env, span, out);
        out.append(&mut code);
        Some(ElementExpr { atom, cost: env.cost })
    }

    /// Appends a copy of the producer of an array, and copies of the producers of its inputs that are not in memory.
    /// Gives the copy of the array and the cost of an element.
    pub(super) fn recompute(
        &mut self,
        array: VarId,
        span: Span,
        out: &mut Vec<Bind>,
    ) -> Option<(VarId, ElementCost)> {
        let index = Var { name: Name::new_static("i"), ty: Type::Scalar(Scalar::I64) };
        let indices: Vec<Atom> = (self.vars[array].ty.shape().to_vec().iter())
            .map(|_| Atom::Var(self.vars.push(index.clone())))
            .collect();
        let mut env = InlineEnv::default();
        self.of_array(array, &indices, span, &mut env, &mut Vec::new())?;
        let cost = ElementCost { inner: env.cost.inner, outer: 0 };
        (env.cost.outer < cost::HEAVY).then_some(())?;
        Some((self.copy_producer(array, out)?, cost))
    }

    fn copy_producer(&mut self, array: VarId, out: &mut Vec<Bind>) -> Option<VarId> {
        let bind = *self.makers.get(&array)?;
        let mut env = InlineEnv::default();
        for input in bind.op.streams() {
            if self.makers.contains_key(&input) {
                let copy = self.copy_producer(input, out)?;
                env.names.insert(input, Atom::Var(copy));
            }
        }
        self.copy(bind, &mut env, out)?;
        match env.names.get(&array)? {
            Atom::Var(copy) => Some(*copy),
            Atom::Const(_) => None,
        }
    }

    fn of_array(
        &mut self,
        array: VarId,
        indices: &[Atom],
        span: Span,
        env: &mut InlineEnv<'a>,
        out: &mut Vec<Bind>,
    ) -> Option<Atom> {
        if let Some((base, first)) = env.views.get(&array).cloned() {
            return self.of_array(base, &[&first, indices].concat(), span, env, out);
        }
        let maker = env.lazy.get(&array).or_else(|| self.makers.get(&array)).copied();
        match maker {
            Some(bind) if !indices.is_empty() => {
                let result = bind.vars.iter().position(|&var| var == array)?;
                self.apply((bind, result), (indices, span), env, out)
            }
            Some(_) => None,
            None => Some(self.load(array, indices, span, env, out)),
        }
    }

    /// Reads an element or a row from memory.
    fn load(
        &mut self,
        array: VarId,
        indices: &[Atom],
        span: Span,
        env: &mut InlineEnv<'_>,
        out: &mut Vec<Bind>,
    ) -> Atom {
        let array = match env.names.get(&array) {
            Some(Atom::Var(other)) => *other,
            Some(Atom::Const(_)) | None => array,
        };
        if indices.is_empty() {
            return Atom::Var(array);
        }
        let Var { name, ty } = &self.vars[array];
        let shape = ty.shape();
        let checked = |check: &BoundsCheck| {
            check.depth == env.depth
                && indices.iter().zip(shape).any(|at| at == (&check.index, &check.extent))
        };
        env.checks.retain(|check| !checked(check));
        let mut elem = ty.clone();
        for _ in indices {
            elem = elem.element().expect("there are at most as many indices as dimensions");
        }
        let inside = indices.iter().copied().zip(shape.iter().copied());
        let inside = inside.into_iter().all(|at| env.inside.contains(&at));
        let var = self.vars.push(Var { name: name.clone(), ty: elem });
        let op = Op::Index { array, indices: indices.to_vec(), inside };
        env.cost.inner += cost::LOAD;
        out.push(Bind { vars: vec![var], op, span });
        Atom::Var(var)
    }

    /// Appends the code of a combinator's worker for one element.
    fn apply(
        &mut self,
        (bind, result): (&'a Bind, usize),
        (indices, span): (&[Atom], Span),
        env: &mut InlineEnv<'a>,
        out: &mut Vec<Bind>,
    ) -> Option<Atom> {
        let (&index, rest) = indices.split_first()?;
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others are not elementwise")]
        let (worker, inputs): (&Worker, &[VarId]) = match &bind.op {
            Op::Map { worker, inputs } => (worker, inputs),
            Op::Generate { worker, .. } => (worker, &[]),
            _ => return None,
        };
        let size = self.size(&bind.op, env)?;
        let extent = *self.vars[bind.vars[result]].ty.shape().first()?;
        let is_checked = |check: &BoundsCheck| (check.index, check.extent) == (index, extent);
        if !env.inside.contains(&(index, extent)) && !env.checks.iter().any(is_checked) {
            env.checks.push(BoundsCheck { index, extent, size, depth: env.depth });
        }
        let Atom::Var(wanted) = worker.body.results[result] else {
            return Some(worker.body.results[result]);
        };
        let needed = needed(&worker.body, wanted);
        let before = env.cost;
        self.bind_params((worker, inputs), (index, span), &needed, env, out)?;
        for inner in &worker.body.binds {
            if inner.vars.iter().all(|var| !needed.contains(var)) {
                continue;
            }
            if !rest.is_empty() && is_elementwise(&inner.op) {
                for &var in &inner.vars {
                    // An earlier copy of the array may be in another block, or a part of another row.
                    env.names.shift_remove(&var);
                    env.lazy.insert(var, inner);
                }
            } else {
                self.copy(inner, env, out)?;
            }
        }
        if !rest.is_empty() {
            env.cost.outer += env.cost.inner - before.inner;
            env.cost.inner = before.inner;
        }
        let known = env.views.contains_key(&wanted) || env.lazy.contains_key(&wanted);
        match env.names.get(&wanted) {
            Some(&atom) if rest.is_empty() => Some(atom),
            Some(&Atom::Var(row)) => self.of_array(row, rest, span, env, out),
            Some(Atom::Const(_)) => None,
            None if known || !rest.is_empty() => self.of_array(wanted, rest, span, env, out),
            None => Some(Atom::Var(wanted)),
        }
    }

    /// Gives the parameters of a worker their meaning at an index: a row is a view, and a scalar that is needed is
    /// loaded or computed.
    fn bind_params(
        &mut self,
        (worker, inputs): (&Worker, &[VarId]),
        (index, span): (Atom, Span),
        needed: &IndexSet<VarId>,
        env: &mut InlineEnv<'a>,
        out: &mut Vec<Bind>,
    ) -> Option<()> {
        if inputs.is_empty() {
            env.names.extend(worker.params.first().map(|&counter| (counter, index)));
        }
        for (&param, &input) in worker.params.iter().zip(inputs) {
            if self.vars[param].ty.is_array() {
                let (base, mut first) =
                    env.views.get(&input).cloned().unwrap_or((input, Vec::new()));
                first.push(index);
                env.views.insert(param, (base, first));
            } else if needed.contains(&param) {
                let atom = self.of_array(input, &[index], span, env, out)?;
                env.names.insert(param, atom);
            }
        }
        Some(())
    }

    /// The source of the length of a combinator's results.
    fn size(&self, op: &Op, env: &InlineEnv<'_>) -> Option<ExtentSource> {
        if let Op::Generate { size, .. } = op {
            return Some(ExtentSource::Atom(env.substitute(*size)));
        }
        self.extent(*op.streams().first()?, 0, env)
    }

    /// The source of an extent of an array, which may be a row, or not be in memory.
    fn extent(&self, array: VarId, dim: usize, env: &InlineEnv<'_>) -> Option<ExtentSource> {
        if let Some((base, first)) = env.views.get(&array) {
            return self.extent(*base, first.len() + dim, env);
        }
        match (env.lazy.get(&array).or_else(|| self.makers.get(&array)), dim) {
            (None, _) => Some(ExtentSource::Length(array, dim)),
            (Some(bind), 0) => self.size(&bind.op, env),
            (Some(bind), _) => self.extent_of_rows(bind, array, dim, env),
        }
    }

    /// The source of an extent of the rows that a combinator makes, if it is known outside of the combinator's worker.
    fn extent_of_rows(
        &self,
        bind: &Bind,
        array: VarId,
        dim: usize,
        env: &InlineEnv<'_>,
    ) -> Option<ExtentSource> {
        let [worker] = &bind.op.inner()[..] else { return None };
        let inputs = bind.op.streams();
        let of_input = |row: VarId, dim: usize| {
            let at = worker.params.iter().position(|&param| param == row)?;
            self.extent(*inputs.get(at)?, dim + 1, env)
        };
        let result = bind.vars.iter().position(|&var| var == array)?;
        let row = worker.block.results[result].as_var()?;
        let Some(made) = worker.block.binds.iter().find(|inner| inner.vars.contains(&row)) else {
            return of_input(row, dim - 1);
        };
        let is_outside = |atom: Atom| {
            let is = |var: VarId| {
                worker.params.contains(&var)
                    || worker.block.binds.iter().any(|inner| inner.vars.contains(&var))
            };
            !atom.as_var().is_some_and(is)
        };
        if dim > 1 {
            return None;
        }
        if let Op::Generate { size, .. } = &made.op {
            return is_outside(*size).then(|| ExtentSource::Atom(env.substitute(*size)));
        }
        let input = *made.op.streams().first().filter(|_| is_elementwise(&made.op))?;
        if is_outside(input.into()) { self.extent(input, 0, env) } else { of_input(input, 0) }
    }

    /// Appends a copy of a binding of an inlined worker.
    fn copy(&mut self, bind: &'a Bind, env: &mut InlineEnv<'a>, out: &mut Vec<Bind>) -> Option<()> {
        if let Op::Index { array, indices, .. } = &bind.op
            && (env.views.contains_key(array) || env.lazy.contains_key(array))
        {
            let indices: Vec<Atom> = indices.iter().map(|&index| env.substitute(index)).collect();
            let atom = self.local((*array, &indices), bind.span, env, out)?;
            env.names.insert(bind.vars[0], atom);
            return Some(());
        }
        env.cost.inner += cost::of(&bind.op, self.vars);
        let mut op = bind.op.clone();
        for operand in bind.op.operands() {
            let Atom::Var(var) = operand else { continue };
            if env.lazy.contains_key(&var) {
                return None;
            }
            // A row that is needed whole is a view of the array that it is in.
            if let Some((base, first)) = env.views.get(&var).cloned() {
                let row = self.of_array(base, &first, bind.span, env, out)?;
                env.names.insert(var, row);
            }
        }
        op.substitute(&env.names);
        for worker in op.workers_mut() {
            for param in &mut worker.params {
                *param = self.renamed(*param, env);
            }
        }
        let around = env.counters.len();
        if let (Op::Generate { worker, .. }, Some(var)) = (&op, bind.vars.first()) {
            let steps = self.vars[*var].ty.shape()[0];
            env.counters.extend(worker.params.first().map(|&counter| (Atom::Var(counter), steps)));
        }
        env.depth += 1;
        let sources = bind.op.inner();
        for (block, source) in op.blocks_mut().into_iter().zip(sources) {
            *block = self.copy_block(source.block, env)?;
        }
        env.depth -= 1;
        env.counters.truncate(around);
        let vars = bind.vars.iter().map(|&var| self.renamed(var, env)).collect();
        out.push(Bind { vars, op, span: bind.span });
        Some(())
    }

    /// An element that copied code reads. In a block of that code, its index is checked there; so is an index that the
    /// code computes. The other checks come before the whole expression.
    fn local(
        &mut self,
        (array, indices): (VarId, &[Atom]),
        span: Span,
        env: &mut InlineEnv<'a>,
        out: &mut Vec<Bind>,
    ) -> Option<Atom> {
        if env.depth == 0 {
            let mut code = Vec::new();
            let atom = self.of_array(array, indices, span, env, &mut code)?;
            let is_computed = |check: &BoundsCheck| matches!(check.index, Atom::Var(var) if var.index() >= env.known);
            let (computed, before) =
                std::mem::take(&mut env.checks).into_iter().partition(is_computed);
            env.checks = computed;
            self.assert_all(env, span, out);
            env.checks = before;
            out.append(&mut code);
            return Some(atom);
        }
        let around = std::mem::take(&mut env.checks);
        let mut code = Vec::new();
        let atom = self.of_array(array, indices, span, env, &mut code)?;
        let counters = &env.counters;
        env.checks.retain(|check| !counters.contains(&(check.index, check.extent)));
        self.assert_all(env, span, out);
        env.checks = around;
        out.append(&mut code);
        Some(atom)
    }

    fn copy_block(&mut self, block: &'a Block, env: &mut InlineEnv<'a>) -> Option<Block> {
        let mut binds = Vec::new();
        for bind in &block.binds {
            self.copy(bind, env, &mut binds)?;
        }
        let mut results = Vec::new();
        for &result in &block.results {
            results.push(match result {
                Atom::Var(var) if env.views.contains_key(&var) => {
                    let (base, first) = env.views[&var].clone();
                    self.of_array(base, &first, block.binds.first()?.span, env, &mut binds)?
                }
                Atom::Var(_) | Atom::Const(_) => env.substitute(result),
            });
        }
        Some(Block { binds, results })
    }

    fn renamed(&mut self, var: VarId, env: &mut InlineEnv<'_>) -> VarId {
        let copy = self.vars.push(self.vars[var].clone());
        env.names.insert(var, Atom::Var(copy));
        copy
    }

    /// Appends the checks that are left.
    fn assert_all(&mut self, env: &mut InlineEnv<'_>, span: Span, out: &mut Vec<Bind>) {
        for check in std::mem::take(&mut env.checks) {
            self.assert(&check, span, out);
            env.cost.inner += cost::CHECK;
        }
    }

    /// Appends the check of an index.
    fn assert(&mut self, check: &BoundsCheck, span: Span, out: &mut Vec<Bind>) {
        let mut bind = |ty: Scalar, op: Op| {
            let var = self.vars.push(Var { name: Name::new_static("t"), ty: Type::Scalar(ty) });
            out.push(Bind { vars: vec![var], op, span });
            Atom::Var(var)
        };
        let size = match check.size {
            ExtentSource::Atom(size) => size,
            ExtentSource::Length(array, dim) => bind(Scalar::I64, Op::Length { array, dim }),
        };
        let zero = Atom::Const(Const::i64(0));
        let above = bind(Scalar::Bool, Op::bin(BinOp::Ge, check.index, zero));
        let below = bind(Scalar::Bool, Op::bin(BinOp::Lt, check.index, size));
        let cond = bind(Scalar::Bool, Op::bin(BinOp::And, above, below));
        let failure = Failure::index(ErrorCode::Index, check.index, size);
        let op = Op::Assert(Assertion { cond, failure });
        out.push(Bind { vars: Vec::new(), op, span });
    }
}

/// Whether each element of its results is an expression of the index.
pub(super) fn is_elementwise(op: &Op) -> bool {
    matches!(op, Op::Map { .. } | Op::Generate { .. })
}

/// The variables of a worker's body that a result depends on.
fn needed(body: &Block, wanted: VarId) -> IndexSet<VarId> {
    let mut needed = IndexSet::from([wanted]);
    for bind in body.binds.iter().rev() {
        if bind.vars.iter().any(|var| needed.contains(var)) {
            needed.extend(uses::free(bind));
        }
    }
    needed
}
