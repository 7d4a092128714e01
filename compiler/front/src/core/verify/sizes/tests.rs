//! Each size of a right program is needed: the program is wrong with another size at any one place.

use super::super::super::{Body, Expr, ExprKind, LoopForm, Param, Pat, Program, Size, Type};
use super::super::verify;
use crate::infer::tests::check;
use arrc_syntax::ids::{DefId, EntityRef};

/// A program, and the rule that it is about.
const PROGRAMS: &[(&str, &str)] = &[
    ("a call", "def f [n] (xs: [n]i64): [n]i64 = map2 (+) xs xs"),
    ("an opened size", "def f (xs: []i64): []i64 = let ys = filter (> 0) xs in map2 (+) ys ys"),
    ("a dependent function", "def f (n: i64): [n+1]i64 = iota (n + 1)"),
    ("a value of a variable", "def f [n] (xs: [n]i64): [n+1]i64 = let m = n + 1 in iota m"),
    ("a new value", "def f (n: i64): []i64 = let m = n / 2 in map2 (+) (iota m) (iota m)"),
    ("a lambda", "def f [n] [m] (xs: [n][m]i64): [n][m]i64 = map (\\x -> map (+ 1) x) xs"),
    (
        "a local function",
        "def f [n] [m] (xs: [n]i64) (ys: [m]i64) = let g a = map2 (+) a a in (g xs, g ys)",
    ),
    ("a lambda with a size of its own", "def f = \\(xs: []i64) -> filter (> 0) xs"),
    ("a branch", "def f [n] (c: bool) (xs: [n]i64): [n]i64 = if c then xs else map (+ 1) xs"),
    ("branches that differ", "def f (c: bool) (n: i64) (m: i64) = if c then iota n else iota m"),
    (
        "cases",
        "def f [n] (k: i64) (xs: [n]i64): [n]i64 = match k case 0 -> xs case _ -> map (+ k) xs",
    ),
    (
        "payloads",
        "def f [n] (v: #some ([n]i64) | #none) (xs: [n]i64): [n]i64 =
           match v case #some a -> map2 (+) a xs case #none -> xs",
    ),
    ("a constructor", "def f [n] (xs: [n]i64): #some ([n]i64) | #none = #some xs"),
    ("a loop", "def f [n] (xs: [n]i64): [n]i64 = loop ys = xs for i < 3 do map (+ i) ys"),
    ("a loop that filters", "def f (xs: []i64) = loop ys = xs for i < 3 do filter (> i) ys"),
    (
        "a loop over rows",
        "def f [n] [m] (xs: [n][m]i64) (z: [m]i64) = loop s = z for x in xs do map2 (+) s x",
    ),
    (
        "a with-loop",
        "def f [n] [m] (xs: [n][m]i64) = with { (. <= [i, j] <= .) : xs[i, j] } : genarray ([n, m])",
    ),
    (
        "a modarray of rows",
        "def f [n] [m] (xs: [n][m]i64) (r: [m]i64) = with { ([0] <= [i] < [1]) : r } : modarray xs",
    ),
    (
        "a fold of rows",
        "def f [n] [m] (xs: [n][m]i64) (z: [m]i64) =
           with { ([0] <= [i] < [n]) : xs[i] } : fold (\\a b -> map2 (+) a b, z)",
    ),
    ("a literal", "def f [n] (xs: [n]i64): [2][n]i64 = [xs, xs]"),
    ("a text", "def f = \"abc\""),
    ("an index", "def f [n] [m] (xs: [n][m]i64): [m]i64 = xs[0]"),
    ("a slice", "def f [n] [m] (xs: [n][m]i64) (i: i64): [n][m-i]i64 = xs[:, i:]"),
    ("a slice with a step", "def f [n] (xs: [n]i64) = xs[::2]"),
    ("a range", "def f (n: i64): [n]i64 = 0..<n"),
    ("a range of unknown length", "def f (n: i64) = 3..<n"),
    ("an update", "def f [n] [m] (xs: [n][m]i64) (r: [m]i64): [n][m]i64 = xs with [0] = r"),
    ("an update of a slice", "def f [n] [m] (xs: [n][m]i64) (r: [][m]i64) = xs with [1:] = r"),
    ("a tuple", "def f [n] (xs: [n]i64): ([n]i64, [n]i64) = (xs, xs)"),
    ("a component", "def f [n] (p: ([n]i64, i64)): [n]i64 = p.0"),
    ("a record", "def f [n] (xs: [n]i64): {a: [n]i64} = {a = xs}"),
    ("a field", "def f [n] (p: {a: [n]i64}): [n]i64 = p.a"),
    ("a pattern", "def f [n] (p: ([n]i64, [n]i64)): [n]i64 = let (a, b) = p in map2 (+) a b"),
    ("a coercion", "def f [n] [m] (xs: [m]i64) (ys: [n]i64): [n]i64 = map2 (+) ys (xs :> [n]i64)"),
    ("an assertion", "def f [n] (xs: [n]i64): [n]i64 = assert (n > 0) xs"),
    (
        "a size that the place of a call tells",
        "def ones [n] (u: ()): [n]i64 = replicate n 1 def f [n] (xs: [n]i64) = map2 (+) xs (ones ())",
    ),
    (
        "a recursive function",
        "def f [n] (k: i64) (xs: [n]i64): [n]i64 = if k < 1 then xs else f (k - 1) xs",
    ),
];

