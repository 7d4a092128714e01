//! Graphs of blocks that no program has: of equal names, and of sizes that only a combinator makes equal.
//!
//! Invariant: every graph that a test looks at has been verified. `tests/passes` has the graphs of programs.
//!
//! ```text
//! zs = map xs ys, xs: [n], ys: [m]   ⇒   n and m are one size
//! ```

use crate::testing::coerced;

fn check(text: &str, expected: &str) {
    let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    let text = coerced(text).to_string();
    let found: Vec<&str> = text.trim().lines().map(str::trim).collect();
    assert_eq!(found, expected, "\n{text}");
}

#[test]
fn only_what_is_indexed_is_kept_for_that() {
    let graph = coerced(
        r"def f [n] (xs: [n]i64): [n]i64 =
            let ys = map (\x -> x + 1i64) xs
            let first = ys[0i64]
            let zs = map (\x -> x + first) xs
            in zs",
    );
    let arrays = graph.arrays.values();
    let made = arrays.filter(|array| array.producer.is_some());
    assert_eq!(made.map(|array| array.indexed).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn sizes_that_a_combinator_equates_are_equal() {
    check(
        r"def f [n] [m] (xs: [n]i64) (ys: [m]i64) (p: [n + n]i64) (q: [n + m]i64): ([n]i64, i64, i64, i64) =
            let zs = map2 (\x y -> x + y) xs ys
            let s = fold (\acc y -> acc + y) 0i64 ys
            let t = fold (\acc x -> acc + x) 0i64 p
            let u = fold (\acc x -> acc + x) 0i64 q
            in (zs, s, t, u)",
        "f : ∀n k2. (xs : n, ys : n, p : k2, q : k2) → (zs : n)
         zs = map xs ys : n
         s = fold ys : n
         t = fold p : k2
         u = fold q : k2",
    );
}

#[test]
fn a_node_that_two_transducers_feed_follows_neither() {
    check(
        r"def f [n] (xs: [n]i64): ?[k].[k]i64 =
            let (f1: [k]i64) = filter (\x -> x > 0i64) xs
            let f2 = filter (\x -> x < 9i64) xs
            let ys = map2 (\x y -> x + y) f1 f2
            let zs = map (\y -> y + 1i64) ys
            in zs",
        "f : ∀n. ∃k. (xs : n) → (zs : k)
         f1 = filter xs : n
         f2 = filter xs : n
         ys = map f1 f2 : k
         zs = map ys : k
         f1 -> ys preventing: size f1
         f2 -> ys preventing: size f2
         ys -> zs fusible: ys",
    );
}

#[test]
fn equal_names_are_told_apart() {
    let text = coerced(
        r"def f [n] (xs: [n]i64): [n]i64 =
            let xs = map (\x -> x + 1i64) xs
            let xs = map (\x -> x + 1i64) xs
            in xs",
    );
    let text = text.to_string();
    assert!(text.contains("xs.n0 -> xs.n1 fusible: xs.v3"), "{text}");
}

#[test]
fn a_size_that_is_claimed_to_be_its_own_square_stays_a_symbol() {
    check(
        r"def f [n] (xs: [n]i64): [n]i64 =
            let (l, r) = unzip (cross xs xs)
            let ys = map2 (\x y -> x + y) xs l
            in ys",
        "f : ∀n. (xs : n) → (ys : n)
         l = cross xs [xs] → l r : n × n
         ys = map xs l : n
         l -> ys preventing: size l",
    );
}
