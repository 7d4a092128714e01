//! Rows that steps make are placed where they are stored.

use crate as pipeline;
use crate::Options;
use arrc_front::load::NoFiles;
use arrc_syntax::source::Sources;

/// How many rows the first entry's program makes at their places, and how many it copies there.
fn rows(text: &str) -> [usize; 2] {
    let mut sources = Sources::default();
    let file = sources.add("rows.arr", text);
    let compiled = pipeline::compile(&mut sources, file, &NoFiles, &Options::default());
    let form = compiled.unwrap_or_else(|e| panic!("{text}: {e:?}")).program.to_string();
    let made = form.matches(" at k").count();
    assert_eq!(made, form.matches(" placed").count(), "{form}");
    [made, form.matches("copy").count()]
}

#[test]
fn rows_are_made_where_they_belong() {
    assert_eq!(rows("entry f (n: i64) (m: i64) = tabulate_2d n m (\\i j -> i * j)"), [1, 0]);
    assert_eq!(rows("entry f [n][m] (a: [n][m]i64) = map (map (+ 1)) a"), [1, 0]);
    let sums = "entry f [n][m] (a: [n][m]i64) =
        let b = map (scan (+) 0) a in (b, map (reduce (+) 0) b)";
    assert_eq!(rows(sums), [1, 0]);
    let two = "entry f [n][m] (a: [n][m]i64) = let b = map (map (+ 1)) a in (b, map (map (* 2)) b)";
    assert_eq!(rows(two), [2, 0]);
}

#[test]
fn what_may_outlive_its_matrix_has_its_own_memory() {
    let last = "entry f [n][m] (a: [n][m]i64) =
        let b = map (map (+ 1)) a
        in (b, fold (\\s r -> if s[0] > r[0] then s else r) (replicate m 0) b)";
    assert_eq!(rows(last)[0], 0);
    let kept = "entry f [n][m] (a: [n][m]i64) = filter (\\r -> r[0] > 0) (map (map (+ 1)) a)";
    assert_eq!(rows(kept)[0], 0, "whether it belongs there is known too late");
    let of_literal =
        "entry f [n] (is: [n]i64) = map (\\i -> let w = [[i, 1], [i, 2], [i, 3]] in w[i]) is";
    assert_eq!(rows(of_literal)[0], 0, "the literal has more rows than the place");
}
