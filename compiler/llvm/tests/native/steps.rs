//! Steps of blocks: whole arrays, branches, calls, ownership.

use crate::support::native::{CArray, Native, arg, lend, load, options, out};
use arrc_llvm::OptLevel;
use arrc_syntax::prim::Scalar;

const LEVELS: [OptLevel; 2] = [OptLevel::O0, OptLevel::O3];

fn array_of<T: Copy>(
    native: &Native,
    entry: &str,
    inputs: &[*const std::ffi::c_void],
) -> Result<Vec<T>, String> {
    let mut result = CArray::<T, 1>::EMPTY;
    native.call(entry, &[out(&mut result)], inputs).map(|()| native.take(&result))
}

/// The second append extends the result of the first, and writes the literal behind it.
const APPEND: &str = "
entry append [n] [m] (xs: [n]bool) (ys: [m]bool) (a: bool) (b: bool): ?[k].[k]bool =
  let both = xs ++ ys in both ++ [a, b, true]
";

#[test]
fn arrays_are_put_together() {
    for level in LEVELS {
        let native = load(APPEND, &options(level));
        for (xs, ys) in
            [(vec![], vec![]), (vec![true], vec![]), (vec![true, false], vec![false; 100])]
        {
            let inputs = [lend::<bool>(&xs), lend(&ys)];
            let (a, b) = (false, true);
            let inputs = [arg(&inputs[0]), arg(&inputs[1]), arg(&a), arg(&b)];
            let expected: Vec<bool> =
                xs.iter().chain(&ys).chain(&[false, true, true]).copied().collect();
            assert_eq!(array_of::<bool>(&native, "append", &inputs), Ok(expected));
        }
        native.limit(2);
        let (xs, a, b) = (lend(&[true]), false, true);
        let inputs = [arg(&xs), arg(&xs), arg(&a), arg(&b)];
        assert_eq!(
            array_of::<bool>(&native, "append", &inputs),
            Err("test.arr:3:26 5 [a] 5 1".to_owned())
        );
    }
}

/// The literal is both appended and a result, so it is an array.
#[test]
fn a_literal_that_is_more_than_appended_is_an_array() {
    const BOTH: &str = "
entry both [n] (x: i64) (ys: [n]i64): ([1 + n]i64, [1]i64) = let one = [x] in (one ++ ys, one)
";
    for level in LEVELS {
        let native = load(BOTH, &options(level));
        let (x, ys) = (7_i64, lend(&[8_i64, 9]));
        let [mut zs, mut one] = [CArray::<i64, 1>::EMPTY; 2];
        let outs = [out(&mut zs), out(&mut one)];
        assert_eq!(native.call("both", &outs, &[arg(&x), arg(&ys)]), Ok(()));
        assert_eq!((native.take(&zs), native.take(&one)), (vec![7, 8, 9], vec![7]));
    }
}

#[test]
fn an_empty_literal_can_be_freed() {
    let native = load("entry none: [0]f32 = []", &options(OptLevel::O2));
    assert_eq!(array_of::<f32>(&native, "none", &[]), Ok(vec![]));
}

/// Arrays of the caller are copied, ours are shared.
#[test]
fn outputs_are_never_the_callers_memory() {
    const SAME: &str = "
entry same [n] (xs: [n]i16) (one: i16): ([n]i16, [n]i16, [2]i16, [2]i16) =
  let ys = [one, one + 1] in (xs, xs, ys, ys)
";
    for level in LEVELS {
        let native = load(SAME, &options(level));
        let xs = [5_i16, 6, 7, 8];
        for given in [lend(&xs), CArray { shape: [2], stride: [2], ..lend(&xs) }] {
            let mut outs = [CArray::<i16, 1>::EMPTY; 4];
            let [a, b, c, d] = &mut outs;
            native
                .call("same", &[out(a), out(b), out(c), out(d)], &[arg(&given), arg(&1_i16)])
                .expect("no error");
            assert!(outs.iter().all(|array| array.data != xs.as_ptr()));
            assert_eq!(outs[2].owner, outs[3].owner, "what is ours needs no copy");
            let expected = if given.stride == [1] { xs.to_vec() } else { vec![5, 7] };
            let [a, b, c, d] = outs.map(|array| native.take(&array));
            assert_eq!((a, b, c, d), (expected.clone(), expected, vec![1, 2], vec![1, 2]));
        }
    }
}

