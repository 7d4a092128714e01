//! Guards in guards: those that run behind, over what the outer one stored.

mod support;

use arrc_core::ir::cnf::{Order, SizeDef};
use arrc_core::ir::procedure::concrete::{Function, Length, Nest, Written};
use arrc_core::prim::{BinOp, Scalar};
use arrc_llvm::{Module, OptLevel};
use support::build::*;
use support::emitted::{ARM, X86, compile};
use support::native::{CArray, arg, lend, load, options, out};

/// `let kept = filter (> 0) xs in (kept, odd, sum odd)` where `odd` is every odd one of `kept`; `kept` is
/// stored or only gone through.
fn odd_of_positive(ty: Scalar, is_stored: bool) -> Function {
    let mut f = Fun::new("odd_of_positive");
    let (xs, _) = f.param_vec("xs", ty);
    let [m, k] = ["m", "k"].map(|name| f.size(name, SizeDef::Exists));
    let (kept, odd) = (f.array("kept", ty, &[m]), f.array("odd", ty, &[k]));
    let [i, j, l] = ["i", "j", "l"].map(|name| f.scalar(name, Scalar::I64));
    let [x, y, z, a, b, sum] = ["x", "y", "z", "a", "b", "sum"].map(|name| f.scalar(name, ty));
    let [p, q, c] = ["p", "q", "c"].map(|name| f.scalar(name, Scalar::Bool));
    let positive = f.with_const(BinOp::Gt, int(ty, 0));
    let one = || arrc_core::ir::cnf::Atom::Const(int(ty, 1));
    let steps = vec![bin(b, BinOp::And, v(a), one()), bin(c, BinOp::Eq, v(b), one())];
    let is_odd = worker(&[a], steps, &[v(c)]);
    let add = f.bin_worker(BinOp::Add, ty);
    let mut pass = Pass::new(i, Length::Array(xs));
    pass.start(new_vec(kept, Length::Array(xs))).start(new_vec(odd, Length::Array(xs)));
    let acc = pass.acc(ty, int(ty, 0));
    let [first, second] = [pass.counter(), pass.counter()];
    pass.body(vec![next(x, i, xs), apply(&[p], positive, &[v(x)])]);
    let copy = |elem, from| arrc_core::ir::procedure::concrete::Stmt::Copy { elem, from: v(from) };
    let mut body = vec![copy(y, x), apply(&[q], is_odd, &[v(y)])];
    if is_stored {
        body.push(write(kept, j, y));
    }
    let Nest::Guard(mut outer) = guard(j, first, p, body) else { panic!("a guard") };
    let body = vec![copy(z, y), write(odd, l, z), update(acc, Order::Associative, add, z)];
    outer.inner.push(guard(l, second, q, body));
    pass.inner(Nest::Guard(outer));
    pass.slice(kept, Written::Counted(first)).slice(odd, Written::Counted(second)).read(sum, acc);
    f.step(pass.step());
    f.returns(&[v(kept), v(odd), v(sum)])
}

/// The lines of the first blocks of these names, in LLVM's IR after optimisation.
fn blocks(module: &Module, names: &[&str]) -> Vec<String> {
    let ir = module.ir();
    let mut inside = false;
    let mut text = Vec::new();
    for line in ir.lines() {
        if let Some((label, _)) = line.split_once(':').filter(|_| !line.starts_with(' ')) {
            // `.i` where it was inlined.
            inside = names.contains(&label.trim_end_matches(".i"));
        }
        if inside {
            text.push(line.to_owned());
        }
    }
    assert!(!text.is_empty(), "there are blocks {names:?} in\n{ir}");
    text
}

fn count(lines: &[String], words: &str) -> usize {
    lines.iter().filter(|line| line.contains(words)).count()
}

#[test]
fn what_is_kept_of_what_is_kept_is_moved_in_whole_vectors() {
    for (triple, cpu) in [(X86, "x86-64-v2"), (X86, "x86-64-v3"), (X86, "znver4"), (ARM, "generic")]
    {
        let module = compile(odd_of_positive(Scalar::I32, true), triple, cpu);
        // Each element that is looked at is moved once by the outer guard, and no flag of the inner one is
        // computed there.
        let step = blocks(&module, &["vector", "vector.kept"]);
        assert_eq!(count(&step, " store <"), 2, "{cpu}: {step:#?}");
        assert_eq!(count(&step, "@llvm.ctpop"), 2, "{cpu}: {step:#?}");
        // The inner one reads what the outer one stored: no mask, and no check.
        let behind = blocks(&module, &["vector.kept.inside"]);
        assert!(count(&behind, " load <") >= 2, "{cpu}: {behind:#?}");
        assert_eq!(count(&behind, "masked.load"), 0, "{cpu}: {behind:#?}");
    }
    // What is not stored cannot be read: one mask for both.
    let module = compile(odd_of_positive(Scalar::I32, false), X86, "znver4");
    assert!(!module.ir().contains("vector.behind"));
}

#[test]
fn guards_that_run_behind_keep_the_same() {
    check::<i32>(Scalar::I32);
    check::<i64>(Scalar::I64);
    check::<i16>(Scalar::I16);
}

/// Lengths around those of vectors and of what the inner guard waits for, of which few, some or all elements
/// are kept by each guard.
fn check<T: Copy + PartialEq + std::fmt::Debug + TryFrom<i64>>(ty: Scalar) {
    let native = load(&program(vec![odd_of_positive(ty, true)]), &options(OptLevel::O3));
    let lengths =
        (0..68).chain([127, 500, 511, 512, 513, 543, 544, 545, 600, 1024, 1055, 1100, 4097]);
    for length in lengths {
        for (few, rare) in [(1, 1), (1, 2), (2, 2), (3, 7), (40, 1), (40, 3), (1, 90), (5000, 5000)]
        {
            let value = |at: i64| {
                let even = 2 * (at % 50) + 2;
                let odd = if at / few % rare == 0 { even + 1 } else { even };
                if at % few == few / 2 { odd } else { -odd }
            };
            let xs: Vec<i64> = (0..length).map(value).collect();
            let kept: Vec<i64> = xs.iter().copied().filter(|&x| x > 0).collect();
            let odd: Vec<i64> = kept.iter().copied().filter(|x| x & 1 == 1).collect();
            let narrow = |values: &[i64]| -> Vec<T> {
                let one = |&value| T::try_from(value).ok().expect("a small number");
                values.iter().map(one).collect()
            };
            let (mut all, mut some) = (CArray::<T, 1>::EMPTY, CArray::<T, 1>::EMPTY);
            let mut sum = 0_i64;
            native
                .call(
                    "odd_of_positive",
                    &[out(&mut all), out(&mut some), out(&mut sum)],
                    &[arg(&lend(&narrow(&xs)))],
                )
                .expect("no error");
            assert_eq!(native.take(&all), narrow(&kept), "{length}, {few}, {rare}: {ty}");
            assert_eq!(native.take(&some), narrow(&odd), "{length}, {few}, {rare}: {ty}");
            let mask = if ty.bytes() == 8 { -1 } else { (1 << (8 * ty.bytes())) - 1 };
            let expected = odd.iter().sum::<i64>() & mask;
            assert_eq!(sum & mask, expected, "{length}, {few}, {rare}: {ty}");
        }
    }
}
