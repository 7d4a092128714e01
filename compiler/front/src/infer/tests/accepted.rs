//! Programs that are accepted, with the core that they become.

use super::{check, check_with, core_of, reads_back};
use arrc_syntax::prim::Scalar;

#[test]
fn the_examples_are_accepted_and_read_back() {
    for text in [
        include_str!("../../../../../examples/quickhull.arr"),
        include_str!("../../../../../examples/closest_points.arr"),
        include_str!("../../../../../examples/quadtree.arr"),
        include_str!("../../../../../examples/filter_max.arr"),
        include_str!("../../../../../examples/normalize2.arr"),
    ] {
        let program = check(text).unwrap_or_else(|errors| panic!("{errors}"));
        assert!(!program.entries.is_empty());
        reads_back(&program.to_string());
    }
}

#[test]
fn the_whole_prelude_is_well_typed() {
    let prelude = include_str!("../../../../../stdlib/prelude.arr");
    // A definition with shape parameters is typed at the ranks of its uses.
    let is_def = |line: &&str| {
        line.starts_with("intrinsic ") || (line.starts_with("def ") && !line.contains("[.."))
    };
    let names = prelude.lines().filter(is_def).filter_map(|line| line.split_whitespace().nth(1));
    let uses = names.enumerate().map(|(number, name)| format!("def use{number} = {name}\n"));
    let text: String = uses.collect();
    let program = check(&text).unwrap_or_else(|errors| panic!("{errors}"));
    assert!(program.defs.len() >= 2 * text.lines().count(), "each name is a definition");
}

#[test]
fn what_the_prelude_adds_to_scalar_modules_is_well_typed() {
    let prelude = include_str!("../../../../../stdlib/prelude.arr");
    let members = |module: &str| -> Vec<&str> {
        let from = prelude.find(&format!("\nmodule {module} = ")).expect("the module is there");
        let inside = prelude[from..].lines().take_while(|line| *line != "}");
        inside.filter_map(|line| line.strip_prefix("  def ")?.split(' ').next()).collect()
    };
    for (module, is_member) in
        [("integer", Scalar::is_integer as fn(Scalar) -> bool), ("float", Scalar::is_float)]
    {
        for scalar in Scalar::ALL.into_iter().filter(|&scalar| is_member(scalar)) {
            let names = members(module);
            assert!(names.contains(&"get_bit"), "{names:?}");
            let uses = names.iter().map(|name| format!("def use_{name} = {scalar}.{name}\n"));
            check(&uses.collect::<String>()).unwrap_or_else(|errors| panic!("{errors}"));
        }
    }
}

#[test]
fn only_what_is_reached_is_kept() {
    let prelude = "intrinsic length [n] 'a (xs: [n]a): i64\ndef one = 1\ndef two = one";
    let program = check_with(prelude, "def f [n] (xs: [n]i8) = two + 3").expect("right");
    let names: Vec<&str> = program.defs.values().map(|def| def.name.as_str()).collect();
    assert_eq!(names, ["one", "two", "f"]);
}

#[test]
fn types_are_principal() {
    core_of(
        r"
def id x = x
def pair x y = (x, y)
def twice f x = f (f x)
def sums xs ys = map2 (+) xs ys
def firsts ps = map (.0) (zip ps ps)
def add x y = x + y
def half x = x / 2.0
def same x y = x == y
def positive xs = filter (> 0) xs
def upto n = iota (n + 1)
def both c xs ys = if c then xs ++ ys else xs
def compose f g = f >-> g
",
        r"
def id 'a (x: a): a = x

def pair 'a 'b (x: a) (y: b): (a, b) = (x, y)

def twice 'a (f: a -> a) (x: a): a = f (f x)

def sums [n] (xs: [n]i32) (ys: [n]i32): [n]i32 = map2 (+) xs ys

def firsts [n] 'a (ps: [n]a): [n]a =
  map (\(x: (a, a)) -> x.0) (zip ps ps)

def add (x: i32) (y: i32): i32 = x + y

def half (x: f64): f64 = x / 2.0f64

def same (x: i32) (y: i32): bool = x == y

def positive [n] (xs: [n]i32): ?[k].[k]i32 =
  filter (\(x: i32) -> x > 0i32) xs

def upto (n: i64): [n + 1]i64 = iota (n + 1i64)

def both [n] [m] 'a (c: bool) (xs: [n]a) (ys: [m]a): ?[k].[k]a =
  if c then xs ++ ys else xs

def compose 'a 'b 'c (f: a -> b) (g: b -> c): a -> c =
  \(x: a) -> g (f x)
",
    );
}

#[test]
fn literals_take_the_type_that_is_asked_for() {
    core_of(
        r"
def small: i8 = -128
def float: f32 = 1
def bits: u64 = 0xffffffffffffffff
def wrapped = -1u8
def mixed (x: f64) = [x, 1, 2.5]
def index (xs: [3]f64) = xs[2]
",
        r"
def small: i8 = -128i8

def float: f32 = 1.0f32

def bits: u64 = 18446744073709551615u64

def wrapped: u8 = 255u8

def mixed (x: f64): [3]f64 = [x, 1.0f64, 2.5f64]

def index (xs: [3]f64): f64 = xs[2i64]
",
    );
}

