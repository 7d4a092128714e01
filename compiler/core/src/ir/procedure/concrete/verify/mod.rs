//! What every concrete program keeps: see the invariant of [`super`].

mod pass;

use indexmap::{IndexMap, IndexSet};

use super::{Block, Function, Program, Step};
use crate::ids::VarId;
use crate::ir::cnf::{Atom, Extent, Type};
use crate::ir::process::verify::ensure;
use crate::prim::Scalar;

impl Program {
    /// Checks the invariant.
    ///
    /// # Errors
    /// What is wrong, and in which function.
    pub fn verify(&self) -> Result<(), String> {
        self.verify_with(Lifetimes::Given)
    }

    /// Checks the invariant of a program whose arrays have no ends of their lives yet: names and types.
    ///
    /// # Errors
    /// What is wrong, and in which function.
    pub fn verify_names(&self) -> Result<(), String> {
        self.verify_with(Lifetimes::Open)
    }

    fn verify_with(&self, lifetimes: Lifetimes) -> Result<(), String> {
        for function in self.functions.values() {
            let mut check = Check {
                program: self,
                function,
                lifetimes,
                bound: IndexSet::new(),
                visible: IndexSet::new(),
                gone: IndexSet::new(),
                views: IndexMap::new(),
            };
            check.function().map_err(|what| format!("{}: {what}", function.name))?;
        }
        Ok(())
    }
}

/// Whether arrays have been given the ends of their lives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lifetimes {
    Open,
    Given,
}

/// A function under inspection.
struct Check<'a> {
    program: &'a Program,
    function: &'a Function,
    lifetimes: Lifetimes,
    /// Every variable bound so far.
    bound: IndexSet<VarId>,
    /// Those in scope, in the order of their binding.
    visible: IndexSet<VarId>,
    /// Arrays that were released or yielded.
    gone: IndexSet<VarId>,
    /// The arrays in whose memory views are.
    views: IndexMap<VarId, VarId>,
}

impl<'a> Check<'a> {
    fn function(&mut self) -> Result<(), String> {
        let function = self.function;
        function.params.iter().try_for_each(|&param| self.bind(param))?;
        self.block(&function.body, &function.results)
    }

    /// Checks a block that yields values of those types.
    fn block(&mut self, block: &Block, results: &[Type]) -> Result<(), String> {
        let outside = self.visible.len();
        let mut owned = IndexSet::new();
        for step in &block.steps {
            self.step(step, &mut owned)?;
        }
        let types = block.results.iter().map(|&result| self.used(result));
        let types = types.collect::<Result<Vec<_>, _>>()?;
        same("what a block yields", &types, results)?;
        if self.lifetimes == Lifetimes::Given {
            let arrays = block.results.iter().filter_map(|result| self.as_array(*result));
            for array in arrays.collect::<Vec<_>>() {
                ensure(owned.swap_remove(&array), || {
                    format!("{} is yielded and not owned", self.name(array))
                })?;
                self.gone.insert(array);
            }
            let left = owned.iter().map(|&array| self.name(array)).collect::<Vec<_>>();
            ensure(left.is_empty(), || format!("never released: {}", left.join(", ")))?;
        }
        self.visible.truncate(outside);
        Ok(())
    }

    fn step(&mut self, step: &Step, owned: &mut IndexSet<VarId>) -> Result<(), String> {
        let results = match step {
            Step::Release { array } => {
                self.used(Atom::Var(*array))?;
                ensure(self.lifetimes == Lifetimes::Given && owned.swap_remove(array), || {
                    format!("{} is released and not owned", self.name(*array))
                })?;
                self.gone.insert(*array);
                return Ok(());
            }
            Step::If { vars, cond, then, otherwise } => {
                self.is(*cond, Scalar::Bool)?;
                let types = self.types_of(vars);
                self.block(then, &types)?;
                self.block(otherwise, &types)?;
                vars.clone()
            }
            Step::Pass(pass) => self.pass(pass)?,
            Step::Call { vars, function, args, .. } => {
                let callee = self.program.functions.get(*function);
                let callee =
                    callee.ok_or_else(|| format!("a call of {function}, which is none"))?;
                let args = args.iter().map(|&arg| self.used(arg)).collect::<Result<Vec<_>, _>>()?;
                let params = callee.params.iter().map(|&param| callee.vars[param].ty.clone());
                same("a call's arguments", &args, &params.collect::<Vec<_>>())?;
                same("a call's results", &self.types_of(vars), &callee.results)?;
                vars.clone()
            }
            Step::Un { .. }
            | Step::Bin { .. }
            | Step::Index { .. }
            | Step::Length { .. }
            | Step::Append { .. }
            | Step::Array { .. }
            | Step::Row { .. }
            | Step::Reshape { .. }
            | Step::Share { .. } => {
                let (var, ty) = self.simple(step)?;
                let of = self.name(var);
                same(&of, &self.types_of(&[var]), &[ty])?;
                vec![var]
            }
        };
        let view = step.view();
        self.views.extend(view);
        for var in results {
            self.bind(var)?;
            if self.is_array(var) && view.is_none() {
                owned.insert(var);
            }
        }
        Ok(())
    }

