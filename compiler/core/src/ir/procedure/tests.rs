//! What the verifier rejects.

use super::{End, Nest, Procedure, Start, Step, Stmt};
use crate::ids::RateId;
use crate::pass::testing::{Builder, forms, int};
use crate::prim::BinOp::{Gt, Max};

/// What the verifier says of `ys = filter (> 0) xs; m = reduce max 0 ys` after a change of its loop.
fn broken(change: impl FnOnce(&mut Parts<'_>)) -> String {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let positive = b.section(Gt, 0);
    let ys = b.filter("ys", positive, xs);
    let m = b.reduce("m", Max, int(0), ys);
    let mut forms = forms(b.function("f", &[ys, m]), &[&["ys", "m"]]);
    let Some(Step::Pass(Procedure { nest, .. })) = forms.procedures.steps.first_mut() else {
        panic!("the block is a pass");
    };
    let Nest::Loop { start, body, inner, end, .. } = nest else { panic!("a loop is outermost") };
    let Some(Nest::Guard { rate, body: inside, .. }) = inner.first_mut() else {
        panic!("a guard is in the loop");
    };
    change(&mut Parts { start, body, rate, inside, end });
    forms.procedures.verify().expect_err("the procedure is broken")
}

struct Parts<'a> {
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
