//! The programs of the language's description are read, printed, and read again.
//!
//! Invariant: printing changes nothing but blanks, comments and needless parentheses.
//!
//! ```text
//! text ⇒ tree ⇒ text ⇒ the same tree
//! ```

use super::{good, names, read, shape};
use crate::ast;
use crate::ast::{Decl, DefKind, ModuleExpr};

const ONE_PAGE: &str = r"
-- | Points as a record; arrays of records are stored as one array a field.
type point = {x: f64, y: f64}

-- | Twice the signed area of the triangle a b p: positive when p lies left of the line a b.
def area (a: point) (b: point) (p: point): f64 =
  (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)

-- | Lexicographic order; the ends of it are always vertices of the hull.
def before (p: point) (q: point): bool = p.x < q.x || (p.x == q.x && p.y <= q.y)

-- | The hull's vertices from a up to but without b, left of the line a b: one pass over ps.
def side [n] (a: point) (b: point) (ps: [n]point): ?[m].[m]point =
  let left = zip ps (map (area a b) ps) |> filter (\(_, d) -> d > 0)
  let farther l r = if l.1 > r.1 || (l.1 == r.1 && before l.0 r.0) then l else r
  let (far, d) = reduce farther (a, 0) left
  in if d == 0 then [a]
     else side a far (map (.0) left) ++ side far b (map (.0) left)

-- | The convex hull of the points (xs, ys), clockwise from its leftmost point, vertices only.
entry quickhull [n] (xs: [n]f64) (ys: [n]f64): ?[h].([h]f64, [h]f64) =
  let ps = map2 (\x y -> {x, y}) xs ys
  let first = reduce (\p q -> if before p q then p else q) {x = f64.inf, y = f64.inf} ps
  let last  = reduce (\p q -> if before p q then q else p) {x = -f64.inf, y = -f64.inf} ps
  let hull = if n == 0 then [] else if first == last then [first]
             else side first last ps ++ side last first ps
  in unzip (map (\p -> (p.x, p.y)) hull)
";

const PAPERS: &str = r"
entry normalize2 [n] (xs: [n]i64): ([n]i64, [n]i64) =
  let sum1 = reduce (+) 0 xs
  let gts  = filter (> 0) xs
  let sum2 = reduce (+) 0 gts
  let ys1  = map (/ sum1) xs
  let ys2  = map (/ sum2) xs
  in (ys1, ys2)

entry filter_max [n] (vec1: [n]i64): ?[m].([m]i64, i64) =
  let vec2 = map (+ 1) vec1
  let vec3 = filter (> 0) vec2
  let mx   = reduce i64.max 0 vec3
  in (vec3, mx)

entry filter_left [n] (xs: [n]i64): ?[m].([n]i64, [m]i64) =
  (map (+ 1) xs, filter (\x -> x % 2 == 0) xs)

def bad1 [n] (xs: [n]i64) =          -- rejected: the size of flt is not n
  let flt = filter (> 0) xs
  in map2 (+) flt xs

def bad2 [n] (xs: [n]i64) =          -- rejected: two filters, two sizes
  map2 (+) (filter (> 0) xs) (filter (< 9) xs)
";

const PRELUDE: &str = r"
intrinsic map [n] 'a 'b (f: a -> b) (xs: [n]a): [n]b
intrinsic filter [n] 'a (p: a -> bool) (xs: [n]a): ?[k].[k]a
intrinsic iota (n: i64): [n]i64
def (|>) '^a '~b (x: a) (f: a -> b): b = f x
def flip 'a 'b 'c (f: a -> b -> c): b -> a -> c = \y x -> f x y
";

#[test]
fn the_page_that_shows_the_language_is_read() {
    let tree = good(ONE_PAGE);
    assert_eq!(names(&tree), ["point", "area", "before", "side", "quickhull"]);
    let Some(Decl::Def(hull)) = tree.decls.last() else { panic!("quickhull is a definition") };
    assert_eq!(hull.kind, DefKind::Entry);
    assert_eq!(hull.params.len(), 2);
    assert_eq!(
        hull.doc.as_deref(),
        Some(
            "The convex hull of the points (xs, ys), clockwise from its leftmost point, vertices only."
        )
    );
}

