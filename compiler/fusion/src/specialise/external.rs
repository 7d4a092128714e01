//! Calls of C functions: the components of the arguments in, those of the result out.
//!
//! C decides the sizes of its results. So each dimension is a new size, and the declaration's size is compared with it
//! after the call, before anything relies on it.
//!
//! Invariant: components come in the order in which the types are written, as those of entries do.
//!
//! ```text
//! external split [n] (ps: [n](i64, f64)): ?[k].([k]i64, [n - k]f64)
//! split qs ⇒ a, b = split qs_0 qs_1; t = length b; u = n - length a; v = t == u; assert v …
//! ```

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::Specialiser;
use super::entry::{Inputs, in_order, output, tags};
use super::error::Eval;
use super::value::{Array, Column, Elem, Env, Leaf, Value};
use crate::cnf::{Callee, Component, Extent, External, Op, SizeDef, Type};
use crate::specialise::value_tree::{Sum, Tree, payload_path};
use arrc_front::core;
use arrc_front::core::{Body, Pat, Size, type_text};
use arrc_front::effect::Effect;
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::ids::{DefId, ExternalId, PrimaryMap, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Scalar};
use arrc_syntax::source::Span;

/// The C functions that are called so far, each declared once.
pub(super) struct Externals {
    declared: PrimaryMap<ExternalId, External>,
    ids: IndexMap<DefId, ExternalId>,
    /// The names of all C functions of the program.
    names: BTreeSet<Name>,
}

impl Externals {
    /// None is called yet.
    pub(super) fn new(core: &core::Program) -> Self {
        let externals = core.defs.values().filter(|def| matches!(def.body, Body::External(_)));
        let names = externals.map(|def| def.name.clone()).collect();
        Self { declared: PrimaryMap::default(), ids: IndexMap::new(), names }
    }

    /// The trace of values with this description.
    pub(super) fn trace(&self, described: &str) -> Option<ExternalId> {
        let mut declared = self.declared.iter();
        declared
            .find(|(_, external)| external.trace.as_deref() == Some(described))
            .map(|(id, _)| id)
    }

    /// Declares a trace, by a name that nothing else has.
    pub(super) fn declare_trace(&mut self, external: impl FnOnce(Name) -> External) -> ExternalId {
        let names = std::iter::once("trace".into())
            .chain((2_u32..).map(|number| Name::from(format!("trace_{number}"))));
        let name = names.into_iter().find(|name| !self.names.contains(name));
        let name = name.expect("the numbers do not end");
        self.names.insert(name.clone());
        self.declared.push(external(name))
    }

    fn declare(&mut self, def: DefId, external: External) -> ExternalId {
        let id = self.declared.push(external);
        self.ids.insert(def, id);
        id
    }

    /// All of them.
    pub(super) fn finish(self) -> PrimaryMap<ExternalId, External> {
        self.declared
    }
}

/// A result of a call of C, while its components are put together.
struct ExternalResult {
    /// The variables that are left, in order, with their components.
    components: std::vec::IntoIter<(VarId, Component)>,
    /// Whether there is only one.
    is_only: bool,
    /// The external's name.
    name: Name,
    span: Span,
}

