//! The types that expressions must have, up to sizes.
//!
//! Invariant: nothing here looks at a size.
//!
//! ```text
//! check_equal_types([n]i64, ?[k].[k]i64)   ⇒   Ok
//! ```

use super::super::{Accessor, Dim, Expr, ExprKind, Operator, Type, With};
use super::is_equality;
use arrc_syntax::ids::TypeVar;
use arrc_syntax::prim::{BinOp, Scalar, UnOp};

/// Checks that two types are equal up to sizes.
pub(super) fn check_equal_types(expected: &Type, found: &Type) -> Result<(), String> {
    if is_same(expected, found) { Ok(()) } else { Err(format!("{found:?} is not {expected:?}")) }
}

fn is_same(left: &Type, right: &Type) -> bool {
    match (left, right) {
        (Type::Exists(_, left), right) | (right, Type::Exists(_, left)) => is_same(left, right),
        (Type::Scalar(a), Type::Scalar(b)) => a == b,
        (Type::Var(a), Type::Var(b)) => a == b,
        (Type::Tuple(a), Type::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Type::Record(a), Type::Record(b)) => {
            let same = |(name, a)| b.get(name).is_some_and(|b| is_same(a, b));
            a.len() == b.len() && a.iter().all(same)
        }
        (Type::Sum(a), Type::Sum(b)) => {
            let same = |(name, a): (_, &Vec<Type>)| {
                b.get::<arrc_syntax::names::Name>(name).is_some_and(|b| {
                    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
                })
            };
            a.len() == b.len() && a.iter().all(same)
        }
        (Type::Array(_, a), Type::Array(_, b)) => is_same(a, b),
        (Type::Fun(_, a, x), Type::Fun(_, b, y)) => is_same(a, b) && is_same(x, y),
        _ => false,
    }
}

/// The type of a function.
pub(super) fn function<'t>(
    params: impl DoubleEndedIterator<Item = &'t Type>,
    result: &Type,
) -> Type {
    params.rev().fold(result.clone(), |result, param| {
        Type::Fun(None, Box::new(param.clone()), Box::new(result))
    })
}

/// A type with its type parameters replaced.
pub(super) fn instance(ty: &Type, vars: &[TypeVar], args: &[Type]) -> Type {
    let go = |ty: &Type| instance(ty, vars, args);
    match ty {
        Type::Scalar(scalar) => Type::Scalar(*scalar),
        Type::Tuple(items) => Type::Tuple(items.iter().map(go).collect()),
        Type::Record(fields) => {
            Type::Record(fields.iter().map(|(name, ty)| (name.clone(), go(ty))).collect())
        }
        Type::Sum(constructors) => Type::Sum(
            constructors
                .iter()
                .map(|(name, types)| (name.clone(), types.iter().map(go).collect()))
                .collect(),
        ),
        Type::Array(size, element) => Type::Array(size.clone(), Box::new(go(element))),
        Type::Fun(param, from, to) => Type::Fun(*param, Box::new(go(from)), Box::new(go(to))),
        Type::Exists(sizes, body) => Type::Exists(sizes.clone(), Box::new(go(body))),
        Type::Hidden(hidden) => hidden.gone(),
        Type::Var(var) => match vars.iter().position(|known| known == var) {
            Some(at) => args[at].clone(),
            None => Type::Var(*var),
        },
    }
}

/// A call of a function of type `function`.
pub(super) fn call(function: &Type, args: &[Expr], result: &Type) -> Result<(), String> {
    let mut rest = function;
    if args.is_empty() {
        return Err("a call without arguments".to_owned());
    }
    for (position, arg) in args.iter().enumerate() {
        while let Type::Exists(_, body) = rest {
            rest = body;
        }
        let Type::Fun(_, param, to) = rest else {
            return Err(format!("{rest:?} is applied to argument {position}"));
        };
        check_equal_types(param, &arg.ty)
            .map_err(|wrong| format!("argument {position}: {wrong}"))?;
        rest = to;
    }
    check_equal_types(rest, result).map_err(|wrong| format!("the result of a call: {wrong}"))
}

