//! Entries, as they are called from outside: each scalar component of an argument or a result is a dense array of its
//! own.
//!
//! Invariant: components are in the order in which the types are written; this also holds for the fields of records.
//!
//! ```text
//! entry f [n] (ps: [n]{y: f64, x: [2]f64}): (i64, [n]f64)
//! ⇒ inputs [n]f64, [n][2]f64; outputs i64, [n]f64
//! ```

use std::collections::BTreeMap;
use std::rc::Rc;

use indexmap::IndexMap;

use super::argument::ArgumentCheck;
use super::{Machine, Run, Trace};
use crate::core::{Pat, Program, Type, tag_problem};
use crate::eval::core::eval_value::{Shape, Sum, Value};
use crate::eval::run_error::{RunError, check_array_size};
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::ids::DefId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{Const, Scalar};
use arrc_syntax::source::Span;

/// A scalar, or a dense array of scalars of any rank.
#[derive(Clone, PartialEq, Debug)]
pub struct Component {
    /// The type of the scalars.
    pub elem: Scalar,
    /// The extents of its dimensions; none for a single scalar.
    pub shape: Vec<i64>,
    /// The scalars, in row-major order.
    pub data: Vec<Const>,
}

/// The type of a [`Component`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ComponentType {
    /// The type of the scalars.
    pub elem: Scalar,
    /// The number of dimensions.
    pub rank: usize,
}

/// The types of the components of an entry's arguments, and of its results.
#[must_use]
pub fn signature(program: &Program, entry: DefId) -> (Vec<ComponentType>, Vec<ComponentType>) {
    let def = &program.defs[entry];
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    for param in &def.params {
        component_types(&param.ty, 0, &mut inputs);
    }
    component_types(&def.result, 0, &mut outputs);
    (inputs, outputs)
}

/// Calls an entry.
///
/// # Errors
/// The run-time error, if there is one.
///
/// # Panics
/// If the arguments are not of the parameters' types.
pub fn run(program: &Program, entry: DefId, args: &[Component]) -> Run<Vec<Component>> {
    run_traced(program, entry, args, &|_| ())
}

/// The same. The tracer gets the traces, in the order of the program.
///
/// # Errors
/// As [`run`].
///
/// # Panics
/// As [`run`].
pub fn run_traced(
    program: &Program,
    entry: DefId,
    args: &[Component],
    tracer: &dyn Fn(Trace),
) -> Run<Vec<Component>> {
    let def = &program.defs[entry];
    let mut rest = args;
    let mut check = ArgumentCheck::new(program, def);
    let mut values = Vec::new();
    for (index, param) in def.params.iter().enumerate() {
        let mut types = Vec::new();
        component_types(&param.ty, 0, &mut types);
        assert!(rest.len() >= types.len(), "there is an argument for each component");
        let (own, others) = rest.split_at(types.len());
        rest = others;
        let name = match &param.pat {
            Pat::Var(var, _) => program.vars[*var].name.to_string(),
            Pat::Wild | Pat::Tuple(_) | Pat::Record(_) | Pat::Constructor(..) | Pat::Const(..) => {
                format!("arg{index}")
            }
        };
        check.plain(&param.ty, own, &name)?;
        values.push(compose(&param.ty, own, def.span)?);
        check.scope.bind_vars(&param.pat, values.last().expect("it was just pushed"));
    }
    check.computed()?;
    for (ty, own) in split(def.params.iter().map(|param| &param.ty), args) {
        tags_exist(ty, own, def.span)?;
    }
    assert!(rest.is_empty(), "there is a component for each argument");
    let sizes = check.scope.known_sizes(&def.sizes);
    let result = Machine { program, depth: 0, tracer }.entry((entry, sizes), values, def.span)?;
    Ok(decompose(&def.result, &result))
}

/// The types of the scalar components of a type, in an array with `rank` dimensions.
fn component_types(ty: &Type, rank: usize, found: &mut Vec<ComponentType>) {
    match ty {
        Type::Scalar(elem) => found.push(ComponentType { elem: *elem, rank }),
        Type::Tuple(types) => types.iter().for_each(|ty| component_types(ty, rank, found)),
        Type::Record(types) => types.values().for_each(|ty| component_types(ty, rank, found)),
        Type::Sum(types) => {
            found.push(ComponentType { elem: Scalar::I64, rank });
            ordered(types).for_each(|(_, ty)| component_types(ty, rank, found));
        }
        Type::Array(_, elem) => component_types(elem, rank + 1, found),
        Type::Exists(_, ty) => component_types(ty, rank, found),
        Type::Fun(..) | Type::Var(_) | Type::Hidden(_) => {
            panic!("an entry takes and gives data, not {ty:?}")
        }
    }
}