impl<'a> Specialiser<'a> {
    /// Calls a C function with all its arguments.
    pub(super) fn external(
        &mut self,
        id: DefId,
        effect: Effect,
        args: Vec<Value<'a>>,
        span: Span,
    ) -> Eval<Value<'a>> {
        let def = &self.core.defs[id];
        let external = self.external_of(id, effect)?;
        let mut env = Env::default();
        let mut atoms = Vec::new();
        for (param, arg) in def.params.iter().zip(args) {
            self.learn(&mut env, &param.ty, &arg);
            let mut components = Vec::new();
            output(&param.ty, &arg, "", &mut components);
            atoms.extend(components.into_iter().map(|(_, atom)| atom));
            self.bind(&mut env, &param.pat, arg);
        }
        let outputs = self.externals.declared[external].outputs.clone();
        let types = outputs.iter().map(|component| self.new_sizes(component)).collect();
        let callee = Callee::External(external);
        let vars = self.build.emit(Op::Call { callee, args: atoms, effect }, types, span);
        let mut given = ExternalResult {
            is_only: outputs.len() == 1,
            components: vars.into_iter().zip(outputs).collect::<Vec<_>>().into_iter(),
            name: def.name.clone(),
            span,
        };
        Ok(self.take_value(&mut env, &def.result, &mut given))
    }

    /// The external of a definition, declared once.
    fn external_of(&mut self, id: DefId, effect: Effect) -> Eval<ExternalId> {
        if let Some(&known) = self.externals.ids.get(&id) {
            return Ok(known);
        }
        let def = &self.core.defs[id];
        for ty in def.params.iter().map(|param| &param.ty).chain([&def.result]) {
            self.eval_type(&Env::default(), ty, def.span)?;
        }
        let mut names = Inputs::new(def.span);
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        for (index, param) in def.params.iter().enumerate() {
            let name = self.parameter_name(&param.pat, index);
            components(&param.ty, 0, &name, &mut inputs);
        }
        let mut result = &def.result;
        while let core::Type::Exists(_, inner) = result {
            result = inner;
        }
        if let core::Type::Tuple(types) = result {
            for (index, ty) in types.iter().enumerate() {
                components(ty, 0, &format!("out{index}"), &mut outputs);
            }
        } else {
            components(result, 0, "out", &mut outputs);
        }
        for component in inputs.iter_mut().chain(&mut outputs) {
            component.name = names.add(&component.name).to_string();
        }
        let mut constructors = Vec::new();
        let types = def.params.iter().map(|param| &param.ty).chain([&def.result]);
        types.for_each(|ty| tags(ty, &mut constructors));
        let named = inputs.iter().chain(&outputs).zip(constructors);
        let tags = named.filter_map(|(of, own)| Some((of.name.clone(), own?))).collect();
        let (name, span, doc) = (def.name.clone(), def.span, def.doc.clone());
        let signature = crate::specialise::entry_signature::of(self.core, def);
        let external =
            External { name, span, doc, signature, effect, inputs, outputs, tags, trace: None };
        Ok(self.externals.declare(id, external))
    }

    /// The name of a parameter in C.
    fn parameter_name(&self, pat: &Pat, index: usize) -> String {
        match pat {
            Pat::Var(var, _) => self.core.vars[*var].name.to_string(),
            Pat::Wild | Pat::Tuple(_) | Pat::Record(_) | Pat::Constructor(..) | Pat::Const(..) => {
                format!("arg{index}")
            }
        }
    }

    /// The type of a component, with a new size for each dimension.
    fn new_sizes(&mut self, component: &Component) -> Type {
        if component.rank == 0 {
            return Type::Scalar(component.elem);
        }
        let fresh = |_| Extent::Size(self.build.fresh_size("k", SizeDef::Exists));
        Type::Array { elem: component.elem, shape: (0..component.rank).map(fresh).collect() }
    }

    /// The value of this type that the next components make.
    fn take_value(
        &mut self,
        env: &mut Env<'a>,
        ty: &core::Type,
        given: &mut ExternalResult,
    ) -> Value<'a> {
        match ty {
            core::Type::Scalar(_) => Value::scalar(given.scalar()),
            core::Type::Tuple(types) => {
                Tree::Tuple(types.iter().map(|ty| self.take_value(env, ty, given)).collect())
            }
            core::Type::Record(types) => {
                let fields = types.iter();
                Tree::Record(
                    fields
                        .map(|(name, ty)| (name.clone(), self.take_value(env, ty, given)))
                        .collect(),
                )
            }
            core::Type::Sum(types) => {
                let tag = Leaf::Scalar(given.scalar().into());
                let mut cases = std::collections::BTreeMap::new();
                for (constructor, types) in in_order(types) {
                    let payloads = types.iter().map(|ty| self.take_value(env, ty, given)).collect();
                    cases.insert(constructor.clone(), payloads);
                }
                Tree::Sum(Box::new(Sum { tag, cases }))
            }
            core::Type::Array(size, elem) => {
                let mut dims = vec![(ty, size)];
                let elem = self.take_elem(env, elem, &mut dims, given);
                Value::array(self.extent_of_size(env, size).expect("a component told it"), elem)
            }
            core::Type::Exists(_, ty) => self.take_value(env, ty, given),
            core::Type::Fun(..) | core::Type::Var(_) | core::Type::Hidden(_) => {
                panic!("an external gives data, and {} gives {ty:?}", given.name)
            }
        }
    }

    /// The elements of this type, in arrays of the dimensions `dims`, that the next components make.
    fn take_elem<'t>(
        &mut self,
        env: &mut Env<'a>,
        ty: &'t core::Type,
        dims: &mut Vec<(&'t core::Type, &'t Size)>,
        given: &mut ExternalResult,
    ) -> Elem {
        match ty {
            core::Type::Scalar(_) => Tree::Leaf(Column::Scalar(self.take_array(env, dims, given))),
            core::Type::Array(size, elem) => {
                dims.push((ty, size));
                let elem = self.take_elem(env, elem, dims, given);
                dims.pop();
                let size = self.extent_of_size(env, size).expect("a component told it");
                Tree::Leaf(Column::Rows(Box::new(Array { size, elem })))
            }
            core::Type::Tuple(types) => {
                Tree::Tuple(types.iter().map(|ty| self.take_elem(env, ty, dims, given)).collect())
            }
            core::Type::Record(types) => {
                let fields = types.iter();
                Tree::Record(
                    fields
                        .map(|(name, ty)| (name.clone(), self.take_elem(env, ty, dims, given)))
                        .collect(),
                )
            }
            core::Type::Sum(types) => {
                let tag = Column::Scalar(self.take_array(env, dims, given));
                let mut cases = std::collections::BTreeMap::new();
                for (constructor, types) in in_order(types) {
                    let payloads =
                        types.iter().map(|ty| self.take_elem(env, ty, dims, given)).collect();
                    cases.insert(constructor.clone(), payloads);
                }
                Tree::Sum(Box::new(Sum { tag, cases }))
            }
            core::Type::Fun(..)
            | core::Type::Var(_)
            | core::Type::Exists(..)
            | core::Type::Hidden(_) => {
                unreachable!("an element was checked to be data")
            }
        }
    }

    /// The next component, an array, with the sizes of its declaration. Known sizes are checked;
    /// the others are those of this component.
    fn take_array(
        &mut self,
        env: &mut Env<'a>,
        dims: &[(&core::Type, &Size)],
        given: &mut ExternalResult,
    ) -> VarId {
        let (var, component) = given.next();
        let Type::Array { shape, .. } = self.build.vars[var].ty.clone() else {
            panic!("`{}` of {} is an array", component.name, given.name)
        };
        let mut wanted = Vec::new();
        for (dim, (&(ty, size), &found)) in dims.iter().zip(&shape).enumerate() {
            match self.extent_of_size(env, size) {
                Some(_) => {
                    let array = given.message(&component, dim);
                    self.check_given(env, (ty, size), found, array, given.span);
                }
                None => self.learn_size(env, size, found),
            }
            wanted.push(self.extent_of_size(env, size).expect("at most one size is not known yet"));
        }
        self.build.reshaped(var, &wanted, given.span)
    }

    /// Checks that a dimension has the size of the declaration.
    fn check_given(
        &mut self,
        env: &Env<'a>,
        (ty, size): (&core::Type, &Size),
        found: Extent,
        array: String,
        span: Span,
    ) {
        let found = self.build.size_value(found, span).expect("an array tells its sizes");
        let wanted = self.value_of_size(env, size, span);
        let wanted = wanted.expect("what a dimension is compared with is known");
        let holds = self.build.bin(BinOp::Eq, found, wanted, span);
        let ty = type_text(ty, &mut self.size_names());
        let wanted = self.valued(size, wanted);
        self.check(holds, Failure::external_array_size(array, found, &ty, wanted), span);
    }
}

