//! What clusters become.

use crate::eval::cnf::Value;
use crate::ir::cnf::{Atom, Op, Order};
use crate::pass::testing::{Builder, Forms, forms, int, ints};
use crate::prim::BinOp::{Add, Div, Gt, Lt, Max, Mul, Sub};
use crate::prim::{Const, Scalar};

/// The process texts of the block, without the steps that run them.
fn processes(forms: &Forms) -> String {
    let (_, processes) = forms.process.split_once("\n\n").expect("the block has a process");
    processes.to_owned()
}

/// The steps of the block.
fn steps(forms: &Forms) -> &str {
    forms.process.split("\n\n").next().expect("there is always a first part").trim_end()
}

#[test]
fn paper_002_section_4_1_process_of_filter_max() {
    let mut b = Builder::new();
    let vec1 = b.input("vec1");
    let plus = b.section(Add, 1);
    let vec2 = b.map("vec2", plus, &[vec1]);
    let positive = b.section(Gt, 0);
    let vec3 = b.filter("vec3", positive, vec2);
    let mx = b.reduce("mx", Max, int(0), vec3);
    let f = forms(b.function("filter_max", &[vec3, mx]), &[&["vec2", "vec3", "mx"]]);
    assert_eq!(
        processes(&f),
        "\
process filter_max_1 (k1 : &) (s1 : Series k1 i64)
with { s2 <- map k1 i64 (+ 1) s1
     ; s3 <- map k1 i64 (> 0) s2
     ; mkSel (k2 : &) (sel1 : Sel k1 k2) from k1 s3 in
         { s4 <- pack k1 k2 i64 sel1 s2
         ; vec3 <= create k2 i64 s4
         ; mx <= fold k2 i64 s4 with max and 0 } }
yields (vec3, mx)
"
    );
    f.runs(&[&[3, -4, -1, 5, 0]]);
}

#[test]
fn a_chain_of_maps_makes_only_its_result() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let double = b.section(Mul, 2);
    let ys = b.map("ys", double, &[xs]);
    let plus = b.section(Add, 1);
    let zs = b.map("zs", plus, &[ys]);
    let minus = b.operator(Sub);
    let ws = b.map("ws", minus, &[zs, xs]);
    let f = forms(b.function("chain", &[ws]), &[&["ys", "zs", "ws"]]);
    assert_eq!(
        processes(&f),
        "\
process chain_1 (k1 : &) (s1 : Series k1 i64)
with { s2 <- map k1 i64 (* 2) s1
     ; s3 <- map k1 i64 (+ 1) s2
     ; s4 <- map k1 i64 i64 (-) s3 s1
     ; ws <= create k1 i64 s4 }
yields (ws)
"
    );
    f.runs(&[&[1, 2, 3]]);
    f.runs(&[&[]]);
}

#[test]
fn an_array_between_clusters_is_made() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let double = b.section(Mul, 2);
    let ys = b.map("ys", double, &[xs]);
    let s = b.reduce("s", Add, int(0), ys);
    let plus = b
        .worker(&[("y", Scalar::I64)], |b, y| vec![b.bin("z", Add, Atom::Var(y[0]), Atom::Var(s))]);
    let zs = b.map("zs", plus, &[ys]);
    let f = forms(b.function("two", &[zs]), &[&["ys", "s"], &["zs"]]);
    assert_eq!(
        f.process,
        "\
two = { ys s = runSeries xs two_1
      ; zs = runSeries ys two_2
      ; yield (zs) }

process two_1 (k1 : &) (s1 : Series k1 i64)
with { s2 <- map k1 i64 (* 2) s1
     ; ys <= create k1 i64 s2
     ; s <= fold k1 i64 s2 with (+) and 0 }
yields (ys, s)

process two_2 (k1 : &) (s1 : Series k1 i64)
with { s2 <- map k1 i64 (+ s) s1
     ; zs <= create k1 i64 s2 }
yields (zs)
"
    );
    f.runs(&[&[1, 2, 3]]);
}