/// Checks that each tag stands for a constructor. The tags in payloads are checked only for the chosen constructor,
/// and only if the value is one sum and no array of sums.
fn tags_exist(ty: &Type, parts: &[Component], span: Span) -> Run<()> {
    match ty {
        Type::Tuple(types) => {
            split(types.iter(), parts).try_for_each(|(ty, parts)| tags_exist(ty, parts, span))
        }
        Type::Record(types) => {
            split(types.values(), parts).try_for_each(|(ty, parts)| tags_exist(ty, parts, span))
        }
        Type::Sum(types) => {
            let mut names: Vec<&Name> = types.keys().collect();
            names.sort_unstable();
            let place = |tag: &Const| usize::try_from(tag.as_i128()).ok();
            let exists = |tag: &&Const| place(tag).is_some_and(|place| place < names.len());
            if let Some(wrong) = parts[0].data.iter().find(|tag| !exists(tag)) {
                let failure = Failure::tag(wrong.as_i128(), tag_problem(types));
                return Err(RunError::failed(&failure, span));
            }
            if !parts[0].shape.is_empty() {
                return Ok(());
            }
            let chosen = place(&parts[0].data[0]).map(|place| names[place]);
            let payloads = split(ordered(types).map(|(_, ty)| ty), &parts[1..]);
            let mut payloads = ordered(types).zip(payloads);
            payloads.try_for_each(|((name, _), (ty, parts))| {
                if chosen == Some(name) { tags_exist(ty, parts, span) } else { Ok(()) }
            })
        }
        Type::Array(_, ty) | Type::Exists(_, ty) => tags_exist(ty, parts, span),
        Type::Scalar(_) | Type::Fun(..) | Type::Var(_) | Type::Hidden(_) => Ok(()),
    }
}

/// The value with these components.
fn compose<'a>(ty: &Type, parts: &[Component], span: Span) -> Run<Value<'a>> {
    Ok(match ty {
        Type::Scalar(_) => Value::Scalar(parts[0].data[0]),
        Type::Tuple(types) => {
            let items = split(types.iter(), parts).map(|(ty, parts)| compose(ty, parts, span));
            Value::tuple(items.collect::<Run<_>>()?)
        }
        Type::Record(types) => {
            let fields = types.keys().zip(split(types.values(), parts));
            let fields =
                fields.map(|(name, (ty, parts))| Ok((name.clone(), compose(ty, parts, span)?)));
            Value::Record(Rc::new(fields.collect::<Run<_>>()?))
        }
        Type::Sum(types) => {
            let mut cases: BTreeMap<Name, Vec<Value<'a>>> =
                types.keys().map(|name| (name.clone(), Vec::new())).collect();
            let payloads = split(ordered(types).map(|(_, ty)| ty), &parts[1..]);
            for ((name, _), (ty, parts)) in ordered(types).zip(payloads) {
                cases.entry(name.clone()).or_default().push(compose(ty, parts, span)?);
            }
            Value::Sum(Rc::new(Sum { tag: parts[0].data[0], cases }))
        }
        Type::Array(_, elem) => {
            let count = usize::try_from(parts[0].shape[0]).expect("a size is not negative");
            check_array_size(Some(count), span)?;
            let elems = (0..count).map(|at| {
                let row: Vec<Component> = parts.iter().map(|part| part.row(at)).collect();
                compose(elem, &row, span)
            });
            Value::array(elems.collect::<Run<_>>()?, || shape(elem, parts, 1))
        }
        Type::Exists(_, ty) => compose(ty, parts, span)?,
        Type::Fun(..) | Type::Var(_) | Type::Hidden(_) => panic!("an entry takes data, not {ty:?}"),
    })
}

/// The shape of the values of a type. `parts` are the components of an array of such values, which has `depth`
/// dimensions.
fn shape(ty: &Type, parts: &[Component], depth: usize) -> Shape {
    match ty {
        Type::Scalar(elem) => Shape::Scalar(*elem),
        Type::Tuple(types) => Shape::Tuple(
            split(types.iter(), parts).map(|(ty, parts)| shape(ty, parts, depth)).collect(),
        ),
        Type::Record(types) => {
            let fields = types.keys().zip(split(types.values(), parts));
            let fields = fields.map(|(name, (ty, parts))| (name.clone(), shape(ty, parts, depth)));
            Shape::Record(fields.collect())
        }
        Type::Sum(types) => {
            let mut cases: BTreeMap<Name, Vec<Shape>> =
                types.keys().map(|name| (name.clone(), Vec::new())).collect();
            let payloads = split(ordered(types).map(|(_, ty)| ty), &parts[1..]);
            for ((name, _), (ty, parts)) in ordered(types).zip(payloads) {
                cases.entry(name.clone()).or_default().push(shape(ty, parts, depth));
            }
            Shape::Sum(cases)
        }
        Type::Array(_, elem) => {
            Shape::Array(parts[0].shape[depth], Rc::new(shape(elem, parts, depth + 1)))
        }
        Type::Exists(_, ty) => shape(ty, parts, depth),
        Type::Fun(..) | Type::Var(_) | Type::Hidden(_) => panic!("an entry takes data, not {ty:?}"),
    }
}

