//! Explanations of programs, from their text.
//!
//! Invariant: only text and facts that a user would read are compared.
//!
//! ```text
//! normalize2   ⇒   the clusters, the two separations, the comparison
//! ```

use super::{
    Bottleneck, Explanation, Lowering, PassParallelism, WorkSharing, explain, outlines, parallel,
};
use crate as pipeline;
use crate::Options;
use arrc_front::load::NoFiles;
use arrc_syntax::source::Sources;

/// The explanation of the outermost block of a program.
fn explained(text: &str) -> Explanation {
    let mut sources = Sources::default();
    let file = sources.add("test.arr", text);
    let compiled = pipeline::compile(&mut sources, file, &NoFiles, &Options::default())
        .unwrap_or_else(|errors| panic!("{errors:?}"));
    explain(&compiled.plans, &compiled.program, &sources).swap_remove(0)
}

#[test]
fn each_block_has_a_name_of_its_own() {
    let mut sources = Sources::default();
    let text = "entry f [n] (xs: [n]i64): [n]i64 =
           let ys = map (\\x -> i64.sum (map (* x) (filter (> x) xs))) xs
           let s = i64.sum ys
           let ys = map (\\x -> i64.sum (map (* (x + s)) (filter (> s + x) xs))) ys
           in ys";
    let file = sources.add("test.arr", text);
    let compiled = pipeline::compile(&mut sources, file, &NoFiles, &Options::default());
    let compiled = compiled.unwrap_or_else(|errors| panic!("{errors:?}"));
    let names: Vec<&str> =
        compiled.plans.iter().map(|plan| plan.block.graph.name.as_str()).collect();
    assert_eq!(names, ["f", "f.ys", "f.ys2"]);
}

fn sentences(explanation: &Explanation) -> Vec<String> {
    explanation.cuts.iter().map(|cut| explanation.sentence(cut)).collect()
}

#[test]
fn normalize2_is_explained_in_the_words_of_the_program() {
    let explanation = explained(
        "entry normalize2 [n] (xs: [n]i64): ([n]i64, [n]i64) =
           let sum1 = reduce (+) 0 xs
           let gts  = filter (> 0) xs
           let sum2 = reduce (+) 0 gts
           let ys1  = map (/ sum1) xs
           let ys2  = map (/ sum2) xs
           in (ys1, ys2)",
    );
    assert_eq!(
        explanation.to_string(),
        "normalize2 : ∀n. (xs : n) → (ys1 : n, ys2 : n)
  pass 1 over n: fold sum1, filter gts, fold sum2
    reads xs; keeps gts in registers
  pass 2 over n: map ys1, map ys2
    reads xs; writes ys1, ys2
  2 passes, 2 reads, 2 writes, no intermediate arrays: proven optimal
  a call allocates at most 2 arrays
  none 5 + 3, stream 4 + 2, megiddo 3 + 3, greedy 2 + 2, ilp 2 + 2 (arrays read + written)
"
    );
    assert_eq!(
        sentences(&explanation),
        [
            "`ys1` needs `sum1`, which is known only when `sum1` has seen all elements",
            "`sum1` and `ys2` could share a pass, but then 1 array more would be read or written",
            "`gts` and `ys1` could share a pass, but then 1 array more would be read or written",
            "`sum2` must run after `gts` and before `ys2`",
            "`ys2` needs `sum2`, which is known only when `sum2` has seen all elements",
        ]
    );
}

/// The sentences of the short form.
fn notes(explanation: &Explanation) -> Vec<String> {
    explanation.notes().into_iter().map(|cut| explanation.sentence(cut)).collect()
}