/// An operator on two values.
pub(super) fn binary(op: BinOp, ty: &Type) -> Result<(), String> {
    let Type::Fun(_, left, rest) = ty else { return Err(format!("{op:?} is {ty:?}")) };
    let Type::Fun(_, right, result) = &**rest else { return Err(format!("{op:?} is {ty:?}")) };
    check_equal_types(left, right)?;
    if is_equality(op) && is_comparable(left) {
        return check_equal_types(&Type::Scalar(Scalar::Bool), result);
    }
    let scalar = operand(left).filter(|&scalar| op.accepts(scalar));
    let scalar = scalar.ok_or_else(|| format!("{op:?} on {left:?}"))?;
    check_equal_types(&Type::Scalar(op.result(scalar)), result)
}

/// An operator on one value.
pub(super) fn unary(op: UnOp, ty: &Type) -> Result<(), String> {
    let Type::Fun(_, from, result) = ty else { return Err(format!("{op:?} is {ty:?}")) };
    let scalar = operand(from).filter(|&scalar| op.accepts(scalar));
    let scalar = scalar.ok_or_else(|| format!("{op:?} on {from:?}"))?;
    check_equal_types(&Type::Scalar(op.result(scalar)), result)
}

/// `fma` of a float type.
pub(super) fn fma(ty: &Type) -> Result<(), String> {
    let Type::Fun(_, float, _) = ty else { return Err(format!("fma is {ty:?}")) };
    operand(float).filter(|scalar| scalar.is_float()).ok_or_else(|| format!("fma of {float:?}"))?;
    check_equal_types(&function([&**float; 3].into_iter(), float), ty)
}

fn operand(ty: &Type) -> Option<Scalar> {
    if let Type::Scalar(scalar) = ty { Some(*scalar) } else { None }
}

/// Tuples, records and arrays, made and taken apart.
pub(super) fn data(expr: &Expr) -> Result<(), String> {
    let ty = &expr.ty;
    match (&expr.kind, ty) {
        (ExprKind::Tuple(items), Type::Tuple(types)) if items.len() == types.len() => {
            items.iter().zip(types).try_for_each(|(item, ty)| check_equal_types(ty, &item.ty))
        }
        (ExprKind::Constructor(name, args), _) => {
            let payloads = payloads(ty, name, args.len())?;
            args.iter().zip(payloads).try_for_each(|(arg, ty)| check_equal_types(ty, &arg.ty))
        }
        (ExprKind::Record(fields), Type::Record(types)) if fields.len() == types.len() => {
            fields.iter().try_for_each(|(name, field)| match types.get(name) {
                Some(ty) => check_equal_types(ty, &field.ty),
                None => Err(format!("{name} is no field of {ty:?}")),
            })
        }
        (ExprKind::Item(tuple, at), _) => check_equal_types(field(&tuple.ty, &at.to_string())?, ty),
        (ExprKind::Field(record, name), _) => check_equal_types(field(&record.ty, name)?, ty),
        (ExprKind::Update(whole, steps, value), _) => {
            let old = steps.iter().try_fold(whole.ty.clone(), |ty, one| step(&ty, one))?;
            check_equal_types(&old, &value.ty)?;
            check_equal_types(&whole.ty, ty)
        }
        (ExprKind::Array(items), Type::Array(_, element)) => {
            items.iter().try_for_each(|item| check_equal_types(element, &item.ty))
        }
        (ExprKind::Text(data), Type::Array(_, element)) => {
            check_equal_types(element, &Type::Scalar(data.elem()))
        }
        (ExprKind::Index(array, indices), _) => check_equal_types(indexed(&array.ty, indices)?, ty),
        (ExprKind::Slice(array, dims), _) => check_equal_types(&sliced(&array.ty, dims)?, ty),
        (ExprKind::Range(range), Type::Array(_, element)) => {
            range.parts().try_for_each(|part| check_equal_types(element, &part.ty))
        }
        (ExprKind::Coerce(inner), _) => check_equal_types(&inner.ty, ty),
        (ExprKind::Assert(assert), _) => {
            check_equal_types(&Type::Scalar(Scalar::Bool), &assert.condition.ty)?;
            check_equal_types(&assert.value.ty, ty)
        }
        (_, ty) => Err(format!("data of type {ty:?}")),
    }
}

/// The type of the part that a step of a path goes to, up to sizes.
fn step(ty: &Type, step: &Accessor) -> Result<Type, String> {
    match step {
        Accessor::Item(at) => field(ty, &at.to_string()).cloned(),
        Accessor::Field(name) => field(ty, name).cloned(),
        Accessor::At(dims) => sliced(ty, dims),
    }
}

