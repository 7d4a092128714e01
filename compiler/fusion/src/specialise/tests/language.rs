//! The normal form of the constructs of the language, and their results.

use arr_abi::ErrorCode;

use super::{boolean, call, float, floats, int, ints, normal, plain};
use crate::cnf::{Op, Operation};
use crate::eval::cnf::Value;
use arrc_front::core::EquationUse;

/// Calls the only entry, `f`.
fn f(text: &str, args: &[Value]) -> Vec<Value> {
    call(text, "f", args).unwrap_or_else(|error| panic!("{error}"))
}

/// How the only entry, `f`, fails.
fn fails(text: &str, args: &[Value]) -> (ErrorCode, String) {
    let error = call(text, "f", args).expect_err("it fails");
    (error.code, error.message)
}

#[test]
fn tuples_and_records_are_their_components() {
    let text = "entry f (p: {y: i64, x: (i64, i64)}): ({b: i64, a: i64}, i64) =\n\
                let q = p with x = (p.y, 7)\n\
                let (u, v) = q.x\n\
                in ({b = u + v, a = p.x.0}, q.y)";
    assert_eq!(f(text, &[int(1), int(2), int(3)]), [int(8), int(2), int(1)]);
    let cnf = normal(text);
    assert_eq!(cnf.entries[0].inputs, ["p_y", "p_x_0", "p_x_1"]);
    assert_eq!(cnf.entries[0].outputs, ["out0_b", "out0_a", "out1"]);
    assert_eq!(cnf.entries[0].signature, "f (p: {y: i64, x: (i64, i64)}): ({b: i64, a: i64}, i64)");
}

#[test]
fn records_are_equal_whatever_their_order() {
    let text = "entry f (c: bool) (x: i64): (i64, bool) =\n\
                let p = if c then {a = x, b = 2} else {b = x, a = 1}\n\
                in (p.a * 10 + p.b, p == {b = 2, a = 5})";
    assert_eq!(f(text, &[boolean(true), int(5)]), [int(52), boolean(true)]);
    assert_eq!(f(text, &[boolean(false), int(5)]), [int(15), boolean(false)]);
}

#[test]
fn zip_and_unzip_emit_nothing() {
    let text = "entry f [n] (xs: [n]i64) (ys: [n]i64): ([n]i64, [n]i64) =\n\
                let (a, b) = unzip (zip ys xs) in (a, b)";
    let cnf = plain(text);
    assert!(cnf.functions[cnf.entries[0].function].body.binds.is_empty(), "{cnf}");
    assert_eq!(f(text, &[ints(&[1]), ints(&[2])]), [ints(&[2]), ints(&[1])]);
}

#[test]
fn functions_are_inlined_with_their_arguments() {
    let text = "def twice 'a (g: a -> a) (x: a): a = g (g x)\n\
                def add (x: i64) (y: i64): i64 = x + y\n\
                entry f (x: i64): i64 = twice (twice (add x)) 1 + (add 1 <| 2)";
    let text = text.replace(" <| ", " ");
    assert_eq!(f(&text, &[int(10)]), [int(44)]);
    assert_eq!(normal(&text).functions.len(), 1);
}

#[test]
fn operators_are_values() {
    let text = "entry f [n] (xs: [n]i64): (i64, [n]i64, [n]i64) =\n\
                let g op = reduce op 0 xs\n\
                in (g (+), map (2 -) xs, map (+ 1) xs |> map (i64.max 3))";
    let expected = [int(6), ints(&[1, 0, -1]), ints(&[3, 3, 4])];
    assert_eq!(f(text, &[ints(&[1, 2, 3])]), expected);
}

#[test]
fn recursion_is_a_call() {
    let text = "def fib (n: i64): i64 = if n < 2 then n else fib (n - 1) + fib (n - 2)\n\
                entry f (n: i64): i64 = fib n";
    assert_eq!(f(text, &[int(15)]), [int(610)]);
    let cnf = normal(text);
    assert_eq!(cnf.functions.len(), 2);
    assert!(cnf.functions.values().any(|function| function.recursive));
}