#[test]
fn programs_survive_printing() {
    for text in [ONE_PAGE, PAPERS, PRELUDE] {
        let tree = good(text);
        let printed = tree.to_string();
        assert_eq!(shape(&tree), shape(&good(&printed)), "{printed}");
        assert_eq!(printed, good(&printed).to_string());
    }
}

#[test]
fn printing_is_pretty() {
    let printed = good(
        "-- | One line,\n-- and another.\ndef f [n] 'a (xs: [n]a) = let g x = (x) + 1 let (a, b): (i64, i64) = ((1), 2) \
         in if (a < b) then (g (a)) else (let c = 3 in c)\ntype t=i64",
    )
    .to_string();
    let expected = "\
-- | One line,
-- and another.
def f [n] 'a (xs: [n]a) =
  let g x = x + 1
  let (a, b): (i64, i64) = (1, 2)
  in if a < b then g a else let c = 3
  in c

type t = i64
";
    assert_eq!(printed, expected);
}

#[test]
fn an_intrinsic_has_no_body() {
    let tree = good("intrinsic iota (n: i64): [n]i64\ndef f = 1");
    let [Decl::Def(iota), Decl::Def(f)] = tree.decls.as_slice() else {
        panic!("there are two definitions")
    };
    assert_eq!((iota.kind, iota.body.is_none()), (DefKind::Intrinsic, true));
    assert_eq!((f.kind, f.body.is_none()), (DefKind::Def, false));
}

#[test]
fn doc_comments_belong_to_the_next_declaration() {
    let doc = |text: &str| match good(text).decls.pop() {
        Some(Decl::Def(def)) => def.doc,
        other => panic!("{text} gives {other:?}"),
    };
    assert_eq!(doc("-- | a\n--   b\n--\n-- c\ndef f = 1").as_deref(), Some("a\n  b\n\nc"));
    assert_eq!(doc("-- | a\n\n-- apart\ndef f = 1").as_deref(), Some("a"));
    assert_eq!(doc("-- | old\n-- | new\ndef f = 1").as_deref(), Some("new"));
    assert_eq!(doc("-- plain\ndef f = 1"), None);
    assert_eq!(doc("def g = -- | inside\n  1\ndef f = 1"), None);
}

const MODULES: &str = "
-- | Shapes.
module shapes = {
  import \"lib/points\"

  -- | Areas.
  def area (r: f64): f64 = r * r

  local module inner = {
    type t = f64
    #[noinline]
    #[effect(io)]
    local def f (x: t): t = area x
  }
  open inner
}

local open shapes
module s = shapes.inner
module p = import \"lib/points\"
#[effect(io)]
external report (n: i32): ()
def g (x: shapes.t) = shapes.area x
";

#[test]
fn modules_are_read_and_printed() {
    let tree = good(MODULES);
    assert_eq!(tree.decls.len(), 6);
    let Decl::Module(shapes) = &tree.decls[0] else { panic!("it begins with a module") };
    assert_eq!(shapes.doc.as_deref(), Some("Shapes."));
    let ModuleExpr::Body(decls, _) = &shapes.body else { panic!("shapes has a body") };
    assert_eq!(decls.len(), 4);
    ast::verify(&tree).expect("its places nest");
    assert_eq!(shape(&good(&tree.to_string())), shape(&tree));
}

#[test]
fn a_mistake_in_a_module_spoils_one_declaration() {
    let text = "module m = {\n  def f = (1 + \n  def g = 2\n}\ndef h = m.g\n";
    let (tree, found, _) = read(text);
    assert_eq!(found.len(), 1, "{found:?}");
    let [Decl::Module(module), Decl::Def(_)] = tree.decls.as_slice() else {
        panic!("a module and a definition: {tree}")
    };
    let ModuleExpr::Body(decls, _) = &module.body else { panic!("m has a body") };
    assert_eq!(decls.len(), 2);
}

#[test]
fn a_module_that_is_not_closed_is_reported_once() {
    let (tree, found, _) = read("module m = {\n  module n = {\n  def f = 1\n");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(tree.decls.len(), 1);
}
