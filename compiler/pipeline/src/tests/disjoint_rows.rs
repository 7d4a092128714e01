//! Rows that a pass reads are apart from the row that it writes.

use crate as pipeline;
use crate::Options;
use arrc_front::load::NoFiles;
use arrc_syntax::source::Sources;

/// The number of rows of `a` that are made in place by a loop over k with this body.
fn placed(body: &str) -> usize {
    let mut sources = Sources::default();
    let entry =
        format!("entry f [n] [m] (a: *[n][m]i64) (j: i64) = loop a for k < n - 2 do {body}");
    let file = sources.add("apart.arr", &entry);
    let compiled = pipeline::compile(&mut sources, file, &NoFiles, &Options::default());
    let form = compiled.unwrap_or_else(|e| panic!("{entry}: {e:?}")).program.to_string();
    form.matches(" placed").count()
}

#[test]
fn rows_beside_the_part_may_be_read() {
    assert_eq!(placed("a with [k + 1] = map (+ 1) a[k]"), 1);
    assert_eq!(placed("a with [k] = map2 (+) a[k] a[k + 1]"), 1, "and the part itself");
    assert_eq!(placed("a with [k + 1] = tabulate m (\\i -> a[k, m - 1 - i])"), 1, "by index");
    assert_eq!(placed("a with [2] = map (+ k) a[1]"), 1, "constants");
    assert_eq!(placed("let i = n - 2 - k in a with [i] = map2 (+) a[i + 1] a[i]"), 1);
}

#[test]
fn rows_that_may_be_the_part_are_not() {
    assert_eq!(placed("a with [k] = map (+ 1) a[j]"), 0, "other variables");
    assert_eq!(
        placed("a with [k] = tabulate m (\\i -> a[k, m - 1 - i])"),
        0,
        "the part, in another order"
    );
    assert_eq!(placed("a with [k + 1] = tabulate m (\\i -> a[i % n, i])"), 0, "any row");
    assert_eq!(
        placed("a with [k + 1] = tabulate m (\\i -> a[k, i] + a[k + 1, 0])"),
        0,
        "an element of the part"
    );
    let sum = "a with [k + 1] = map2 (\\x i -> x + i64.sum a[i % n]) a[k] (iota m)";
    assert_eq!(placed(sum), 0, "rows of the step");
    let narrow = "a with [k + 1] = map (+ 1) a[i64.i8 (i8.i64 k + 100 + 100)]";
    assert_eq!(placed(narrow), 0, "sums that wrap");
}