    /// The variable that a step of one operation binds, and the type of what the operation gives.
    fn simple(&self, step: &Step) -> Result<(VarId, Type), String> {
        Ok(match step {
            Step::Un { var, op, arg } => {
                let operand = self.scalar(*arg)?;
                ensure(op.accepts(operand), || format!("`{}` of {operand}", op.name()))?;
                (*var, Type::Scalar(op.result(operand)))
            }
            Step::Bin { var, op, args: [left, right], .. } => {
                let operand = self.scalar(*left)?;
                self.is(*right, operand)?;
                ensure(op.accepts(operand), || format!("`{}` of {operand}", op.name()))?;
                (*var, Type::Scalar(op.result(operand)))
            }
            Step::Index { var, array, indices, .. } => {
                let ty = self.element(*array, indices)?;
                ensure(!ty.is_array(), || format!("{} is no row", self.name(*var)))?;
                (*var, ty)
            }
            Step::Row { var, array, indices, .. } => {
                let ty = self.element(*array, indices)?;
                ensure(ty.is_array(), || format!("{} is a row", self.name(*var)))?;
                (*var, ty)
            }
            Step::Length { var, array, dim } => {
                let (_, rank) = self.array(*array)?;
                ensure(*dim < rank, || format!("{} has no dimension {dim}", self.name(*array)))?;
                (*var, Type::Scalar(Scalar::I64))
            }
            Step::Append { var, left, right, .. } => {
                let [left, right] = [left, right].map(|side| self.used(Atom::Var(*side)));
                let (left, right) = (left?, right?);
                same("the parts of an append", std::slice::from_ref(&left), &[right])?;
                (*var, left)
            }
            Step::Array { var, elem, elems, .. } => {
                let mut types = vec![Type::Scalar(*elem)];
                if !elems.is_empty() {
                    types = elems.iter().map(|&each| self.used(each)).collect::<Result<_, _>>()?;
                }
                let same = types.iter().all(|ty| ty.agrees(&types[0]));
                ensure(same, || format!("the elements of {} have one type", self.name(*var)))?;
                (*var, types[0].array_of(Extent::Const(0)))
            }
            Step::Share { var, array } => (*var, self.used(Atom::Var(*array))?),
            Step::Reshape { var, array, shape } => {
                shape.iter().try_for_each(|&extent| self.is(extent, Scalar::I64))?;
                let (elem, _) = self.array(*array)?;
                (*var, Type::Array { elem, shape: vec![Extent::Const(0); shape.len()] })
            }
            Step::If { .. } | Step::Call { .. } | Step::Release { .. } | Step::Pass(_) => {
                panic!("a step of one operation")
            }
        })
    }

    fn bind(&mut self, var: VarId) -> Result<(), String> {
        self.bind_once(var)?;
        self.visible.insert(var);
        Ok(())
    }

    fn bind_once(&mut self, var: VarId) -> Result<(), String> {
        ensure(self.bound.insert(var), || format!("{} is bound twice", self.name(var)))
    }

    /// The type of an atom that is used here.
    fn used(&self, atom: Atom) -> Result<Type, String> {
        match atom {
            Atom::Const(value) => Ok(Type::Scalar(value.ty)),
            Atom::Var(var) => {
                let name = || self.name(var);
                ensure(self.visible.contains(&var), || {
                    format!("{} is used where it is not bound", name())
                })?;
                let mut behind =
                    std::iter::successors(Some(var), |var| self.views.get(var).copied());
                ensure(!behind.any(|var| self.gone.contains(&var)), || {
                    format!("{} is used after its end", name())
                })?;
                Ok(self.function.vars[var].ty.clone())
            }
        }
    }

    /// The type of what indices give of an array.
    fn element(&self, array: VarId, indices: &[Atom]) -> Result<Type, String> {
        indices.iter().try_for_each(|&index| self.is(index, Scalar::I64))?;
        let mut element = Some(self.used(Atom::Var(array))?);
        for _ in indices {
            element = element.and_then(|array| array.element());
        }
        element.ok_or_else(|| format!("{} indices of {}", indices.len(), self.name(array)))
    }

    fn scalar(&self, atom: Atom) -> Result<Scalar, String> {
        self.used(atom)?.as_scalar().ok_or_else(|| format!("{atom:?} is no scalar"))
    }

    fn is(&self, atom: Atom, scalar: Scalar) -> Result<(), String> {
        let found = self.scalar(atom)?;
        ensure(found == scalar, || format!("{atom:?} is {found}, not {scalar}"))
    }

    /// The element type and rank of an array that is used here.
    fn array(&self, array: VarId) -> Result<(Scalar, usize), String> {
        self.used(Atom::Var(array))?;
        self.type_of_array(array)
    }

    fn type_of_array(&self, array: VarId) -> Result<(Scalar, usize), String> {
        match &self.function.vars[array].ty {
            Type::Scalar(scalar) => Err(format!("{} is no array but {scalar}", self.name(array))),
            Type::Array { elem, shape } => Ok((*elem, shape.len())),
        }
    }

    fn types_of(&self, vars: &[VarId]) -> Vec<Type> {
        vars.iter().map(|&var| self.function.vars[var].ty.clone()).collect()
    }

    fn is_array(&self, var: VarId) -> bool {
        self.function.vars[var].ty.is_array()
    }

    fn as_array(&self, atom: Atom) -> Option<VarId> {
        match atom {
            Atom::Const(_) => None,
            Atom::Var(var) => self.is_array(var).then_some(var),
        }
    }

    fn name(&self, var: VarId) -> String {
        format!("`{}` ({var})", self.function.vars[var].name)
    }
}

fn same(of: &str, found: &[Type], wanted: &[Type]) -> Result<(), String> {
    let equal = found.len() == wanted.len()
        && found.iter().zip(wanted).all(|(found, wanted)| found.agrees(wanted));
    ensure(equal, || format!("{of}: {found:?} against {wanted:?}"))
}
