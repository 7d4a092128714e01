//! Programs that keep their marks, and programs that do not, with their diagnostics.

use super::unique;
use crate::infer::tests::check;
use arrc_syntax::ids::{EntityRef, FileId};

/// What every program can call.
const HELPERS: &str = "
def set [n] (xs: *[n]i64): *[n]i64 = xs with [0] = 1
def put [n] (xs: *[n]i64) (i: i64): *[n]i64 = xs with [i] = 1
def same [n] (xs: [n]i64): [n]i64 = xs
def make (n: i64): [n]i64 = iota n
def pair [n] (t: (*[n]i64, [n]i64)): (*[n]i64, [n]i64) = (set t.0, t.1)
def table: [3]i64 = [1, 2, 3]
";

/// The codes of the errors, each with the text of its place.
fn found(program: &str) -> Vec<String> {
    let text = format!("{HELPERS}{program}");
    let core = check(&text).unwrap_or_else(|errors| panic!("{errors}"));
    let told = unique(&core, FileId::new(0));
    let line = |diagnostic: &arrc_syntax::diagnostics::Diagnostic| {
        let label = diagnostic.primary.as_ref().expect("what is wrong with a mark has a place");
        let place = &text[label.span.start as usize..label.span.end as usize];
        format!("{} {place}", diagnostic.code.0)
    };
    told.iter().map(line).collect()
}

fn accepted(programs: &[&str]) {
    for program in programs {
        assert_eq!(found(program), Vec::<String>::new(), "{program}");
    }
}

fn rejected(programs: &[(&str, &[&str])]) {
    for (program, expected) in programs {
        assert_eq!(found(program), *expected, "{program}");
    }
}

#[test]
fn what_is_consumed_is_not_used_again() {
    rejected(&[
        ("def f (xs: *[3]i64) = (set xs)[0] + xs[0]", &["A0326 xs"]),
        ("def f (xs: *[3]i64) = let ys = xs let zs = set ys in xs", &["A0326 xs"]),
        ("def f (xs: *[3]i64) = let ys = xs let zs = set xs in ys", &["A0326 ys"]),
        ("def f (xs: *[3]i64) = let ys = xs[1:] let zs = set xs in ys", &["A0326 ys"]),
        ("def f (xs: *[3]i64) = let (a, _) = (xs, 1) let zs = set a in xs", &["A0326 xs"]),
        ("def f (xs: *[3]i64) = let r = {a = xs, b = 1} let _ = set r.a in r.a", &["A0326 r.a"]),
        ("def f (xs: *[3]i64) = let ys = same xs let _ = set xs in ys", &["A0326 ys"]),
        ("def f (xs: *[3]i64) = let g i = xs[i] let _ = set xs in g 1", &["A0326 g"]),
        ("def f (xs: *[3]i64) = let a = replicate 3 0 let b = set a in a", &["A0326 a"]),
        ("def f (xs: *[3]i64) = (set xs, set xs)", &["A0326 xs"]),
        ("def f (xs: *[3]i64) = (xs, set xs)", &["A0326 (xs, set xs)"]),
        (
            "def f (xs: *[3]i64) = xs |> set |> map (\\x -> x + xs[0])",
            &["A0326 (\\x -> x + xs[0])"],
        ),
        (
            "def f (xs: *[3]i64) (s: #a ([3]i64) | #b) = let t = if true then #a xs else s let _ = set xs \
          in match t case #a ys -> ys[0] case #b -> 0",
            &["A0326 t"],
        ),
    ]);
    accepted(&[
        "def f (xs: *[3]i64) = let ys = xs let zs = set ys in zs",
        "def f (xs: *[3]i64) = let a = xs[0] let ys = set xs in a + ys[0]",
        "def f (xs: *[3]i64) = let r = {a = xs, b = 1} let _ = set r.a in r.b",
        "def f (xs: *[3]i64) = let ys = map id xs let zs = set xs in (ys, zs)",
        "def f (xs: *[3]i64) = let ys = copy xs let zs = set xs in (ys, zs)",
        "def f (xs: *[3]i64) = let xs = set xs let xs = set xs in xs",
        "def f = let xs = set (make 3) in xs",
        "def f (n: i64) = let xs = make n in set xs",
    ]);
}

