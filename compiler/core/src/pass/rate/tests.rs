//! Graphs of small blocks: printed, since that is how they are seen.
//!
//! Invariant: every graph that a test makes has been verified by the builder.
//!
//! ```text
//! normalize2   ⇒   the scheme of 001, section 1.3.1, and the edges of figure 1.10
//! ```

use super::builder::Builder;
use crate::ir::cnf::{Atom, Block, Op, SizeDef};
use crate::ir::graph::Graph;
use crate::prim::Const;

fn check(graph: &Graph, expected: &str) {
    let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    let text = graph.to_string();
    let found: Vec<&str> = text.trim().lines().map(str::trim).collect();
    assert_eq!(found, expected, "\n{text}");
}

#[test]
fn normalize2_has_the_scheme_and_edges_of_the_paper() {
    let mut b = Builder::default();
    let n = b.size("n");
    let xs = b.param("xs", n);
    let sum1 = b.fold("sum1", &[xs], &[]);
    let gts = b.filter("gts", xs, &[]);
    let sum2 = b.fold("sum2", &[gts], &[]);
    let ys1 = b.map("ys1", &[xs], &[sum1]);
    let ys2 = b.map("ys2", &[xs], &[sum2]);
    check(
        &b.graph("normalize2", &[ys1, ys2]),
        "normalize2 : ∀n. (xs : n) → (ys1 : n, ys2 : n)
         sum1 = fold xs : n
         gts = filter xs : n
         sum2 = fold gts : k_gts in gts
         ys1 = map xs : n
         ys2 = map xs : n
         sum1 -> ys1 preventing: scalar sum1
         gts -> sum2 fusible: gts
         sum2 -> ys2 preventing: scalar sum2",
    );
}

#[test]
fn filter_left_has_an_existential_size() {
    let mut b = Builder::default();
    let n = b.size("k1");
    let xs = b.param("xs", n);
    let ys1 = b.map("ys1", &[xs], &[]);
    let ys2 = b.filter("ys2", xs, &[]);
    check(
        &b.graph("filter_left", &[ys1, ys2]),
        "filter_left : ∀k1. ∃k_ys2. (xs : k1) → (ys1 : k1, ys2 : k_ys2)
         ys1 = map xs : k1
         ys2 = filter xs : k1",
    );
}

#[test]
fn scalars_pass_on_what_they_depend_on() {
    let mut b = Builder::default();
    let n = b.size("n");
    let xs = b.param("xs", n);
    let s = b.fold("s", &[xs], &[]);
    let t = b.add("t", s, s);
    let u = b.add("u", t, t);
    let ys = b.map("ys", &[xs], &[u]);
    let zs = b.map("zs", &[ys], &[]);
    check(
        &b.graph("f", &[zs]),
        "f : ∀n. (xs : n) → (zs : n)
         s = fold xs : n
         ys = map xs : n
         zs = map ys : n
         s -> ys preventing: scalar s
         ys -> zs fusible: ys",
    );
}

#[test]
fn arrays_used_inside_workers_are_needed_whole() {
    let mut b = Builder::default();
    let n = b.size("n");
    let xs = b.param("xs", n);
    let table = b.map("table", &[xs], &[]);
    let ys = b.map("ys", &[table], &[table]);
    let zs = b.gather("zs", table, ys);
    let graph = b.graph("f", &[zs]);
    check(
        &graph,
        "f : ∀n. (xs : n) → (zs : n)
         table = map xs : n
         ys = map table [table] : n
         zs = gather ys [table] : n
         table -> ys preventing: whole table
         table -> zs preventing: whole table
         ys -> zs fusible: ys",
    );
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
fn the_length_of_a_filtered_array_waits_for_the_filter_that_of_a_mapped_one_for_nothing() {
    let mut b = Builder::default();
    let n = b.size("n");
    let xs = b.param("xs", n);
    let ys = b.map("ys", &[xs], &[]);
    let gts = b.filter("gts", ys, &[]);
    let hs = b.map("hs", &[gts], &[]);
    let ly = b.length("ly", ys);
    let lh = b.length("lh", hs);
    let a = b.map("a", &[xs], &[ly]);
    let c = b.map("c", &[xs], &[lh]);
    check(
        &b.graph("f", &[a, c]),
        "f : ∀n. (xs : n) → (a : n, c : n)
         ys = map xs : n
         gts = filter ys : n
         hs = map gts : k_gts in gts
         a = map xs : n
         c = map xs : n
         ys -> gts fusible: ys
         gts -> hs fusible: gts
         gts -> c preventing: length hs",
    );
}

#[test]
fn a_generate_over_a_length_has_the_size_of_the_array() {
    let mut b = Builder::default();
    let n = b.size("n");
    let xs = b.param("xs", n);
    let m = b.length("m", xs);
    let is = b.generate("is", m, &[]);
    let ys = b.map("ys", &[xs, is], &[]);
    check(
        &b.graph("f", &[ys]),
        "f : ∀n. (xs : n) → (ys : n)
         is = generate : n
         ys = map xs is : n
         is -> ys fusible: is",
    );
}

#[test]
fn cross_streams_its_left_and_needs_its_right_whole() {
    let mut b = Builder::default();
    let (n, m) = (b.size("n"), b.size("m"));
    let (xs, ys) = (b.param("xs", n), b.param("ys", m));
    let left = b.map("left", &[xs], &[]);
    let right = b.map("right", &[ys], &[]);
    let [l, r] = b.cross("cs", left, right);
    let d = b.map("d", &[l, r], &[]);
    let s = b.fold("s", &[d], &[]);
    check(
        &b.graph("f", &[s]),
        "f : ∀n m. (xs : n, ys : m) → ()
         left = map xs : n
         right = map ys : m
         cs_0 = cross left [right] → cs_0 cs_1 : n × m
         d = map cs_0 cs_1 : n × m
         s = fold d : n × m
         left -> cs_0 preventing: size left
         right -> cs_0 preventing: whole right
         cs_0 -> d fusible: cs_0
         cs_0 -> d fusible: cs_1
         d -> s fusible: d",
    );
}

#[test]
fn barriers_have_no_size_and_cut_everything() {
    let mut b = Builder::default();
    let n = b.size("n");
    let xs = b.param("xs", n);
    let ys = b.map("ys", &[xs], &[]);
    let called = b.call_array("called", &[ys]);
    let zs = b.map("zs", &[called], &[]);
    let choice = b.array_var("choice", &[n]);
    let yields = |var| Block { binds: vec![], results: vec![Atom::Var(var)] };
    let cond = Atom::Const(Const::bool(true));
    b.bind(&[choice], Op::If { cond, then: yields(xs), otherwise: yields(ys) });
    check(
        &b.graph("f", &[zs, choice]),
        "f : ∀n. ∃k_called. (xs : n) → (zs : k_called, choice : n)
         ys = map xs : n
         called = barrier [ys]
         zs = map called : k_called
         choice = barrier [xs ys]
         ys -> called preventing: barrier ys
         ys -> choice preventing: barrier ys
         called -> zs preventing: barrier called",
    );
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
