//! Checks the invariant of [`super`].

mod verify_calls;
mod verify_passes;

use indexmap::{IndexMap, IndexSet};

use super::{Block, Function, LoopForm, Memory, Phase, Program, ReplacedPart, Step, Worker};
use arrc_front::sorting::Sorting;
use arrc_fusion::cnf::{Atom, Callee, Extent, Type};
use arrc_fusion::process::verify_process::ensure;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::Scalar;

impl<P: Phase> Program<P> {
    /// Checks the invariant. In phases without ends of arrays, these are not checked.
    ///
    /// # Errors
    /// The first error, with its function.
    pub fn verify(&self) -> Result<(), String> {
        for function in self.functions.values() {
            let mut check = FunctionVerifier {
                program: self,
                function,
                bound: IndexSet::new(),
                visible: IndexSet::new(),
                gone: IndexSet::new(),
                views: IndexMap::new(),
                reshaped: IndexMap::new(),
                over: IndexSet::new(),
            };
            check.function().map_err(|what| format!("{}: {what}", function.name))?;
        }
        Ok(())
    }
}

/// A function under inspection.
struct FunctionVerifier<'a, P: Phase> {
    program: &'a Program<P>,
    function: &'a Function<P>,
    /// Every variable bound so far.
    bound: IndexSet<VarId>,
    /// The variables in scope, in the order of their binding.
    visible: IndexSet<VarId>,
    /// Arrays that were released or yielded.
    gone: IndexSet<VarId>,
    /// The views, each with the array in whose memory it is.
    views: IndexMap<VarId, VarId>,
    /// The arrays that have another shape in a view of all their elements, each with the view.
    reshaped: IndexMap<VarId, VarId>,
    /// The vectors over arrays, and the rows of such vectors.
    over: IndexSet<VarId>,
}