#[test]
fn an_entry_may_be_recursive() {
    let text = "entry f (n: i64): i64 = if n == 0 then 1 else n * f (n - 1)";
    assert_eq!(f(text, &[int(5)]), [int(120)]);
}

#[test]
fn mutual_recursion() {
    let text = "def even (n: i64): bool = if n == 0 then true else odd (n - 1)\n\
                def odd (n: i64): bool = if n == 0 then false else even (n - 1)\n\
                entry f (n: i64): (bool, bool) = (even n, odd n)";
    assert_eq!(f(text, &[int(7)]), [boolean(false), boolean(true)]);
    assert_eq!(normal(text).functions.len(), 3);
}

#[test]
fn recursive_functions_are_specialised_to_functions() {
    let text = "def each [n] (g: i64 -> i64) (k: i64) (xs: [n]i64): [n]i64 =\n\
                if k == 0 then xs else each g (k - 1) (map g xs)\n\
                entry f [n] (a: i64) (b: i64) (xs: [n]i64): ([n]i64, [n]i64) =\n\
                (each (\\x -> x * a + b) 2 xs, each (+ a) 3 xs)";
    let args = [int(2), int(1), ints(&[1, 2])];
    assert_eq!(f(text, &args), [ints(&[7, 11]), ints(&[7, 8])]);
    assert_eq!(normal(text).functions.len(), 3);
}

#[test]
fn one_specialisation_serves_equal_functions() {
    let text = "def loop [n] (g: i64 -> i64) (k: i64) (xs: [n]i64): [n]i64 =\n\
                if k == 0 then xs else loop g (k - 1) (map g xs)\n\
                entry f [n] (a: i64) (xs: [n]i64): ([n]i64, [n]i64) =\n\
                let go c ys = loop (\\x -> x * c) 2 ys\n\
                in (go a xs, go 3 xs)";
    let text = text.replace("loop", "again");
    assert_eq!(f(&text, &[int(2), ints(&[1])]), [ints(&[4]), ints(&[9])]);
    assert_eq!(normal(&text).functions.len(), 2);
}

#[test]
fn captured_arrays_and_sizes_are_passed() {
    let text = "def rep (g: i64 -> i64) (k: i64) (x: i64): i64 =\n\
                if k == 0 then x else rep g (k - 1) (g x)\n\
                entry f [n] [m] (xs: [n]i64) (ys: [m]i64): i64 =\n\
                rep (\\x -> x + xs[x % n] + m + reduce (+) 0 (map2 (*) xs xs)) 3 1";
    let (xs, ys) = ([1, 2, 3], [5, 5]);
    let mut x: i64 = 1;
    for _ in 0..3 {
        x = x + xs[usize::try_from(x % 3).expect("an index")] + 2 + 14;
    }
    assert_eq!(f(text, &[ints(&xs), ints(&ys)]), [int(x)]);
}

#[test]
fn polymorphic_recursion_over_one_type() {
    let text = "def last_of 'a [n] (k: i64) (z: a) (xs: [n]a): a =\n\
                if k == n then z else last_of (k + 1) xs[k] xs\n\
                entry f [n] (xs: [n]i64) (ys: [n]f64): (i64, {a: i64, b: f64}) =\n\
                (last_of 0 0 xs,\n\
                 last_of 0 {a = 0, b = 0} (map2 (\\x y -> {a = x, b = y}) xs ys))";
    let args = [ints(&[3, 4]), floats(&[0.5, 1.5])];
    assert_eq!(f(text, &args), [int(4), int(4), float(1.5)]);
}