/// The type of a slice, up to sizes.
fn sliced(ty: &Type, dims: &[Dim]) -> Result<Type, String> {
    let Some((dim, rest)) = dims.split_first() else { return Ok(ty.clone()) };
    dim.parts().try_for_each(|part| check_equal_types(&Type::Scalar(Scalar::I64), &part.ty))?;
    let Type::Array(size, element) = ty else { return Err(format!("{ty:?} is sliced")) };
    let element = sliced(element, rest)?;
    Ok(match dim {
        Dim::Index(_) => element,
        Dim::Slice { .. } => Type::Array(size.clone(), Box::new(element)),
    })
}

/// The type of an element.
fn indexed<'t>(array: &'t Type, indices: &[Expr]) -> Result<&'t Type, String> {
    indices.iter().try_fold(array, |rest, index| {
        if !matches!(index.ty, Type::Scalar(scalar) if scalar.is_integer()) {
            return Err(format!("an index is {:?}", index.ty));
        }
        let Type::Array(_, element) = rest else { return Err(format!("{rest:?} is indexed")) };
        Ok(&**element)
    })
}

/// The type of a field or a component.
pub(super) fn field<'t>(ty: &'t Type, name: &str) -> Result<&'t Type, String> {
    let found = match ty {
        Type::Record(fields) => fields.get(name),
        Type::Tuple(items) => name.parse().ok().and_then(|at: usize| items.get(at)),
        Type::Scalar(_)
        | Type::Sum(_)
        | Type::Array(..)
        | Type::Fun(..)
        | Type::Var(_)
        | Type::Exists(..)
        | Type::Hidden(_) => None,
    };
    found.ok_or_else(|| format!("{name} is no field of {ty:?}"))
}

/// The types of the payloads of a constructor, which must be `count`.
pub(super) fn payloads<'t>(ty: &'t Type, name: &str, count: usize) -> Result<&'t [Type], String> {
    let Type::Sum(constructors) = ty else { return Err(format!("#{name} is no value of {ty:?}")) };
    match constructors.get(name) {
        Some(payloads) if payloads.len() == count => Ok(payloads),
        _ => Err(format!("#{name} with {count} payloads is no value of {ty:?}")),
    }
}

/// Whether values of the type can be compared.
fn is_comparable(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) => true,
        Type::Tuple(items) => items.iter().all(is_comparable),
        Type::Record(fields) => fields.values().all(is_comparable),
        Type::Sum(constructors) => constructors.values().flatten().all(is_comparable),
        Type::Array(..) | Type::Fun(..) | Type::Var(_) | Type::Exists(..) | Type::Hidden(_) => {
            false
        }
    }
}

/// A with-loop whose parts were verified: the type of each body is the type that the operators take.
pub(super) fn with_loop(data: &With, ty: &Type) -> Result<(), String> {
    let results = data.results(ty);
    if results.len() != data.operators.len() {
        return Err(format!("{} operators give {ty:?}", data.operators.len()));
    }
    let mut elements = Vec::new();
    for (operator, result) in data.operators.iter().zip(results) {
        let element = match operator {
            Operator::Fold(op, neutral) => {
                check_equal_types(&function([result, result].into_iter(), result), &op.ty)?;
                check_equal_types(result, &neutral.ty)?;
                result
            }
            Operator::Genarray(_) | Operator::Modarray(_) => below(result, data.rank())?,
        };
        match operator {
            Operator::Genarray(Some(default)) => check_equal_types(element, &default.ty)?,
            Operator::Modarray(array) => check_equal_types(result, &array.ty)?,
            Operator::Genarray(None) | Operator::Fold(..) => {}
        }
        elements.push(element.clone());
    }
    let wanted = if elements.len() == 1 { elements.swap_remove(0) } else { Type::Tuple(elements) };
    data.generators.iter().try_for_each(|generator| check_equal_types(&wanted, &generator.body.ty))
}

/// The type without its first dimensions.
fn below(ty: &Type, rank: usize) -> Result<&Type, String> {
    let mut ty = ty;
    for _ in 0..rank {
        let Type::Array(_, element) = ty else { return Err(format!("{ty:?} has rank {rank}")) };
        ty = element;
    }
    Ok(ty)
}