/// The payloads of a sum in the order of its components: the constructors are ordered by their names.
pub(super) fn ordered(types: &IndexMap<Name, Vec<Type>>) -> impl Iterator<Item = (&Name, &Type)> {
    let mut constructors: Vec<_> = types.iter().collect();
    constructors.sort_by_key(|(name, _)| *name);
    constructors.into_iter().flat_map(|(name, types)| types.iter().map(move |ty| (name, ty)))
}

/// Each type with its components.
fn split<'t, 'p>(
    types: impl Iterator<Item = &'t Type>,
    mut parts: &'p [Component],
) -> impl Iterator<Item = (&'t Type, &'p [Component])> {
    types.map(move |ty| {
        let mut own = Vec::new();
        component_types(ty, 0, &mut own);
        let (first, rest) = parts.split_at(own.len());
        parts = rest;
        (ty, first)
    })
}

/// The components of a value. Its type gives their order.
fn decompose(ty: &Type, value: &Value<'_>) -> Vec<Component> {
    match (ty, value) {
        (Type::Exists(_, ty), value) => decompose(ty, value),
        (Type::Scalar(elem), value) => {
            vec![Component { elem: *elem, shape: Vec::new(), data: vec![value.expect_scalar()] }]
        }
        (Type::Tuple(types), Value::Tuple(items)) => {
            types.iter().zip(items.iter()).flat_map(|(ty, item)| decompose(ty, item)).collect()
        }
        (Type::Record(types), value) => {
            types.iter().flat_map(|(name, ty)| decompose(ty, value.field(name))).collect()
        }
        (Type::Sum(types), Value::Sum(sum)) => {
            let tag = Component { elem: Scalar::I64, shape: Vec::new(), data: vec![sum.tag] };
            let payloads = sum.cases.values().flatten();
            let payloads = ordered(types).zip(payloads);
            let payloads = payloads.flat_map(|((_, ty), payload)| decompose(ty, payload));
            std::iter::once(tag).chain(payloads).collect()
        }
        (Type::Array(_, elem), Value::Array(array)) => {
            let mut parts = Vec::new();
            empty(elem, &array.elem, &mut vec![array.len()], &mut parts);
            for row in &array.elems {
                for (part, own) in parts.iter_mut().zip(decompose(elem, row)) {
                    part.data.extend(own.data);
                }
            }
            parts
        }
        (
            Type::Tuple(_)
            | Type::Sum(_)
            | Type::Array(..)
            | Type::Fun(..)
            | Type::Var(_)
            | Type::Hidden(_),
            value,
        ) => {
            panic!("core is well-typed: {value:?} is of type {ty:?}")
        }
    }
}

/// The components of an array without scalars. `shape` is the shape of its elements.
fn empty(ty: &Type, shape: &Shape, dims: &mut Vec<i64>, parts: &mut Vec<Component>) {
    match (ty, shape) {
        (Type::Exists(_, ty), shape) => empty(ty, shape, dims, parts),
        (Type::Scalar(elem), _) => {
            parts.push(Component { elem: *elem, shape: dims.clone(), data: Vec::new() });
        }
        (Type::Tuple(types), Shape::Tuple(items)) => {
            types.iter().zip(items).for_each(|(ty, item)| empty(ty, item, dims, parts));
        }
        (Type::Record(types), Shape::Record(fields)) => {
            types.iter().for_each(|(name, ty)| empty(ty, &fields[name], dims, parts));
        }
        (Type::Sum(types), Shape::Sum(cases)) => {
            empty(&Type::Scalar(Scalar::I64), &Shape::Scalar(Scalar::I64), dims, parts);
            let payloads = ordered(types).zip(cases.values().flatten());
            payloads.for_each(|((_, ty), payload)| empty(ty, payload, dims, parts));
        }
        (Type::Array(_, elem), Shape::Array(size, own)) => {
            dims.push(*size);
            empty(elem, own, dims, parts);
            dims.pop();
        }
        (
            Type::Tuple(_)
            | Type::Record(_)
            | Type::Sum(_)
            | Type::Array(..)
            | Type::Fun(..)
            | Type::Var(_)
            | Type::Hidden(_),
            _,
        ) => {
            panic!("core is well-typed: {shape:?} is of type {ty:?}")
        }
    }
}

impl Component {
    /// The part of the component at one place of its first dimension.
    fn row(&self, at: usize) -> Self {
        let shape = self.shape[1..].to_vec();
        let size = shape.iter().product::<i64>();
        let size = usize::try_from(size).expect("a size is not negative");
        let data = self.data[at * size..(at + 1) * size].to_vec();
        Self { elem: self.elem, shape, data }
    }
}
