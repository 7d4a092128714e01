//! The papers' figures, and one test for each thing that a pass may contain.

use crate::ids::VarId;
use crate::pass::testing::{Builder, Forms, forms, int};
use crate::prim::BinOp::{Add, Gt, Max};

/// `filter_max` of the language's reference, paper 002's running example.
fn filter_max() -> Forms {
    let mut b = Builder::new();
    let vec1 = b.input("vec1");
    let plus = b.section(Add, 1);
    let vec2 = b.map("vec2", plus, &[vec1]);
    let positive = b.section(Gt, 0);
    let vec3 = b.filter("vec3", positive, vec2);
    let mx = b.reduce("mx", Max, int(0), vec3);
    forms(b.function("filter_max", &[vec3, mx]), &[&["vec2", "vec3", "mx"]])
}

#[test]
fn print_them() {
    let f = filter_max();
    println!("{}\n{}\n{}", f.process, f.procedure, f.program);
    let _: Option<VarId> = None;
    panic!();
}
