//! Explanations of programs, from their text.
//!
//! Invariant: only what a user would read is compared.
//!
//! ```text
//! normalize2   ⇒   the clusters, the two cuts, the comparison
//! ```

use super::{Explanation, explain};
use crate::pass::load::NoFiles;
use crate::pipeline::{self, Options};
use crate::source::Sources;

/// The explanation of the outermost block of a program.
fn explained(text: &str) -> Explanation {
    let mut sources = Sources::default();
    let file = sources.add("test.arr", text);
    let compiled = pipeline::compile(&mut sources, file, &NoFiles, &Options::default())
        .unwrap_or_else(|errors| panic!("{errors:?}"));
    explain(&compiled.plans[0], &compiled.program)
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
               let a = filter (> 0) xs
               let k = length a
               in (reduce (+) 0 a, map (+ k) zs)",
            "",
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