#[test]
fn scalars_run_when_they_can_and_are_needed() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let early = b.length("early", xs);
    let s = b.reduce("s", Add, int(0), xs);
    let mean = b.bin("mean", Div, Atom::Var(s), Atom::Var(early));
    let late = b.bin("late", Mul, mean, int(2));
    let minus =
        b.worker(&[("x", Scalar::I64)], |b, x| vec![b.bin("d", Sub, Atom::Var(x[0]), mean)]);
    let ds = b.map("ds", minus, &[xs]);
    let Atom::Var(late) = late else { panic!("a variable") };
    let f = forms(b.function("spread", &[ds, late]), &[]);
    assert_eq!(
        steps(&f),
        "\
spread = { early = length xs
         ; s = runSeries xs spread_1
         ; mean = s / early
         ; late = mean * 2
         ; ds = runSeries xs spread_2
         ; yield (ds, late) }"
    );
    f.runs(&[&[1, 2, 6]]);
}

#[test]
fn filters_of_filters_are_nested() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let positive = b.section(Gt, 0);
    let ys = b.filter("ys", positive, xs);
    let small = b.section(Lt, 100);
    let zs = b.filter("zs", small, ys);
    let f = forms(b.function("nested_filter", &[ys, zs]), &[&["ys", "zs"]]);
    assert_eq!(
        processes(&f),
        "\
process nested_filter_1 (k1 : &) (s1 : Series k1 i64)
with { s2 <- map k1 i64 (> 0) s1
     ; mkSel (k2 : &) (sel1 : Sel k1 k2) from k1 s2 in
         { s3 <- pack k1 k2 i64 sel1 s1
         ; ys <= create k2 i64 s3
         ; s4 <- map k2 i64 (< 100) s3
         ; mkSel (k3 : &) (sel2 : Sel k2 k3) from k2 s4 in
             { s5 <- pack k2 k3 i64 sel2 s3
             ; zs <= create k3 i64 s5 } } }
yields (ys, zs)
"
    );
    f.runs(&[&[-1, 1, 200, 3]]);
}

#[test]
fn four_filters_in_one_pass() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let size = b.size_of(xs);
    let ys = b.input_of("ys", size);
    let mut results = Vec::new();
    for (index, op) in [Gt, Lt, Gt, Lt].into_iter().enumerate() {
        let predicate = b.section(op, 2);
        let names = [format!("x{index}"), format!("y{index}")];
        let names = [names[0].as_str(), names[1].as_str()];
        let by = if index < 2 { xs } else { ys };
        results.extend(b.filters(&names, predicate, by, &[xs, ys]));
    }
    let f = forms(b.function("split", &results), &[&["x0", "x1", "x2", "x3"]]);
    assert_eq!(f.process.matches("mkSel").count(), 4);
    assert_eq!(f.process.matches("pack").count(), 8);
    assert_eq!(f.process.matches("runSeries").count(), 1);
    let by_indent = processes(&f);
    let nested = by_indent.lines().filter(|line| line.contains("mkSel"));
    assert!(nested.clone().all(|line| line.starts_with("     ; mkSel")), "side by side");
    f.runs(&[&[1, 2, 3, 4], &[4, 3, 2, 1]]);
}

#[test]
fn flags_that_are_given_need_no_map() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let positive = b.section(Gt, 0);
    let flags = b.map("flags", positive, &[xs]);
    let itself = b.worker(&[("f", Scalar::Bool)], |_, f| vec![Atom::Var(f[0])]);
    let ys = b.filters(&["ys"], itself, flags, &[xs])[0];
    let f = forms(b.function("by_flags", &[ys]), &[&["flags", "ys"]]);
    assert_eq!(
        processes(&f),
        "\
process by_flags_1 (k1 : &) (s1 : Series k1 i64)
with { s2 <- map k1 i64 (> 0) s1
     ; mkSel (k2 : &) (sel1 : Sel k1 k2) from k1 s2 in
         { s3 <- pack k1 k2 i64 sel1 s1
         ; ys <= create k2 i64 s3 } }
yields (ys)
"
    );
    f.runs(&[&[1, -2, 3]]);
}

