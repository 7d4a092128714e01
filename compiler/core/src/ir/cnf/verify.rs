//! The invariant of `cnf`, checked.
//!
//! Invariant: `Ok` exactly if each variable is bound once, before it is used and in a block around
//! its uses; operands and results have the types that their operation wants; and every size that a type
//! mentions is one of the function. The sizes of rows may have one symbol inside a worker and another
//! outside.
//!
//! ```text
//! { b = map (\x -> x) a }   ⇒ Err("f: `a` (v0) is used before it is bound, in `map`")
//! ```

use std::collections::BTreeSet;

use super::{
    Atom, Block, Callee, Component, Dim, Entry, Extent, Function, Inner, LoopForm, Op, Program,
    SizeDef, Told, Type, Types, Worker,
};
use crate::ids::{ExternalId, VarId};
use crate::ir::effect::Effect;
use crate::prim::Scalar;

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
    /// Those that are in scope.
    scope: BTreeSet<VarId>,
}

type Check = Result<(), String>;

impl Verifier<'_> {
    fn function(&mut self) -> Check {
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

    fn block(&mut self, block: &Block, place: &str) -> Check {
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

    fn inner(&mut self, inner: Inner<'_>, place: &str) -> Check {
        let around = self.scope.clone();
        for &param in inner.params {
            self.bind(param, place)?;
        }
        self.block(inner.block, place)?;
        self.scope = around;
        Ok(())
    }

    fn bind(&mut self, var: VarId, place: &str) -> Check {
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
    fn extent(&self, extent: Extent) -> Check {
        self.extent_within(extent, self.function.tables.sizes.len())
    }

    fn extent_within(&self, extent: Extent, depth: usize) -> Check {
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
            SizeDef::Sum(left, right) | SizeDef::Product(left, right) => {
                let depth =
                    depth.checked_sub(1).ok_or_else(|| format!("{size} is not made of itself"))?;
                self.extent_within(left, depth)?;
                self.extent_within(right, depth)
            }
        }
    }

    fn used(&self, atom: Atom, place: &str) -> Check {
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

    fn types(&self, op: &Op, vars: &[VarId]) -> Check {
        let results =
            || vars.iter().map(|&var| self.function.tables.vars[var].ty.clone()).collect();
        let results: Vec<Type> = results();
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others are combinators and `++`")]
        match op {
            Op::Un(un, x) => {
                let x = self.scalar(*x)?;
                want(un.accepts(x), "the operator is defined on its operand")?;
                self.yields(&results, &[Type::Scalar(un.result(x))])
            }
            Op::Bin(bin, x, y) => {
                let (x, y) = (self.scalar(*x)?, self.scalar(*y)?);
                want(x == y, "both operands have one type")?;
                want(bin.accepts(x), "the operator is defined on its operands")?;
                self.yields(&results, &[Type::Scalar(bin.result(x))])
            }
            Op::Fma(args) => {
                let ty = self.scalar(args[0])?;
                for &arg in args {
                    want(self.scalar(arg)? == ty && ty.is_float(), "fma is of floats of one type")?;
                }
                self.yields(&results, &[Type::Scalar(ty)])
            }
            Op::Index { array, indices } => {
                self.array(*array)?;
                let mut element = self.type_of(Atom::Var(*array));
                for &index in indices {
                    want(self.scalar(index)? == Scalar::I64, "an index is an i64")?;
                    let inner = element.element();
                    element = inner.ok_or("broken: there is at most one index a dimension")?;
                }
                self.yields(&results, &[element])
            }
            Op::Length { array, dim } => {
                want(*dim < self.array(*array)?.1.len(), "the dimension exists")?;
                self.yields(&results, &[Type::Scalar(Scalar::I64)])
            }
            Op::Assert { cond, .. } => {
                want(self.scalar(*cond)? == Scalar::Bool, "what is asserted is a bool")?;
                for operand in op.operands() {
                    self.scalar(operand)?;
                }
                self.yields(&results, &[])
            }
            Op::If { cond, then, otherwise } => self.branches(*cond, then, otherwise, &results),
            Op::Call { callee, args, effect } => {
                self.effect(*callee, *effect)?;
                self.call(*callee, args, &results)
            }
            Op::Loop { form, init, worker } => self.repeated(form, init, worker, &results),
            Op::Replace { array, indices, value } => {
                let (elem, shape) = self.array(*array)?;
                want(!indices.is_empty(), "there is an index")?;
                want(indices.len() <= shape.len(), "there is at most one index a dimension")?;
                for &index in indices {
                    want(self.scalar(index)? == Scalar::I64, "an index is an i64")?;
                }
                let part = match &shape[indices.len()..] {
                    [] => Type::Scalar(elem),
                    rest => Type::Array { elem, shape: rest.to_vec() },
                };
                want(self.type_of(*value).agrees(&part), "the new part has the old one's type")?;
                self.yields(&results, &[self.function.tables.vars[*array].ty.clone()])
            }
            Op::Array { elem, elems } => {
                let first = elems.first().map_or(Type::Scalar(*elem), |&first| self.type_of(first));
                for &each in elems {
                    want(self.type_of(each).agrees(&first), "the elements have one type")?;
                }
                let count = i64::try_from(elems.len()).expect("a literal fits into memory");
                self.gives(&results, &[first.array_of(Extent::Const(count))])
            }
            Op::Constant(data) => {
                let [Type::Array { elem, shape }] = results.as_slice() else {
                    return Err("a constant array is one variable".into());
                };
                want(*elem == data.elem(), "the variable has the type of the scalars")?;
                want(data.fills(shape), "a constant array has as many scalars as its shape says")
            }
            Op::Reshape { array, shape } => {
                let (elem, _) = self.array(*array)?;
                for &extent in shape {
                    want(self.scalar(extent)? == Scalar::I64, "an extent is an i64")?;
                }
                let shape = vec![Extent::Const(0); shape.len()];
                let same = [Type::Array { elem, shape }];
                want(agree(&results, &same), "the variables have the types of the results")
            }
            combinator => self.combinator(combinator, vars, &results),
        }
    }

    /// Arrays of one size, workers that take and yield what the operation says, and results of the types that it says.
    fn combinator(&self, op: &Op, vars: &[VarId], results: &[Type]) -> Check {
        let broken = |what: String| format!("broken: {what}");
        for arrays in op.equal_sizes(vars) {
            self.one_size(&arrays)?;
        }
        let types = Types { program: self.program, function: self.function };
        for (inner, told) in op.inner().into_iter().zip(types.params(op).map_err(broken)?) {
            let params: Vec<Atom> = inner.params.iter().copied().map(Atom::Var).collect();
            want(self.are(&params, &told), "a worker takes the elements of its arrays")?;
            if let Some(wanted) = types.wanted(op) {
                want(self.are(&inner.block.results, &wanted), "a worker yields what is wanted")?;
            }
        }
        let told = types.results(op).map_err(broken)?;
        let atoms: Vec<Atom> = vars.iter().copied().map(Atom::Var).collect();
        want(self.are(&atoms, &told), "the variables have the types of the results")?;
        for (told, ty) in told.iter().zip(results) {
            if let Some(Dim::Defined(def @ SizeDef::Product(..))) = told.shape.first()
                && let Some(Extent::Size(size)) = first_extent(ty)
            {
                let product = self.function.tables.sizes[size].def == *def;
                want(product, "the size of a cross is the product of its sides")?;
            }
        }
        Ok(())
    }

    /// Whether atoms have these types, up to their sizes.
    fn are(&self, atoms: &[Atom], told: &[Told]) -> bool {
        let pairs = atoms.iter().zip(told);
        atoms.len() == told.len()
            && pairs.into_iter().all(|(&atom, told)| told.agrees(&self.type_of(atom)))
    }

    /// Branches yield what the `if` does; a size may be known to the `if` only.
    fn branches(&self, cond: Atom, then: &Block, otherwise: &Block, results: &[Type]) -> Check {
        want(self.scalar(cond)? == Scalar::Bool, "a condition is a bool")?;
        for block in [then, otherwise] {
            want(block.results.len() == results.len(), "a branch yields what the `if` does")?;
            for (&atom, ty) in block.results.iter().zip(results) {
                want(self.type_of(atom).agrees(ty), "a branch yields what the `if` does")?;
            }
        }
        Ok(())
    }

    /// What is carried keeps its kind; the size of an array may be known to the step only.
    fn repeated(&self, form: &LoopForm, init: &[Atom], worker: &Worker, results: &[Type]) -> Check {
        let invariant = "a loop carries values of the same types";
        let carries = |types: &[Type]| {
            let pairs = types.iter().zip(results);
            want(types.len() == results.len(), invariant)?;
            want(pairs.into_iter().all(|(ty, result)| ty.agrees(result)), invariant)
        };
        let types =
            |atoms: &[Atom]| atoms.iter().map(|&atom| self.type_of(atom)).collect::<Vec<_>>();
        let params = |worker: &Worker| {
            worker
                .params
                .iter()
                .map(|&param| self.function.tables.vars[param].ty.clone())
                .collect::<Vec<_>>()
        };
        carries(&types(init))?;
        carries(&types(&worker.body.results))?;
        let mut carried = params(worker);
        match form {
            LoopForm::For { count } => {
                want(self.scalar(*count)? == Scalar::I64, "a count is an i64")?;
                let counter = carried.pop();
                want(counter == Some(Type::Scalar(Scalar::I64)), "a counter is an i64")?;
            }
            LoopForm::While { cond } => {
                carries(&params(cond))?;
                let flags = types(&cond.body.results);
                want(flags == [Type::Scalar(Scalar::Bool)], "a condition yields one bool")?;
            }
        }
        carries(&carried)
    }

    /// A call says what its callee does.
    fn effect(&self, callee: Callee, effect: Effect) -> Check {
        let known = match callee {
            Callee::Function(id) => {
                self.program.functions.get(id).is_some_and(|function| function.body.has_effect())
            }
            Callee::External(id) => {
                self.program.externals.get(id).is_some_and(|external| external.effect.is_some())
            }
        };
        want(known == effect.is_some(), "a call has the effect that what it calls has")
    }

    fn call(&self, callee: Callee, args: &[Atom], results: &[Type]) -> Check {
        let function = match callee {
            Callee::Function(function) => function,
            Callee::External(external) => return self.external(external, args, results),
        };
        let Some(callee) = self.program.functions.get(function) else {
            return Err(format!("{function} is a function of the program"));
        };
        want(args.len() == callee.params.len(), "a call has one argument a parameter")?;
        for (&arg, &param) in args.iter().zip(&callee.params) {
            let agree = self.type_of(arg).agrees(&callee.tables.vars[param].ty);
            want(agree, "an argument has its parameter's type")?;
        }
        want(results.len() == callee.results.len(), "a call binds each result")?;
        for (ty, result) in results.iter().zip(&callee.results) {
            want(ty.agrees(result), "a call binds what the function yields")?;
        }
        Ok(())
    }

    fn external(&self, external: ExternalId, args: &[Atom], results: &[Type]) -> Check {
        let Some(callee) = self.program.externals.get(external) else {
            return Err(format!("{external} is an external of the program"));
        };
        let takes = |components: &[Component], types: &[Type]| {
            let pairs = components.iter().zip(types);
            components.len() == types.len() && pairs.into_iter().all(|(of, ty)| of.takes(ty))
        };
        let args: Vec<_> = args.iter().map(|&arg| self.type_of(arg)).collect();
        want(takes(&callee.inputs, &args), "an external takes its components")?;
        want(takes(&callee.outputs, results), "an external gives its components")
    }

    fn one_size(&self, arrays: &[VarId]) -> Check {
        let mut size = None;
        for &array in arrays {
            let (_, shape) = self.array(array)?;
            want(size.is_none_or(|size| size == shape[0]), "all arrays have one size")?;
            size = Some(shape[0]);
        }
        Ok(())
    }

    fn yields(&self, found: &[Type], wanted: &[Type]) -> Check {
        want(found == wanted, "the variables have the types of the results")
    }

    /// As `yields`, up to the sizes of rows.
    fn gives(&self, found: &[Type], wanted: &[Type]) -> Check {
        let outer = |types: &[Type]| types.iter().map(first_extent).collect::<Vec<_>>();
        let same = agree(found, wanted) && outer(found) == outer(wanted);
        want(same, "the variables have the types of the results")
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

fn want(holds: bool, invariant: &str) -> Check {
    if holds { Ok(()) } else { Err(format!("broken: {invariant}")) }
}

fn first_extent(ty: &Type) -> Option<Extent> {
    match ty {
        Type::Array { shape, .. } => shape.first().copied(),
        Type::Scalar(_) => None,
    }
}

/// Whether types agree up to their sizes.
fn agree(left: &[Type], right: &[Type]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left.agrees(right))
}
