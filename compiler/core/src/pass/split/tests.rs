//! Loops in ranges give what they gave before, in every number of steps; and have ranges where they
//! should.

use crate::eval;
use crate::eval::cnf::Value;
use crate::eval::error::RunError;
use crate::pass::load::NoFiles;
use crate::pass::testing::ints;
use crate::pipeline::{self, Compiled, Options};
use crate::prim::Const;
use crate::source::Sources;

/// A compiled program, and its text.
fn compiled(text: &str) -> (Compiled, String) {
    let mut sources = Sources::default();
    let file = sources.add("stencil.arr", text);
    let compiled = pipeline::compile(&mut sources, file, &NoFiles, &Options::default());
    let compiled = compiled.unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let text = compiled.program.to_string();
    (compiled, text)
}

/// What the first entry gives in ranges, which is what it means.
fn run(text: &str, compiled: &Compiled, args: &[Value]) -> Result<Vec<Value>, RunError> {
    let mut sources = Sources::default();
    let file = sources.add("stencil.arr", text);
    let meaning = pipeline::normal_form(&mut sources, file, &NoFiles).expect("no errors again");
    let meant = eval::cnf::run(&meaning, meaning.entries[0].function, args.to_vec());
    let entry = compiled.program.entries[0].function;
    let found = eval::concrete::run(&compiled.program, entry, args.to_vec());
    assert_eq!(found, meant, "{text} of {args:?}");
    found
}

fn elements(count: i64) -> Value {
    ints(&(0..count).map(|at| at * 7 % 11 - 3).collect::<Vec<_>>())
}

/// The program, of arrays of 0 to 9 elements, has a range in which it reads so many elements without
/// looking.
fn reads_inside(reads: usize, text: &str) {
    let (compiled, form) = compiled(text);
    assert_eq!(form.matches("= inside ").count(), reads, "{text}\n{form}");
    assert_eq!(form.matches("range from ").count(), 1, "{text}\n{form}");
    let range = &form[form.find("range from").expect("it has a range")..];
    assert!(!range.contains("if "), "nothing is decided in the range: {form}");
    for count in 0..10 {
        let _ = run(text, &compiled, &[elements(count)]);
    }
}

#[test]
fn neighbours_beyond_the_ends_are_those_at_the_other_end() {
    reads_inside(
        2,
        "entry f [n] (xs: [n]i64) = map3 (\\l c r -> l + 2 * c + 3 * r) (rotate (-1) xs) xs (rotate 1 xs)",
    );
    reads_inside(
        2,
        "entry f [n] (xs: [n]i64) = tabulate n (\\i -> xs[(i - 1) % n] - xs[(i + 2) % n])",
    );
    reads_inside(
        2,
        "entry f [n] (xs: [n]i64) = tabulate n (\\i -> xs[(i + n - 1) % n] - xs[(n - 2 - i) % n])",
    );
    reads_inside(1, "entry f [n] (xs: [n]i64) = tabulate n (\\i -> xs[(i + n - 1) %% n])");
    reads_inside(
        1,
        "entry f [n] (xs: [n]i64) = tabulate n (\\i -> if i == 0 then xs[n - 1] else xs[i - 1])",
    );
    reads_inside(
        2,
        "entry f [n] (xs: [n]i64) = tabulate n (\\i -> if i != n - 1 then xs[i + 1] - xs[i] else xs[0])",
    );
}

#[test]
fn neighbours_beyond_the_ends_are_those_at_the_ends() {
    reads_inside(
        2,
        "entry f [n] (xs: [n]i64) = tabulate n (\\i -> xs[i64.max 0 (i - 1)] + xs[i64.min (n - 1) (i + 1)])",
    );
    reads_inside(
        2,
        "entry f [n] (xs: [n]i64) = tabulate n (\\i -> (if i >= 3 then xs[i - 3] else 0) - (if i + 1 < n then xs[i + 1] else 0))",
    );
    reads_inside(
        2,
        "entry f [n] (xs: [n]i64) = tabulate n (\\i -> if 0 < i && i <= n - 2 then xs[i - 1] + xs[i + 1] else 0)",
    );
    reads_inside(
        2,
        "entry f [n] (xs: [n]i64) = tabulate n (\\i -> if i < 1 || n - 1 <= i then 0 else xs[i - 1] + xs[i + 1])",
    );
}

#[test]
fn backwards_and_in_a_fold_and_in_a_scan() {
    reads_inside(1, "entry f [n] (xs: [n]i64) = tabulate n (\\i -> xs[n - 1 - i])");
    reads_inside(
        1,
        "entry f [n] (xs: [n]i64) = fold (\\s i -> s * 3 + (if i > 0 then xs[i - 1] else 1)) 0 (iota n)",
    );
    reads_inside(
        1,
        "entry f [n] (xs: [n]i64) = let ys = tabulate n (\\i -> if i == n - 1 then 0 else xs[i + 1]) in (ys, scan (+) 0 ys, reduce i64.max 0 ys, filter (> 1) ys)",
    );
}

#[test]
fn an_element_that_is_not_there_is_an_error_as_before() {
    let text = "entry f [n] (xs: [n]i64) = tabulate n (\\i -> xs[i + 1] + xs[i - 2])";
    reads_inside(2, text);
    let (compiled, _) = compiled(text);
    let error = run(text, &compiled, &[elements(5)]).expect_err("there is no element -2");
    assert!(error.message.starts_with("index -2 is out of bounds"), "{error}");
}

#[test]
fn what_is_the_same_in_all_steps_may_be_any_number() {
    let text = "entry f [n] (xs: [n]i64) (k: i64) (l: i64) =
        tabulate n (\\i -> if i < n - 1 then (if i + k >= 0 && i + k < n then xs[i + k] else i - k + l) else xs[l - i])";
    let (compiled, _) = compiled(text);
    let far = [
        i64::MIN,
        i64::MIN + 1,
        -(1 << 62),
        -(1 << 60) - 1,
        -3,
        -1,
        0,
        1,
        2,
        5,
        1 << 61,
        i64::MAX - 1,
        i64::MAX,
    ];
    for count in [0, 1, 2, 5] {
        for (k, l) in far.iter().flat_map(|&k| far.iter().map(move |&l| (k, l))) {
            let [k, l] = [k, l].map(|number| Value::Scalar(Const::i64(number)));
            let _ = run(text, &compiled, &[elements(count), k, l]);
        }
    }
}

#[test]
fn rows_and_columns_have_ranges_of_their_own() {
    let text = "entry f [n] (xs: [n]i64) =
        let a = tabulate_2d n n (\\i j -> xs[i] * 10 + j)
        in tabulate_2d n n (\\i j -> if i > 0 && j > 0 && i < n - 1 && j < n - 1 then a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1] else a[i, j])";
    let (compiled, form) = compiled(text);
    assert!(form.matches("= inside a").count() >= 4, "{form}");
    for count in 0..7 {
        run(text, &compiled, &[elements(count)]).expect("all elements are there");
    }
}

#[test]
fn a_test_that_nobody_can_foresee_stays() {
    for text in [
        "entry f [n] (xs: [n]i64) (k: i64) = tabulate n (\\i -> if i < k then 1 else 2)",
        "entry f [n] (xs: [n]i64) (k: i64) = tabulate n (\\i -> if i % 2 == 0 then i else k)",
        "entry f [n] (xs: [n]i64) (k: i64) = map (\\x -> if x < k then 1 else 2) xs",
    ] {
        let (_, form) = compiled(text);
        assert!(!form.contains("range"), "{text}\n{form}");
    }
}
