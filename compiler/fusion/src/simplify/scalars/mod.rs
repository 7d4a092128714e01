//! Small arrays of constant shape become scalars (004, section 5: scalarisation).
//!
//! Where a step of a loop makes an array of a few elements, its combinators are unrolled, and a read at a constant
//! index becomes the scalar. Arrays that loops and folds carry, and arrays that branches choose, are taken apart in the
//! same way. The array itself is made only where an operation still needs it whole.
//!
//! Invariant: each element is computed from the same operands in the same order as before. Only a `reduce` may combine
//! its elements in another grouping, and round a product together with the sum.
//!
//! ```text
//! map (\x -> { t = x * 2; a = [x, t]; s = reduce (+) 0 a; s }) xs
//! ⇒ map (\x -> { t = x * 2; s = 0 + x; s_2 = s + t; s_2 }) xs
//! ```

mod carried_arrays;
mod contract;
mod scalar_cost;
mod unroll;

use indexmap::{IndexMap, IndexSet};

use super::substitution::Substitution;
use crate::cnf::{Atom, Bind, Block, Extent, Function, Op, Type, Var, Worker};
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{Const, Scalar};
use arrc_syntax::source::Span;

/// An array with more elements stays an array. In a prototype in C, an element took 0.21 ns in an array of 9, 0.34 in
/// one of 49, 0.37 in one of 100, and 2.8 in one of 256 (256-bit vectors, each element used twice).
/// `scripts/bench best_of_paths` has arrays of 40.
const MAX_ELEMENTS: usize = 64;

/// The execution frequency of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExecutionFrequency {
    /// Once in a call. The block's own loops stay loops.
    Once,
    /// Once in each step of a loop around it.
    EachStep,
}

/// Takes small arrays in the loops of a function apart; says whether anything changed.
pub(super) fn scalarise(function: &mut Function) -> bool {
    scalarise_at(function, ExecutionFrequency::Once)
}

/// Takes small arrays apart in a function whose body is a block that runs so often.
pub(super) fn scalarise_at(function: &mut Function, runs: ExecutionFrequency) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let facts = ArrayFacts::default();
    let mut scalars = ArrayScalariser { function, facts, streams: IndexSet::new() };
    scalars.block(&mut body, runs);
    let ArrayFacts { substitution, sums, changed, .. } = scalars.facts;
    function.body = body;
    substitution.finish(function) | contract::contract(function, &sums) | changed
}

/// The arrays of a function, while they are taken apart.
struct ArrayScalariser<'a> {
    function: &'a mut Function,
    facts: ArrayFacts,
    /// Arrays that a flatmap streams: its worker still yields them.
    streams: IndexSet<VarId>,
}

/// The facts found so far.
#[derive(Clone, Default)]
struct ArrayFacts {
    substitution: Substitution,
    /// The scalars of an array, in the order of memory.
    known: IndexMap<VarId, Vec<Atom>>,
    /// The array of a row, and the row's constant indices.
    rows: IndexMap<VarId, (VarId, Vec<Atom>)>,
    /// The results of additions that an unrolled `reduce` may contract.
    sums: IndexSet<VarId>,
    changed: bool,
}