#[test]
fn results_with_new_sizes() {
    let text = "def evens (k: i64): ?[m].[m]i64 =\n\
                if k == 0 then [] else if k % 2 == 0 then evens (k - 1) ++ [k] else evens (k - 1)\n\
                entry f (k: i64): ?[m].([m]i64, i64) = let r = evens k in (r, length r)";
    assert_eq!(f(text, &[int(7)]), [ints(&[2, 4, 6]), int(3)]);
}

#[test]
fn branches_of_different_sizes_join() {
    let text = "entry f [n] (c: bool) (xs: [n]i64): ?[k].([k]i64, i64, i64) =\n\
                let ys = if c then xs ++ xs else filter (> 1) xs\n\
                let zs = map2 (+) ys ys\n\
                in (zs, length zs, reduce (+) 0 ys)";
    let xs = ints(&[1, 2]);
    let args = [boolean(true), xs.clone()];
    assert_eq!(f(text, &args), [ints(&[2, 4, 2, 4]), int(4), int(6)]);
    assert_eq!(f(text, &[boolean(false), xs]), [ints(&[4]), int(1), int(2)]);
}

#[test]
fn branches_of_one_size_keep_it() {
    let text = "entry f [n] (c: bool) (xs: [n]i64): [n]i64 =\n\
                let ys = if c then map (+ 1) xs else xs\n\
                in map2 (-) ys xs";
    let args = [boolean(true), ints(&[5, 6])];
    assert_eq!(f(text, &args), [ints(&[1, 1])]);
    assert!(!normal(text).to_string().contains("gather"), "nothing is read again");
}

#[test]
fn sizes_that_differ_in_form_only_meet() {
    let text = "entry f [n] [m] (xs: [n]i64) (ys: [m]i64): [n*m]i64 =\n\
                let pairs = cross xs ys\n\
                in map2 (\\i (x, y) -> i + x * y) (iota (n * m)) pairs";
    let args = [ints(&[1, 2]), ints(&[10, 20])];
    assert_eq!(f(text, &args), [ints(&[10, 21, 22, 43])]);
    let text = "entry f [n] [m] (xs: [n]i64) (ys: [m]i64): [n+m]i64 =\n\
                map2 (+) (xs ++ ys) (ys ++ xs)";
    assert_eq!(f(text, &[ints(&[1]), ints(&[10, 20])]), [ints(&[11, 30, 21])]);
    assert!(!normal(text).to_string().contains("gather"), "sums are one size in any order");
}

#[test]
fn values_are_sizes() {
    let text = "entry f (n: i64) (xs: [n]i64): ([n]i64, i64) =\n\
                (map2 (+) (iota n) xs, length xs)";
    assert_eq!(f(text, &[int(2), ints(&[5, 5])]), [ints(&[5, 6]), int(2)]);
    let (kind, message) = fails(text, &[int(3), ints(&[5, 5])]);
    assert_eq!(kind, ErrorCode::Shape);
    assert!(message.contains("they must be equal"), "{message}");
}

#[test]
fn constant_sizes_are_constant() {
    let text = "entry f (p: [3]i64): i64 = length (p ++ [1, 2]) + p[0]";
    assert_eq!(f(text, &[ints(&[7, 8, 9])]), [int(12)]);
    assert_eq!(fails(text, &[ints(&[7])]).0, ErrorCode::Shape);
    assert!(normal(text).to_string().contains("5i64"), "{}", normal(text));
}

#[test]
fn the_right_side_of_and_is_guarded() {
    let text = "entry f [n] (xs: [n]i64) (i: i64): (bool, bool) =\n\
                (i < n && xs[i] > 0, i >= n || 10 / i > 4)";
    assert_eq!(f(text, &[ints(&[1]), int(1)]), [boolean(false), boolean(true)]);
    assert_eq!(f(text, &[ints(&[1, 2, 3]), int(2)]), [boolean(true), boolean(true)]);
    // A cheap operand that cannot fail needs no branch.
    let text = "entry f (x: i64) (y: i64): bool = x > 0 && y > 0 && x < y";
    let cnf = plain(text);
    let body = &cnf.functions[cnf.entries[0].function].body;
    assert!(
        body.binds.iter().all(|bind| matches!(bind.op, Op::Scalar(Operation::Bin(..)))),
        "{cnf}"
    );
}