#[test]
fn the_short_form_has_one_note_for_each_cause() {
    let explanation = explained(
        "entry f [n] (xs: [n]i64): (i64, [n]i64, [n]i64) =
           let ys = map (/ 3) xs
           let sum = reduce (+) 0 ys
           let zs = map (+ sum) ys
           let ws = map (\\y -> if y > sum then 1 else y) ys
           in (sum, zs, ws)",
    );
    let whole = sentences(&explanation);
    assert!(whole.iter().any(|note| note.contains("must run after")), "{whole:?}");
    assert_eq!(
        notes(&explanation),
        ["`zs` needs `sum`, which is known only when `sum` has seen all elements"]
    );
}

#[test]
fn a_constant_array_needs_no_note() {
    let explanation = explained(
        "entry f [n] (is: [n]i64): [n]i64 =
           let table = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]
           in gather table is",
    );
    assert_eq!(notes(&explanation), Vec::<String>::new());
}

/// The page of a program, without what the back end knows.
fn page(text: &str) -> String {
    let mut sources = Sources::default();
    let file = sources.add("test.arr", text);
    let options = Options { hints: true, ..Options::default() };
    let compiled = pipeline::compile(&mut sources, file, &NoFiles, &options)
        .unwrap_or_else(|errors| panic!("{errors:?}"));
    let blocks = explain(&compiled.plans, &compiled.program, &sources);
    let outlines = outlines(&compiled, &sources, &blocks, &Lowering::default());
    super::page(&outlines, &sources, false).join("\n")
}

#[test]
fn loops_come_first_and_name_what_orders_them() {
    assert_eq!(
        page(
            "entry heat [n] (k: i64) (xs: [n]f64): [n]f64 =
  let scaled = map (* 2) xs
  in loop ys = scaled for _ < k - 1 do
       let s = f64.sum ys
       in map (/ s) ys"
        ),
        "heat (line 1): 3 passes over memory, 2 of them in 1 loop
  loop of k - 1 steps (line 3): in order, since a step needs ys of the one before
    pass 2 over n: s (line 4)
      reads ys; on all threads
    pass 3 over n: map (line 5)
      reads ys; writes map (line 5); on all threads
  outside of loops:
    pass 1 over n: scaled (line 2)
      reads xs; writes scaled; on all threads
  memory: a call allocates at most 1 array; allocated: scaled (8 * n bytes); map (line 5) in place
      of ys
  passes 2 and 3 are apart: `map (line 5)` needs `s`, which is known only when `s` has seen all
      elements (line 4)
  proven optimal: 4 arrays read, 3 written (without fusion 4 and 3)
"
    );
}

#[test]
fn passes_in_steps_are_counted_apart_and_shown_in_a_line() {
    assert_eq!(
        page(
            "def norm [m] (r: [m]f64): f64 = f64.sqrt (f64.sum (map (\\x -> x * x) r))
entry norms [n] [m] (a: [n][m]f64): [n]f64 = map norm a
entry largest [n] [m] (a: [n][m]f64): f64 = f64.maximum (map norm a)"
        ),
        "norms (line 2): 1 pass over memory, 1 more inside its steps
  pass 1 over n: map (line 2)
    reads a; writes map (line 2); on all threads
    pass 2 over m: map, reduce (line 1)
  memory: a call allocates at most 1 array; allocated: map (line 2) (8 * n bytes)
  proven optimal: 2 arrays read, 1 written (without fusion 3 and 2)

largest (line 3): 1 pass over memory, 1 more inside its steps
  pass 1 over n: map, reduce (line 3)
    reads a; on all threads
    pass 2 over m: map, reduce (line 1): as in norms
  memory: a call allocates no arrays
  proven optimal: 2 arrays read, 0 written (without fusion 4 and 2)
"
    );
}

#[test]
fn a_change_is_a_diff_that_cannot_steer_a_terminal() {
    let page = page("entry total [n] (vs: [n]f64): f64 = fold (+) 0 vs -- \u{1b}[31m");
    assert!(page.contains("      - entry total"), "{page}");
    assert!(page.contains("      + entry total"), "{page}");
    assert!(!page.contains('\u{1b}'), "{page}");
}

