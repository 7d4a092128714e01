//! What a given cluster becomes; `tests/passes` has those that the solver chooses.

use crate::pass::testing::{Builder, forms, int};
use crate::prim::BinOp::{Add, Max, Sub};

#[test]
fn a_cross_fuses_with_its_left_side_and_its_consumers() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let ys = b.input("ys");
    let plus = b.section(Add, 1);
    let zs = b.map("zs", plus, &[xs]);
    let [l, r] = b.cross(["l", "r"], zs, ys);
    let minus = b.operator(Sub);
    let d = b.map("d", minus, &[l, r]);
    let m = b.reduce("m", Max, int(0), d);
    let s = b.reduce("s", Add, int(0), zs);
    let f = forms(b.function("pairs", &[m, s]), &[&["zs", "l", "d", "m", "s"]]);
    let (_, processes) = f.process.split_once("\n\n").expect("the block has a process");
    assert_eq!(
        processes,
        "\
process pairs_1 (k1 : &) (k2 : &) (s1 : Series k1 i64) (s4 : Series k2 i64)
with { s2 <- map k1 i64 (+ 1) s1
     ; s3 s5 <- cross (k3 = k1 * k2) (s2) (s4)
     ; s <= fold k1 i64 s2 with (+) and 0
     ; s6 <- map k3 i64 i64 (-) s3 s5
     ; m <= fold k3 i64 s6 with max and 0 }
yields (m, s)
"
    );
    f.runs(&[&[1, 2], &[3, -4, 5]]);
    f.runs(&[&[1, 2], &[]]);
}
