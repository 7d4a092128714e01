//! Entries: a function whose parameters and results are the scalar components of the entry's types.
//!
//! Invariant: components come in the order in which the types are written, also the fields of records.
//!
//! ```text
//! entry f [n] (p: {y: f64, x: f64}) (qs: [n](i64, i64)): (i64, [n]f64)
//! ⇒ inputs p_y, p_x, qs_0, qs_1; outputs out0, out1
//! ```

use std::collections::BTreeMap;

use indexmap::{IndexMap, IndexSet};

use super::apply::is_called;
use super::build::Builder;
use super::error::Eval;
use super::value::{Array, Column, Elem, Env, Leaf, Value};
use super::{CurrentFunction, Specialiser, atoms};
use crate::cnf::{Atom, Entry, Extent, Type};
use crate::specialise::entry_signature;
use crate::specialise::value_tree::{Sum, Tree, payload_path};
use arrc_front::core;
use arrc_front::core::{Body, Pat};
use arrc_syntax::ids::DefId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// The input components as they are declared.
pub(super) struct Inputs {
    names: IndexSet<String>,
    /// The place of the parameter that they belong to.
    span: Span,
}

impl<'a> Specialiser<'a> {
    /// Builds the function of an entry.
    pub(super) fn entry(&mut self, id: DefId) -> Eval<()> {
        let def = &self.core.defs[id];
        self.begin(Builder::new(), CurrentFunction::new(def.name.clone(), Vec::new()));
        let func = self.functions.declare();
        let mut env = Env::default();
        self.plain_sizes(&mut env, def);
        let mut inputs = Inputs::new(def.span);
        let mut args = Vec::new();
        for (index, param) in def.params.iter().enumerate() {
            let (name, span) =
                self.input_name(param).unwrap_or_else(|| (format!("arg{index}"), def.span));
            inputs.span = span;
            let arg = self.declare(&mut env, &param.ty, &name, &mut inputs)?;
            // The sizes are learned and checked when all arguments are known.
            self.bind_vars(&mut env, &param.pat, &arg);
            args.push(arg);
        }
        let args = self.arguments(&mut env, def, args)?;
        for (param, arg) in def.params.iter().zip(&args) {
            self.check_tags(&param.ty, arg, None, def.span)?;
        }
        let outputs_from = inputs.names.len();
        let result = match &def.body {
            Body::Expr(_) if is_called(def, &[]) => self.call(id, &[], args, def.span)?,
            Body::Expr(body) => self.eval(&mut env, body)?,
            Body::Intrinsic(_) | Body::External(_) => {
                panic!("an entry has an expression, and {} has none", def.name)
            }
        };
        let (mut outputs, mut results) = (Vec::new(), Vec::new());
        for (name, atom) in self.outputs(def, &result) {
            // Inputs and outputs are parameters of one C function.
            outputs.push(inputs.add(&name));
            results.push(atom);
        }
        inputs.names.truncate(outputs_from);
        let build = std::mem::replace(&mut self.build, Builder::new());
        self.functions.define(func, build.finish(def.name.clone(), def.span, false, results));
        let inputs: Vec<String> = inputs.names.into_iter().collect();
        let outputs: Vec<String> = outputs.iter().map(ToString::to_string).collect();
        let mut constructors = Vec::new();
        let types = def.params.iter().map(|param| &param.ty).chain([&def.result]);
        types.for_each(|ty| tags(ty, &mut constructors));
        let components = inputs.iter().chain(&outputs).zip(constructors);
        let tags = components.filter_map(|(name, own)| Some((name.clone(), own?))).collect();
        self.entries.push(Entry {
            name: def.name.clone(),
            doc: def.doc.clone(),
            signature: entry_signature::of(self.core, def),
            function: func,
            inputs,
            outputs,
            tags,
        });
        Ok(())
    }

    /// The name of a parameter, and its place, if its pattern is a name.
    fn input_name(&self, param: &core::Param) -> Option<(String, Span)> {
        let Pat::Var(var, _) = &param.pat else { return None };
        let info = &self.core.vars[*var];
        Some((info.name.to_string(), info.span))
    }

