//! Programs with traps, and programs that look like them.

use super::traps;
use crate::infer::tests::check;
use arrc_syntax::source::Sources;

/// The codes of the warnings on a body, with the text of their places.
fn found(body: &str) -> Vec<String> {
    let program =
        format!("entry f [n] (i: i64) (j: i64) (u: u8) (w: u32) (s: i8) (xs: [n]i64) = {body}");
    let core = check(&program).unwrap_or_else(|errors| panic!("{errors}"));
    let mut sources = Sources::default();
    // The first file of the tests of inference is the prelude.
    sources.add_library("prelude.arr", include_str!("../../../../stdlib/prelude.arr"));
    sources.add("test.arr", &program);
    let line = |diagnostic: arrc_syntax::diagnostics::Diagnostic| {
        let label = diagnostic.primary.as_ref().expect("a trap has a place");
        format!("{} {}", diagnostic.code.0, sources.text(label.span))
    };
    traps(&core, &sources).into_iter().map(line).collect()
}

#[test]
fn powers_are_told_from_bits() {
    for body in [
        "i ^ 2",
        "i ^ 3",
        "2 ^ i",
        "10 ^ i",
        "(i + 1) ^ 2",
        "i ^ 2 + 1",
        "i * 10 ^ 6",
        "map (\\k -> k ^ 2) xs",
    ] {
        assert_eq!(found(body), ["A0709 ^"], "{body}");
    }
    for body in ["i ^ j", "i ^ 1", "i ^ 0x2", "i ^ 0b10", "i ^ 255", "(i << 1) ^ 2", "2 ^ (i & 1)"]
    {
        assert_eq!(found(body), Vec::<String>::new(), "{body}");
    }
}

#[test]
fn quotients_that_become_floats_are_reported() {
    for (body, place) in [
        ("f64.i64 (i / j)", "(i / j)"),
        ("i / j |> f32.i64", "i / j"),
        ("map (\\k -> f64.i64 (k / n)) xs", "(k / n)"),
        ("f64.i64 (i / j * 100)", "(i / j * 100)"),
        ("let q = 2.0 * f64.u8 (u / 3) in q", "(u / 3)"),
    ] {
        assert_eq!(found(body), [format!("A0720 {place}")], "{body}");
    }
    for body in [
        "f64.i64 i / f64.i64 j",
        "let q = i / j in f64.i64 q",
        "f64.i64 (i % j)",
        "i32.i64 (i / j)",
    ] {
        assert_eq!(found(body), Vec::<String>::new(), "{body}");
    }
}

#[test]
fn constants_that_wrap_are_reported_once() {
    for (body, place) in [
        ("u + -4", "-4"),
        ("(-1) + w", "(-1)"),
        ("(10i32 ** 10)", "(10i32 ** 10)"),
        ("100i8 + 28", "100i8 + 28"),
        ("u == 0 - 1", "0 - 1"),
    ] {
        assert_eq!(found(body), [format!("A0721 {place}")], "{body}");
    }
    for body in
        ["s + -128", "i + -9223372036854775808", "1i64 << 63", "w * 2654435761", "u - 4", "-i"]
    {
        assert_eq!(found(body), Vec::<String>::new(), "{body}");
    }
}

#[test]
fn comparisons_that_a_type_decides_are_reported() {
    for body in [
        "u < 0",
        "u >= 0",
        "0 > u",
        "0 <= w",
        "u > -1",
        "u <= 255",
        "s > 127",
        "-128 <= s",
        "i < -9223372036854775808",
    ] {
        assert_eq!(found(body), [format!("A0722 {body}")], "{body}");
    }
    for body in ["u > 0", "u <= 254", "u == 0", "i >= 0", "s >= -127", "u < w8", "f64.i64 i >= 0"] {
        let body = body.replace("w8", "u");
        assert_eq!(found(&body), Vec::<String>::new(), "{body}");
    }
}