#[test]
fn ways_join() {
    rejected(&[
        ("def f c (xs: *[3]i64) = let ys = if c then set xs else [1, 2, 3] in xs", &["A0326 xs"]),
        (
            "def f c (xs: *[3]i64) = let ys = match c case 0i64 -> set xs case _ -> xs in xs",
            &["A0326 xs"],
        ),
        ("def f c (xs: *[3]i64) = let a = c && (set xs)[0] == 1 in (a, xs)", &["A0326 xs"]),
        (
            "def f c (xs: *[3]i64) (ys: *[3]i64) = let zs = if c then xs else ys let _ = set zs in xs",
            &["A0326 xs"],
        ),
        (
            "def f c (xs: *[3]i64) (ys: *[3]i64) = let zs = if c then xs else ys let _ = set xs in zs",
            &["A0326 zs"],
        ),
    ]);
    accepted(&[
        "def f c (xs: *[3]i64) = if c then set xs else xs",
        "def f c (xs: *[3]i64) = if c then set xs else put xs 1",
        "def f c (xs: *[3]i64) (ys: *[3]i64) = let zs = if c then xs else ys let _ = set xs in ys",
    ]);
}

#[test]
fn what_is_not_ones_own_is_not_consumed() {
    rejected(&[
        ("def f (xs: [3]i64) = set xs", &["A0327 xs"]),
        ("def f (xs: [3]i64) = let ys = xs in set ys", &["A0327 ys"]),
        ("def f (xs: [3]i64) = set (same xs)", &["A0327 (same xs)"]),
        ("def f (xss: [2][3]i64) = set xss[0]", &["A0327 xss[0]"]),
        ("def f (p: ([3]i64, i64)) = set p.0", &["A0327 p.0"]),
        ("def f = set table", &["A0327 table"]),
        ("def f (xs: *[3]i64) = map (\\i -> (set xs)[i]) (iota 3)", &["A0327 xs"]),
        ("def f (xs: *[3]i64) = let g i = (set xs)[i] in g 1", &["A0327 xs"]),
        ("def f (xs: *[3]i64) = loop a = 0 for i < 3 do a + (set xs)[i]", &["A0327 xs"]),
        ("def f (xs: *[3]i64) = map (\\i -> (xs with [i] = 0)[i]) (iota 3)", &["A0327 xs"]),
        ("def f (xss: [2][3]i64) = map (\\xs -> (set xs)[0]) xss", &["A0327 xs"]),
        ("def f (xss: *[2][3]i64) = loop a = 0 for xs in xss do a + (set xs)[0]", &["A0327 xs"]),
    ]);
    accepted(&[
        "def f (xs: [3]i64) = set (copy xs)",
        "def f (xss: *[2][3]i64) = set xss[0]",
        "def f (xs: [3]i64) = map (\\i -> (set (copy xs))[i]) (iota 3)",
        "def f (xs: [3]i64) = let g (ys: *[3]i64) = (set ys)[0] in g (copy xs)",
    ]);
}

