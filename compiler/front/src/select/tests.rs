//! Tests of the pass: which uses of a sorted array become selections, and which ones keep the sort.

use super::*;
use crate::core;
use crate::infer::tests::check;
use arrc_syntax::ids::EntityRef;

/// The body of the program's entry, with selections.
fn selected(body: &str) -> String {
    let text = format!("entry f [n] (xs: [n]f64) (is: [3]i64) = {body}");
    let core = check(&text).unwrap_or_else(|errors| panic!("{errors}"));
    let selected = select(&core, FileId::new(0));
    core::verify_up_to_sizes(&selected).unwrap_or_else(|error| panic!("{error}"));
    let printed = selected.to_string();
    let (_, entry) = printed.split_once("entry f").expect("there is an entry");
    let (_, body) = entry.split_once(" =").expect("it has a body");
    body.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn elements_are_selected() {
    let cases = [
        ("(sort (<=) xs)[n / 2]", "at_rank true (<=) (n / 2i64) (for_ranks true (<=) xs)"),
        ("xs |> sort (>=) |> last", "last_rank true (>=) (for_ranks true (>=) xs)"),
        ("take 3 (sort (<=) xs)", "first_of true (<=) 3i64 (for_ranks true (<=) xs)"),
        ("drop (n - 3) (sort (<=) xs)", "rest_of true (<=) (n - 3i64) (for_ranks true (<=) xs)"),
        (
            "xs |> sort (<=) |> reverse |> take 3",
            "highest_of true (<=) 3i64 (for_ranks true (<=) xs)",
        ),
        (
            "let s = sort (<=) xs in (take 3 (reverse s), s[0])",
            "let s: [n]f64 = for_ranks false (<=) xs in (highest_of false (<=) 3i64 s, at_rank false (<=) 0i64 s)",
        ),
        (
            "let s = sort (<=) xs in (head s, s[length s - 1])",
            "let s: [n]f64 = for_ranks false (<=) xs in (first_rank false (<=) s, at_rank false (<=) (length s - 1i64) s)",
        ),
        (
            "let s = sort (<=) xs in s[0]",
            "let s: [n]f64 = for_ranks true (<=) xs in at_rank true (<=) 0i64 s",
        ),
        ("(sort (<=) xs)[:3]", "slice_to true (<=) 3i64 (for_ranks true (<=) xs)"),
        ("(sort (<=) xs)[n - 3:]", "slice_from true (<=) (n - 3i64) (for_ranks true (<=) xs)"),
        ("(sort (<=) xs)[2:n / 9]", "slice_of true (<=) 2i64 (n / 9i64) (for_ranks true (<=) xs)"),
        ("(reverse (sort (<=) xs))[:3]", "highest_to true (<=) 3i64 (for_ranks true (<=) xs)"),
        ("take 2 (sort (\\x y -> y <= x) xs)", "first_of true (>=) 2i64 (for_ranks true (>=) xs)"),
        (
            "take 2 (sort (\\(_, x) (_, y) -> x >= y) (zip xs xs))",
            "first_of true (\\(p: (f64, f64)) (q: (f64, f64)) -> p.1 >= q.1) 2i64 \
             (for_ranks true (\\(p_1: (f64, f64)) (q_1: (f64, f64)) -> p_1.1 >= q_1.1) (zip xs xs))",
        ),
        (
            "take 2 (sort_by_key f64.abs (<=) xs)",
            "ranked xs (first_of true (\\(p: (f64, i64)) (q: (f64, i64)) -> p.0 <= q.0) 2i64 \
             (for_ranks true (\\(p_1: (f64, i64)) (q_1: (f64, i64)) -> p_1.0 <= q_1.0) (with_positions f64.abs xs)))",
        ),
        (
            "map (\\i -> (sort (<=) xs)[i]) is",
            "map (\\(i: i64) -> at_rank true (<=) i (for_ranks true (<=) xs)) is",
        ),
    ];
    for (body, expected) in cases {
        assert_eq!(selected(body), expected);
    }
}

#[test]
fn arrays_with_other_uses_are_sorted() {
    let bodies = [
        "sort (<=) xs",
        "let s = sort (<=) xs in (s[0], s)",
        "let s = sort (<=) xs in map (\\i -> s[i]) is",
        "let s = sort (<=) xs in loop sum = 0 for i < n do sum + s[i]",
        "let s = sort (<=) xs in (s[0], s[1], s[2], s[3])",
        "let s = sort (<=) xs in (take 2 s, take 3 s)",
        "let s = sort (<=) xs in (take 2 s, drop 3 s)",
        "let s = sort (<=) xs in (take 3 (reverse s), reverse s)",
        "reverse (sort (<=) xs)",
        "take 2 (sort (\\x y -> x * x <= y * y) xs)",
        "take 2 (sort_by_key f64.abs (\\x y -> x * x <= y * y) xs)",
        "(sort (<=) xs)[::2]",
    ];
    for body in bodies {
        let selected = selected(body);
        assert!(selected.contains("sort") && !selected.contains("for_ranks"), "{selected}");
    }
}
