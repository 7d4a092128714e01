//! Modules with types, parametric modules, and the modules of the scalar types.

use super::{check, core_of};
use arrc_syntax::prim::Scalar;

/// Whether a scalar type is one of some types.
type Fits = fn(Scalar) -> bool;

/// The module types of the prelude, and the scalar types whose modules have them.
const TYPES: [(&str, Fits); 5] = [
    ("from_prim", |_| true),
    ("numeric", Scalar::is_numeric),
    ("integral", Scalar::is_integer),
    ("real", Scalar::is_float),
    ("float", Scalar::is_float),
];

#[test]
fn the_modules_of_scalar_types_have_their_types() {
    for (ty, has) in TYPES {
        for scalar in Scalar::ALL {
            let text =
                format!("module m: {ty} with t = {scalar} = {scalar}", scalar = scalar.name());
            assert_eq!(check(&text).is_ok(), has(scalar), "{text}");
        }
    }
}

#[test]
fn nothing_of_a_module_is_left_in_core() {
    let text = "module type monoid = { type t val ne: t val op: t -> t -> t }
        module sums (M: monoid): { val total [n]: [n]M.t -> M.t } = {
          def total [n] (xs: [n]M.t): M.t = reduce M.op M.ne xs
        }
        module max: monoid with t = i64 = { type t = i64 def ne = i64.lowest def op = i64.max }
        module m = sums max
        entry f [n] (xs: [n]i64): i64 = m.total xs";
    let program = check(text).unwrap_or_else(|errors| panic!("{errors}"));
    let printed = program.to_string();
    assert!(!printed.contains("module") && !printed.contains("M."), "{printed}");
    let own = program.defs.values().filter(|def| !program.library.contains(&def.span.file));
    let mut names: Vec<&str> = own.map(|def| def.name.as_str()).collect();
    names.sort_unstable();
    // `reduce` is of the prelude, which is no library here. The text that is only checked is not there.
    assert_eq!(names, ["f", "ne", "op", "reduce", "total"]);
}

#[test]
fn a_use_is_what_the_module_gives() {
    core_of(
        "module m: { type t val f: t -> t val x: t val g: t -> i64 } = {
           type t = i64 def f (a: t): t = a + 1 def x: t = 2 def g (a: t): i64 = a
         }
         entry e: i64 = m.g (m.f m.x)",
        "def f (a: i64): i64 = a + 1i64
         def x: i64 = 2i64
         def g (a: i64): i64 = a
         entry e: i64 = g (f x)",
    );
}

#[test]
fn hiding_a_type_changes_nothing_that_is_accepted() {
    let items = "type t val new: t val up: t -> t val at: t -> i64 val many [n]: [n]i64 -> [n]t";
    let body = "def new: t = 0 def up (x: t): t = x + 1 def at (x: t): i64 = x
        def many [n] (xs: [n]i64): [n]t = xs";
    let uses = [
        "entry e: i64 = m.at (m.up m.new)",
        "entry e [n] (xs: [n]i64): [n]i64 = map m.at (map m.up (m.many xs))",
        "entry e (b: bool): i64 = m.at (if b then m.new else m.up m.new)",
        "entry e (n: i64): i64 = m.at (loop x = m.new for _i < n do m.up x)",
        "entry e: (i64, i64) = let p = (m.new, {a = m.up m.new}) in (m.at p.0, m.at p.1.a)",
        "def f 'a (x: a) = [x, x]  entry e: [2]i64 = map m.at (f m.new)",
        "entry e: ?[k].[k]i64 = map m.at (filter (\\x -> m.at x > 0) (m.many [1, -1]))",
        "entry e (x: m.t): m.t = m.up x",
        "type s = #some m.t | #none  def f (x: s) = match x case #some a -> m.at a case #none -> 0
         entry e: i64 = f (#some m.new)",
    ];
    for used in uses {
        let [hidden, shown] = ["", " with t = i64"].map(|with| {
            let text = format!("module m: {{ {items} }}{with} = {{ type t = i64 {body} }} {used}");
            check(&text).unwrap_or_else(|errors| panic!("{text}\n{errors}")).to_string()
        });
        assert_eq!(hidden, shown, "{used}");
    }
}

#[test]
fn a_hidden_type_is_no_other_type() {
    let module = "module m: { type t val x: t } = { type t = i64 def x: t = 1 }";
    let again = "module n: { type t val x: t } = { type t = i64 def x: t = 1 }";
    for wrong in [
        "def f: i64 = m.x",
        "def f: m.t = 1",
        "def f = m.x + m.x",
        "def f = m.x == m.x",
        "def f = [m.x, n.x]",
        "def f (x: m.t): n.t = x",
        "def f = iota m.x",
        "def f = match m.x case 1 -> 2 case _ -> 3",
    ] {
        let text = format!("{module} {again} {wrong}");
        assert!(check(&text).is_err(), "{text}");
    }
}
