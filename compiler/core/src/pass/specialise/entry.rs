//! Entries: a function whose parameters and results are the scalar components of the entry's types.
//!
//! Invariant: components come in the order in which the types are written, also the fields of records.
//!
//! ```text
//! entry f [n] (p: {y: f64, x: f64}) (qs: [n](i64, i64)): (i64, [n]f64)
//! ⇒ inputs p_y, p_x, qs_0, qs_1; outputs out0, out1
//! ```

use indexmap::IndexSet;

use super::build::Builder;
use super::error::Eval;
use super::tree::Tree;
use super::value::{Array, Elem, Env, Leaf, Part, Value};
use super::{Specialiser, atoms, signature};
use crate::ids::DefId;
use crate::ir::cnf::{Atom, Entry, Extent, Type};
use crate::ir::core::{self, Body, Pat};
use crate::names::Name;
use crate::source::Span;

/// The input components as they are declared.
struct Inputs {
    names: IndexSet<String>,
    /// Where the parameter is that they belong to.
    span: Span,
}

impl<'a> Specialiser<'a> {
    /// Builds the function of an entry.
    pub(super) fn entry(&mut self, id: DefId) -> Eval<()> {
        let def = &self.core.defs[id];
        self.begin(Builder::new(), def.name.clone(), Vec::new());
        let func = self.functions.push(None);
        let mut env = Env::default();
        let mut inputs = Inputs { names: IndexSet::new(), span: def.span };
        let mut args = Vec::new();
        for (index, param) in def.params.iter().enumerate() {
            let (name, span) = match &param.pat {
                Pat::Var(var, _) => {
                    let info = &self.core.vars[*var];
                    (info.name.to_string(), info.span)
                }
                Pat::Wild | Pat::Tuple(_) | Pat::Record(_) => (format!("arg{index}"), def.span),
            };
            inputs.span = span;
            let arg = self.declare(&mut env, &param.ty, &name, &mut inputs)?;
            self.bind(&mut env, &param.pat, arg.clone());
            args.push(arg);
        }
        let outputs_from = inputs.names.len();
        let result = match &def.body {
            Body::Expr(_) if def.recursive => self.call(id, &[], args, def.span)?,
            Body::Expr(body) => self.eval(&mut env, body)?,
            Body::Intrinsic(_) => panic!("an entry has an expression, and {} has none", def.name),
        };
        let (mut outputs, mut results) = (Vec::new(), Vec::new());
        for (name, atom) in self.outputs(def, &result) {
            // Inputs and outputs are parameters of one C function.
            outputs.push(inputs.add(&name));
            results.push(atom);
        }
        inputs.names.truncate(outputs_from);
        let build = std::mem::replace(&mut self.build, Builder::new());
        self.functions[func] = Some(build.finish(def.name.clone(), def.span, false, results));
        self.entries.push(Entry {
            name: def.name.clone(),
            doc: def.doc.clone(),
            signature: signature::of(self.core, def),
            function: func,
            inputs: inputs.names.into_iter().collect(),
            outputs: outputs.iter().map(ToString::to_string).collect(),
        });
        Ok(())
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
            core::Type::Array(size, elem) => {
                self.lets.push(name.into());
                let ty = self.eval_type(env, elem, inputs.span)?;
                self.check_element(&ty, inputs.span)?;
                self.lets.pop();
                let size = self.declared_extent(env, size);
                Value::array(size, self.declare_element(env, elem, &[size], name, inputs))
            }
            core::Type::Fun(..) => panic!("an entry takes no functions, and `{name}` is one"),
            core::Type::Var(var) => panic!("an entry has no type parameters, and {var} is one"),
            core::Type::Exists(_, ty) => self.declare(env, ty, name, inputs)?,
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
                Tree::Leaf(Part::Scalar(self.build.param(name, ty)))
            }
            core::Type::Array(size, elem) => {
                let size = self.declared_extent(env, size);
                let shape = [shape, &[size]].concat();
                let elem = self.declare_element(env, elem, &shape, name, inputs);
                Tree::Leaf(Part::Rows(Box::new(Array { size, elem })))
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
            core::Type::Fun(..) | core::Type::Var(_) | core::Type::Exists(..) => {
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
    /// A component of this name, or if there is one already, of a similar one.
    fn add(&mut self, name: &str) -> Name {
        let mut fresh = name.to_owned();
        while !self.names.insert(fresh.clone()) {
            fresh.push('_');
        }
        fresh.into()
    }
}

/// Adds the components of a value in the order of its type.
fn output(ty: &core::Type, value: &Value<'_>, name: &str, outputs: &mut Vec<(String, Atom)>) {
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
        (core::Type::Array(_, ty), Tree::Leaf(Part::Rows(rows))) => {
            output_element(ty, &rows.elem, name, outputs);
        }
        (_, Tree::Leaf(Part::Scalar(var))) => outputs.push((name.to_owned(), (*var).into())),
        (ty, elem) => panic!("core is well-typed: {elem:?} are elements of type {ty:?}"),
    }
}
