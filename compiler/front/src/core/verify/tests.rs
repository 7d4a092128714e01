//! The verifier's errors on programs that inference does not make.

use super::super::{Body, Expr, ExprKind, Pat, Program, Type};
use super::verify;
use crate::infer::tests::check;
use arrc_syntax::ids::{DefId, EntityRef};
use arrc_syntax::prim::Scalar;

/// The error after a change of a program's only definition.
fn broken(text: &str, change: impl FnOnce(&mut Program)) -> String {
    let mut program = check(text).unwrap_or_else(|errors| panic!("{errors}"));
    verify(&program).expect("the program is right before");
    change(&mut program);
    verify(&program).expect_err("the program is wrong now")
}

fn body(program: &mut Program) -> &mut Expr {
    let last = DefId::new(program.defs.len() - 1);
    match &mut program.defs[last].body {
        Body::Expr(body) => body,
        Body::Intrinsic(_) | Body::External(_) => panic!("the last definition is the file's"),
    }
}

#[test]
fn a_type_that_is_not_its_parts() {
    let wrong = broken("def f (x: i64) = x + 1", |program| {
        body(program).ty = Type::Scalar(Scalar::Bool);
    });
    assert!(wrong.contains("the result of a call"), "{wrong}");
}

#[test]
fn an_argument_of_another_type() {
    let wrong = broken("def f (x: i64) = x + 1", |program| {
        let ExprKind::App(_, args) = &mut body(program).kind else { panic!("a call") };
        args[1] = Expr {
            kind: ExprKind::Tuple(Vec::new()),
            ty: Type::Tuple(Vec::new()),
            ..args[1].clone()
        };
    });
    assert!(wrong.contains("argument 1"), "{wrong}");
}

#[test]
fn a_variable_that_is_bound_twice() {
    let wrong = broken("def f (x: i64) = let y = x in y", |program| {
        let last = DefId::new(program.defs.len() - 1);
        let pat = program.defs[last].params[0].pat.clone();
        let ExprKind::Let(bound, ..) = &mut body(program).kind else { panic!("a let") };
        *bound = pat;
    });
    assert!(wrong.contains("is bound twice"), "{wrong}");
}

#[test]
fn a_variable_out_of_scope() {
    let wrong = broken("def f (x: i64) = let y = x in y", |program| {
        let ExprKind::Let(bound, ..) = &mut body(program).kind else { panic!("a let") };
        *bound = Pat::Wild;
    });
    assert!(wrong.contains("is not in scope"), "{wrong}");
}

#[test]
fn a_size_whose_value_is_not_known() {
    let wrong = broken("def f [n] (xs: [n]i64) = n", |program| {
        let last = DefId::new(program.defs.len() - 1);
        program.defs[last].sizes.clear();
    });
    assert!(wrong.contains("is not known"), "{wrong}");
}

#[test]
fn a_type_parameter_of_another_definition() {
    let wrong = broken("def f 'a (x: a) = x", |program| {
        let last = DefId::new(program.defs.len() - 1);
        program.defs[last].types.clear();
    });
    assert!(wrong.contains("is no type parameter"), "{wrong}");
}

#[test]
fn recursion_that_is_not_marked() {
    let wrong = broken("def f (n: i64): i64 = f n", |program| {
        let last = DefId::new(program.defs.len() - 1);
        program.defs[last].recursive = false;
    });
    assert!(wrong.contains("reaches itself"), "{wrong}");
}
