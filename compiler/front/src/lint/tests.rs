//! Programs with warnings, and programs without.

use super::lint;
use arrc_syntax::parse;
use arrc_syntax::source::Sources;

/// The warnings on a program: the code and message of each.
fn warnings(program: &str) -> Vec<String> {
    let mut sources = Sources::default();
    let file = sources.add("test.arr", program);
    let (file, errors) = parse::parse(&sources, file);
    assert!(errors.is_empty(), "{program} parses: {errors:?}");
    let found = lint(&file).into_iter();
    found.map(|warning| format!("{} {}", warning.code.0, warning.message)).collect()
}

fn silent(program: &str) {
    assert_eq!(warnings(program), Vec::<String>::new(), "{program}");
}

#[test]
fn unused_bindings_are_reported_in_every_place() {
    let unused = |body: &str, name: &str| {
        let program = format!("entry demo (x: i64): i64 = {body}");
        assert_eq!(warnings(&program), [format!("A0701 `{name}` is never used")], "{program}");
    };
    unused("let y = x in x", "y");
    unused("let f z = z + 1 in x", "f");
    unused("let (y, z) = (x, x) in z", "y");
    unused("let {a, b = c} = {a = x, b = x} in a", "c");
    unused("let {a, b} = {a = x, b = x} in a", "b");
    unused("(\\a -> let y = a in a) x", "y");
    unused("if x > 0 then let y = 1 in x else x", "y");
    unused("let y = 1 let y = 2 in y", "y");
    unused("let f a = let b = a in a in f x", "b");
    unused("let y = x + 1 in let x = 2 in x", "y");
    unused("[x, let y = 1 in x][0]", "y");
}

#[test]
fn what_is_used_is_not_reported() {
    silent("entry demo (x: i64): i64 = let y = x in y");
    silent("entry demo (x: i64): i64 = let f z = z + x in f 1");
    silent("entry demo (x: i64): i64 = let p = {a = x} in p.a");
    silent("entry demo (x: i64): [2]i64 = let x = x + 1 let x = x + 1 in [x, x]");
    silent("entry demo (n: i64): i64 = let m = n + 1 let f (ys: [m]i64) = ys[0] in f (iota m)");
    silent("entry demo (x: i64): i64 = let m = x in length (iota x : [m]i64)");
    silent("entry demo (x: i64): i64 = let y = x let r = {y} in r.y");
    silent("entry demo (x: i64): i64 = let (<+>) a b = a + b + x in 1 <+> 2");
}

#[test]
fn underscores_and_parameters_are_silent() {
    silent("entry demo (x: i64): i64 = let _y = x let (_, _z) = (1, 2) in x");
    silent("entry demo (x: i64) (unused: i64): i64 = x");
    silent("entry demo [n] (xs: [n]i64): [n]i64 = map (\\x -> 1) xs");
}

#[test]
fn a_let_that_hides_a_definition_is_reported() {
    let hidden = "A0702 `area` hides the definition of the same name";
    let area = "def area (x: i64) = x * x\nentry other (x: i64) = area x\n";
    for body in ["let area = x in area", "let area y = y in area x"] {
        assert_eq!(warnings(&format!("{area}entry demo (x: i64): i64 = {body}")), [hidden]);
    }
    silent("entry area (x: i64): i64 = x entry demo (x: i64): i64 = let area = x in area");
    silent(&format!("{area}entry demo (area: i64): i64 = area"));
    silent(&format!("{area}entry demo (x: i64): i64 = let sum = area x in sum"));
    silent("entry double (x: i64): i64 = let double = x * 2 in double");
}

#[test]
fn long_chains_and_deep_nests_are_walked() {
    let chain: String = (0..4_000).map(|i| format!("let x{} = x{i} + 1\n", i + 1)).collect();
    silent(&format!("entry demo (x0: i64): i64 = {chain} in x4000"));
    let sum = "x + ".repeat(4_000);
    silent(&format!("entry demo (x: i64): i64 = {sum} x"));
}

#[test]
fn a_hidden_parameter_that_nothing_uses_is_reported() {
    let hidden = ["A0704 `x` hides the parameter of the same name, which nothing uses"];
    for program in [
        "def f (x: i64) = let x = 1 in x",
        "def f (x: i64) = let (x, y) = (1, 2) in x + y",
        "def f (x: i64) (y: i64) = let x a = a + y in x 1",
        "def f (_y: i64) (x, _z) = let x = 1 in x",
        "entry f (xs: []i64) = map (\\x -> let x = 1 in x) xs",
        "def f (x: i64) (o: #some i64 | #none) = match o case #some x -> x case #none -> 0",
        "def f (y: i64) = let g x = let x = y in x in g 1",
        "def f (x: i64) (b: bool) = if b then let x = 1 in x else 0",
    ] {
        assert_eq!(warnings(program), hidden, "{program}");
    }
}

#[test]
fn names_that_are_given_again_are_silent() {
    silent("def f (x: i64) = let x = x + 1 in x");
    silent("def f (a: i64) (b: i64) = let t = a let a = b let b = t in (a, b)");
    silent("def f (x: i64) (b: bool) = if b then let x = 1 in x else x");
    silent("def f (_x: i64) = let _x = 1 in _x");
    silent("def f (x: i64) (xs: []i64) = map (\\x -> x + 1) xs");
    silent("def f [n] (xs: [n]i64) = let n = length xs in n");
    silent("def f (xs: []i64) = let xs[0] = 1 let xs = [2] in xs");
    silent("def f (x: i64) = let y = x let x = 2 in x + y");
}

#[test]
fn unused_variables_of_loops_are_reported() {
    let unused = |name: &str| [format!("A0705 the loop variable `{name}` is never used")];
    let of = |body: &str| warnings(&format!("def f (n: i64) (xs: []i64) = {body}"));
    assert_eq!(of("loop s = 0 for i < n do s + 1"), unused("i"));
    assert_eq!(of("loop s = 0 for x in xs do s + 1"), unused("x"));
    assert_eq!(of("loop s = 0 for (x, y) in zip xs xs do s + x"), unused("y"));
    assert_eq!(of("loop s = 0 for i < n do let i = s in i"), unused("i"));
    silent("def f (n: i64) = loop s = 0 for _ < n do s + 1");
    silent("def f (n: i64) = loop s = 0 for _i < n do s + 1");
    silent("def f (xs: []i64) = loop s = 0 for (x, _) in zip xs xs do s + x");
}

#[test]
fn a_loop_that_uses_nothing_that_it_carries_is_reported() {
    let told = "A0706 this loop never uses";
    let of = |body: &str| warnings(&format!("def f (n: i64) (xs: []i64) = {body}"));
    let only = "so that only its last step counts";
    assert_eq!(of("loop s = 0 for x in xs do x"), [format!("{told} `s`, {only}")]);
    assert_eq!(
        of("loop (a, b) = (0, 1) for i < n do (i, i)"),
        [format!("{told} `a` and `b`, {only}")]
    );
    silent("def f (n: i64) = loop (a, b) = (0, 1) for _ < n do (b, b + 1)");
    silent("def f (n: i64) = loop (last, i) = (0, 0) while i < n do (1, i + 1)");
    silent("def f (n: i64) = loop _last = 0 for i < n do i");
    silent("def f (n: i64) = loop _ = 0 for i < n do i");
    silent("def f (n: i64) = loop n while n > 0 do 0");
}