    /// Makes the parameters for a value of this type.
    fn declare(
        &mut self,
        env: &mut Env<'a>,
        ty: &core::Type,
        name: &str,
        inputs: &mut Inputs,
    ) -> Eval<Value<'a>> {
        Ok(match ty {
            core::Type::Scalar(scalar) => {
                let name = inputs.add(name);
                Value::scalar(self.build.param(name, Type::Scalar(*scalar)))
            }
            core::Type::Tuple(types) => Tree::Tuple(
                types
                    .iter()
                    .enumerate()
                    .map(|(index, ty)| self.declare(env, ty, &format!("{name}_{index}"), inputs))
                    .collect::<Eval<_>>()?,
            ),
            core::Type::Record(types) => Tree::Record(
                types
                    .iter()
                    .map(|(field, ty)| {
                        let value = self.declare(env, ty, &format!("{name}_{field}"), inputs)?;
                        Ok((field.clone(), value))
                    })
                    .collect::<Eval<_>>()?,
            ),
            core::Type::Sum(types) => {
                let tag = inputs.add(&format!("{name}_tag"));
                let tag = self.build.param(tag, Type::Scalar(Scalar::I64));
                let mut cases = BTreeMap::new();
                for (constructor, types) in in_order(types) {
                    let mut payloads = Vec::new();
                    for (index, ty) in types.iter().enumerate() {
                        let path = payload_path(constructor, types.len(), index);
                        payloads.push(self.declare(env, ty, &format!("{name}{path}"), inputs)?);
                    }
                    cases.insert(constructor.clone(), payloads);
                }
                Tree::Sum(Box::new(Sum { tag: Leaf::Scalar(tag.into()), cases }))
            }
            core::Type::Array(size, elem) => {
                self.present.lets.push(name.into());
                let ty = self.eval_type(env, elem, inputs.span)?;
                self.check_element(&ty, inputs.span)?;
                self.present.lets.pop();
                let size = self.argument_extent(env, size);
                Value::array(size, self.declare_element(env, elem, &[size], name, inputs))
            }
            core::Type::Fun(..) => panic!("an entry takes no functions, and `{name}` is one"),
            core::Type::Var(var) => panic!("an entry has no type parameters, and {var} is one"),
            core::Type::Exists(_, ty) => self.declare(env, ty, name, inputs)?,
            core::Type::Hidden(hidden) => hidden.gone(),
        })
    }

    /// Makes an array parameter for each scalar of an element of this type; the shape is that of the
    /// arrays around.
    fn declare_element(
        &mut self,
        env: &mut Env<'a>,
        ty: &core::Type,
        shape: &[Extent],
        name: &str,
        inputs: &mut Inputs,
    ) -> Elem {
        match ty {
            core::Type::Scalar(elem) => {
                let name = inputs.add(name);
                let ty = Type::Array { elem: *elem, shape: shape.to_vec() };
                Tree::Leaf(Column::Scalar(self.build.param(name, ty)))
            }
            core::Type::Array(size, elem) => {
                let size = self.argument_extent(env, size);
                let shape = [shape, &[size]].concat();
                let elem = self.declare_element(env, elem, &shape, name, inputs);
                Tree::Leaf(Column::Rows(Box::new(Array { size, elem })))
            }
            core::Type::Tuple(types) => {
                let items = types.iter().enumerate().map(|(index, ty)| {
                    let name = format!("{name}_{index}");
                    self.declare_element(env, ty, shape, &name, inputs)
                });
                Tree::Tuple(items.collect())
            }
            core::Type::Record(types) => {
                let fields = types.iter().map(|(field, ty)| {
                    let name = format!("{name}_{field}");
                    (field.clone(), self.declare_element(env, ty, shape, &name, inputs))
                });
                Tree::Record(fields.collect())
            }
            core::Type::Sum(types) => {
                let tag = inputs.add(&format!("{name}_tag"));
                let ty = Type::Array { elem: Scalar::I64, shape: shape.to_vec() };
                let tag = Column::Scalar(self.build.param(tag, ty));
                let mut cases = BTreeMap::new();
                for (constructor, types) in in_order(types) {
                    let mut payloads = Vec::new();
                    for (index, ty) in types.iter().enumerate() {
                        let path = payload_path(constructor, types.len(), index);
                        let name = format!("{name}{path}");
                        payloads.push(self.declare_element(env, ty, shape, &name, inputs));
                    }
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

    /// The output components with their names.
    fn outputs(&self, def: &core::Def, result: &Value<'a>) -> Vec<(String, Atom)> {
        let mut ty = &def.result;
        while let core::Type::Exists(_, inner) = ty {
            ty = inner;
        }
        let mut outputs = Vec::new();
        if let (core::Type::Tuple(types), Tree::Tuple(items)) = (ty, result) {
            for (index, (ty, item)) in types.iter().zip(items).enumerate() {
                output(ty, item, &format!("out{index}"), &mut outputs);
            }
        } else {
            output(ty, result, "out", &mut outputs);
        }
        outputs
    }
}

impl Inputs {
    /// No components yet; `span` is where messages point.
    pub(super) fn new(span: Span) -> Self {
        Self { names: IndexSet::new(), span }
    }

    /// Adds a component with this name, or with a similar one if the name is taken.
    pub(super) fn add(&mut self, name: &str) -> Name {
        let mut fresh = name.to_owned();
        while !self.names.insert(fresh.clone()) {
            fresh.push('_');
        }
        fresh.into()
    }
}

/// For each component of a type that is a tag, the constructors that it tells apart.
pub(super) fn tags(ty: &core::Type, found: &mut Vec<Option<Vec<Name>>>) {
    match ty {
        core::Type::Scalar(_) => found.push(None),
        core::Type::Tuple(types) => types.iter().for_each(|ty| tags(ty, found)),
        core::Type::Record(types) => types.values().for_each(|ty| tags(ty, found)),
        core::Type::Sum(types) => {
            found.push(Some(in_order(types).map(|(name, _)| name.clone()).collect()));
            in_order(types).flat_map(|(_, types)| types).for_each(|ty| tags(ty, found));
        }
        core::Type::Array(_, ty) | core::Type::Exists(_, ty) => tags(ty, found),
        core::Type::Fun(..) | core::Type::Var(_) | core::Type::Hidden(_) => {
            panic!("an entry takes and gives data, not {ty:?}")
        }
    }
}

/// The constructors of a sum in the order of their tags.
pub(super) fn in_order(
    types: &IndexMap<Name, Vec<core::Type>>,
) -> impl Iterator<Item = (&Name, &Vec<core::Type>)> {
    let mut ordered: Vec<_> = types.iter().collect();
    ordered.sort_by_key(|(name, _)| *name);
    ordered.into_iter()
}

/// Adds the components of a value in the order of its type.
pub(super) fn output(
    ty: &core::Type,
    value: &Value<'_>,
    name: &str,
    outputs: &mut Vec<(String, Atom)>,
) {
    match (ty, value) {
        (core::Type::Tuple(types), Tree::Tuple(items)) => {
            for (index, (ty, item)) in types.iter().zip(items).enumerate() {
                output(ty, item, &format!("{name}_{index}"), outputs);
            }
        }
        (core::Type::Record(types), Tree::Record(fields)) => {
            for (field, ty) in types {
                output(ty, &fields[field], &format!("{name}_{field}"), outputs);
            }
        }
        (core::Type::Sum(types), Tree::Sum(sum)) => {
            let tag = atoms(&sum.tag).into_iter().map(|atom| (format!("{name}_tag"), atom));
            outputs.extend(tag);
            for (constructor, types) in in_order(types) {
                let payloads = types.iter().zip(&sum.cases[constructor]);
                for (index, (ty, payload)) in payloads.enumerate() {
                    let path = payload_path(constructor, types.len(), index);
                    output(ty, payload, &format!("{name}{path}"), outputs);
                }
            }
        }
        (core::Type::Array(_, elem), Tree::Leaf(Leaf::Array(array))) => {
            output_element(elem, &array.elem, name, outputs);
        }
        (_, value) => {
            for (path, leaf) in value.paths() {
                for atom in atoms(leaf) {
                    outputs.push((format!("{name}{path}"), atom));
                }
            }
        }
    }
}

fn output_element(ty: &core::Type, elem: &Elem, name: &str, outputs: &mut Vec<(String, Atom)>) {
    match (ty, elem) {
        (core::Type::Tuple(types), Tree::Tuple(items)) => {
            for (index, (ty, item)) in types.iter().zip(items).enumerate() {
                output_element(ty, item, &format!("{name}_{index}"), outputs);
            }
        }
        (core::Type::Record(types), Tree::Record(fields)) => {
            for (field, ty) in types {
                output_element(ty, &fields[field], &format!("{name}_{field}"), outputs);
            }
        }
        (core::Type::Sum(types), Tree::Sum(sum)) => {
            let Column::Scalar(tag) = sum.tag else { panic!("a tag is a scalar") };
            outputs.push((format!("{name}_tag"), tag.into()));
            for (constructor, types) in in_order(types) {
                let payloads = types.iter().zip(&sum.cases[constructor]);
                for (index, (ty, payload)) in payloads.enumerate() {
                    let path = payload_path(constructor, types.len(), index);
                    output_element(ty, payload, &format!("{name}{path}"), outputs);
                }
            }
        }
        (core::Type::Array(_, ty), Tree::Leaf(Column::Rows(rows))) => {
            output_element(ty, &rows.elem, name, outputs);
        }
        (_, Tree::Leaf(Column::Scalar(var))) => outputs.push((name.to_owned(), (*var).into())),
        (ty, elem) => panic!("core is well-typed: {elem:?} are elements of type {ty:?}"),
    }
}