#[test]
fn updates_consume_only_what_is_marked() {
    rejected(&[
        ("def f (xs: *[3]i64) = let ys = xs with [0] = 1 in xs", &["A0326 xs"]),
        ("def f (xs: *[3]i64) = let ys = scatter xs [0] [1] in xs", &["A0326 xs"]),
        ("def f (xs: *[3]i64) = let ys = reduce_by_index xs (+) 0 [0] [1] in xs", &["A0326 xs"]),
        (
            "def f (xs: *[3]i64) = let ys = xs with [0] = 1 let zs = ys with [0] = 2 in ys",
            &["A0326 ys"],
        ),
        ("def f = let (xs: *[3]i64) = iota 3 let ys = xs with [0] = 1 in xs", &["A0326 xs"]),
    ]);
    accepted(&[
        "def f (xs: [3]i64) = let ys = xs with [0] = 1 in (xs, ys)",
        "def f (xs: [3]i64) = let ys = scatter xs [0] [1] in (xs, ys)",
        "def f = let xs = iota 3 let ys = xs with [0] = 1 in (xs, ys)",
        "def f (xs: *[3]i64) = xs with [0] = xs[1]",
        "def f (xs: *[3]i64) = let xs[0] = xs[1] let xs[1] = 2 in xs",
        "def f (xs: *[3]i64) = scatter xs (iota 3) (map (+ 1) xs)",
    ]);
}

#[test]
fn what_is_given_with_a_mark_is_nobody_elses() {
    rejected(&[
        ("def f (xs: [3]i64): *[3]i64 = xs", &["A0328 xs"]),
        (
            "def f c (xs: [3]i64): *[3]i64 = if c then xs else iota 3",
            &["A0328 if c then xs else iota 3"],
        ),
        ("def f: *[3]i64 = table", &["A0328 table"]),
        ("def f (xs: *[3]i64): (*[3]i64, *[3]i64) = (xs, xs)", &["A0328 xs"]),
        ("def f (xs: *[3]i64): (*[3]i64, [3]i64) = (xs, xs)", &["A0328 xs"]),
        ("def f (xs: *[3]i64): (*[3]i64, [2]i64) = (xs, xs[1:])", &["A0328 xs"]),
        ("def f (xs: *[3]i64) = let g (i: i64): *[3]i64 = xs in g 1", &["A0328 xs"]),
        ("def f (xs: [3]i64) = let g (ys: [3]i64): *[3]i64 = ys in g xs", &["A0328 ys"]),
    ]);
    accepted(&[
        "def f (xs: [3]i64): *[3]i64 = copy xs",
        "def f (xs: *[3]i64): *[3]i64 = xs",
        "def f (xs: *[3]i64): [3]i64 = xs",
        "def f (xs: *[3]i64) (ys: *[3]i64): (*[3]i64, *[3]i64) = (ys, xs)",
        "def f (xs: [3]i64): (*[3]i64, [3]i64) = (map (+ 1) xs, xs)",
        "def f (xs: [3]i64): {a: *[3]i64, b: [3]i64} = {a = map (+ 1) xs, b = xs}",
    ]);
}

#[test]
fn loops_own_what_is_marked_or_consumed_in_them() {
    rejected(&[
        ("def f (xs: *[3]i64) = let ys = loop ys = xs for i < 3 do put ys i in xs", &["A0326 xs"]),
        ("def f (xs: [3]i64) = loop ys = xs for i < 3 do put ys i", &["A0327 xs"]),
        ("def f (xs: [3]i64) = loop (ys: *[3]i64) = xs for i < 3 do ys", &["A0327 xs"]),
        ("def f (xs: *[3]i64) = loop ys = xs for i < 3 do put ys xs[0]", &["A0326 xs"]),
        (
            "def f (xs: *[3]i64) (zs: [3]i64) = loop ys = xs for i < 3 do let _ = set ys in zs",
            &["A0328 zs"],
        ),
        (
            "def f (xs: *[3]i64) = loop (a, b) = (xs, iota 3) for i < 3 do let c = set a in (c, c)",
            &["A0328 c"],
        ),
        (
            "def f (xs: *[3]i64) = loop (a, b) = (xs, iota 3) for i < 3 do let _ = set a in (b, b)",
            &["A0328 b"],
        ),
        (
            "def f (xs: *[3]i64) = let ys = loop ys = xs for i < 3 do ys let _ = set xs in ys",
            &["A0326 ys"],
        ),
        (
            "def f (xs: *[3]i64) (zs: *[3]i64) = let (a, _) = loop (a, b) = (xs, zs) for i < 3 do (b, a) \
          let _ = set zs in a",
            &["A0326 a"],
        ),
        ("def f (xs: *[3]i64) = loop ys = xs while (set ys)[0] < 3 do ys", &["A0326 ys"]),
    ]);
    accepted(&[
        "def f (xs: *[3]i64): *[3]i64 = loop ys = xs for i < 3 do put ys i",
        "def f (xs: *[3]i64) = loop (ys: *[3]i64) = xs for i < 3 do ys with [i] = i",
        "def f (xs: [3]i64) = loop ys = copy xs for i < 3 do put ys i",
        "def f (xs: [3]i64) = loop ys = xs for i < 3 do ys with [i] = i",
        "def f (xs: *[3]i64) (zs: *[3]i64) = loop (a, b) = (xs, zs) for i < 3 do (set b, set a)",
        "def f (xs: *[3]i64) = loop (ys, k) = (xs, 0) while k < 3 do (put ys k, k + 1)",
        "def f (xs: *[3]i64) = loop ys = xs for x in iota 3 do put ys x",
    ]);
}

