//! A program of core, made by hand: specialisation depends on the form only, not on inference.

use super::build::{I64, Program, array, bin, i64, lets, operator, tuple};
use super::{int, ints};
use crate::eval::cnf::run;
use crate::ir::cnf::verify;
use crate::ir::core::Intrinsic;
use crate::pass::simplify::simplify;
use crate::pass::specialise::specialise;
use crate::prim::BinOp;

#[test]
fn filter_max_is_three_combinators() {
    let mut p = Program::new();
    let n = p.size("n");
    let (vec1, xs) = p.param("vec1", array(n, I64));
    let (vec2, vec2_pat) = p.local("vec2", array(n, I64));
    let k = p.exists("k");
    let (vec3, vec3_pat) = p.local("vec3", array(k, I64));
    let (mx, mx_pat) = p.local("mx", I64);
    let plus = p.lambda("x", I64, |x| bin(BinOp::Add, x, i64(1)));
    let positive = p.lambda("x", I64, |x| bin(BinOp::Gt, x, i64(0)));
    let max = vec![operator(BinOp::Max), i64(0), vec3.clone()];
    let body = lets(
        vec![
            (vec2_pat, p.intrinsic(Intrinsic::Map(1), vec![plus, vec1], array(n, I64))),
            (vec3_pat, p.intrinsic(Intrinsic::Filter, vec![positive, vec2], array(k, I64))),
            (mx_pat, p.intrinsic(Intrinsic::Reduce, max, I64)),
        ],
        tuple(vec![vec3, mx]),
    );
    p.entry("filter_max", vec![n], vec![xs], body);
    let cnf = simplify(specialise(&p.core).expect("the program can be compiled"));
    assert_eq!(verify(&cnf), Ok(()));
    assert_eq!(
        cnf.to_string(),
        "entry filter_max [n] (vec1: [n]i64): ?[k].([k]i64, i64) =\n\
         \x20 let vec2 = map (\\x -> x + 1i64) vec1\n\
         \x20 let vec3 = filter (\\x_4 -> x_4 > 0i64) vec2\n\
         \x20 let mx = reduce (\\acc x_8 -> i64.max acc x_8) 0i64 vec3\n\
         \x20 in (vec3, mx)\n"
    );
    let results = run(&cnf, cnf.entries[0].function, vec![ints(&[1, -5, 7])]).expect("it runs");
    assert_eq!(results, [ints(&[2, 8]), int(8)]);
    assert_eq!(cnf.entries[0].outputs, ["out0", "out1"]);
}
