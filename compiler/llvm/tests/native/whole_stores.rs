//! Updates in place under a condition: each element is stored, though it may be the one that was there.

use crate::support::native::{CArray, arg, lend, load, options, out};
use crate::support::source;
use arrc_llvm::{Cpu, OptLevel, Options};

/// Choices between an element and another value: a comparison, its opposite, a condition on another array, the greatest
/// of integers of 64 bits, and the least of 32.
const UPDATES: &str = r"
entry updates [n] (m: i64) (a: [n]f64) (b: [n]f64): [n]f64 =
  loop a for k < m do
    map2 (\x y -> let z = y + f64.i64 k in if z < x then z else x) a b

entry kept [n] (m: i64) (a: [n]f64) (b: [n]f64): [n]f64 =
  loop a for k < m do map2 (\x y -> if y > f64.i64 k then x else y) a b

entry greatest [n] (m: i64) (a: [n]i64) (b: [n]i64): [n]i64 =
  loop a for k < m do map2 (\x y -> i64.max x (y - k)) a b
";

fn floats(count: i32, seed: i32) -> Vec<f64> {
    (0..count).map(|at| f64::from((at * 7919 + seed) % 101) / 8.0).collect()
}

#[test]
fn results_are_those_of_the_choices() {
    for level in [OptLevel::O0, OptLevel::O3] {
        let native = load(UPDATES, &options(level));
        for count in [0, 1, 3, 4, 7, 8, 16, 33, 100] {
            let (a, b) = (floats(count, 13), floats(count, 57));
            let ks = || (0..5).map(f64::from);
            let least = |x, y: f64| ks().map(|k| y + k).fold(x, f64::min);
            let kept = |x: f64, y: f64| ks().fold(x, |x, k| if y > k { x } else { y });
            let called = |name| {
                let mut found = CArray::<f64, 1>::EMPTY;
                let args = [arg(&5_i64), arg(&lend(&a)), arg(&lend(&b))];
                native.call(name, &[out(&mut found)], &args).expect("nothing fails");
                native.take(&found)
            };
            let pairs = || a.iter().zip(&b);
            assert_eq!(called("updates"), pairs().map(|(&x, &y)| least(x, y)).collect::<Vec<_>>());
            assert_eq!(called("kept"), pairs().map(|(&x, &y)| kept(x, y)).collect::<Vec<_>>());

            let whole = |floats: &[f64]| -> Vec<i64> {
                floats.iter().map(|float| i64::from(float.to_bits() as u32 % 50)).collect()
            };
            let (a, b) = (whole(&a), whole(&b));
            let mut found = CArray::<i64, 1>::EMPTY;
            let args = [arg(&5_i64), arg(&lend(&a)), arg(&lend(&b))];
            native.call("greatest", &[out(&mut found)], &args).expect("nothing fails");
            let expected: Vec<_> = a.iter().zip(&b).map(|(&x, &y)| x.max(y)).collect();
            assert_eq!(native.take(&found), expected);
        }
    }
}

#[test]
fn no_store_is_masked() {
    let source = source::arr(UPDATES);
    let options = Options {
        triple: Some("x86_64-linux-gnu".into()),
        cpu: Cpu::Named("x86-64-v3".into()),
        ..Options::default()
    };
    let module =
        arrc_llvm::compile(&source.program, &source.sources, &options).expect("it compiles");
    let assembly = module.assembly();
    let masked: Vec<_> = assembly.lines().filter(|line| line.contains("maskmov")).collect();
    assert!(masked.is_empty(), "{masked:?}");
    assert!(assembly.contains("vminpd"), "the least of two is one instruction:\n{assembly}");
}
