//! Passes that run in vectors: reads beside the position, filters of long stretches, choices, and division.
//! `tests/emit/vectors*` show how they are lowered.

use crate::support::native::{CArray, arg, lend, load, options, out};
use arrc_llvm::OptLevel;
use arrc_syntax::prim::BinOp;

/// The positive elements, and their sum.
const FILTER_SUM: &str = "
entry filter_sum [n] (xs: [n]i32): ?[k].([k]i32, i32) = let ys = filter (> 0) xs in (ys, sum ys)
";

/// The greatest step between neighbours.
const STEEPEST: &str = r"
entry steepest [n] (xs: [n]f64) (steps: i64): f64 =
  reduce f64.max 0 (generate steps (\i -> xs[i + 1] - xs[i]))
";

/// The element that comes first by a comparison, and its position.
fn best(comparison: &str) -> String {
    format!(
        r"entry best [n] (xs: [n]f64): (f64, i64) =
          let better (a, i) (b, j) = if a {comparison} b then (a, i) else (b, j)
          in reduce better (-1e300, -1) (zip xs (iota n))"
    )
}

/// Rows that a pass changes where they are.
const ROWS: &str = r"
entry rows [n] [m] (xs: *[n][m]f64) (by: f64): [n][m]f64 =
  loop xs = xs for i < n do xs with [i] = map (* by) xs[i]
";

/// All elements by one number.
fn divide(op: BinOp, ty: &str) -> String {
    format!("entry divide [n] (xs: [n]{ty}) (d: {ty}): [n]{ty} = map ({} d) xs", op.name())
}

#[test]
fn a_pass_over_its_array_does_not_compare_their_addresses() {
    let source = crate::support::source::arr(ROWS);
    let options = options(OptLevel::O3);
    let module =
        arrc_llvm::compile(&source.program, &source.sources, &options).expect("it compiles");
    let ir = module.ir();
    let slice = ir.split("define ").find(|function| function.contains("@arr.rows.slice("));
    let slice = slice.expect("the pass is a function");
    assert!(slice.contains("vector.body"), "LLVM runs it in vectors:\n{slice}");
    assert!(
        !slice.contains("diff.check"),
        "the addresses are equal, so it would run step by step:\n{slice}"
    );
}

#[test]
fn what_is_beside_the_position_is_read_there() {
    let native = load(STEEPEST, &options(OptLevel::O3));
    for steps in (0..67).chain([500]) {
        let xs: Vec<f64> = (0..=steps).map(|at| f64::from((at * at * 7 + at) % 101)).collect();
        let pairs = xs.iter().zip(&xs[1..]);
        let expected = pairs.map(|(x, y)| y - x).fold(0.0, f64::max);
        let mut most = 0.0_f64;
        native
            .call("steepest", &[out(&mut most)], &[arg(&lend(&xs)), arg(&i64::from(steps))])
            .expect("no error");
        assert_eq!(most.to_bits(), expected.to_bits(), "{steps}");
    }
}

#[test]
fn sparse_and_dense_stretches_are_kept_as_they_lie() {
    let native = load(FILTER_SUM, &options(OptLevel::O3));
    // For each stretch: how many of how many elements are kept.
    let stretches: [&[(usize, usize)]; 6] = [
        &[(0, 500), (1, 40), (0, 999)],
        &[(90, 90), (0, 700), (1, 3)],
        &[(0, 31), (1, 1), (0, 64), (2, 2), (0, 3000), (33, 40), (0, 77)],
        &[(1, 1), (0, 63), (1, 1), (0, 65), (1, 33)],
        &[(0, 64)],
        &[(0, 4096), (64, 64), (0, 4096), (65, 67)],
    ];
    for stretches in stretches {
        let mut xs: Vec<i32> = Vec::new();
        for &(kept, of) in stretches {
            let value = |at: usize| i32::try_from(xs.len() + at).expect("small") % 1000 + 1;
            let next: Vec<i32> =
                (0..of).map(|at| if at < kept { value(at) } else { -value(at) }).collect();
            xs.extend(next);
        }
        let expected: Vec<i32> = xs.iter().copied().filter(|&x| x > 0).collect();
        let (mut ys, mut sum) = (CArray::<i32, 1>::EMPTY, 0_i32);
        native
            .call("filter_sum", &[out(&mut ys), out(&mut sum)], &[arg(&lend(&xs))])
            .expect("no error");
        assert_eq!(native.take(&ys), expected, "{stretches:?}");
        assert_eq!(sum, expected.iter().sum::<i32>(), "{stretches:?}");
    }
}