#[test]
fn a_cross_fuses_with_its_left_side_and_its_consumers() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let ys = b.input("ys");
    let plus = b.section(Add, 1);
    let zs = b.map("zs", plus, &[xs]);
    let [l, r] = b.cross(["l", "r"], zs, ys);
    let minus = b.operator(Sub);
    let d = b.map("d", minus, &[l, r]);
    let m = b.reduce("m", Max, int(0), d);
    let s = b.reduce("s", Add, int(0), zs);
    let f = forms(b.function("pairs", &[m, s]), &[&["zs", "l", "d", "m", "s"]]);
    assert_eq!(
        processes(&f),
        "\
process pairs_1 (k1 : &) (k2 : &) (s1 : Series k1 i64) (s4 : Series k2 i64)
with { s2 <- map k1 i64 (+ 1) s1
     ; s3 s5 <- cross (k3 = k1 * k2) (s2) (s4)
     ; s <= fold k1 i64 s2 with (+) and 0
     ; s6 <- map k3 i64 i64 (-) s3 s5
     ; m <= fold k3 i64 s6 with max and 0 }
yields (m, s)
"
    );
    f.runs(&[&[1, 2], &[3, -4, 5]]);
    f.runs(&[&[1, 2], &[]]);
}

#[test]
fn a_cross_of_an_array_with_itself_and_another_cross_of_that() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let [l, r] = b.cross(["l", "r"], xs, xs);
    let times = b.operator(Mul);
    let products = b.map("products", times, &[l, r]);
    let [p, q] = b.cross(["p", "q"], products, xs);
    let plus = b.operator(Add);
    let sums = b.map("sums", plus, &[p, q]);
    let clusters: &[&[&str]] = &[&["l", "products", "p", "sums"]];
    let f = forms(b.function("cube", &[sums]), clusters);
    assert_eq!(f.program.to_string().matches("loopI").count(), 3);
    f.runs(&[&[1, 2, 3]]);
}

#[test]
fn a_cross_inside_a_filter() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let ys = b.input("ys");
    let positive = b.section(Gt, 0);
    let kept = b.filter("kept", positive, xs);
    let [l, r] = b.cross(["l", "r"], kept, ys);
    let f = forms(b.function("rows", &[l, r]), &[&["kept", "l"]]);
    assert_eq!(f.process.matches("runSeries").count(), 1);
    f.runs(&[&[1, -1, 2], &[7, 8]]);
    f.runs(&[&[-1], &[7, 8]]);
}

#[test]
fn a_filter_of_a_cross() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let ys = b.input("ys");
    let [l, r] = b.cross(["l", "r"], xs, ys);
    let positive = b.section(Gt, 1);
    let kept = b.filters(&["kl", "kr"], positive, l, &[l, r]);
    let f = forms(b.function("kept", &kept), &[&["l", "kl"]]);
    f.runs(&[&[1, 2, 3], &[7, 8]]);
}

#[test]
fn generates_gathers_and_arrays_of_one_size_share_the_rate() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let n = b.scalar("n", Scalar::I64);
    let back = b.worker(&[("i", Scalar::I64)], |b, i| {
        let last = b.bin("last", Sub, Atom::Var(n), int(1));
        vec![b.bin("j", Sub, last, Atom::Var(i[0]))]
    });
    let indices = b.generate("indices", n, back);
    let picked = b.gather("picked", xs, indices);
    let s = b.reduce("s", Add, int(0), picked);
    let f = forms(b.function("reversed", &[picked, s]), &[&["indices", "picked", "s"]]);
    assert_eq!(
        processes(&f),
        "\
process reversed_1 (k1 : &)
with { s1 <- generate (k1 = n) (\\i -> { last = n - 1; j = last - i; j })
     ; s2 <- gather k1 (xs) s1
     ; picked <= create k1 i64 s2
     ; s <= fold k1 i64 s2 with (+) and 0 }
yields (picked, s)
"
    );
    let args = |n: i64| [ints(&[1, 2, 3]), Value::Scalar(Const::i64(n))];
    assert!(f.run(&args(3)).is_ok());
    assert!(f.run(&args(0)).is_ok());
    assert!(f.run(&args(4)).is_err(), "the index 3 is out of bounds");
    assert!(f.run(&args(-1)).is_err(), "the size is negative");
}