#[test]
fn a_program_with_another_size_at_any_place_is_wrong() {
    for (rule, text) in PROGRAMS {
        let program = check(text).unwrap_or_else(|errors| panic!("{rule}: {errors}"));
        verify(&program).unwrap_or_else(|wrong| panic!("{rule}: {wrong}"));
        let mut count = 0;
        each_size(&mut program.clone(), &mut |_| count += 1);
        assert!(count > 1, "{rule} has {count} sizes");
        for wanted in 0..count {
            let mut changed = program.clone();
            let (mut at, mut before) = (0, Size::default());
            each_size(&mut changed, &mut |size| {
                if at == wanted {
                    before = std::mem::replace(size, Size::constant(77));
                }
                at += 1;
            });
            if let Ok(()) = verify(&changed) {
                panic!("{rule}: size {wanted} of {count} is {before:?}, and may be 77\n{program}");
            }
        }
    }
}

/// Changes each size in the types of the last definition.
fn each_size(program: &mut Program, change: &mut dyn FnMut(&mut Size)) {
    let last = DefId::new(program.defs.len() - 1);
    let def = &mut program.defs[last];
    of_params(&mut def.params, change);
    of_type(&mut def.result, change);
    if let Body::Expr(body) = &mut def.body {
        of_expr(body, change);
    }
}

fn of_params(params: &mut [Param], change: &mut dyn FnMut(&mut Size)) {
    for Param { pat, ty } in params {
        of_type(ty, change);
        of_pat(pat, change);
    }
}

fn of_expr(expr: &mut Expr, change: &mut dyn FnMut(&mut Size)) {
    of_type(&mut expr.ty, change);
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others have no types of their own")]
    match &mut expr.kind {
        ExprKind::Lambda(params, _) => of_params(params, change),
        ExprKind::Let(pat, ..) => of_pat(pat, change),
        ExprKind::Match(_, cases) => {
            cases.iter_mut().for_each(|case| of_pat(&mut case.pat, change))
        }
        ExprKind::Loop(data) => {
            of_type(&mut data.ty, change);
            of_pat(&mut data.pat, change);
            if let LoopForm::In(each, _) = &mut data.form {
                of_pat(each, change);
            }
        }
        _ => {}
    }
    expr.for_each_child_mut(&mut |child| of_expr(child, change));
}

fn of_pat(pat: &mut Pat, change: &mut dyn FnMut(&mut Size)) {
    match pat {
        Pat::Wild | Pat::Const(..) => {}
        Pat::Var(_, ty) => of_type(ty, change),
        Pat::Tuple(items) | Pat::Constructor(_, items) => {
            items.iter_mut().for_each(|pat| of_pat(pat, change));
        }
        Pat::Record(fields) => fields.iter_mut().for_each(|(_, pat)| of_pat(pat, change)),
    }
}

fn of_type(ty: &mut Type, change: &mut dyn FnMut(&mut Size)) {
    match ty {
        Type::Scalar(_) | Type::Var(_) => {}
        Type::Tuple(items) => items.iter_mut().for_each(|ty| of_type(ty, change)),
        Type::Record(fields) => fields.values_mut().for_each(|ty| of_type(ty, change)),
        Type::Sum(constructors) => {
            constructors.values_mut().flatten().for_each(|ty| of_type(ty, change));
        }
        Type::Array(size, element) => {
            change(size);
            of_type(element, change);
        }
        Type::Fun(_, from, to) => {
            of_type(from, change);
            of_type(to, change);
        }
        Type::Exists(_, body) => of_type(body, change),
        Type::Hidden(hidden) => hidden.gone(),
    }
}
