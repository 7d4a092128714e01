//! Sums of terms that are one expression of consecutive bytes: the same as one term after the other.

use crate::support::native::{CArray, arg, lend, load, options};
use arrc_llvm::{OptLevel, Options};

/// How much two rows of 8 bytes differ, in two dimensions; the same for 19 bytes in the opposite order with a number
/// between them; and a sum of products with signs that uses each element twice.
const SUMS: &str = r"
entry blocks [h] [w] (a: [h][w]u8) (b: [h][w]u8) (y: i64) (x: i64): i32 =
  with { ([0, 0] <= [i, j] < [4, 8]) : i32.abs (i32.u8 a[y + i, x + j] - i32.u8 b[i, j]) } : fold (+, 0)

entry backwards [n] (a: [n]u8) (b: [n]u8) (k: i64): i64 =
  let apart i = i64.abs (i64.u8 a[18 - i] - i64.u8 b[18 - i])
  in sum (tabulate 9 apart) + k + sum (tabulate 10 (\i -> apart (i + 9)))

entry products [n] (a: [n]i8) (k: i16): i16 =
  let term i = i16.i8 a[i] * k - i16.i8 a[i + 1] * i16.i8 a[i]
  in sum (tabulate 16 term) + i16.i8 a[3]
";

/// Bytes, most of them far apart.
fn bytes(count: u32, seed: u32) -> Vec<u8> {
    let next = |state: &mut u32| {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Some(state.to_be_bytes()[0])
    };
    (0..count).scan(seed, |state, _| next(state)).collect()
}

#[test]
fn sums_are_those_of_the_terms() {
    for level in [OptLevel::O0, OptLevel::O3] {
        let native = load(SUMS, &options(level));
        for seed in 0..40 {
            let (a, b) = (bytes(6 * 12, seed), bytes(6 * 12, seed + 1000));
            let (y, x) = (i64::from(seed % 3), i64::from(seed % 5));
            let apart = |at: usize, to: usize| i32::from(a[at].abs_diff(b[to]));
            let at = |i: usize, j: usize| 12 * i + j;
            let (first, column) =
                (usize::try_from(y).expect("small"), usize::try_from(x).expect("small"));
            let rows = (0..4).flat_map(|i| (0..8).map(move |j| (i, j)));
            let expected: i32 = rows.map(|(i, j)| apart(at(first + i, column + j), at(i, j))).sum();
            let matrix = |elems: &Vec<u8>| CArray {
                data: elems.as_ptr(),
                shape: [6, 12],
                stride: [12, 1],
                owner: std::ptr::null_mut(),
            };
            let mut found = 0_i32;
            let arguments = [arg(&matrix(&a)), arg(&matrix(&b)), arg(&y), arg(&x)];
            native
                .call("blocks", &[crate::support::native::out(&mut found)], &arguments)
                .expect("no error");
            assert_eq!(found, expected, "blocks, {seed}");

            let expected = (0..19).map(|at| i64::from(apart(at, at))).sum::<i64>() + x;
            let mut found = 0_i64;
            let arguments = [arg(&lend(&a)), arg(&lend(&b)), arg(&x)];
            native
                .call("backwards", &[crate::support::native::out(&mut found)], &arguments)
                .expect("no error");
            assert_eq!(found, expected, "backwards, {seed}");

            let signed: Vec<i8> = a.iter().map(|byte| byte.cast_signed()).collect();
            let number = |at: usize| i16::from(signed[at]);
            let k = i16::try_from(seed).expect("small") * 300;
            let term = |at: usize| {
                number(at).wrapping_mul(k).wrapping_sub(number(at + 1).wrapping_mul(number(at)))
            };
            let expected = (0..16).map(term).fold(number(3), i16::wrapping_add);
            let mut found = 0_i16;
            let arguments = [arg(&lend(&signed)), arg(&k)];
            native
                .call("products", &[crate::support::native::out(&mut found)], &arguments)
                .expect("no error");
            assert_eq!(found, expected, "products, {seed}");
        }
    }
}

#[test]
fn differences_of_bytes_take_one_instruction_a_row() {
    let source = crate::support::source::arr(SUMS);
    let options = Options { triple: Some("x86_64-linux-gnu".into()), ..Options::default() };
    let module =
        arrc_llvm::compile(&source.program, &source.sources, &options).expect("it compiles");
    let assembly = module.assembly();
    let blocks = assembly.split("arr.blocks:").nth(1).unwrap_or(&assembly);
    assert!(blocks.matches("psadbw").count() >= 4, "four rows:\n{blocks}");
}
