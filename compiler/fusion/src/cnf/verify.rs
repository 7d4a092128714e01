//! The invariant of `cnf`, checked.
//!
//! Invariant: `Ok` exactly if each variable is bound once, before it is used and in a block around
//! its uses; operands and results have the types that their operation wants; and every size that a type
//! mentions is one of the function. The sizes of rows may have one symbol inside a worker and another
//! outside. A loop carries each size that its body changes.
//!
//! ```text
//! { b = map (\x -> x) a }   ⇒ Err("f: `a` (v0) is used before it is bound, in `map`")
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Atom, Block, Callee, Dim, Entry, Extent, Function, InnerBlock, NamedSizes, Op, PartialType,
    Program, SizeDef, Type, Types,
};
use arrc_front::effect::Effect;
use arrc_front::sorting::Sorting;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::Scalar;

/// Checks a program.
///
/// # Errors
/// The first part of the invariant that is broken, with the function and the operation.
pub fn verify(program: &Program) -> Result<(), String> {
    let mut names = BTreeSet::new();
    for (_, function) in program.functions.iter() {
        if !names.insert(&function.name) {
            return Err(format!("two functions are named `{}`", function.name));
        }
        let mut verifier =
            Verifier { program, function, bound: BTreeSet::new(), scope: BTreeSet::new() };
        verifier.function().map_err(|broken| format!("{}: {broken}", function.name))?;
    }
    program.entries.iter().try_for_each(|entry| check_entry(program, entry))
}

fn check_entry(program: &Program, entry: &Entry) -> Result<(), String> {
    let function = program
        .functions
        .get(entry.function)
        .ok_or_else(|| format!("entry {} calls a function of the program", entry.name))?;
    let inputs = (entry.inputs.len(), function.params.len());
    let outputs = (entry.outputs.len(), function.results.len());
    if inputs.0 != inputs.1 || outputs.0 != outputs.1 {
        return Err(format!("entry {} names each input and output once", entry.name));
    }
    if !function.owned.is_empty() {
        return Err(format!("entry {} takes over what it is given", entry.name));
    }
    Ok(())
}

struct Verifier<'a> {
    program: &'a Program,
    function: &'a Function,
    /// Every variable that was bound anywhere.
    bound: BTreeSet<VarId>,
    /// The variables that are in scope.
    scope: BTreeSet<VarId>,
}

type VerifyResult = Result<(), String>;