#[test]
fn calls_say_what_they_consume_and_share() {
    rejected(&[
        (
            "def two (xs: *[3]i64) (ys: [3]i64) = map2 (+) (set xs) ys def f (xs: *[3]i64) = two xs xs",
            &["A0326 xs"],
        ),
        (
            "def f (xs: *[3]i64) (ys: [3]i64) = let (a, b) = pair (xs, ys) in (a, b, xs)",
            &["A0326 xs"],
        ),
        ("def f (xs: [3]i64) (ys: [3]i64) = pair (xs, ys)", &["A0327 (xs, ys)"]),
        ("def f (xs: [3]i64) = let g = set in g (copy xs)", &["A0341 set"]),
        (
            "def app (h: [3]i64 -> [3]i64) (xs: [3]i64) = h xs def f (xs: [3]i64) = app set xs",
            &["A0341 set"],
        ),
        ("def f (xss: [2][3]i64) = map set xss", &["A0341 set"]),
        (
            "def app (h: [3]i64 -> *[3]i64) (xs: [3]i64) = h xs def f (xs: [3]i64) = app same xs",
            &["A0328 same"],
        ),
        ("def app (h: i64 -> *[3]i64) = h 1 def f (xs: [3]i64) = app (\\_ -> xs)", &["A0328 xs"]),
    ]);
    accepted(&[
        "def f (xs: *[3]i64) (ys: [3]i64) = let (a, b) = pair (xs, ys) in (a, b, ys)",
        "def app (h: *[3]i64 -> *[3]i64) (xs: *[3]i64): *[3]i64 = h xs def f (xs: *[3]i64) = app set xs",
        "def app (h: *[3]i64 -> [3]i64) (xs: *[3]i64) = h xs def f (xs: *[3]i64) = app same xs",
        "def app (h: i64 -> *[3]i64): *[3]i64 = h 1 def f (xs: [3]i64) = app (\\i -> map (+ i) xs)",
        "def f (xs: *[3]i64) = xs |> set |> set",
        "def f (xs: *[3]i64) = put (set xs) 1",
    ]);
}

#[test]
fn the_prelude_keeps_its_own_marks_but_where_values_save_it() {
    // With another file taken for the prelude, its definitions are checked as a user's are.
    let core = check("entry f [n] (xs: [n]i64): [n]i64 = map_index (+) (sort (<=) xs)")
        .expect("it is right");
    let told = unique(&core, FileId::new(7));
    // Only `copy` gives its argument back: copies are made where values need them.
    let told: Vec<&str> = told.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(told, ["what `copy` gives is marked `*`, but somebody else has it too"]);
}