const CHOOSE: &str = "
entry choose [n] [m] (c: bool) (d: bool) (xs: [n]u32) (ys: [m]u32): ?[k].[k]u32 =
  if c then xs else if d then ys ++ ys else [7]
";

#[test]
fn branches_yield_arrays() {
    for level in LEVELS {
        let native = load(CHOOSE, &options(level));
        let (xs, ys) = (lend(&[1_u32, 2, 3]), lend(&[4_u32]));
        let call = |c: bool, d: bool| {
            array_of::<u32>(&native, "choose", &[arg(&c), arg(&d), arg(&xs), arg(&ys)])
        };
        assert_eq!(call(true, false), Ok(vec![1, 2, 3]));
        assert_eq!(call(false, true), Ok(vec![4, 4]));
        assert_eq!(call(false, false), Ok(vec![7]));
    }
}

/// Calls itself with an array that grows.
const RECURSIVE: &str = "
def down [m] (n: i64) (xs: [m]i64): ?[k].([k]i64, i64) =
  if n == 0 then (xs, 0) else
    let (ys, s) = down (n - 1) ([n] ++ xs)
    in (ys, s + n)
entry start [m] (n: i64) (xs: [m]i64): ?[k].([k]i64, i64) = down n xs
";

#[test]
fn recursion_ends_at_its_base_or_at_the_end_of_the_stack() {
    for level in LEVELS {
        let native = load(RECURSIVE, &options(level));
        let call = |n: i64, xs: &[i64]| {
            let (mut ys, mut s) = (CArray::<i64, 1>::EMPTY, 0_i64);
            native
                .call("start", &[out(&mut ys), out(&mut s)], &[arg(&n), arg(&lend(xs))])
                .map(|()| (native.take(&ys), s))
        };
        assert_eq!(call(0, &[9]), Ok((vec![9], 0)));
        assert_eq!(call(4, &[9]), Ok((vec![1, 2, 3, 4, 9], 10)));
        assert_eq!(call(100, &[]).map(|(_, s)| s), Ok(5050));
        // The place, then the calls that led there, each from the same place.
        let message = call(-1, &[]).expect_err("the stack has an end");
        let (place, callers) = message.split_once(" < ").expect("it was called");
        assert_eq!(place, "test.arr:2:5 6 [down] 0 0");
        let mut places: Vec<&str> = callers.split(" < ").collect();
        places.pop();
        assert!(places.len() > 10 && places.iter().all(|place| *place == places[0]));
        assert_eq!(call(4, &[9]), Ok((vec![1, 2, 3, 4, 9], 10)), "the context is good again");
    }
}

/// Every scalar type through parameters and results of a function that is called.
#[test]
fn scalars_pass_through_calls() {
    let each = |text: fn(&str) -> String| Scalar::ALL.map(|ty| text(ty.name()));
    let params = each(|ty| format!("(v_{ty}: {ty})")).join(" ");
    let types = each(str::to_owned).join(", ");
    let names = each(|ty| format!("v_{ty}"));
    let program = format!(
        "def inner (n: i64) {params}: ({types}) =
          if n == 0 then ({}) else inner (n - 1) {}
        entry outer {params}: ({types}) = inner 3 {}",
        names.join(", "),
        names.join(" "),
        names.join(" ")
    );
    for level in LEVELS {
        let native = load(&program, &options(level));
        let given: [u64; 11] =
            std::array::from_fn(|at| if at == 0 { 1 } else { 0xf1e2_d3c4_b5a6_9780 + at as u64 });
        let mut got = [0_u64; 11];
        let outputs: Vec<_> = got.iter_mut().map(out).collect();
        native
            .call("outer", &outputs, &given.iter().map(arg).collect::<Vec<_>>())
            .expect("no error");
        for ((ty, given), got) in Scalar::ALL.iter().zip(given).zip(got) {
            let mask = u64::MAX >> (64 - 8 * ty.bytes());
            assert_eq!(got, given & mask, "{ty}");
        }
    }
}
