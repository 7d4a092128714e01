//! Where arrays end.

use crate::ir::cnf::{Atom, Op, Order};
use crate::pass::load::NoFiles;
use crate::pass::testing::{Builder, forms, int, ints};
use crate::pipeline::{self, Options};
use crate::prim::BinOp::{Add, Gt, Lt, Mul};
use crate::prim::Scalar;
use crate::source::Sources;

#[test]
fn an_array_is_released_after_its_last_use() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let plus = b.section(Add, 1);
    let ys = b.map("ys", plus, &[xs]);
    let s = b.reduce("s", Add, int(0), ys);
    let first = b.var("first", crate::ir::cnf::Type::Scalar(Scalar::I64));
    b.bind(vec![first], Op::Index { array: ys, indices: vec![int(0)] });
    let t = b.bin("t", Add, Atom::Var(s), Atom::Var(first));
    let Atom::Var(t) = t else { panic!("a variable") };
    let f = forms(b.function("f", &[t]), &[]);
    let text = f.program.to_string();
    assert!(
        text.ends_with("; first = ys[0]\n  ; release ys\n  ; t = s + first\n  ; yield (t) }\n"),
        "{text}"
    );
    f.runs(&[&[1, 2]]);
    assert!(f.run(&[ints(&[])]).is_err(), "there is no first element");
}

#[test]
fn what_is_yielded_twice_or_borrowed_is_shared() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let plus = b.section(Add, 1);
    let ys = b.map("ys", plus, &[xs]);
    let f = forms(b.function("f", &[ys, xs, ys]), &[]);
    let text = f.program.to_string();
    let end = "  ; xs.2 = share xs\n  ; ys.2 = share ys\n  ; yield (ys, xs.2, ys.2) }\n";
    assert!(text.ends_with(end), "{text}");
    assert!(!text.contains("release"), "{text}");
    f.runs(&[&[1, 2]]);
}

#[test]
fn what_nobody_uses_is_released_at_once() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let elems = b.var("elems", b.vars[xs].ty.clone());
    b.bind(vec![elems], Op::Array { elem: Scalar::I64, elems: vec![int(1)] });
    let s = b.reduce("s", Add, int(0), xs);
    let f = forms(b.function("f", &[s]), &[]);
    let text = f.program.to_string();
    assert!(text.contains("elems = [1]\n  ; release elems\n  ; procedure"), "{text}");
}

#[test]
fn a_use_in_a_branch_or_a_worker_is_one_of_the_step_around() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let positive = b.section(Gt, 0);
    let ys = b.filter("ys", positive, xs);
    let table = b.worker(&[("x", Scalar::I64)], |b, x| {
        let inside = b.bin("inside", Lt, Atom::Var(x[0]), int(1));
        let then = b.block(|_| vec![int(0)]);
        let otherwise = b.block(|b| {
            let n = b.length("n", ys);
            let most = b.reduce("most", Add, Atom::Var(n), ys);
            vec![Atom::Var(most)]
        });
        let v = b.var("v", crate::ir::cnf::Type::Scalar(Scalar::I64));
        b.bind(vec![v], Op::If { cond: inside, then, otherwise });
        vec![Atom::Var(v)]
    });
    let zs = b.map("zs", table, &[xs]);
    let f = forms(b.function("f", &[zs]), &[]);
    let text = f.program.to_string();
    assert!(text.ends_with("    yields (zs)\n  ; release ys\n  ; yield (zs) }\n"), "{text}");
    f.runs(&[&[1, -2, 3]]);
}

#[test]
fn an_append_extends_what_ends_with_it() {
    let appended = |rest: &str| {
        let text = format!("entry f [n] (xs: [n]i64) = let ys = scan (+) 0 xs in {rest}");
        let mut sources = Sources::default();
        let file = sources.add("extend.arr", text.as_str());
        let compiled = pipeline::compile(&mut sources, file, &NoFiles, &Options::default());
        let form = compiled.unwrap_or_else(|e| panic!("{text}: {e:?}")).program.to_string();
        (form.matches("extend ").count(), form.matches(" ++ ").count())
    };
    assert_eq!(appended("ys ++ xs"), (1, 1));
    assert_eq!(appended("xs ++ ys"), (0, 1), "the first is the caller's");
    assert_eq!(appended("ys ++ ys"), (0, 1), "it is read too");
    assert_eq!(appended("(ys ++ xs, ys)"), (0, 1), "it does not end");
    assert_eq!(appended("loop a = ys for i < 3 do a ++ [i]"), (1, 1), "what is carried ends");
    let row = r"(let m = generate 2 (\i -> map (+ i) ys) in flatten m ++ m[0])";
    assert_eq!(appended(row), (0, 1), "a view of it is read");
}

#[test]
fn a_recursive_function_ends_what_it_does_not_pass_on() {
    let head = |body: &str| {
        let text = format!(
            "def f [n] (xs: [n]i64) (ys: []i64): i64 = if n < 2 then n else {body}\n\
             entry g (xs: []i64) = f xs xs"
        );
        let mut sources = Sources::default();
        let file = sources.add("ended.arr", text.as_str());
        let compiled = pipeline::compile(&mut sources, file, &NoFiles, &Options::default());
        let form = compiled.unwrap_or_else(|e| panic!("{text}: {e:?}")).program.to_string();
        let line = form.lines().find(|line| line.starts_with("function f")).expect("there is an f");
        [line.contains("(xs : *"), line.contains("(ys : *")]
    };
    assert_eq!(head("1 + f (filter (> 3) xs) ys"), [true, false]);
    assert_eq!(head("ys[0] + f ys (filter (> 3) xs)"), [true, false]);
    assert_eq!(head("xs[0] + f (filter (> 3) ys) [n]"), [true, true]);
    assert_eq!(head("ys[1] + f xs (tail xs)"), [false, true]);
}

#[test]
fn arrays_of_branches_belong_to_the_branches() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let plus = b.section(Add, 1);
    let ys = b.map("ys", plus, &[xs]);
    let n = b.length("n", ys);
    let cond = b.bin("c", Gt, Atom::Var(n), int(2));
    let then = b.block(|b| {
        let double = b.section(Mul, 2);
        let inner = b.map("inner", double, &[ys]);
        let sum = b.operator(Add);
        let s = b.fold("s", Order::Strict, sum, int(0), &[inner]);
        vec![Atom::Var(ys), Atom::Var(s)]
    });
    let otherwise = b.block(|_| vec![Atom::Var(xs), int(0)]);
    let zs = b.var("zs", b.vars[xs].ty.clone());
    let t = b.var("t", crate::ir::cnf::Type::Scalar(Scalar::I64));
    b.bind(vec![zs, t], Op::If { cond, then, otherwise });
    let f = forms(b.function("f", &[zs, t]), &[]);
    let text = f.program.to_string();
    // The branches take over what ends with the `if`.
    assert!(text.contains("; release inner\n           ; yield (ys, s) }\n"), "{text}");
    assert!(text.contains("else { release ys; xs.2 = share xs; yield (xs.2, 0) }"), "{text}");
    f.runs(&[&[1, 2]]);
    f.runs(&[&[1, 2, 3]]);
}