impl Verifier<'_> {
    fn function(&mut self) -> VerifyResult {
        for &param in &self.function.params {
            self.bind(param, "the parameters")?;
        }
        for owned in &self.function.owned {
            let is_array = self.function.tables.vars[*owned].ty.is_array();
            if !is_array || !self.function.params.contains(owned) {
                return Err("what a function owns is an array, and one of its parameters".into());
            }
        }
        self.block(&self.function.body, "the body")?;
        let results = &self.function.body.results;
        if results.len() != self.function.results.len() {
            return Err("the body yields one atom for each result type".into());
        }
        for (&atom, ty) in results.iter().zip(&self.function.results) {
            if self.type_of(atom) != *ty {
                return Err(format!("the result {} has its declared type", self.show(atom)));
            }
        }
        Ok(())
    }

    fn block(&mut self, block: &Block, place: &str) -> VerifyResult {
        let around = self.scope.clone();
        for bind in &block.binds {
            let name = bind.op.name();
            for operand in bind.op.operands() {
                self.used(operand, name)?;
            }
            for inner in bind.op.inner() {
                self.inner(inner, name)?;
            }
            self.types(&bind.op, &bind.vars).map_err(|broken| {
                format!("{broken} (in `{name}`, which binds {})", self.show_all(&bind.vars))
            })?;
            for &var in &bind.vars {
                self.bind(var, name)?;
            }
        }
        for &result in &block.results {
            self.used(result, place)?;
        }
        self.scope = around;
        Ok(())
    }

    fn inner(&mut self, inner: InnerBlock<'_>, place: &str) -> VerifyResult {
        let around = self.scope.clone();
        for &param in inner.params {
            self.bind(param, place)?;
        }
        self.block(inner.block, place)?;
        self.scope = around;
        Ok(())
    }

    fn bind(&mut self, var: VarId, place: &str) -> VerifyResult {
        let Some(info) = self.function.tables.vars.get(var) else {
            return Err(format!("{var} is a variable of the function (in `{place}`)"));
        };
        if !self.bound.insert(var) {
            return Err(format!("`{}` ({var}) is bound once (in `{place}`)", info.name));
        }
        self.scope.insert(var);
        match &info.ty {
            Type::Scalar(_) => Ok(()),
            Type::Array { shape, .. } if shape.is_empty() => {
                Err(format!("{var} has at least one dimension"))
            }
            Type::Array { shape, .. } => shape.iter().try_for_each(|&dim| self.extent(dim)),
        }
    }

    /// A size's definition mentions only sizes and variables of the function, and not itself.
    fn extent(&self, extent: Extent) -> VerifyResult {
        self.extent_within(extent, self.function.tables.sizes.len())
    }

    fn extent_within(&self, extent: Extent, depth: usize) -> VerifyResult {
        let Extent::Size(size) = extent else { return Ok(()) };
        let Some(info) = self.function.tables.sizes.get(size) else {
            return Err(format!("{size} is a size of the function"));
        };
        match info.def {
            SizeDef::Param | SizeDef::Exists => Ok(()),
            SizeDef::Value(var) => match self.function.tables.vars.get(var) {
                Some(var) if var.ty == Type::Scalar(Scalar::I64) => Ok(()),
                Some(_) | None => Err(format!("{size} is the value of an i64 variable")),
            },
            SizeDef::Sum(..) | SizeDef::Product(..) => {
                let depth =
                    depth.checked_sub(1).ok_or_else(|| format!("{size} is not made of itself"))?;
                info.def.parts().try_for_each(|part| self.extent_within(part, depth))
            }
        }
    }

    fn used(&self, atom: Atom, place: &str) -> VerifyResult {
        match atom {
            Atom::Var(var) if !self.scope.contains(&var) => {
                let broken = if self.bound.contains(&var) {
                    "used outside the block that binds it"
                } else {
                    "used before it is bound"
                };
                Err(format!("{} is {broken} (in `{place}`)", self.show(atom)))
            }
            Atom::Var(_) | Atom::Const(_) => Ok(()),
        }
    }

    /// The operands have types that the operation is defined on. The parameters of its blocks and its results have
    /// the types that the operation determines.
    fn types(&self, op: &Op, vars: &[VarId]) -> VerifyResult {
        self.operands(op)?;
        let types = Types { program: self.program, vars: &self.function.tables.vars };
        let broken = |what: String| format!("broken: {what}");
        for (inner, told) in op.inner().into_iter().zip(types.params(op).map_err(broken)?) {
            let takes = |told: &[PartialType]| {
                let mut pairs = inner.params.iter().zip(told);
                inner.params.len() == told.len()
                    && pairs.all(|(&var, told)| told.agrees(self.ty(var)))
            };
            require(takes(&told), "a block takes what its operation gives it")?;
        }
        self.results(op, vars, &types.results(op).map_err(broken)?)?;
        self.carried(op, vars)
    }

    /// Each dimension of a carried array has one size from the first step to the end, or a size of its own in a step
    /// and another one at the end. Dimensions that have one size in a step have one size at first, after each step, and
    /// at the end.
    fn carried(&self, op: &Op, vars: &[VarId]) -> VerifyResult {
        let (Op::Loop { init, worker, .. } | Op::Fold { init, worker, .. }) = op else {
            return Ok(());
        };
        let mut own: BTreeMap<Extent, [Extent; 3]> = BTreeMap::new();
        let parts = worker.params.iter().zip(init).zip(&worker.body.results).zip(vars);
        for (((&param, &first), &next), &last) in parts {
            let [first, next, last] = [first, next, Atom::Var(last)].map(|part| self.type_of(part));
            for (dim, &size) in self.ty(param).shape().iter().enumerate() {
                let [first, next, last] = [&first, &next, &last].map(|ty| ty.shape()[dim]);
                let sizes = [first, next, last];
                let starts =
                    first == size || [first, size].iter().any(|&size| self.is_computed(size));
                let keeps = [next, last] == [size; 2] && starts;
                let changes = self.is_new(size)
                    && self.is_new(last)
                    && *own.entry(size).or_insert(sizes) == sizes;
                let dim = dim + 1;
                let param = self.show(Atom::Var(param));
                require(
                    keeps || changes,
                    &format!("size {dim} of {param} is kept, or a size of its own in each step"),
                )?;
            }
        }
        Ok(())
    }

    /// Whether a size is computed from scalars. Then there may be another symbol for the same number.
    fn is_computed(&self, extent: Extent) -> bool {
        let Extent::Size(size) = extent else { return true };
        match self.function.tables.sizes[size].def {
            SizeDef::Value(_) | SizeDef::Sum(..) | SizeDef::Product(..) => true,
            SizeDef::Param | SizeDef::Exists => false,
        }
    }

    /// Whether a size is known only when computed, and no variable in scope has it.
    fn is_new(&self, extent: Extent) -> bool {
        let Extent::Size(size) = extent else { return false };
        let has = |&var: &VarId| self.ty(var).shape().contains(&extent);
        self.function.tables.sizes[size].def == SizeDef::Exists && !self.scope.iter().any(has)
    }

    /// The sizes of rows may have other names; so may the sizes of the results of a call, a loop or a fold.
    fn results(&self, op: &Op, vars: &[VarId], told: &[PartialType]) -> VerifyResult {
        let invariant = "the variables have the types of the results";
        require(vars.len() == told.len(), invariant)?;
        let mut new = None;
        for (&var, told) in vars.iter().zip(told) {
            let ty = self.ty(var);
            require(told.agrees(ty), invariant)?;
            let dims = told.shape.iter().zip(ty.shape());
            let known = |(dim, extent): (&Dim, &Extent)| *dim == Dim::Known(*extent);
            let fits = match (op.named_sizes(), dims.clone().next()) {
                (NamedSizes::All, _) => dims.into_iter().all(known),
                (NamedSizes::First, Some(dim)) => known(dim),
                (NamedSizes::One, Some((dim, &extent))) => {
                    *new.get_or_insert(extent) == extent && self.defined(dim, extent)
                }
                (NamedSizes::First | NamedSizes::One | NamedSizes::Free, _) => true,
            };
            require(fits, invariant)?;
        }
        Ok(())
    }

    /// Whether a size has the definition that the operation gives it, if that is a product.
    fn defined(&self, told: &Dim, extent: Extent) -> bool {
        let Dim::Defined(product @ SizeDef::Product(..)) = told else { return true };
        matches!(extent, Extent::Size(size) if self.function.tables.sizes[size].def == *product)
    }

    /// The conditions on the operands of an operation and on the results of its blocks.
    fn operands(&self, op: &Op) -> VerifyResult {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others say what their blocks yield")]
        match op {
            Op::Scalar(operation) => operation.check(|arg| self.scalar(arg)).map(drop),
            Op::Index { array, indices, inside: _ } => self.indices(*array, indices),
            Op::Length { array, dim } => {
                require(*dim < self.array(*array)?.1.len(), "the dimension exists")
            }
            Op::Assert(check) => check.check(|value| self.scalar(value)),
            Op::If { cond, then, otherwise } => {
                self.is(*cond, Scalar::Bool, "a condition is a bool")?;
                let [then, otherwise] =
                    [then, otherwise].map(|block| self.types_of(&block.results));
                require(agree(&then, &otherwise), "branches yield the same types")
            }
            Op::Call { callee, args, effect } => {
                self.effect(*callee, *effect)?;
                self.call(*callee, args)
            }
            Op::Replace { array, indices, value, inside: _ } => {
                require(!indices.is_empty(), "there is an index")?;
                self.indices(*array, indices)?;
                let (elem, shape) = self.array(*array)?;
                let part = match &shape[indices.len()..] {
                    [] => Type::Scalar(elem),
                    rest => Type::Array { elem, shape: rest.to_vec() },
                };
                require(self.type_of(*value).agrees(&part), "the new part has the old one's type")
            }
            Op::Array { elem, elems } => {
                let first = elems.first().map_or(Type::Scalar(*elem), |&first| self.type_of(first));
                let same = elems.iter().all(|&each| self.type_of(each).agrees(&first));
                require(same, "the elements have one type")
            }
            Op::Constant { shape, data } => {
                let shape: Vec<Extent> =
                    shape.iter().map(|&extent| Extent::Const(extent)).collect();
                let fills = Extent::volume(&shape) == Some(data.len());
                require(fills, "a constant array has as many scalars as its shape says")
            }
            Op::Reshape { array, shape } => {
                self.array(*array)?;
                shape.iter().try_for_each(|&of| self.is(of, Scalar::I64, "an extent is an i64"))
            }
            Op::Sort { array, window, .. } => {
                let (elem, shape) = self.array(*array)?;
                require(
                    shape.len() == 1 && Sorting::takes(elem),
                    "what is sorted is an array of numbers",
                )?;
                window.iter().try_for_each(|&at| self.is(at, Scalar::I64, "a position is an i64"))
            }
            op => self.blocks(op),
        }
    }

    /// The conditions on operations with workers: arrays of one size, and blocks that yield values of the right
    /// types.
    fn blocks(&self, op: &Op) -> VerifyResult {
        op.equal_sizes(&[]).iter().try_for_each(|arrays| self.one_size(arrays))?;
        let types = Types { program: self.program, vars: &self.function.tables.vars };
        for (inner, wanted) in op.inner().into_iter().zip(types.expected_block_types(op)) {
            let found = self.types_of(&inner.block.results);
            let mut pairs = found.iter().zip(&wanted);
            let yields =
                found.len() == wanted.len() && pairs.all(|(found, told)| told.agrees(found));
            require(yields, "a worker yields what its operation wants")?;
        }
        Ok(())
    }

    fn indices(&self, array: VarId, indices: &[Atom]) -> VerifyResult {
        let (_, shape) = self.array(array)?;
        require(indices.len() <= shape.len(), "there is at most one index a dimension")?;
        indices.iter().try_for_each(|&index| self.is(index, Scalar::I64, "an index is an i64"))
    }

    /// A call has the effect of its callee.
    fn effect(&self, callee: Callee, effect: Effect) -> VerifyResult {
        let known = match callee {
            Callee::Function(id) => {
                self.program.functions.get(id).is_some_and(|function| function.body.has_effect())
            }
            Callee::External(id) => {
                self.program.externals.get(id).is_some_and(|external| external.effect.is_some())
            }
        };
        require(known == effect.is_some(), "a call has the effect that what it calls has")
    }

    fn call(&self, callee: Callee, args: &[Atom]) -> VerifyResult {
        let args = self.types_of(args);
        match callee {
            Callee::Function(id) => {
                let callee = self.program.functions.get(id);
                let callee = callee.ok_or_else(|| format!("{id} is a function of the program"))?;
                let params =
                    callee.params.iter().map(|&param| callee.tables.vars[param].ty.clone());
                let params = params.collect::<Vec<_>>();
                require(agree(&args, &params), "an argument has its parameter's type")
            }
            Callee::External(id) => {
                let callee = self.program.externals.get(id);
                let callee = callee.ok_or_else(|| format!("{id} is an external of the program"))?;
                let mut pairs = callee.inputs.iter().zip(&args);
                let takes = callee.inputs.len() == args.len() && pairs.all(|(of, ty)| of.takes(ty));
                require(takes, "an external takes its components")
            }
        }
    }

    fn one_size(&self, arrays: &[VarId]) -> VerifyResult {
        let mut size = None;
        for &array in arrays {
            let (_, shape) = self.array(array)?;
            require(size.is_none_or(|size| size == shape[0]), "all arrays have one size")?;
            size = Some(shape[0]);
        }
        Ok(())
    }

    fn is(&self, atom: Atom, scalar: Scalar, invariant: &str) -> VerifyResult {
        require(self.scalar(atom)? == scalar, invariant)
    }

    fn scalar(&self, atom: Atom) -> Result<Scalar, String> {
        let ty = self.type_of(atom);
        ty.as_scalar().ok_or_else(|| format!("{} is a scalar", self.show(atom)))
    }

    fn array(&self, var: VarId) -> Result<(Scalar, &[Extent]), String> {
        match &self.function.tables.vars[var].ty {
            Type::Array { elem, shape } => Ok((*elem, shape)),
            Type::Scalar(_) => Err(format!("{} is an array", self.show(Atom::Var(var)))),
        }
    }

    fn type_of(&self, atom: Atom) -> Type {
        self.function.type_of(atom)
    }

    fn types_of(&self, atoms: &[Atom]) -> Vec<Type> {
        atoms.iter().map(|&atom| self.type_of(atom)).collect()
    }

    fn ty(&self, var: VarId) -> &Type {
        &self.function.tables.vars[var].ty
    }

    fn show(&self, atom: Atom) -> String {
        match atom {
            Atom::Const(value) => value.to_string(),
            Atom::Var(var) => match self.function.tables.vars.get(var) {
                Some(info) => format!("`{}` ({var})", info.name),
                None => var.to_string(),
            },
        }
    }

    fn show_all(&self, vars: &[VarId]) -> String {
        vars.iter().map(|&var| self.show(Atom::Var(var))).collect::<Vec<_>>().join(", ")
    }
}

fn require(holds: bool, invariant: &str) -> VerifyResult {
    if holds { Ok(()) } else { Err(format!("broken: {invariant}")) }
}

/// Whether types agree up to their sizes.
fn agree(left: &[Type], right: &[Type]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left.agrees(right))
}