#[test]
fn errors_at_run_time() {
    let index = "entry f [n] (xs: [n]i64) (i: i64): i64 = xs[i]";
    let (kind, message) = fails(index, &[ints(&[1, 2]), int(2)]);
    assert_eq!(kind, ErrorCode::Index);
    assert_eq!(message, "index 2 is out of bounds for an array of length 2");
    assert_eq!(fails(index, &[ints(&[1, 2]), int(-1)]).0, ErrorCode::Index);
    let size = "entry f (n: i64): ?[k].[k]i64 = filter (> 0) (iota n)";
    let message = "negative size -2 in iota".to_owned();
    assert_eq!(fails(size, &[int(-2)]), (ErrorCode::Size, message));
    let constant = "entry f (x: i64): i64 = reduce (+) x (iota (2 - 3))";
    assert_eq!(fails(constant, &[int(1)]).1, "negative size -1 in iota");
    let division = "entry f (x: i64) (y: i64): i64 = x % y";
    assert_eq!(fails(division, &[int(1), int(0)]).0, ErrorCode::Division);
    let stack = "def down (n: i64): i64 = 1 + down (n + 1)\nentry f (n: i64): i64 = down n";
    assert_eq!(fails(stack, &[int(1)]).0, ErrorCode::Stack);
    let gather = "entry f [n] (xs: [n]i64): [2]i64 = gather xs [0, 9]";
    assert_eq!(fails(gather, &[ints(&[1])]).0, ErrorCode::Index);
}

#[test]
fn blocks_nest_in_workers() {
    let text = "entry f [n] (xs: [n]i64): [n]i64 =\n\
                map (\\x -> let ys = filter (< x) xs in reduce (+) 0 ys * length ys) xs";
    assert_eq!(f(text, &[ints(&[3, 1, 2])]), [ints(&[6, 0, 1])]);
    let text = "def tri (n: i64): i64 = if n == 0 then 0 else n + tri (n - 1)\n\
                entry f (n: i64): [n]i64 = generate n (\\i -> reduce (+) (tri i) (iota i))";
    assert_eq!(f(text, &[int(4)]), [ints(&[0, 1, 4, 9])]);
}

#[test]
fn combinators_over_records() {
    let text = "type p = {x: i64, y: f64}\n\
                entry f [n] (ps: [n]p) (is: [2]i64): ([2]p, i64, p) =\n\
                let qs = map (\\p -> p with x = p.x * 2) ps\n\
                let best = fold (\\(a: p) (b: p) -> if b.y > a.y then b else a) {x = 0, y = 0} qs\n\
                in (gather qs is, length (replicate n best), best)";
    let args = [ints(&[1, 2, 3]), floats(&[0.5, 2.5, 1.5]), ints(&[2, 0])];
    let expected = [ints(&[6, 2]), floats(&[1.5, 0.5]), int(3), int(4), float(2.5)];
    assert_eq!(f(text, &args), expected);
    assert_eq!(normal(text).entries[0].inputs, ["ps_x", "ps_y", "is"]);
}

#[test]
fn local_functions_capture_and_shadow() {
    let text = "entry f (x: i64) (y: i64): i64 =\n\
                let g z = z * x\n\
                let x = y + 1\n\
                let h z = g z + x\n\
                in h (g 2)";
    assert_eq!(f(text, &[int(3), int(10)]), [int(29)]);
}

#[test]
fn a_function_that_returns_a_function() {
    let text = "def adder (a: i64): i64 -> i64 = \\b -> a + b\n\
                def compose 'a 'b 'c (g: b -> c) (h: a -> b): a -> c = \\x -> g (h x)\n\
                entry f (x: i64): i64 = compose (adder 1) (adder x) 5 + adder 2 3";
    assert_eq!(f(text, &[int(10)]), [int(21)]);
}

