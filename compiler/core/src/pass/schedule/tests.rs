use crate::ids::VarId;
use crate::ir::cnf::{Atom, Op, Order, Type};
use crate::pass::testing::{Builder, Forms, forms, int};
use crate::prim::BinOp::{Add, Div, Gt, Lt, Max, Mul, Sub};
use crate::prim::{Const, Scalar};

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

fn show(f: Forms) {
    println!("{}\n{}\n{}", f.process, f.procedure, f.program);
}

#[test]
fn print_them() {
    show(filter_max());
    // nested filter
    let mut b = Builder::new();
    let xs = b.input("xs");
    let w = b.section(Gt, 0);
    let ys = b.filter("ys", w, xs);
    let w = b.section(Lt, 100);
    let zs = b.filter("zs", w, ys);
    let n = b.length("n", zs);
    show(forms(b.function("nested_filter", &[ys, zs, n]), &[&["ys", "zs"]]));
    // contracted filter, length counted
    let mut b = Builder::new();
    let xs = b.input("xs");
    let w = b.section(Gt, 0);
    let ys = b.filter("ys", w, xs);
    let n = b.length("n", ys);
    let s = b.reduce("s", Add, int(0), ys);
    let mean = b.bin("mean", Div, Atom::Var(s), Atom::Var(n));
    let Atom::Var(mean) = mean else { panic!() };
    show(forms(b.function("mean", &[mean]), &[&["ys", "s"]]));
    // cross
    let mut b = Builder::new();
    let xs = b.input("xs");
    let ys = b.input("ys");
    let w = b.section(Add, 1);
    let xs1 = b.map("xs1", w, &[xs]);
    let [l, r] = b.cross(["l", "r"], xs1, ys);
    let w = b.operator(Sub);
    let d = b.map("d", w, &[l, r]);
    let m = b.reduce("m", Max, int(0), d);
    let t = b.reduce("t", Add, int(0), xs1);
    show(forms(b.function("pairs", &[m, t, d]), &[&["xs1", "l", "d", "m", "t"]]));
    panic!();
}