impl<P: Phase> FunctionVerifier<'_, P> {
    fn function(&mut self) -> Result<(), String> {
        let function = self.function;
        function.params.iter().try_for_each(|&param| self.bind(param))?;
        let owned: IndexSet<VarId> = function.owned.iter().copied().collect();
        ensure(owned.iter().all(|array| function.params.contains(array)), || {
            "a function owns what is no parameter".to_owned()
        })?;
        self.appends()?;
        self.block(&function.body, &function.results, owned)
    }

    /// Checks a block that owns these arrays and yields values of these types.
    fn block(
        &mut self,
        block: &Block<P>,
        results: &[Type],
        owned: IndexSet<VarId>,
    ) -> Result<(), String> {
        self.lending_block(block, results, owned, &IndexMap::new())
    }

    /// The same, of a block that lends some views.
    fn lending_block(
        &mut self,
        block: &Block<P>,
        results: &[Type],
        mut owned: IndexSet<VarId>,
        lent: &IndexMap<VarId, VarId>,
    ) -> Result<(), String> {
        let outside = self.visible.len();
        let whole = block.steps.iter().filter_map(Step::whole_view);
        self.reshaped.extend(whole.map(|(view, array)| (array, view)));
        for group in block.groups() {
            self.forks(group)?;
            group.iter().try_for_each(|step| self.step(step, &mut owned))?;
        }
        let types = block.results.iter().map(|&result| self.used(result));
        let types = types.collect::<Result<Vec<_>, _>>()?;
        same("what a block yields", &types, results)?;
        if P::OWNS {
            let arrays = block.results.iter().filter_map(|result| self.as_array(*result));
            for array in arrays.filter(|array| !lent.contains_key(array)).collect::<Vec<_>>() {
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

    fn step(&mut self, step: &Step<P>, owned: &mut IndexSet<VarId>) -> Result<(), String> {
        let results = match step {
            Step::Release { array } => {
                let array = (*array).into();
                self.used(Atom::Var(array))?;
                self.ends(array, owned)?;
                return Ok(());
            }
            Step::If { vars, cond, takes, then, otherwise } => {
                self.is(*cond, Scalar::Bool)?;
                let takes = takes.iter().map(|&array| array.into()).collect();
                self.branches([then, otherwise], &self.types_of(vars), takes, owned)?;
                vars.clone()
            }
            Step::Assert { check, .. } => {
                check.check(|value| self.scalar(value))?;
                Vec::new()
            }
            Step::Loop { vars, form, init, worker, .. } => {
                self.repeated(vars, form, init, worker, owned)?;
                vars.clone()
            }
            Step::Pass(pass) => self.pass(pass, owned)?,
            Step::Call { vars, callee, args, .. } => {
                self.call_step((vars, *callee, args), owned)?;
                vars.clone()
            }
            Step::Replace { array, .. } => self.operation(step, Some(*array), owned)?,
            Step::Unique { array, .. } => self.operation(step, Some((*array).into()), owned)?,
            Step::Append { extends, parts, .. } => {
                let made = self.operation(step, extends.map(Into::into), owned)?;
                parts.iter().try_for_each(|&part| self.used(Atom::Var(part)).map(drop))?;
                made
            }
            Step::Scalar { .. }
            | Step::Index { .. }
            | Step::Length { .. }
            | Step::Array { .. }
            | Step::Sort { .. }
            | Step::Constant { .. }
            | Step::Row { .. }
            | Step::Slice { .. }
            | Step::Reshape { .. }
            | Step::Copy { .. }
            | Step::Share { .. } => self.operation(step, None, owned)?,
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

    /// The branches of a choice. Both of them take over the ownership of the arrays `takes`.
    fn branches(
        &mut self,
        [then, otherwise]: [&Block<P>; 2],
        results: &[Type],
        takes: IndexSet<VarId>,
        owned: &mut IndexSet<VarId>,
    ) -> Result<(), String> {
        for &array in &takes {
            self.ends(array, owned)?;
            self.gone.swap_remove(&array);
        }
        let before = self.gone.clone();
        self.block(then, results, takes.clone())?;
        let gone = std::mem::replace(&mut self.gone, before);
        self.block(otherwise, results, takes)?;
        self.gone.extend(gone);
        Ok(())
    }

    /// A call. The arguments that the callee owns end with it.
    fn call_step(
        &mut self,
        (vars, callee, args): (&[VarId], Callee, &[Atom]),
        owned: &mut IndexSet<VarId>,
    ) -> Result<(), String> {
        let given = self.all_used(args)?;
        let taken = self.call(callee, &given, &self.types_of(vars))?;
        for (&arg, taken) in args.iter().zip(taken) {
            if let Some(array) = self.as_array(arg).filter(|_| taken) {
                self.ends(array, owned)?;
            }
        }
        Ok(())
    }

    /// A step with one operation, which may end an array.
    fn operation(
        &mut self,
        step: &Step<P>,
        ends: Option<VarId>,
        owned: &mut IndexSet<VarId>,
    ) -> Result<Vec<VarId>, String> {
        let (var, ty) = self.result_of(step)?;
        same(&self.name(var), &self.types_of(&[var]), &[ty])?;
        if let Some(array) = ends {
            self.ends(array, owned)?;
        }
        Ok(vec![var])
    }

    /// The variable that a step of one operation binds, and the type of the result.
    fn result_of(&self, step: &Step<P>) -> Result<(VarId, Type), String> {
        Ok(match step {
            Step::Scalar { var, op, .. } => (*var, Type::Scalar(op.check(|arg| self.scalar(arg))?)),
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
            Step::Slice { var, array, indices, count } => {
                self.is(*count, Scalar::I64)?;
                (*var, self.slice(*var, *array, indices)?)
            }
            Step::Length { var, array, dim } => {
                let (_, rank) = self.array(*array)?;
                ensure(*dim < rank, || format!("{} has no dimension {dim}", self.name(*array)))?;
                (*var, Type::Scalar(Scalar::I64))
            }
            Step::Append { var, extends, parts, room, placed, memory, .. } => {
                let is_new = matches!(memory, Memory::New | Memory::Scratch);
                ensure(is_new || extends.is_none(), || {
                    format!("{} is in the memory of what it extends", self.name(*var))
                })?;
                self.literal_memory(*var, memory)?;
                room.iter().try_for_each(|more| self.length(more))?;
                let is_one = extends.is_some() && parts.len() == 1;
                ensure(!placed || is_one, || format!("{} is placed", self.name(*var)))?;
                let parts = extends.map(Into::into).into_iter().chain(parts.iter().copied());
                let parts = parts.map(Atom::Var).collect::<Vec<_>>();
                (*var, self.append(*var, &parts, !room.is_empty())?)
            }
            Step::Array { var, elem, elems, memory, .. } => {
                self.literal_memory(*var, memory)?;
                (*var, self.literal(*var, *elem, elems)?)
            }
            Step::Sort { var, sorting, array, window, memory, .. } => {
                self.literal_memory(*var, memory)?;
                window.iter().try_for_each(|&at| self.is(at, Scalar::I64))?;
                let (elem, rank) = self.array(*array)?;
                let is_sorted = rank == 1 && Sorting::takes(elem);
                ensure(is_sorted, || format!("{} has numbers", self.name(*array)))?;
                (*var, Type::Scalar(sorting.gives(elem)).array_of(Extent::Const(0)))
            }
            Step::Constant { var, data } => {
                let [ty] = <[Type; 1]>::try_from(self.types_of(&[*var])).expect("one variable");
                let volume = Extent::volume(ty.shape());
                let fills =
                    ty.is_array() && ty.scalars() == data.elem() && volume == Some(data.len());
                ensure(fills, || format!("{} has the scalars of its shape", self.name(*var)))?;
                (*var, ty)
            }
            Step::Share { var, array } => (*var, self.used(Atom::Var(*array))?),
            Step::Copy { var, array, .. } | Step::Unique { var, array, .. } => {
                (*var, self.used(Atom::Var((*array).into()))?)
            }
            Step::Replace {
                var,
                array,
                indices,
                target: ReplacedPart::Window,
                value,
                placed,
                ..
            } => (*var, self.window(*array, indices, *value, *placed)?),
            Step::Replace { var, array, indices, value, .. } => {
                (*var, self.replacement(*array, indices, *value)?)
            }
            Step::Reshape { var, array, shape } => {
                shape.iter().try_for_each(|&extent| self.is(extent, Scalar::I64))?;
                let (elem, _) = self.array(*array)?;
                (*var, Type::Array { elem, shape: vec![Extent::Const(0); shape.len()] })
            }
            Step::If { .. }
            | Step::Assert { .. }
            | Step::Call { .. }
            | Step::Loop { .. }
            | Step::Release { .. }
            | Step::Pass(_) => {
                panic!("a step of one operation")
            }
        })
    }

    /// The type of a slice: its last index is the position of its first element.
    fn slice(&self, var: VarId, array: VarId, indices: &[Atom]) -> Result<Type, String> {
        let [row @ .., from] = indices else {
            return Err(format!("{} begins nowhere", self.name(var)));
        };
        self.is(*from, Scalar::I64)?;
        let ty =
            if row.is_empty() { self.used(Atom::Var(array))? } else { self.element(array, row)? };
        let element = ty.element().ok_or_else(|| format!("{} is a part", self.name(var)))?;
        Ok(element.array_of(Extent::Const(0)))
    }

    /// The type of an append. Only one with room for more elements has fewer than two parts.
    fn append(&self, var: VarId, parts: &[Atom], has_room: bool) -> Result<Type, String> {
        let types = self.all_used(parts)?;
        ensure(types.len() > 1 || has_room, || format!("{} has one part", self.name(var)))?;
        for ty in &types {
            same("the parts of an append", &types[..1], std::slice::from_ref(ty))?;
        }
        Ok(types.first().unwrap_or(&self.function.tables.vars[var].ty).clone())
    }

    /// The memory of an array literal: it overwrites no array.
    fn literal_memory(&self, var: VarId, memory: &Memory<P>) -> Result<(), String> {
        match memory {
            Memory::New | Memory::Scratch | Memory::DoubleBuffer => Ok(()),
            Memory::Row(place) => self.place(var, place),
            Memory::Over(_) | Memory::Behind(_) | Memory::Part(_) => {
                Err("a literal goes over no array".into())
            }
        }
    }

    /// The type of an array literal with scalars of the type `elem`.
    fn literal(&self, var: VarId, elem: Scalar, elems: &[Atom]) -> Result<Type, String> {
        let types = match elems {
            [] => vec![Type::Scalar(elem)],
            elems => self.all_used(elems)?,
        };
        let same = types.iter().all(|ty| ty.agrees(&types[0]));
        ensure(same, || format!("the elements of {} have one type", self.name(var)))?;
        Ok(types[0].array_of(Extent::Const(0)))
    }

    /// The type of an array in which a pass made a window in its place.
    fn window(
        &self,
        array: VarId,
        indices: &[Atom],
        value: Atom,
        placed: bool,
    ) -> Result<Type, String> {
        indices.iter().try_for_each(|&index| self.is(index, Scalar::I64))?;
        let ty = self.used(Atom::Var(array))?;
        let fits = is_window(&ty, indices.len(), &self.used(value)?);
        ensure(placed && fits, || format!("a pass makes a window of {}", self.name(array)))?;
        Ok(ty)
    }

    /// The type of an array that has a part replaced.
    fn replacement(&self, array: VarId, indices: &[Atom], value: Atom) -> Result<Type, String> {
        indices.iter().try_for_each(|&index| self.is(index, Scalar::I64))?;
        let ty = self.used(Atom::Var(array))?;
        let part = part(&ty, indices.len());
        let part =
            part.ok_or_else(|| format!("{} indices of {}", indices.len(), self.name(array)))?;
        same("what is replaced", &[self.used(value)?], &[part])?;
        Ok(ty)
    }

    /// An array ends here: from here on the block does not own it.
    fn ends(&mut self, array: VarId, owned: &mut IndexSet<VarId>) -> Result<(), String> {
        if !P::OWNS {
            return Ok(());
        }
        ensure(owned.swap_remove(&array), || {
            format!("{} ends and is not owned", self.name(array))
        })?;
        self.gone.insert(array);
        Ok(())
    }

    /// The values that a loop carries have the types of its results.
    fn repeated(
        &mut self,
        vars: &[VarId],
        form: &LoopForm<P>,
        init: &[Atom],
        worker: &Worker<P>,
        owned: &mut IndexSet<VarId>,
    ) -> Result<(), String> {
        let types = self.types_of(vars);
        let found = init.iter().map(|&init| self.used(init)).collect::<Result<Vec<_>, _>>()?;
        same("the initial values of a loop", &found, &types)?;
        let arrays = init.iter().filter_map(|&init| self.as_array(init)).collect::<Vec<_>>();
        arrays.into_iter().try_for_each(|array| self.ends(array, owned))?;
        let (carried, counters) = worker.params.split_at(init.len());
        same("what a loop carries", &self.types_of(carried), &types)?;
        match form {
            LoopForm::For { count } => {
                self.is(*count, Scalar::I64)?;
                ensure(counters.len() == 1, || "a counted loop has one counter".to_owned())?;
            }
            LoopForm::While { cond } => {
                same("what the condition gets", &self.types_of(&cond.params), &types)?;
                self.inside(cond, &[Type::Scalar(Scalar::Bool)], IndexSet::new())?;
            }
        }
        let arrays = carried.iter().copied().filter(|&param| self.is_array(param)).collect();
        self.inside(worker, &types, arrays)
    }

    /// A worker of a loop.
    fn inside(
        &mut self,
        worker: &Worker<P>,
        results: &[Type],
        owned: IndexSet<VarId>,
    ) -> Result<(), String> {
        let outside = self.visible.len();
        worker.params.iter().try_for_each(|&param| self.bind(param))?;
        self.block(&worker.body, results, owned)?;
        self.visible.truncate(outside);
        Ok(())
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
                Ok(self.function.tables.vars[var].ty.clone())
            }
        }
    }

    /// The types of atoms that are used here.
    fn all_used(&self, atoms: &[Atom]) -> Result<Vec<Type>, String> {
        atoms.iter().map(|&atom| self.used(atom)).collect()
    }

    /// The type of an element or a row of an array at indices.
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
        match &self.function.tables.vars[array].ty {
            Type::Scalar(scalar) => Err(format!("{} is no array but {scalar}", self.name(array))),
            Type::Array { elem, shape } => Ok((*elem, shape.len())),
        }
    }

    fn types_of(&self, vars: &[VarId]) -> Vec<Type> {
        vars.iter().map(|&var| self.function.tables.vars[var].ty.clone()).collect()
    }

    fn is_array(&self, var: VarId) -> bool {
        self.function.tables.vars[var].ty.is_array()
    }

    fn as_array(&self, atom: Atom) -> Option<VarId> {
        match atom {
            Atom::Const(_) => None,
            Atom::Var(var) => self.is_array(var).then_some(var),
        }
    }

    fn name(&self, var: VarId) -> String {
        format!("`{}` ({var})", self.function.tables.vars[var].name)
    }
}

/// The type of a value of this type after `indices` indices.
fn part(ty: &Type, indices: usize) -> Option<Type> {
    let Type::Array { elem, shape } = ty else { return None };
    match shape.get(indices..)? {
        [] => Some(Type::Scalar(*elem)),
        rest => Some(Type::Array { elem: *elem, shape: rest.to_vec() }),
    }
}

/// Whether a value of the second type can replace a window of an array of the first type. The window begins at a
/// position with that number of indices.
fn is_window(ty: &Type, indices: usize, value: &Type) -> bool {
    let (Type::Array { elem, shape }, Type::Array { elem: of, shape: along }) = (ty, value) else {
        return false;
    };
    elem == of && shape.len() == indices && (1..=indices).contains(&along.len())
}

fn same(of: &str, found: &[Type], wanted: &[Type]) -> Result<(), String> {
    let equal = found.len() == wanted.len()
        && found.iter().zip(wanted).all(|(found, wanted)| found.agrees(wanted));
    ensure(equal, || format!("{of}: {found:?} against {wanted:?}"))
}