#[test]
fn what_a_map_hands_on_is_not_copied() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let both = b.worker(&[("x", Scalar::I64)], |b, x| {
        let twice = b.bin("twice", Mul, Atom::Var(x[0]), int(2));
        vec![Atom::Var(x[0]), twice, twice]
    });
    let made = b.maps(&["same", "double", "again"], both, &[xs]);
    let f = forms(b.function("handed_on", &made), &[&["same"]]);
    assert_eq!(
        f.process,
        "\
handed_on = { same = xs
            ; double = runSeries xs handed_on_1
            ; again = double
            ; yield (same, double, again) }

process handed_on_1 (k1 : &) (s1 : Series k1 i64)
with { s2 <- map k1 i64 (* 2) s1
     ; double <= create k1 i64 s2 }
yields (double)
"
    );
    f.runs(&[&[1, 2]]);
}

#[test]
fn a_map_that_hands_everything_on_needs_no_pass() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let itself = b.worker(&[("x", Scalar::I64)], |_, x| vec![Atom::Var(x[0])]);
    let ys = b.map("ys", itself, &[xs]);
    let f = forms(b.function("same", &[ys]), &[]);
    assert_eq!(f.process, "same = { ys = xs\n       ; yield (ys) }\n");
    f.runs(&[&[1, 2]]);
}

#[test]
fn the_length_of_what_is_not_stored_is_counted() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let positive = b.section(Gt, 0);
    let ys = b.filter("ys", positive, xs);
    let n = b.length("n", ys);
    let s = b.reduce("s", Add, int(0), ys);
    let f = forms(b.function("mean", &[n, s]), &[&["ys", "s"]]);
    assert_eq!(
        processes(&f),
        "\
process mean_1 (k1 : &) (s1 : Series k1 i64)
with { s2 <- map k1 i64 (> 0) s1
     ; mkSel (k2 : &) (sel1 : Sel k1 k2) from k1 s2 in
         { s3 <- pack k1 k2 i64 sel1 s1
         ; s <= fold k2 i64 s3 with (+) and 0
         ; n <= fold k2 with (+ 1) and 0 in any order } }
yields (s, n)
"
    );
    f.runs(&[&[1, -1, 5]]);
}

#[test]
fn a_worker_may_ask_for_the_length_of_what_its_pass_makes() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let plus = b.section(Add, 1);
    let ys = b.map("ys", plus, &[xs]);
    let share = b.worker(&[("y", Scalar::I64)], |b, y| {
        let n = b.length("n", ys);
        vec![b.bin("z", Div, Atom::Var(y[0]), Atom::Var(n))]
    });
    let zs = b.map("zs", share, &[ys]);
    let f = forms(b.function("shares", &[zs]), &[&["ys", "zs"]]);
    assert_eq!(
        steps(&f),
        "\
shares = { length = length xs
         ; zs = runSeries xs shares_1
         ; yield (zs) }"
    );
    f.runs(&[&[10, 20, 30]]);
}

#[test]
fn the_length_of_a_cross_is_known_before_it_runs() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let ys = b.input("ys");
    let [l, r] = b.cross(["l", "r"], xs, ys);
    let n = b.length("n", l);
    let plus = b.operator(Add);
    let s = b.map("s", plus, &[l, r]);
    let less = b.worker(&[("a", Scalar::I64), ("x", Scalar::I64)], |b, args| {
        let sum = b.bin("sum", Add, Atom::Var(args[0]), Atom::Var(args[1]));
        vec![b.bin("d", Sub, sum, Atom::Var(n))]
    });
    let t = b.fold("t", Order::Strict, less, int(0), &[s]);
    let f = forms(b.function("count", &[n, t]), &[&["l", "s", "t"]]);
    assert_eq!(
        steps(&f),
        "\
count = { length = length xs
        ; length.2 = length ys
        ; n = length * length.2
        ; t = runSeries xs ys count_1
        ; yield (n, t) }"
    );
    f.runs(&[&[1, 2], &[3, 4, 5]]);
}

