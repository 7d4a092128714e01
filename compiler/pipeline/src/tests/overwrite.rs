//! Passes write over arrays that end there.

use crate as pipeline;
use crate::Options;
use arrc_front::load::NoFiles;
use arrc_syntax::source::Sources;

/// The number of arrays that the passes of an entry make in new memory, and the number that they make over
/// others.
fn made(entry: &str) -> [usize; 2] {
    let mut sources = Sources::default();
    let file = sources.add("over.arr", entry);
    let compiled = pipeline::compile(&mut sources, file, &NoFiles, &Options::default());
    let form = compiled.unwrap_or_else(|e| panic!("{entry}: {e:?}")).program.to_string();
    let (all, over) = (form.matches("newVecI").count(), form.matches(") over ").count());
    [all - over, over]
}

/// The counts for a program with `ys` and its sum `s` in memory, and this rest of the body.
fn after_sum(rest: &str) -> [usize; 2] {
    made(&format!("entry f [n] (xs: [n]i64) = let ys = scan (+) 0 xs let s = i64.sum ys in {rest}"))
}

#[test]
fn passes_write_over_what_ends_with_them() {
    assert_eq!(after_sum("map (+ s) ys"), [1, 1]);
    assert_eq!(after_sum("filter (> s) ys"), [1, 1]);
    assert_eq!(after_sum("scan (+) 0 (map (* s) ys)"), [1, 1]);
    assert_eq!(after_sum("map2 (\\x y -> x + y - s) xs ys"), [1, 1]);
    assert_eq!(after_sum("map (\\y -> f64.i64 (y + s)) ys"), [1, 1], "of one width");
    assert_eq!(after_sum("map (\\y -> (y + s) // 3) ys"), [1, 1], "no step can fail");
    assert_eq!(after_sum("(map (+ s) ys, map (* s) ys)"), [2, 1]);
}

#[test]
fn nothing_is_lost_by_it() {
    assert_eq!(after_sum("(map (+ s) ys, ys)"), [2, 0], "it does not end");
    assert_eq!(after_sum("map (+ s) xs"), [1, 0], "it belongs to the caller");
    assert_eq!(after_sum("map (\\y -> i32.i64 (y + s)) ys"), [2, 0], "other widths");
    assert_eq!(after_sum("map (\\y -> s // y) ys"), [2, 0], "a step may fail");
    assert_eq!(after_sum("generate n (\\i -> ys[n - 1 - i] + s)"), [2, 0], "read elsewhere");
    let again = "map2 (\\i y -> i64.max s (y + ys[(i + 1) % n])) (iota n) ys";
    assert_eq!(after_sum(again), [2, 0], "and read elsewhere");
    let crossed = "map (\\(x, y) -> x * y + s) (cross ys xs)";
    assert_eq!(after_sum(crossed), [2, 0], "more of them");
}

#[test]
fn boxes_are_written_in_place() {
    let over = |with: &str| {
        let [_, over] = made(&format!(
            "entry f (n: i64) (m: i64) (p: i64) (q: i64) =
            loop a = tabulate_2d n m (\\i j -> i + j) for _i < p do
            with {{ ([p, p] <= [i, j] < [q, q]) : {with} }} : modarray a"
        ));
        over
    };
    assert_eq!(over("a[i, j] * 2"), 1);
    assert_eq!(over("i + j"), 1);
    assert_eq!(over("a[i, j] // n"), 0, "a step may fail");
    assert_eq!(over("a[j, i]"), 0, "another element, which may not be there");
    assert_eq!(over("a[i, p]"), 0, "another element of the row");
    let longer = "generate (n + 1) (\\i -> if i < n then ys[i] + s else 0)";
    assert_eq!(after_sum(longer), [2, 0], "the result is longer");
    let flat = "with { ([s] <= [i] < [n]) : ys[i] * s } : modarray ys";
    assert_eq!(after_sum(flat), [1, 1]);
}

#[test]
fn loops_write_over_what_they_carry() {
    // The steps need all elements, so they stay steps.
    let step = "let s = i64.sum a in map (\\x -> x * 3 + s) a";
    let carried = |init: &str| {
        format!("entry f [n] (k: i64) (xs: [n]i64) = loop a = {init} for _i < k do {step}")
    };
    assert_eq!(made(&carried("map (+ 1) xs")), [1, 1]);
    assert_eq!(made(&carried("xs")), [0, 1], "the first is a copy of the caller's");
}
