//! Positions that are reported, and positions that are not.

use super::indices;
use crate::infer::tests::check;
use arrc_syntax::diagnostics::Severity;
use arrc_syntax::ids::{EntityRef, FileId};

/// The reports on a program: their severity, and the text of their place.
fn found(program: &str) -> Vec<String> {
    let core = check(program).unwrap_or_else(|errors| panic!("{errors}"));
    let line = |diagnostic: arrc_syntax::diagnostics::Diagnostic| {
        let label = diagnostic.primary.as_ref().expect("a position has a place");
        let place = &program[label.span.start as usize..label.span.end as usize];
        format!("{} {place}", diagnostic.severity.word())
    };
    indices(&core, FileId::new(0)).into_iter().map(line).collect()
}

/// Programs with an array `xs` of three elements, `ys` of `n`, and a matrix of 2 times `n`.
fn body(body: &str) -> Vec<String> {
    found(&format!(
        "entry f [n] (ys: [n]i64) (m: i64) (u: u8) (yss: [2][n]i64) = let xs: [3]i64 = [1, 2, 3] in {body}"
    ))
}

#[test]
fn positions_that_are_certainly_out_of_bounds_are_errors() {
    let cases = [
        ("xs[3]", "3"),
        ("xs[-1]", "-1"),
        ("xs[300u16]", "300u16"),
        ("[1, 2, 3][5]", "5"),
        ("\"abc\"[3]", "3"),
        ("yss[2, 0]", "2"),
        ("yss[0, n]", "n"),
        ("yss[0, -1]", "-1"),
        ("(yss[1])[n + 1]", "n + 1"),
        ("ys[n]", "n"),
        ("ys[length ys]", "length ys"),
        ("ys[-2]", "-2"),
        ("(ys ++ xs)[n + 3]", "n + 3"),
        ("(let k = 4 in xs[k - 1])", "k - 1"),
        ("(let l = length xs in xs[l])", "l"),
        ("xs[1:4]", "1:4"),
        ("xs[4:]", "4"),
        ("xs[:-1]", "-1"),
        ("xs[2:1]", "2:1"),
        ("xs[3::-1]", "3"),
        ("ys[:n + 1]", "n + 1"),
        ("ys[n + 1:]", "n + 1"),
        ("yss[:, :n + 1]", "n + 1"),
        ("(xs with [3] = 1)", "3"),
        ("(xs with [2:4] = [1, 2])", "2:4"),
        ("({a = xs} with a[3] = 1)", "3"),
        ("(yss with [0, n] = 1)", "n"),
        ("(let xs[3] = 1 in xs)", "3"),
        ("map (.[3]) [xs]", "(.[3])"),
        ("map (\\i -> xs[3]) ys", "3"),
        ("(loop s = 0 for i < m do s + xs[3] + i)", "3"),
        ("(assert (m > 0) xs[3])", "3"),
    ];
    for (program, place) in cases {
        let told = body(program);
        let place =
            if place.starts_with('(') { "error 3".to_owned() } else { format!("error {place}") };
        assert_eq!(told, [place], "{program}");
    }
}

#[test]
fn behind_a_condition_it_is_a_warning() {
    let cases = [
        "if m > 0 then xs[3] else 0",
        "if m > 0 then 0 else xs[3]",
        "m > 0 && xs[3] > 0",
        "m > 0 || xs[3] > 0",
        "match m case 0 -> xs[3] case _ -> 0",
        "loop i = 0 while i < m do xs[3] + i",
    ];
    for program in cases {
        assert_eq!(body(program), ["warning 3"], "{program}");
    }
    assert_eq!(body("if xs[3] > 0 then 1 else 2"), [format!("{} 3", Severity::Error.word())]);
}

#[test]
fn what_may_be_in_bounds_is_silent() {
    let silent = [
        "xs[2] + xs[0] + [1, 2, 3][1]",
        "ys[0] + ys[100] + ys[m] + ys[n - 1] + ys[n - m]",
        "xs[m] + xs[i64.u8 u] + xs[u]",
        "xs[3:] ++ xs[:0] ++ xs[3:3] ++ xs[7:7] ++ xs[2::-1] ++ xs[-1:-1:-1]",
        "ys[1:] ++ ys[:n - 1] ++ ys[:m] ++ ys[m:] ++ ys[n:] ++ ys[-3:m]",
        "xs[::2] ++ xs[0:4:2] ++ ys[n - 1::-1] ++ ys[n:0:-1]",
        "map (\\i -> xs[i]) (iota n)",
        "loop s = 0 for i < n do s + ys[i + 1]",
        "(xs with [2] = 1) ++ (xs with [1:3] = [1, 2])",
        "xs with [1:3][0] = 1",
        "yss with [:, 1:2][1, 0] = 1",
        "(if m > 3 then iota m else xs)[3]",
        "(filter (> 0) ys)[3]",
        "9223372036854775807 + xs[0]",
    ];
    for program in silent {
        assert_eq!(body(program), Vec::<String>::new(), "{program}");
    }
}

#[test]
fn definitions_and_functions_of_the_file_are_looked_at_once() {
    assert_eq!(found("def k: i64 = 7 entry f (xs: [3]i64): i64 = xs[k]"), ["error k"]);
    assert_eq!(
        found("def at [n] (i: i64) (xs: [n]i64): i64 = xs[i] entry f: i64 = at 5 [1]"),
        Vec::<String>::new()
    );
    let twice = "entry f: (i64, f64) = let g 'a (x: a) = let xs = [x, x] in xs[2] in (g 1, g 2.0)";
    assert_eq!(found(twice), ["error 2"]);
}
