//! Loops that change elements of arrays, whose steps run together: lengths, errors at each step, and the order of the
//! steps.

use crate::support::native::{CArray, Native, arg, lend, load, options, out};
use crate::support::source;
use arrc_llvm::{Cpu, OptLevel, Options};

/// Keys of several widths, few and many counts, and steps that read what others have changed.
const UPDATES: &str = r"
entry few [n] (keys: [n]i32): [5]i64 =
  fold (\acc k -> let k = i64.i32 k in acc with [k] = acc[k] + 1) (replicate 5 0) keys
entry many [n] (keys: [n]i32): [500]i64 =
  fold (\acc k -> let k = i64.i32 k * 100 in acc with [k] = acc[k] + 1) (replicate 500 0) keys
entry wide [n] (keys: [n]i64): [5]i64 = fold (\acc k -> acc with [k] = acc[k] + 1) (replicate 5 0) keys
entry chained [n] (keys: [n]i64): [5]i64 =
  fold (\acc k -> acc with [k] = 3 * acc[4 - k] + acc[(k + 1) % 5] + 1) (iota 5) keys
";

fn keys(length: i64) -> Vec<i64> {
    (0..length).map(|at| at * 7919 % 5).collect()
}

fn narrow(keys: &[i64]) -> Vec<i32> {
    keys.iter().map(|&key| key.try_into().expect("keys are small")).collect()
}

fn counts(native: &Native, entry: &str, keys: &[i64]) -> Result<Vec<i64>, String> {
    let mut counts = CArray::<i64, 1>::EMPTY;
    let narrow = narrow(keys);
    let (wide, narrow) = (lend(keys), lend(&narrow));
    let keys = if matches!(entry, "few" | "many") { arg(&narrow) } else { arg(&wide) };
    native.call(entry, &[out(&mut counts)], &[keys])?;
    let counts = native.take(&counts);
    Ok(if entry == "many" { counts.into_iter().step_by(100).collect() } else { counts })
}

fn expected(entry: &str, keys: &[i64]) -> Vec<i64> {
    let mut counts = if entry == "chained" { vec![0, 1, 2, 3, 4] } else { vec![0; 5] };
    for key in keys.iter().map(|&key| usize::try_from(key).expect("keys are positions")) {
        counts[key] = if entry == "chained" {
            (3_i64.wrapping_mul(counts[4 - key]))
                .wrapping_add(counts[(key + 1) % 5])
                .wrapping_add(1)
        } else {
            counts[key] + 1
        };
    }
    counts
}

#[test]
fn results_do_not_depend_on_unrolling() {
    for level in [OptLevel::O0, OptLevel::O1, OptLevel::O3] {
        let native = load(UPDATES, &options(level));
        for length in (0..20).chain([1000]) {
            let keys = keys(length);
            for entry in ["few", "many", "wide", "chained"] {
                let found = counts(&native, entry, &keys);
                assert_eq!(found, Ok(expected(entry, &keys)), "{entry} of {length} at {level:?}");
            }
        }
    }
}

#[test]
fn the_first_key_outside_is_told_wherever_it_is() {
    for level in [OptLevel::O0, OptLevel::O3] {
        let native = load(UPDATES, &options(level));
        for length in [1, 7, 8, 19] {
            for at in 0..length {
                let mut keys = keys(length);
                for (key, outside) in
                    keys[usize::try_from(at).expect("a position")..].iter_mut().zip([-7, 60])
                {
                    *key = outside;
                }
                for (entry, index) in [("few", -7), ("many", -700), ("wide", -7)] {
                    let message =
                        counts(&native, entry, &keys).expect_err("the first index is outside");
                    let expected = format!("[acc] {index} ");
                    assert!(message.contains(&expected), "{entry} of {length}, {at}: {message}");
                }
            }
        }
    }
}

#[test]
fn the_counter_is_tested_once_in_an_iteration() {
    let text = r"entry f [n] (keys: [n]i64) (xs: *[n]i64): [n]i64 = fold (\acc k -> acc with [k] = acc[k] + 1) xs keys";
    let source = source::arr(text);
    let (triple, cpu) = (Some("x86_64-linux-gnu".into()), Cpu::Named("x86-64-v3".into()));
    let options = Options { triple, cpu, ..Options::default() };
    let module = arrc_llvm::compile(&source.program, &source.sources, &options);
    let ir = module.expect("it compiles").ir();
    let compares: Vec<_> = ir.lines().filter(|line| line.contains("= icmp ")).collect();
    let is_check = |line: &&str| line.contains("icmp ult i64 %s1_elem");
    assert!(compares.windows(4).any(|of| of.iter().all(is_check)), "{compares:#?}");
}