impl ExternalResult {
    fn next(&mut self) -> (VarId, Component) {
        self.components.next().expect("a call has a variable for each part of its result")
    }

    fn scalar(&mut self) -> VarId {
        self.next().0
    }

    /// The message on a dimension, before its size.
    fn message(&self, component: &Component, dim: usize) -> String {
        let which = if self.is_only { String::new() } else { format!(" `{}`", component.name) };
        let what = match dim {
            0 => "has the length ".to_owned(),
            1 => "has rows of the length ".to_owned(),
            more => format!("has in its dimension {} the length ", more + 1),
        };
        format!("the array{which} that the external `{}` gave {what}", self.name)
    }
}

/// Adds the components of a type, in arrays of a rank.
fn components(ty: &core::Type, rank: usize, name: &str, found: &mut Vec<Component>) {
    let mut push = |elem, name: String| found.push(Component { name, elem, rank });
    match ty {
        core::Type::Scalar(elem) => push(*elem, name.to_owned()),
        core::Type::Array(_, elem) => components(elem, rank + 1, name, found),
        core::Type::Exists(_, ty) => components(ty, rank, name, found),
        core::Type::Tuple(types) => {
            for (index, ty) in types.iter().enumerate() {
                components(ty, rank, &format!("{name}_{index}"), found);
            }
        }
        core::Type::Record(types) => {
            for (field, ty) in types {
                components(ty, rank, &format!("{name}_{field}"), found);
            }
        }
        core::Type::Sum(types) => {
            push(Scalar::I64, format!("{name}_tag"));
            for (constructor, types) in in_order(types) {
                for (index, ty) in types.iter().enumerate() {
                    let path = payload_path(constructor, types.len(), index);
                    components(ty, rank, &format!("{name}{path}"), found);
                }
            }
        }
        core::Type::Fun(..) | core::Type::Var(_) | core::Type::Hidden(_) => {
            panic!("an external takes and gives data, not {ty:?}")
        }
    }
}