#[test]
fn a_length_is_known_when_its_size_is() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let plus = b.section(Add, 1);
    let ys = b.map("ys", plus, &[xs]);
    let cond = b.bin("c", Gt, int(2), int(1));
    let [then, otherwise] = [ys, xs].map(|array| b.block(|_| vec![Atom::Var(array)]));
    let either = b.var("either", b.vars[xs].ty.clone());
    b.bind(vec![either], Op::If { cond, then, otherwise });
    let [l, _] = b.cross(["l", "r"], either, either);
    let n = b.length("n", l);
    let times = b
        .worker(&[("y", Scalar::I64)], |b, y| vec![b.bin("t", Mul, Atom::Var(y[0]), Atom::Var(n))]);
    let zs = b.map("zs", times, &[ys]);
    // Although it asks for the length of a product of what is chosen later.
    let f = forms(b.function("early", &[zs, l]), &[&["ys", "zs"], &["l"]]);
    let first = "early = { length = length xs\n        ; length.2 = length xs\n";
    assert!(f.process.starts_with(first), "{}", f.process);
    f.runs(&[&[1, 2]]);
}

#[test]
fn a_flatmap_is_taken_apart() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let worker = b.worker(&[("x", Scalar::I64)], |b, x| {
        let x = Atom::Var(x[0]);
        let twice = b.bin("twice", Add, x, x);
        let Atom::Var(count) = b.bin("count", Max, twice, int(0)) else { panic!("it is bound") };
        let same = b.worker(&[("i", Scalar::I64)], |_, i| vec![Atom::Var(i[0])]);
        let places = b.generate("places", count, same);
        let times =
            b.worker(&[("i", Scalar::I64)], |b, i| vec![b.bin("t", Mul, twice, Atom::Var(i[0]))]);
        vec![Atom::Var(b.map("part", times, &[places]))]
    });
    let ys = b.flatmap("ys", worker, xs);
    let sum = b.reduce("sum", Add, int(0), ys);
    let f = forms(b.function("parts", &[ys, sum]), &[&["ys", "sum"]]);
    assert_eq!(
        processes(&f),
        "\
process parts_1 (k1 : &) (s1 : Series k1 i64)
with { s2 s3 <- map k1 i64 (\\x -> { twice = x + x; count = max twice 0; (count, twice) }) s1
     ; mkExp (k2 : &) from k1 s2 in
         { s4 <- expand k2 i64 (\\place twice -> { t = twice * place; t }) s3
         ; ys <= create k2 i64 s4
         ; sum <= fold k2 i64 s4 with (+) and 0 } }
yields (ys, sum)
"
    );
    f.runs(&[&[1, -2, 3, 0]]);
    f.runs(&[&[]]);
}

#[test]
fn a_part_that_its_worker_looks_at_is_a_row() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let worker = b.worker(&[("x", Scalar::I64)], |b, x| {
        let Atom::Var(count) = b.bin("count", Max, Atom::Var(x[0]), int(0)) else {
            panic!("it is bound")
        };
        let same = b.worker(&[("i", Scalar::I64)], |_, i| vec![Atom::Var(i[0])]);
        let row = b.generate("row", count, same);
        let sum = b.reduce("sum", Add, int(0), row);
        let more = b.worker(&[("y", Scalar::I64)], |b, y| {
            vec![b.bin("t", Add, Atom::Var(y[0]), Atom::Var(sum))]
        });
        vec![Atom::Var(b.map("part", more, &[row]))]
    });
    let ys = b.flatmap("ys", worker, xs);
    let f = forms(b.function("parts", &[ys]), &[&["ys"]]);
    let each = "s5 <- expand k2 i64 (\\place sum row -> { t = row + sum; t }) s3 of s4";
    assert!(f.process.contains(each), "{}", f.process);
    f.runs(&[&[1, -2, 3, 0]]);
}