#[test]
fn of_equals_the_first_or_the_last_is_chosen() {
    for comparison in [">", ">="] {
        let native = load(&best(comparison), &options(OptLevel::O3));
        for length in [1_usize, 17, 40, 64, 99] {
            let xs: Vec<f64> =
                (0..length).map(|at| if at % 29 == 3 { 7.5 } else { 0.25 }).collect();
            let highest = if length > 3 { 7.5 } else { 0.25 };
            let (mut best, mut at) = (0.0_f64, 0_i64);
            native
                .call("best", &[out(&mut best), out(&mut at)], &[arg(&lend(&xs))])
                .expect("no error");
            let mut places =
                (0_i64..100).zip(&xs).filter(|&(_, &x)| x == highest).map(|(at, _)| at);
            let expected = if comparison == ">" { places.last() } else { places.next() };
            assert_eq!((best, Some(at)), (highest, expected), "{comparison} of {length}");
        }
    }
}

#[test]
fn division_by_a_number_known_late_is_exact() {
    let edges = |bits: u32| {
        let top = 1_i128 << (bits - 1);
        let near = [-3, -2, -1, 0, 1, 2, 3, 5, 7, 10, 13, 100, 127];
        let mut all: Vec<i128> = near.to_vec();
        for base in [top, -top, 2 * top, top / 2, top / 3] {
            all.extend((-2..=2).map(|off| base + off));
        }
        all
    };
    for op in [BinOp::Div, BinOp::Mod, BinOp::Quot, BinOp::Rem] {
        check_division::<i8>(op, "i8", &edges(8));
        check_division::<u8>(op, "u8", &edges(8));
        check_division::<i16>(op, "i16", &edges(16));
        check_division::<u16>(op, "u16", &edges(16));
        check_division::<i32>(op, "i32", &edges(32));
        check_division::<u32>(op, "u32", &edges(32));
        check_division::<i64>(op, "i64", &edges(64));
        check_division::<u64>(op, "u64", &edges(64));
    }
}

/// Divides all of the numbers, wrapped, by each of them but 0.
fn check_division<T: Wraps>(op: BinOp, ty: &str, numbers: &[i128]) {
    let native = load(&divide(op, ty), &options(OptLevel::O3));
    let xs: Vec<T> = numbers.iter().chain(numbers).map(|&x| T::wrap(x)).collect();
    for divisor in numbers.iter().map(|&d| T::wrap(d)).filter(|d| d.wide() != 0) {
        let mut ys = CArray::<T, 1>::EMPTY;
        native
            .call("divide", &[out(&mut ys)], &[arg(&lend(&xs)), arg(&divisor)])
            .expect("no error");
        for (x, y) in xs.iter().zip(native.take(&ys)) {
            let (a, b) = (x.wide(), divisor.wide());
            let down = (a % b + b) % b;
            let (quotient, rest) = if matches!(op, BinOp::Quot | BinOp::Rem) {
                (a / b, a % b)
            } else {
                ((a - down) / b, down)
            };
            let expected = if matches!(op, BinOp::Div | BinOp::Quot) { quotient } else { rest };
            assert_eq!(y.wide(), T::wrap(expected).wide(), "{a} {} {b}: {ty}", op.name());
        }
    }
}

/// Integers that wide ones wrap to.
trait Wraps: Copy {
    fn wrap(wide: i128) -> Self;
    fn wide(self) -> i128;
}

macro_rules! wraps {
    ($($ty:ty)*) => {$(
        impl Wraps for $ty {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it wraps")]
            fn wrap(wide: i128) -> Self {
                wide as Self
            }

            fn wide(self) -> i128 {
                i128::from(self)
            }
        }
    )*};
}

wraps!(i8 u8 i16 u16 i32 u32 i64 u64);
