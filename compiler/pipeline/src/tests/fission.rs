//! Wide passes give what they gave before, and become as many loops as they should.

use std::fmt::Write;

use crate as pipeline;
use crate::{Compiled, Options};
use arrc_front::load::NoFiles;
use arrc_fusion::eval;
use arrc_fusion::eval::cnf::Value;
use arrc_fusion::testing::ints;
use arrc_loops::concrete::eval as nests;
use arrc_syntax::source::Sources;

fn compiled(text: &str) -> Compiled {
    let mut sources = Sources::default();
    let file = sources.add("wide.arr", text);
    let compiled = pipeline::compile(&mut sources, file, &NoFiles, &Options::default());
    compiled.unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

/// Checks that the program has `loops` loops and gives the right results, for arrays of several lengths.
fn has_loops(loops: u32, text: &str) {
    let compiled = compiled(text);
    let entry = compiled.program.entries[0].function;
    // Parts that run at the same time are functions.
    let found: u32 = compiled.program.functions.values().map(|of| of.body.counts().loops).sum();
    assert_eq!(found, loops, "{}", compiled.program);
    let mut sources = Sources::default();
    let file = sources.add("wide.arr", text);
    let meaning = pipeline::normal_form(&mut sources, file, &NoFiles).expect("no errors again");
    for count in [0, 1, 7] {
        let elements = ints(&(0..count).map(|at| at * 7 % 11 - 3).collect::<Vec<_>>());
        let args: Vec<Value> = vec![elements];
        let meant = eval::cnf::run(&meaning, meaning.entries[0].function, args.clone());
        assert_eq!(nests::run(&compiled.program, entry, args), meant, "{text}");
    }
}

/// An entry with `count` bindings, and the sum of their results.
fn sums(count: usize, before: &str, each: impl Fn(usize) -> String) -> String {
    let mut text = format!("entry f [n] (xs: [n]i64): i64 =\n{before}  let t0 = 0\n");
    for at in 0..count {
        writeln!(text, "  let t{} = t{at} + {}", at + 1, each(at)).expect("a text grows");
    }
    writeln!(text, "  in t{count}").expect("a text grows");
    text
}

#[test]
fn a_pass_with_as_many_results_as_is_good_stays_whole() {
    has_loops(1, &sums(64, "", |at| format!("i64.sum (map (* {at}) xs)")));
}

#[test]
fn a_wider_pass_becomes_several() {
    has_loops(3, &sums(65, "", |at| format!("i64.sum (map (* {at}) xs)")));
    has_loops(7, &sums(200, "", |at| format!("i64.sum (map (* {at}) xs)")));
}

#[test]
fn what_is_cheap_is_done_in_each_part() {
    let before = "  let ys = map (\\x -> if x < 0 then x * 3 else x + 1) xs\n";
    has_loops(3, &sums(70, before, |at| format!("i64.sum (map (* {at}) ys)")));
    let before = "  let ys = filter (> 0) (map (+ 1) xs)\n";
    has_loops(3, &sums(70, before, |at| format!("i64.sum (map (* {at}) ys)")));
    let before = "  let ys = map (\\(i, x) -> i + x) (zip (indices xs) xs)\n";
    has_loops(3, &sums(70, before, |at| format!("i64.sum (map (* {at}) ys)")));
}

#[test]
fn what_is_not_cheap_is_done_once() {
    // A scan, whose sums are needed everywhere.
    let before = "  let ys = scan (+) 0 xs\n";
    has_loops(1, &sums(70, before, |at| format!("i64.sum (map (* {at}) ys)")));
    // A loop in each step.
    let before = "  let ys = map (\\x -> i64.sum (map (* x) (iota 100))) xs\n";
    has_loops(2, &sums(70, before, |at| format!("i64.sum (map (* {at}) ys)")));
}

#[test]
fn arrays_are_results_as_well() {
    let mut text = "entry f [n] (xs: [n]i64) = (".to_owned();
    for at in 0..70 {
        write!(text, "map (+ {at}) xs, filter (> {at}) xs, ").expect("a text grows");
    }
    text.push_str("i64.sum xs)\n");
    has_loops(5, &text);
    // Rows, whose places in their arrays depend on the step.
    let rows = |at: usize| format!("map (\\x -> map (+ (x * {at})) xs) xs");
    let rows: Vec<_> = (0..70).map(rows).collect();
    let text = format!("entry f [n] (xs: [n]i64) = ({})\n", rows.join(", "));
    let _ = compiled(&text);
}

#[test]
fn inner_passes_become_narrower_too() {
    let mut text = "entry f [n] (xs: [n]i64) = map (\\y ->\n  let t0 = 0\n".to_owned();
    for at in 0..70 {
        writeln!(text, "  let t{} = t{at} + i64.sum (map (\\x -> x * {at} + y) xs)", at + 1)
            .expect("a text grows");
    }
    text.push_str("  in t70) xs\n");
    has_loops(4, &text);
}