#[test]
fn scalar_modules_have_constants_conversions_and_operations() {
    core_of(
        r"
def limits = (i32.highest, i8.lowest, f64.inf, f32.pi, u16.num_bits)
def convert (n: i64) (x: f32) = f64.i64 n + f64.f32 x
def maths (x: f64) = f64.max (f64.sqrt x) (f64.abs x)
def total [n] (xs: [n]f32) = (f32.sum xs, f32.maximum xs)
def shadowed (f64: {sqrt: i32}) = f64.sqrt
",
        r"
def limits: (i32, i8, f64, f32, i32) =
  (2147483647i32, -128i8, f64.inf, 3.1415927f32, 16i32)

def convert (n: i64) (x: f32): f64 = f64.i64 n + f64.f32 x

def maths (x: f64): f64 = f64.max (f64.sqrt x) (f64.abs x)

def total [n] (xs: [n]f32): (f32, f32) =
  (reduce (+) 0.0f32 xs, reduce f32.max f32.lowest xs)

def shadowed (f64_1: {sqrt: i32}): i32 = f64_1.sqrt
",
    );
}

#[test]
fn records_are_equal_whatever_their_order() {
    core_of(
        r"
type point = {x: f64, y: f64}
def swap (p: point): point = {y = p.x, x = p.y}
def move (p: point) = p with x = p.x + 1
def choose (c: bool) (p: point) = if c then p else {y = 0, x = 1}
def take (p: point) = let {x, y} = p in x + y
def origin (p: point) = p == {y = 0, x = 0}
",
        r"
def swap (p: {x: f64, y: f64}): {x: f64, y: f64} = {y = p.x, x = p.y}

def move (p: {x: f64, y: f64}): {x: f64, y: f64} = p with x = p.x + 1.0f64

def choose (c: bool) (p: {x: f64, y: f64}): {x: f64, y: f64} =
  if c then p else {y = 0.0f64, x = 1.0f64}

def take (p: {x: f64, y: f64}): f64 =
  let {x, y} = p
  in x + y

def origin (p: {x: f64, y: f64}): bool = p == {y = 0.0f64, x = 0.0f64}
",
    );
}

#[test]
fn local_functions_hold_for_many_types() {
    core_of(
        r"
def f xs ys =
  let size zs = length zs
  let pair x y = (x, y)
  in (size xs + size (filter (> 0) ys), pair 1 true, pair 2 false, pair (pair 1 1) 2u8)
",
        r"
def f [n] [m] 'a (xs: [n]a) (ys: [m]i32): (i64, (i32, bool), (i32, bool), ((i32, i32), u8)) =
  let size [n_1] (zs: [n_1]a) = length zs
  let size_1 [n_2] (zs_1: [n_2]i32) = length zs_1
  let pair (x: i32) (y: bool) = (x, y)
  let pair_1 (x_1: (i32, i32)) (y_1: u8) = (x_1, y_1)
  let pair_2 (x_2: i32) (y_2: i32) = (x_2, y_2)
  in (size xs + size_1 (filter (\(x_3: i32) -> x_3 > 0i32) ys), pair 1i32 true, pair 2i32 false, pair_1 (pair_2 1i32 1i32) 2u8)
",
    );
}

#[test]
fn fields_may_be_named_before_the_type_is_known() {
    core_of(
        r"
def f (xs: [4](f64, {y: i64})) =
  let farther l r = if l.0 > r.0 then l else r
  in reduce farther (0, {y = 0}) xs
",
        r"
def f (xs: [4](f64, {y: i64})): (f64, {y: i64}) =
  let farther (l: (f64, {y: i64})) (r: (f64, {y: i64})) = if l.0 > r.0 then l else r
  in reduce farther (0.0f64, {y = 0i64}) xs
",
    );
}

#[test]
fn sizes_are_computed_where_they_can_be() {
    core_of(
        r"
def last_first [n] 'a (xs: [n]a): [n]a =
  let m = length xs
  in generate m (\i -> xs[m - 1 - i])
def grid (n: i64) (m: i64): [n*m]i64 = map (\(i, j) -> i * m + j) (cross (iota n) (iota m))
def longer [n] (xs: [n]i64): [2*n+1]i64 = xs ++ [0] ++ xs
def width: i64 = 8
def row (xs: [width]f64) = map2 (+) xs (replicate width 1)
def named (n: i64) (xs: [n]f64) = (xs, replicate n 1f64)
",
        r"
def last_first [n] 'a (xs: [n]a): [n]a =
  let m: i64 = length xs
  in generate m (\(i: i64) -> xs[m - 1i64 - i])

def grid (n: i64) (m: i64): [n * m]i64 =
  map (\((i, j): (i64, i64)) -> i * m + j) (cross (iota n) (iota m))

def longer [n] (xs: [n]i64): [2 * n + 1]i64 = xs ++ [0i64] ++ xs

def width: i64 = 8i64

def row (xs: [8]f64): [8]f64 = map2 (+) xs (replicate width 1.0f64)

def named (n: i64) (xs: [n]f64): ([n]f64, [n]f64) =
  (xs, replicate n 1.0f64)
",
    );
}