#[test]
fn what_the_library_does_for_a_call_is_one_line() {
    let page = page(
        "import \"statistics\"
entry f [n] (xs: [n]f64): f64 = median xs",
    );
    assert!(page.contains(": `median` of the library (line 2)"), "{page}");
    assert!(page.lines().count() < 10, "{page}");
}

#[test]
fn every_reason_has_its_words() {
    let cases = [
        (
            "entry f [n] (xs: [n]i64) (is: [n]i64): [n]i64 =
               let ys = map (+ 1) xs in gather ys is",
            "reads `ys` at random",
        ),
        (
            "entry f [n] [m] (xs: [n]i64) (zs: [m]i64): (i64, [m]i64) =
               let kept = filter (> 0) xs
               let k = length kept
               in (reduce (+) 0 kept, map (+ k) zs)",
            "needs the length of `kept`",
        ),
        (
            "entry f [n] (xs: [n]i64): i64 =
               let ys = map (+ 1) xs
               let zs = ys ++ ys
               in zs[n]",
            "is a barrier",
        ),
        (
            "entry f [n] (xs: [n]i64): [n]i64 =
               let ys = map (/ 3) xs
               let sum = reduce (+) 0 ys
               in map (+ sum) ys",
            "must run after `ys` and before",
        ),
    ];
    for (text, words) in cases {
        let found = sentences(&explained(text)).join("\n");
        assert!(found.contains(words), "{words}: {found}");
    }
}

/// The way in which cores share the only pass of a program.
fn shared(text: &str) -> PassParallelism {
    let mut sources = Sources::default();
    let file = sources.add("test.arr", text);
    let compiled = pipeline::compile(&mut sources, file, &NoFiles, &Options::default())
        .unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut passes = parallel(&compiled.program).passes.into_values();
    let pass = passes.next().expect("the program has a pass");
    assert!(passes.next().is_none(), "it has no other one");
    pass
}

#[test]
fn each_pass_tells_how_cores_share_it() {
    let cases = [
        ("entry f [n] (xs: [n]f64): [n]f64 = map (+ 1) xs", WorkSharing::Independent(64), 16),
        ("entry f [n] (xs: [n]f64): f64 = f64.sum xs", WorkSharing::Combined(16_384), 8),
        ("entry f [n] (xs: [n]i32): ?[k].[k]i32 = filter (> 1) xs", WorkSharing::Filled(64), 8),
        ("entry f [n] (xs: [n]i64): [n]i64 = scan (+) 0 xs", WorkSharing::Carried(4096), 16),
        (
            "entry f [n] (xs: [n]f64): f64 = fold (\\s x -> s * 0.5 + x) 0 xs",
            WorkSharing::InOrder,
            8,
        ),
        (
            "entry f [n] (bs: *[64]i64) (ks: [n]i64): *[64]i64 =
               loop bs = bs for k in ks do bs with [k] = bs[k] + 1",
            WorkSharing::Binned(64),
            8,
        ),
        (
            "entry f [n] (bs: *[2_000_000]i64) (ks: [n]i64): *[2_000_000]i64 =
               loop bs = bs for k in ks do bs with [k] = bs[k] + 1",
            WorkSharing::Parted(64),
            8,
        ),
        // A row has 1,000 elements, and is read once.
        (
            "entry f [n][m] (xs: [n][m]f64): [n]f64 = map f64.sum xs",
            WorkSharing::Independent(1),
            8008,
        ),
        ("entry f [n] (xs: [n][4]f32): [n]f32 = map f32.sum xs", WorkSharing::Independent(64), 20),
    ];
    for (text, sharing, bytes) in cases {
        let PassParallelism { sharing: found, steps, estimate } = shared(text);
        assert_eq!((found, estimate.traffic / steps), (sharing, bytes), "{text}");
        let is_shared = sharing.block().is_some();
        assert_eq!(estimate.together < estimate.alone, is_shared, "{text}");
        assert_eq!(estimate.bound == Bottleneck::OneCore, !is_shared, "{text}");
    }
}
