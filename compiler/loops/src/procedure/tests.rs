//! Procedures that the verifier rejects.

use super::{Acc, End, Nest, Procedure, Start, Step, Stmt};
use crate::schedule;
use arrc_fusion::cnf::{Atom, Type};
use arrc_fusion::testing::processes;
use arrc_syntax::ids::{AccId, PrimaryMap, RateId};
use arrc_syntax::prim::Scalar;

/// The verifier's error on `ys = filter (> 0) xs; m = reduce max 0 ys` after a change of its loop.
fn broken(change: impl FnOnce(&mut Parts<'_>)) -> String {
    let mut procedures = schedule::schedule(processes(
        r"def f [n] (xs: [n]i64): ([k]i64, i64) =
  let ys: [k]i64 = filter (\x -> x > 0i64) xs
  let m = reduce (\x y -> i64.max x y) 0i64 ys
  in (ys, m)
",
    ));
    assert_eq!(procedures.verify(), Ok(()));
    let Some(Step::Pass(Procedure { accs, nest, .. })) = procedures.steps.first_mut() else {
        panic!("the block is a pass");
    };
    let Nest::Loop { start, body, inner, end, .. } = nest else { panic!("a loop is outermost") };
    let Some(Nest::Guard { rate, body: inside, .. }) = inner.first_mut() else {
        panic!("a guard is in the loop");
    };
    change(&mut Parts { accs, start, body, rate, inside, end });
    procedures.verify().expect_err("the procedure is broken")
}

struct Parts<'a> {
    accs: &'a mut PrimaryMap<AccId, Acc>,
    start: &'a mut Vec<Start>,
    body: &'a mut Vec<Stmt>,
    rate: &'a mut RateId,
    inside: &'a mut Vec<Stmt>,
    end: &'a mut Vec<End>,
}

#[test]
fn elements_are_defined_before_they_are_used() {
    let what = broken(|parts| parts.body.swap(0, 1));
    assert!(what.ends_with("is used where it is not bound"), "{what}");
    let what = broken(|parts| {
        let copy = parts.inside[0].clone();
        parts.body.push(copy);
    });
    assert!(what.ends_with("is bound twice"), "{what}");
}

#[test]
fn accumulators_and_vectors_have_one_writer() {
    let what = broken(|parts| {
        let update = parts.inside.last().expect("the update").clone();
        parts.inside.push(update);
    });
    assert!(what.ends_with("acc0 has two writers"), "{what}");
    let what = broken(|parts| {
        parts.inside.pop();
    });
    assert!(what.ends_with("acc0 has no writer"), "{what}");
    let what = broken(|parts| {
        let write = parts.inside.remove(1);
        parts.inside.extend([write.clone(), write]);
    });
    assert!(what.ends_with("has two writers"), "{what}");
    let what = broken(|parts| parts.start.clear());
    assert!(what.ends_with("is not made"), "{what}");
}

#[test]
fn statements_are_in_the_nest_of_their_rate() {
    let what = broken(|parts| *parts.rate = RateId::from_u32(0));
    assert!(what.ends_with("is not written at k2"), "{what}");
    let what = broken(|parts| {
        parts.end.pop();
    });
    assert!(what.contains("and its end makes"), "{what}");
}

#[test]
fn what_is_stored_has_the_type_of_its_place() {
    let what = broken(|parts| {
        let Stmt::Apply { elems, .. } = &parts.body[1] else { panic!("the flags come second") };
        let Stmt::Write { elem, .. } = &mut parts.inside[1] else { panic!("then it is written") };
        *elem = Atom::Var(elems[0]);
    });
    assert_eq!(what, "f_1: what is written: [Scalar(Bool)] against [Scalar(I64)]");
    let what = broken(|parts| {
        parts.accs.values_mut().for_each(|acc| acc.ty = Type::Scalar(Scalar::Bool));
    });
    assert_eq!(what, "f_1: the first value: [Scalar(I64)] against [Scalar(Bool)]");
}

#[test]
fn what_is_read_has_the_type_of_where_it_is() {
    let what = broken(|parts| {
        let Stmt::Apply { elems, .. } = &parts.body[1] else { panic!("the flags come second") };
        let flag = elems[0];
        parts.body.swap_remove(1);
        let Stmt::Next { elem, .. } = &mut parts.body[0] else { panic!("it is read first") };
        *elem = flag;
    });
    assert_eq!(what, "f_1: an element: [Scalar(Bool)] against [Scalar(I64)]");
}

#[test]
fn workers_fit_what_they_are_given() {
    let what = broken(|parts| {
        let Stmt::Apply { args, .. } = &mut parts.body[1] else { panic!("the flags come second") };
        args.push(args[0]);
    });
    assert!(what.starts_with("f_1: a worker's parameters"), "{what}");
    let what = broken(|parts| {
        let Some(Stmt::Update { args, .. }) = parts.inside.last_mut() else { panic!("it is last") };
        args.clear();
    });
    assert!(what.starts_with("f_1: a worker's parameters"), "{what}");
}