#[test]
fn scalar_conversions_and_mathematics() {
    let text = "entry f (x: i64) (y: f64): (f64, i64, u8, bool, f64) =\n\
                (f64.i64 x / 2, i64.f64 (f64.floor y), u8.i64 x, y > f64.inf, f64.max y 1)";
    let results = f(text, &[int(-3), float(2.75)]);
    assert_eq!(results[0], float(-1.5));
    assert_eq!(results[1], int(2));
    assert_eq!(results[3..], [boolean(false), float(2.75)]);
}

#[test]
fn long_chains_of_lets_do_not_nest() {
    let mut text = String::from("entry f (x0: i64): i64 =\n");
    for number in 0..2000 {
        text.push_str(&format!("let x{} = x{number} * 3 + 1\n", number + 1));
    }
    text.push_str("in x2000");
    let mut x: i64 = 1;
    for _ in 0..2000 {
        x = x.wrapping_mul(3).wrapping_add(1);
    }
    assert_eq!(f(&text, &[int(1)]), [int(x)]);
}

#[test]
fn empty_arrays_know_their_type() {
    let text = "entry f (c: bool): ?[k].[k](i64, f64) = if c then [] else [(1, 2.5)]";
    assert_eq!(f(text, &[boolean(true)]), [ints(&[]), floats(&[])]);
    assert_eq!(f(text, &[boolean(false)]), [ints(&[1]), floats(&[2.5])]);
    let text = "entry f [n] (xs: [n]i64): ?[k].[k]i64 = [] ++ filter (> 0) xs ++ []";
    assert_eq!(f(text, &[ints(&[0, 1])]), [ints(&[1])]);
}

#[test]
fn the_prelude_is_ordinary_code() {
    let text = "entry f [n] (xs: [n]i64): (i64, i64, bool, i64, [n]i64) =\n\
                (head xs, last xs, any (> 2) xs, count (> 1) xs, map_index (\\i x -> i * x) xs)";
    let expected = [int(1), int(3), boolean(true), int(2), ints(&[0, 2, 6])];
    assert_eq!(f(text, &[ints(&[1, 2, 3])]), expected);
}

#[test]
fn outputs_are_named_apart_from_inputs() {
    let cnf = normal("entry f (out: i64): i64 = out + 1");
    assert_eq!(
        (&cnf.entries[0].inputs[0], &cnf.entries[0].outputs[0]),
        (&"out".into(), &"out_".into())
    );
}

#[test]
fn each_equation_of_an_entry_is_checked_once() {
    let text = "entry f [n] [k] (xs: [n]i64) (ys: [2*k]i64) (zs: [n]i64) (ws: [n+2*k]f64) (m: i64)
                        (vs: []i64) (us: [3]i64) (ts: [n]i64) =
                  map2 (+) vs (iota m) :> [n]i64";
    let program = super::core(text);
    let entry = &program.defs[program.entries[0]];
    let equations = program.equations(entry);
    assert_eq!(equations.len(), 7, "{equations:?}");
    let tells = equations.iter().filter(|equation| matches!(equation.role, EquationUse::Tells(_)));
    assert_eq!(tells.count(), 1, "{equations:?}");
    // Those of a name or a number are shapes of the inputs, which the code around the function compares. Each of the
    // others is one assertion, and so is that of `:>`.
    let cnf = super::plain(text).to_string();
    let count = |part: &str| cnf.matches(part).count();
    for part in ["xs: [n]", "zs: [n]", "vs: [m]", "us: [3]", "ts: [n]", "cannot be"] {
        assert_eq!(count(part), 1, "{part} in {cnf}");
    }
    for name in ["ys", "ws"] {
        assert_eq!(count(&format!("\"{name} has size")), 1, "{name} in {cnf}");
    }
    assert_eq!(count("but its type"), 2, "{cnf}");
}
