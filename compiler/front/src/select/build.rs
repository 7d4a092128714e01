//! Expressions that a selection consists of.
//!
//! Invariant: each expression has its type, and each function binds new variables.
//!
//! ```text
//! up, of .0, for elements (i32, i64)   ⇒   \\p q -> p.0 <= q.0
//! ```

use crate::core::{
    ComponentStep, Direction, Expr, ExprKind, Order, Param, Pat, Type, UniquenessMarks, VarInfo,
};
use arrc_syntax::ids::{DefId, LocalId, PrimaryMap};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

/// A function of the prelude, applied to all of its arguments.
pub(super) fn call(
    def: DefId,
    types: Vec<Type>,
    args: Vec<Expr>,
    result: Type,
    span: Span,
) -> Expr {
    let ty = functions(args.iter().map(|arg| arg.ty.clone()), result.clone());
    let function = Expr { kind: ExprKind::Global(def, types), ty, span };
    Expr { kind: ExprKind::App(Box::new(function), args), ty: result, span }
}

/// The type of functions with these parameters.
fn functions(params: impl DoubleEndedIterator<Item = Type>, result: Type) -> Type {
    params.rev().fold(result, |to, from| Type::Fun(None, Box::new(from), Box::new(to)))
}

/// A new variable: its id, and a use of it.
pub(super) fn variable(
    vars: &mut PrimaryMap<LocalId, VarInfo>,
    name: &'static str,
    ty: &Type,
    span: Span,
) -> (LocalId, Expr) {
    let name = Name::new_static(name);
    let var = vars.push(VarInfo { name, span, marks: UniquenessMarks::None });
    (var, Expr { kind: ExprKind::Var(var), ty: ty.clone(), span })
}

/// A constant.
pub(super) fn truth(holds: bool, span: Span) -> Expr {
    let ty = Type::Scalar(Scalar::Bool);
    Expr { kind: ExprKind::Const(Const::bool(holds)), ty, span }
}

/// The type of pairs of a key and a position.
pub(super) fn pairs(key: &Type) -> Type {
    Type::Tuple(vec![key.clone(), Type::Scalar(Scalar::I64)])
}

/// The type of an array's elements.
pub(super) fn element(array: &Type) -> &Type {
    let Type::Array(_, elem) = array else { panic!("what is sorted is an array") };
    elem
}

/// The type of arrays of the same size with other elements.
pub(super) fn array_of(array: &Type, elem: Type) -> Type {
    let Type::Array(size, _) = array else { panic!("what is sorted is an array") };
    Type::Array(size.clone(), Box::new(elem))
}

/// The type of a component of a tuple.
pub(super) fn part_of(tuple: &Type, at: usize) -> &Type {
    let Type::Tuple(items) = tuple else { panic!("a pair is a tuple") };
    &items[at]
}

/// A function that compares elements in an order.
pub(super) fn same_as(
    order: &Order,
    elem: &Type,
    span: Span,
    vars: &mut PrimaryMap<LocalId, VarInfo>,
) -> Expr {
    let op = match order.direction {
        Direction::Up => BinOp::Le,
        Direction::Down => BinOp::Ge,
    };
    let truth = Type::Scalar(Scalar::Bool);
    let operator = |of: &Type| {
        let ty = functions([of.clone(), of.clone()].into_iter(), truth.clone());
        Expr { kind: ExprKind::BinOp(op), ty, span }
    };
    if order.path.is_empty() {
        return operator(elem);
    }
    let mut params = Vec::new();
    let args = ["p", "q"].map(|name| {
        let (var, value) = variable(vars, name, elem, span);
        params.push(Param { pat: Pat::Var(var, elem.clone()), ty: elem.clone() });
        order.path.iter().fold(value, component)
    });
    let operator = operator(&args[0].ty);
    let kind = ExprKind::App(Box::new(operator), args.to_vec());
    let body = Expr { kind, ty: truth.clone(), span };
    let ty = functions(params.iter().map(|param| param.ty.clone()), truth);
    Expr { kind: ExprKind::Lambda(params, Box::new(body)), ty, span }
}

/// A component of a value.
fn component(of: Expr, part: &ComponentStep) -> Expr {
    let span = of.span;
    match part {
        ComponentStep::Item(at) => {
            let ty = part_of(&of.ty, *at).clone();
            Expr { kind: ExprKind::Item(Box::new(of), *at), ty, span }
        }
        ComponentStep::Field(name) => {
            let Type::Record(fields) = &of.ty else { panic!("a field is one of a record") };
            let ty = fields[name].clone();
            Expr { kind: ExprKind::Field(Box::new(of), name.clone()), ty, span }
        }
    }
}
