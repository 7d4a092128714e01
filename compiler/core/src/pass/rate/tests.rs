//! Graphs of blocks that no program has: of equal names, and of sizes that only a combinator makes equal.
//!
//! Invariant: every graph that a test makes has been verified by the builder. `tests/passes` has the graphs of
//! programs.
//!
//! ```text
//! zs = map xs ys, xs: [n], ys: [m]   ⇒   n and m are one size
//! ```

use super::builder::Builder;
use crate::ir::cnf::SizeDef;
use crate::ir::graph::Graph;

fn check(graph: &Graph, expected: &str) {
    let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    let text = graph.to_string();
    let found: Vec<&str> = text.trim().lines().map(str::trim).collect();
    assert_eq!(found, expected, "\n{text}");
}

#[test]
fn an_indexed_array_is_needed_whole_and_kept() {
    let mut b = Builder::default();
    let n = b.size("n");
    let xs = b.param("xs", n);
    let ys = b.map("ys", &[xs], &[]);
    let first = b.index("first", ys);
    let zs = b.map("zs", &[xs], &[first]);
    let graph = b.graph("f", &[zs]);
    check(
        &graph,
        "f : ∀n. (xs : n) → (zs : n)
         ys = map xs : n
         zs = map xs : n
         ys -> zs preventing: whole ys",
    );
    assert!(graph.arrays[&ys].indexed && !graph.arrays[&zs].indexed);
}

#[test]
fn sizes_that_a_combinator_equates_are_equal() {
    let mut b = Builder::default();
    let (n, m) = (b.size("n"), b.size("m"));
    let (xs, ys) = (b.param("xs", n), b.param("ys", m));
    let zs = b.map("zs", &[xs, ys], &[]);
    let s = b.fold("s", &[ys], &[]);
    let sum = b.size_of("sum", SizeDef::Sum(n, n));
    let same = b.size_of("same", SizeDef::Sum(n, m));
    let (p, q) = (b.param("p", sum), b.param("q", same));
    let (t, u) = (b.fold("t", &[p], &[]), b.fold("u", &[q], &[]));
    check(
        &b.graph("f", &[zs, s, t, u]),
        "f : ∀n sum. (xs : n, ys : n, p : sum, q : sum) → (zs : n)
         zs = map xs ys : n
         s = fold ys : n
         t = fold p : sum
         u = fold q : sum",
    );
}

#[test]
fn a_node_that_two_transducers_feed_follows_neither() {
    let mut b = Builder::default();
    let n = b.size("n");
    let xs = b.param("xs", n);
    let (f1, f2) = (b.filter("f1", xs, &[]), b.filter("f2", xs, &[]));
    let ys = b.map("ys", &[f1, f2], &[]);
    let zs = b.map("zs", &[ys], &[]);
    check(
        &b.graph("f", &[zs]),
        "f : ∀n. ∃k_f1. (xs : n) → (zs : k_f1)
         f1 = filter xs : n
         f2 = filter xs : n
         ys = map f1 f2 : k_f1
         zs = map ys : k_f1
         f1 -> ys preventing: size f1
         f2 -> ys preventing: size f2
         ys -> zs fusible: ys",
    );
}

#[test]
fn equal_names_are_told_apart() {
    let mut b = Builder::default();
    let n = b.size("n");
    let xs = b.param("xs", n);
    let first = b.map("xs", &[xs], &[]);
    let second = b.map("xs", &[first], &[]);
    let text = b.graph("f", &[second]).to_string();
    assert!(text.contains("xs.n0 -> xs.n1 fusible: xs.v1"), "{text}");
}

#[test]
fn a_size_that_is_claimed_to_be_its_own_square_stays_a_symbol() {
    let mut b = Builder::default();
    let n = b.size("n");
    let xs = b.param("xs", n);
    let [l, _] = b.cross("cs", xs, xs);
    let ys = b.map("ys", &[xs, l], &[]);
    check(
        &b.graph("f", &[ys]),
        "f : ∀n. (xs : n) → (ys : n)
         cs_0 = cross xs [xs] → cs_0 cs_1 : n × n
         ys = map xs cs_0 : n
         cs_0 -> ys preventing: size cs_0",
    );
}