#[test]
fn operators_stand_for_functions() {
    core_of(
        r"
type point = (i64, i64)
def (<+>) (a: point) (b: point): point = (a.0 + b.0, a.1 + b.1)
def sum [n] (ps: [n]point) = reduce (<+>) (0, 0) ps
def sections (x: i64) = (map (2 -) [x], map (/ (x + 1)) [x])
def piped [n] (xs: [n]i64) = xs |> filter (!= 0) |> map (** 2) |> length
def composed [n] (p: i64 -> bool) (xs: [n]i64) = (filter p >-> map (* 2) >-> length) xs
def lazy (xs: [2]bool) = reduce (&&) true xs
def word (x: f64) = x `const` 0
",
        r"
-- | Its first argument.
def const 'a 'b (x: a) (_: b): a = x

def (<+>) (a: (i64, i64)) (b: (i64, i64)): (i64, i64) = (a.0 + b.0, a.1 + b.1)

def sum [n] (ps: [n](i64, i64)): (i64, i64) = reduce (<+>) (0i64, 0i64) ps

def sections (x: i64): ([1]i64, [1]i64) =
  (map (\(x_1: i64) -> 2i64 - x_1) [x], map (let given: i64 = x + 1i64
    in \(x_2: i64) -> x_2 / given) [x])

def piped [n] (xs: [n]i64): i64 =
  length (map (\(x: i64) -> x ** 2i64) (filter (\(x_1: i64) -> x_1 != 0i64) xs))

def composed [n] (p: i64 -> bool) (xs: [n]i64): i64 =
  (\(x: [n]i64) ->
    length ((\(x_1: [n]i64) -> map (\(x_2: i64) -> x_2 * 2i64) (filter p x_1)) x)) xs

def lazy (xs: [2]bool): bool =
  reduce (\(x: bool) (y: bool) -> x && y) true xs

def word (x: f64): f64 = const x 0i32
",
    );
}

#[test]
fn recursion_goes_by_annotations() {
    core_of(
        r"
def even (n: i64): bool = n == 0 || odd (n - 1)
def odd (n: i64): bool = n != 0 && even (n - 1)
def down (n: i64): ?[k].[k]i64 = if n == 0 then [] else [n] ++ down (n - 1)
def inferred (xs: []i64): []i64 = if xs[0] == 0 then xs else inferred (filter (> 0) xs)
",
        r"
def even (n: i64): bool = n == 0i64 || odd (n - 1i64)

def odd (n: i64): bool = n != 0i64 && even (n - 1i64)

def down (n: i64): ?[k].[k]i64 =
  if n == 0i64 then [] else [n] ++ down (n - 1i64)

def inferred [n] (xs: [n]i64): ?[k].[k]i64 =
  if xs[0i64] == 0i64 then xs else inferred (filter (\(x: i64) -> x > 0i64) xs)
",
    );
    let program = check("def f (n: i64): i64 = f n\ndef g x = f x").expect("right");
    let recursive: Vec<bool> = program.defs.values().map(|def| def.recursive).collect();
    assert_eq!(recursive, [true, false]);
}

#[test]
fn names_of_the_prelude_can_be_given_anew() {
    core_of(
        r"
def head (x: i64) = x + 1
def f (xs: [2]i64) = let last = head xs[0] in last + length (indexed xs)
",
        r"
-- | Each element with its position before it.
def indexed [n] 'a (xs: [n]a): [n](i64, a) = zip (iota n) xs

def head (x: i64): i64 = x + 1i64

def f (xs: [2]i64): i64 =
  let last: i64 = head xs[0i64]
  in last + length (indexed xs)
",
    );
}

/// An array of size `k*l` would not determine `k` and `l` for a caller.
#[test]
fn results_tell_their_sizes() {
    core_of(
        r"
def pairs [n] (xs: [n]i64) =
  let ys = filter (> 0) xs
  in (cross ys (filter (< 9) xs), cross xs ys, ys, ys ++ filter (> 5) xs)
",
        r"
def pairs [n] (xs: [n]i64): ?[k][k_1][k_2].([k](i64, i64), [n * k_1](i64, i64), [k_1]i64, [k_1 + k_2]i64) =
  let ys: []i64 = filter (\(x: i64) -> x > 0i64) xs
  in (cross ys (filter (\(x_1: i64) -> x_1 < 9i64) xs), cross xs ys, ys, ys ++ filter (\(x_2: i64) -> x_2 > 5i64) xs)
",
    );
}

#[test]
fn signs_of_literals_stay_apart_from_operators() {
    core_of("def f = -(-0u8)", "def f: u8 = u8.neg 0u8");
    core_of("def f = -(-5i64)", "def f: i64 = i64.neg (-5i64)");
}

#[test]
fn deep_programs_are_no_problem() {
    let sum = vec!["x"; 4000].join(" + ");
    let program = check(&format!("def f (x: f64) = {sum}")).expect("right");
    reads_back(&program.to_string());
}