impl ArrayScalariser<'_> {
    fn block(&mut self, block: &mut Block, runs: ExecutionFrequency) {
        let mut done = Vec::with_capacity(block.binds.len());
        for bind in std::mem::take(&mut block.binds) {
            self.bind(bind, runs, &mut done);
        }
        block.binds = done;
        for result in &mut block.results {
            *result = self.facts.substitution.atom(*result);
        }
    }

    /// Appends the bindings that replace a binding.
    fn bind(&mut self, mut bind: Bind, runs: ExecutionFrequency, done: &mut Vec<Bind>) {
        let substitution = &self.facts.substitution;
        bind.op.replace_operands(&mut |atom| substitution.atom(atom));
        if self.forward(&mut bind) {
            return;
        }
        if runs == ExecutionFrequency::EachStep
            && let Some(trips) = self.unroll_count(&bind)
        {
            return self.unroll(bind, trips, done);
        }
        if bind.op.carried().is_some() {
            return self.carry(bind, runs, done);
        }
        self.inside(&mut bind.op, runs);
        if matches!(bind.op, Op::If { .. }) && runs == ExecutionFrequency::EachStep {
            return self.choose(bind, done);
        }
        self.note(&bind);
        self.push(bind, runs, done);
    }

    /// Appends a binding. An update or an append of small arrays in a step is a literal.
    fn push(&mut self, bind: Bind, runs: ExecutionFrequency, done: &mut Vec<Bind>) {
        let scalars = bind.vars.iter().map(|var| self.facts.known.get(var).cloned());
        let scalars = scalars.collect::<Option<Vec<_>>>();
        let Some(scalars) = scalars.filter(|_| {
            runs == ExecutionFrequency::EachStep
                && matches!(bind.op, Op::Replace { .. } | Op::Append { .. })
        }) else {
            return done.push(bind);
        };
        for (var, scalars) in bind.vars.into_iter().zip(scalars) {
            self.assemble(var, scalars, bind.span, done);
        }
    }

    /// The blocks of an operation.
    fn inside(&mut self, op: &mut Op, runs: ExecutionFrequency) {
        if let Op::FlatMap { worker, .. } = op {
            self.note_streams(&worker.body);
        }
        let runs = if matches!(op, Op::If { .. }) { runs } else { ExecutionFrequency::EachStep };
        for inner in op.blocks_mut() {
            self.block(inner, runs);
        }
    }

    /// The arrays of a block that become its results one element at a time.
    fn note_streams(&mut self, block: &Block) {
        let arrays = block.results.iter().filter_map(|&result| result.as_var());
        self.streams.extend(arrays);
        for bind in block.binds.iter().rev() {
            if bind.vars.iter().any(|var| self.streams.contains(var)) {
                self.streams.extend(bind.op.streams());
                for inner in bind.op.inner().into_iter().filter(|inner| inner.params.is_empty()) {
                    self.note_streams(inner.block);
                }
            }
        }
    }

    /// Replaces an element of known scalars by its scalar, and says whether it did: then the binding is dropped. An
    /// element of a row of an array is read from the array.
    fn forward(&mut self, bind: &mut Bind) -> bool {
        let Op::Index { array, indices, .. } = &mut bind.op else { return false };
        if let Some(scalars) = self.facts.known.get(array)
            && let Some(part) = self.part(*array, indices)
            && let [scalar] = scalars[part.clone()]
            && indices.len() == self.function.tables.vars[*array].ty.rank()
        {
            let replaced = self.facts.substitution.replace(self.function, bind.vars[0], scalar);
            assert!(replaced, "a scalar is replaced by a scalar");
            return true;
        }
        if let Some((whole, before)) = self.facts.rows.get(array) {
            *array = *whole;
            *indices = [&before[..], indices].concat();
            self.facts.changed = true;
        }
        false
    }

    /// Notes the scalars of the arrays that a binding makes.
    fn note(&mut self, bind: &Bind) {
        let scalars = match (&bind.op, &bind.vars[..]) {
            (Op::Append { left, right }, vars) => {
                for ((&var, left), right) in vars.iter().zip(left).zip(right) {
                    if let Some(scalars) = self.appended(*left, *right) {
                        self.know(var, scalars);
                    }
                }
                return;
            }
            (Op::Index { array, indices, .. }, &[var]) => self.row(var, *array, indices),
            (Op::Generate { size, worker }, vars) => {
                for (&var, &result) in vars.iter().zip(&worker.body.results) {
                    if let Some(scalars) = self.repeated(*size, worker, result) {
                        self.know(var, scalars);
                    }
                }
                return;
            }
            (op, &[_]) => self.scalars(op),
            (_, _) => None,
        };
        if let (Some(scalars), &[var]) = (scalars, &bind.vars[..]) {
            self.know(var, scalars);
        }
    }

    fn know(&mut self, array: VarId, scalars: Vec<Atom>) {
        if self.function.tables.vars[array].ty.scalar_count() == Some(scalars.len()) {
            self.facts.known.insert(array, scalars);
        }
    }

    /// The scalars of the array that an operation makes, if they are known.
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others' scalars are not at hand")]
    fn scalars(&self, op: &Op) -> Option<Vec<Atom>> {
        match op {
            Op::Array { elems, .. } if elems.len() <= MAX_ELEMENTS => {
                let scalars = elems.iter().map(|&elem| self.scalars_of(elem));
                Some(scalars.collect::<Option<Vec<_>>>()?.concat())
            }
            Op::Constant { data, .. } if data.len() <= MAX_ELEMENTS => {
                Some(data.values().map(Atom::Const).collect())
            }
            Op::Reshape { array, .. } => self.facts.known.get(array).cloned(),
            Op::Replace { array, indices, value, .. } => {
                let mut scalars = self.facts.known.get(array)?.clone();
                let part = self.part(*array, indices)?;
                let values = self.scalars_of(*value)?;
                scalars
                    .get_mut(part)
                    .filter(|part| part.len() == values.len())?
                    .copy_from_slice(&values);
                Some(scalars)
            }
            _ => None,
        }
    }

    /// The scalars of a row. Where they are not known, elements of the row are read from the array.
    fn row(&mut self, row: VarId, array: VarId, indices: &[Atom]) -> Option<Vec<Atom>> {
        let part = self.part(array, indices)?;
        if let Some(scalars) = self.facts.known.get(&array) {
            return Some(scalars[part].to_vec());
        }
        if self.function.tables.vars[row].ty.is_array() {
            self.facts.rows.insert(row, (array, indices.to_vec()));
        }
        None
    }

    /// The scalars of an array that repeats a scalar or a row a few times.
    fn repeated(&self, size: Atom, worker: &Worker, value: Atom) -> Option<Vec<Atom>> {
        let Atom::Const(size) = size else { return None };
        let size = usize::try_from(size.as_i128()).ok()?;
        let element = self.scalars_of(value)?;
        let mut bound = worker.body.binds.iter().flat_map(|bind| &bind.vars).chain(&worker.params);
        let given = bound.all(|&bound| !element.contains(&Atom::Var(bound)));
        let count = size.checked_mul(element.len())?;
        (given && count <= MAX_ELEMENTS).then(|| element.repeat(size))
    }

    fn appended(&self, left: VarId, right: VarId) -> Option<Vec<Atom>> {
        let both = [left, right].map(|array| self.facts.known.get(&array));
        let [Some(left), Some(right)] = both else { return None };
        (left.len() + right.len() <= MAX_ELEMENTS).then(|| [&left[..], right].concat())
    }

    /// The scalars of an element: the element itself, or the scalars of the row.
    fn scalars_of(&self, elem: Atom) -> Option<Vec<Atom>> {
        match elem {
            Atom::Var(var) if self.function.tables.vars[var].ty.is_array() => {
                self.facts.known.get(&var).cloned()
            }
            Atom::Var(_) | Atom::Const(_) => Some(vec![elem]),
        }
    }

    /// The scalars that constant indices into an array of constant shape select, in the order of memory.
    fn part(&self, array: VarId, indices: &[Atom]) -> Option<std::ops::Range<usize>> {
        let shape = self.function.tables.vars[array].ty.shape();
        let mut size = self.function.tables.vars[array].ty.scalar_count()?;
        let mut first = 0;
        for (&index, &extent) in indices.iter().zip(shape) {
            let (Atom::Const(index), Extent::Const(extent)) = (index, extent) else { return None };
            let [index, extent] =
                [index.as_i128(), extent.into()].map(|value| usize::try_from(value).ok());
            let (index, extent) = (index?, extent?);
            if index >= extent {
                return None;
            }
            size /= extent;
            first += index * size;
        }
        Some(first..first + size)
    }

    /// An `if` between arrays whose scalars are known in both branches chooses between the scalars.
    fn choose(&mut self, bind: Bind, done: &mut Vec<Bind>) {
        let Bind { vars, op: Op::If { cond, mut then, mut otherwise }, span } = bind else {
            panic!("only an `if` has branches")
        };
        let branches = [&mut then, &mut otherwise];
        let [left, right] = branches.map(|branch| std::mem::take(&mut branch.results));
        let mut chosen = Vec::new();
        let mut apart = Vec::new();
        for ((var, left), right) in vars.into_iter().zip(left).zip(right) {
            let count = self.array_count(var).filter(|_| !self.streams.contains(&var));
            match self.scalars_of(left).zip(self.scalars_of(right)) {
                Some((left, right)) if count == Some(left.len()) && count == Some(right.len()) => {
                    let scalars = self.fresh_scalars(var);
                    chosen.extend(&scalars);
                    then.results.extend(left);
                    otherwise.results.extend(right);
                    apart.push((var, scalars));
                }
                Some(_) | None => {
                    chosen.push(var);
                    then.results.push(left);
                    otherwise.results.push(right);
                }
            }
        }
        done.push(Bind { vars: chosen, op: Op::If { cond, then, otherwise }, span });
        for (var, scalars) in apart {
            self.assemble(var, atoms(&scalars), span, done);
        }
    }

    /// Binds an array of constant shape to its scalars.
    fn assemble(&mut self, array: VarId, scalars: Vec<Atom>, span: Span, done: &mut Vec<Bind>) {
        self.facts.changed = true;
        self.know(array, scalars.clone());
        let Var { name, ty } = self.function.tables.vars[array].clone();
        if ty.rank() == 1 {
            let op = Op::Array { elem: ty.scalars(), elems: scalars };
            return done.push(Bind { vars: vec![array], op, span });
        }
        let size = Extent::Const(i64::try_from(scalars.len()).expect("it has few elements"));
        let flat = self
            .function
            .tables
            .vars
            .push(Var { name, ty: Type::Scalar(ty.scalars()).array_of(size) });
        let op = Op::Array { elem: ty.scalars(), elems: scalars };
        done.push(Bind { vars: vec![flat], op, span });
        let extents = (0..ty.rank()).map(|dim| Const::i64(extent(&ty, dim)).into());
        let op = Op::Reshape { array: flat, shape: extents.collect() };
        done.push(Bind { vars: vec![array], op, span });
    }

    /// How many scalars an array of constant shape has; nothing for a scalar.
    fn array_count(&self, var: VarId) -> Option<usize> {
        let ty = &self.function.tables.vars[var].ty;
        ty.scalar_count().filter(|_| ty.is_array())
    }

    /// A variable for each scalar of an array of constant shape.
    fn fresh_scalars(&mut self, array: VarId) -> Vec<VarId> {
        let ty = &self.function.tables.vars[array].ty;
        let elem = ty.scalars();
        let count = ty.scalar_count().expect("the shape is constant");
        (0..count).map(|_| self.fresh_scalar(elem)).collect()
    }

    fn fresh_scalar(&mut self, elem: Scalar) -> VarId {
        self.function.tables.vars.push(Var { name: Name::new_static("t"), ty: Type::Scalar(elem) })
    }
}

/// An extent of a constant shape.
fn extent(ty: &Type, dim: usize) -> i64 {
    match ty.shape()[dim] {
        Extent::Const(extent) => extent,
        Extent::Size(_) => panic!("the shape is constant"),
    }
}

fn atoms(vars: &[VarId]) -> Vec<Atom> {
    vars.iter().map(|&var| Atom::Var(var)).collect()
}
