//! Programs and their results.

use arr_abi::ErrorCode;

use super::{Component, run};
use crate::core::Program;
use crate::eval::run_error::RunError;
use crate::infer::tests::check;
use arrc_syntax::prim::{Const, Scalar};

fn program(text: &str) -> Program {
    check(text).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The results of a program's only entry.
fn results(text: &str, args: &[Component]) -> Result<Vec<Component>, RunError> {
    let program = program(text);
    run(&program, program.entries[0], args)
}

fn int(value: i64) -> Component {
    Component { elem: Scalar::I64, shape: Vec::new(), data: vec![Const::i64(value)] }
}

fn ints(shape: &[i64], values: &[i64]) -> Component {
    let data = values.iter().map(|&value| Const::i64(value)).collect();
    Component { elem: Scalar::I64, shape: shape.to_vec(), data }
}

/// The error of a program, and the text at its place.
fn failure<'t>(text: &'t str, args: &[Component]) -> (ErrorCode, &'t str, String) {
    let error = results(text, args).expect_err("it fails");
    let place = &text[error.span.start as usize..error.span.end as usize];
    (error.code, place, error.message)
}

#[test]
fn arrays_of_arrays_are_arrays_of_higher_rank() {
    let text = "entry f [n] [m] (xss: [n][m]i64) = (map (\\xs -> map (+ 1) xs) xss, n, m)";
    let args = [ints(&[2, 3], &[1, 2, 3, 4, 5, 6])];
    let expected = [ints(&[2, 3], &[2, 3, 4, 5, 6, 7]), int(2), int(3)];
    assert_eq!(results(text, &args), Ok(expected.to_vec()));
}

#[test]
fn rows_of_an_empty_array_have_their_size() {
    let text = "entry f [n] [m] (xss: [n][m]i64) = (map (\\xs -> map (+ 1) xs) xss, m)";
    let expected = [ints(&[0, 3], &[]), int(3)];
    assert_eq!(results(text, &[ints(&[0, 3], &[])]), Ok(expected.to_vec()));
    let text = "entry g [n] (xs: [n]i64) = map (\\x -> [x, x]) (filter (> 9) xs)";
    assert_eq!(results(text, &[ints(&[2], &[1, 2])]), Ok(vec![ints(&[0, 2], &[])]));
    let text = "def pair 'a (x: a): [2]a = [x, x]\n\
                entry h [n] (xs: [n]i64) = map pair (map pair (filter (> 9) xs))";
    assert_eq!(results(text, &[ints(&[1], &[1])]), Ok(vec![ints(&[0, 2, 2], &[])]));
}

#[test]
fn records_come_as_their_fields() {
    let text = "entry f [n] (ps: [n]{y: i64, x: i64}) = map (\\p -> {x = p.x, y = p.y}) ps";
    let args = [ints(&[2], &[1, 2]), ints(&[2], &[3, 4])];
    let expected = [ints(&[2], &[3, 4]), ints(&[2], &[1, 2])];
    assert_eq!(results(text, &args), Ok(expected.to_vec()));
}

#[test]
fn records_are_equal_whatever_the_order_of_their_fields() {
    let text = "entry f (a: i64) (b: i64) = {x = a, y = b} == {y = b, x = a}";
    let expected =
        Component { elem: Scalar::Bool, shape: Vec::new(), data: vec![Const::bool(true)] };
    assert_eq!(results(text, &[int(1), int(2)]), Ok(vec![expected]));
}

#[test]
fn functions_wait_for_their_arguments() {
    let text = "def twice 'a (f: a -> a) (x: a): a = f (f x)\n\
                entry f (x: i64) = let add (a: i64) (b: i64) = a - b in twice twice (add 100) x";
    assert_eq!(results(text, &[int(7)]), Ok(vec![int(7)]));
    let text = "entry g (x: i64) = const (\\y -> y + x) 1 2";
    assert_eq!(results(text, &[int(7)]), Ok(vec![int(9)]));
}

#[test]
fn sizes_that_are_computed_are_told_by_the_arrays() {
    let text = "entry f [n] (xs: [n]i64) =\n\
                let ys = filter (> 0) xs\n\
                let count [k] (zs: [k]i64) = k\n\
                in (count ys, count (ys ++ xs), length (cross ys xs), n)";
    let expected = [int(2), int(5), int(6), int(3)];
    assert_eq!(results(text, &[ints(&[3], &[1, -2, 3])]), Ok(expected.to_vec()));
}

#[test]
fn errors_have_their_place_and_their_words() {
    let fails = |text, args: &[Component], code, place, message: &str| {
        assert_eq!(failure(text, args), (code, place, message.to_owned()));
    };
    let text = "entry f [n] (xs: [n]i64) (i: i64) = xs[i]";
    let args = |i| [ints(&[2], &[1, 2]), int(i)];
    let outside = |i| format!("index {i} is out of bounds for an array of length 2");
    fails(text, &args(2), ErrorCode::Index, "xs[i]", &outside(2));
    fails(text, &args(-1), ErrorCode::Index, "xs[i]", &outside(-1));
    let text = "entry f (x: i64) = (1 + x) / x";
    fails(text, &[int(0)], ErrorCode::Division, "(1 + x) / x", "division by zero");
    let text = "entry f (x: i64) = 2 ** x";
    fails(text, &[int(-3)], ErrorCode::Power, "2 ** x", "negative exponent -3");
    let text = "entry f (x: i64) = length (iota x)";
    fails(text, &[int(-3)], ErrorCode::Size, "(iota x)", "negative size -3 in iota");
    let large = "out of memory: an array of 1099511627776 elements";
    fails(text, &[int(1 << 40)], ErrorCode::Memory, "(iota x)", large);
    let text = "entry f [n] (xs: [n]i64) (ys: [n]i64) = map2 (+) xs ys";
    let args = [ints(&[1], &[1]), ints(&[2], &[1, 2])];
    let differ = "xs has size 1 but ys has size 2; they must be equal";
    fails(text, &args, ErrorCode::Shape, "f", differ);
}

#[test]
fn what_is_not_reached_does_not_fail() {
    let text = "entry f (x: i64) = if x != 0 && 10 / x > 2 then 1 / x else 7";
    assert_eq!(results(text, &[int(0)]), Ok(vec![int(7)]));
    assert_eq!(results(text, &[int(1)]), Ok(vec![int(1)]));
}

#[test]
fn recursion_without_an_end_is_an_error() {
    let text = "def down (n: i64): i64 = 1 + down (n + 1)\nentry f (x: i64) = down x";
    let message = "the recursion is too deep for the stack".to_owned();
    assert_eq!(failure(text, &[int(0)]), (ErrorCode::Stack, "down", message));
}

/// Ten thousand functions; each captures the one before it.
#[test]
fn long_chains_of_functions_are_taken_apart() {
    let text = "def grow (k: i64) (f: i64 -> i64) (x: i64): i64 =\n\
                if k == 0 then x else grow (k - 1) (\\y -> f y + 1) x\n\
                entry f (x: i64) = grow 10000 (\\y -> y) x";
    assert_eq!(results(text, &[int(5)]), Ok(vec![int(5)]));
}
