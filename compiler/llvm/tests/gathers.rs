//! Reads at any places: checked for many steps at once, and which place was outside.

mod support;

use arrc_core::ir::cnf::{Order, SizeDef};
use arrc_core::ir::procedure::concrete::{Function, Length, Nest, Stmt, Written};
use arrc_core::prim::{BinOp, Const, Scalar};
use arrc_llvm::{Module, OptLevel, Why};
use support::build::*;
use support::emitted::{ARM, X86, blocks, compile};
use support::native::{CArray, arg, lend, load, options, out};

/// `let ys = gather table is in (ys, sum ys)`: word 4 is where it is read.
fn gather_sum(ty: Scalar) -> Function {
    let mut f = Fun::new("gather_sum");
    let (table, _) = f.param_vec("table", ty);
    let (is, size) = f.param_vec("is", Scalar::I64);
    let ys = f.array("ys", ty, &[size]);
    let [i, at] = ["i", "at"].map(|name| f.scalar(name, Scalar::I64));
    let [y, sum] = ["y", "sum"].map(|name| f.scalar(name, ty));
    let add = f.bin_worker(BinOp::Add, ty);
    let mut pass = Pass::new(i, Length::Array(is));
    pass.start(new_vec(ys, Length::Array(is)));
    let acc = pass.acc(ty, if ty.is_float() { Const::float(ty, 0.0) } else { int(ty, 0) });
    pass.body(vec![
        next(at, i, is),
        Stmt::Read { elem: y, array: table, index: v(at), span: word(4) },
        update(acc, Order::Associative, add, y),
        write(ys, i, y),
    ]);
    pass.slice(ys, Written::All).read(sum, acc);
    f.step(pass.step());
    f.returns(&[v(ys), v(sum)])
}

/// `sum (gather table (filter (> least) is))`.
fn gather_kept() -> Function {
    let ty = Scalar::I32;
    let mut f = Fun::new("gather_kept");
    let (table, _) = f.param_vec("table", ty);
    let (is, _) = f.param_vec("is", Scalar::I64);
    let least = f.param_scalar("least", Scalar::I64);
    let [i, j, at, px] = ["i", "j", "at", "px"].map(|name| f.scalar(name, Scalar::I64));
    let [y, sum] = ["y", "sum"].map(|name| f.scalar(name, ty));
    let [p, flag] = ["p", "flag"].map(|name| f.scalar(name, Scalar::Bool));
    let above = worker(&[px], vec![bin(p, BinOp::Gt, v(px), v(least))], &[v(p)]);
    let add = f.bin_worker(BinOp::Add, ty);
    let mut pass = Pass::new(i, Length::Array(is));
    let acc = pass.acc(ty, int(ty, 0));
    let count = pass.counter();
    pass.body(vec![next(at, i, is), apply(&[flag], above, &[v(at)])]);
    let Nest::Guard(mut kept) = guard(j, count, flag, Vec::new()) else { panic!("a guard") };
    kept.body = vec![
        Stmt::Read { elem: y, array: table, index: v(at), span: word(4) },
        update(acc, Order::Associative, add, y),
    ];
    pass.inner(Nest::Guard(kept)).read(sum, acc);
    f.step(pass.step());
    f.returns(&[v(sum)])
}

/// The text of the vector loops, in LLVM's IR after optimisation.
fn vector_loop(module: &Module) -> String {
    blocks(module, &["vector", "vector.next"])
}

#[test]
fn indices_are_checked_a_block_at_once() {
    for (triple, cpu, lanes) in [(X86, "x86-64-v3", 4), (X86, "znver4", 8), (ARM, "generic", 2)] {
        let module = compile(gather_sum(Scalar::I32), triple, cpu);
        assert_eq!(module.passes()[0].1, Ok([lanes, 2]), "{cpu}");
        let inside = vector_loop(&module);
        // One comparison a vector, one branch for all of them, and the loop's own.
        let compare = format!("icmp uge <{lanes} x i64>");
        let not_below = format!("icmp ult <{lanes} x i64>");
        let compares = inside.matches(&compare).count() + inside.matches(&not_below).count();
        let loops = inside.matches("\n  br i1 ").count() / 2;
        assert_eq!(compares, 2 * loops, "{cpu}: {inside}");
        // Elements are loaded one by one: no processor that was measured gathers them sooner.
        let loads = inside.matches(" load i32,").count();
        assert_eq!(loads, 2 * loops * lanes as usize, "{cpu}: {inside}");
        assert!(!module.ir().contains("masked.gather"), "{cpu}");
    }
    // Without comparisons of 64-bit lanes nothing is gained.
    let baseline = compile(gather_sum(Scalar::I32), X86, "x86-64");
    assert_eq!(baseline.passes()[0].1, Err(Why::Plain));
}

/// `map (\is -> sum (gather table is)) iss`.
fn gather_rows() -> Function {
    let mut f = Fun::new("gather_rows");
    let [n, m] = ["n", "m"].map(|name| f.size(name, SizeDef::Param));
    let (table, _) = f.param_vec("table", Scalar::I64);
    let iss = f.param_array("iss", Scalar::I64, &[n, m]);
    let row = f.array("row", Scalar::I64, &[m]);
    let sums = f.array("sums", Scalar::I64, &[n]);
    let [i, j, at, x, s] = ["i", "j", "at", "x", "s"].map(|name| f.scalar(name, Scalar::I64));
    let add = f.bin_worker(BinOp::Add, Scalar::I64);
    let mut summed = Pass::new(j, Length::Array(row));
    let acc = summed.acc(Scalar::I64, int(Scalar::I64, 0));
    summed.body(vec![
        next(at, j, row),
        Stmt::Read { elem: x, array: table, index: v(at), span: word(4) },
        update(acc, Order::Associative, add, x),
    ]);
    summed.read(s, acc);
    let sum_of = worker(&[row], vec![summed.step()], &[v(s)]);
    let mut pass = Pass::new(i, Length::Array(iss));
    pass.start(new_vec(sums, Length::Array(iss)));
    pass.body(vec![next(row, i, iss), apply(&[s], sum_of, &[v(row)]), write(sums, i, s)]);
    pass.slice(sums, Written::All);
    f.step(pass.step());
    f.returns(&[v(sums)])
}

#[test]
fn short_rows_do_not_pay_for_the_way_in_and_out() {
    let module = compile(gather_rows(), X86, "znver4");
    let passes = module.passes();
    assert_eq!(passes.len(), 2);
    assert!(passes.iter().any(|(_, how)| *how == Err(Why::Plain)), "{passes:?}");
    assert!(passes.iter().all(|(_, how)| how.is_err()), "{passes:?}");
}

#[test]
fn the_place_outside_is_found_wherever_it_is_in_a_block() {
    let native = load(&program(vec![gather_sum(Scalar::I32)]), &options(OptLevel::O3));
    let table: Vec<i32> = (0..100).map(|at| 3 * at + 1).collect();
    for length in (1..=67).chain([128]) {
        let is: Vec<i64> = (0..length).map(|at| at * 37 % 100).collect();
        let (mut ys, mut sum) = (CArray::<i32, 1>::EMPTY, 0_i32);
        let mut call = |is: &[i64]| {
            let result = native.call(
                "gather_sum",
                &[out(&mut ys), out(&mut sum)],
                &[arg(&lend(&table)), arg(&lend(is))],
            );
            result.map(|()| (native.take(&ys), sum))
        };
        let expected: Vec<i32> =
            is.iter().map(|&at| table[usize::try_from(at).expect("not negative")]).collect();
        let total = expected.iter().sum::<i32>();
        assert_eq!(call(&is), Ok((expected, total)), "{length}");
        for culprit in 0..is.len() {
            for outside in [-1, 100, i64::MIN, i64::MAX] {
                let mut wrong = is.clone();
                wrong[culprit] = outside;
                // A later one is not the first.
                *wrong.last_mut().expect("an index") =
                    if culprit + 1 < is.len() { 777 } else { outside };
                let message = format!("test.arr:2:17 1 [table] {outside} 100");
                assert_eq!(call(&wrong), Err(message), "{culprit} of {length}");
            }
        }
    }
    // Nothing is read of an empty table.
    let empty: [i32; 0] = [];
    let (mut ys, mut sum) = (CArray::<i32, 1>::EMPTY, 0_i32);
    let is = vec![0_i64; 64];
    let result = native.call(
        "gather_sum",
        &[out(&mut ys), out(&mut sum)],
        &[arg(&lend(&empty)), arg(&lend(&is))],
    );
    assert_eq!(result, Err("test.arr:2:17 1 [table] 0 0".to_owned()));
}

#[test]
fn what_a_guard_leaves_out_is_neither_read_nor_checked() {
    let native = load(&program(vec![gather_kept()]), &options(OptLevel::O3));
    let table: Vec<i32> = (0..50).map(|at| 5 * at - 7).collect();
    for length in 0_i64..=67 {
        for every in [1, 2, 3, 7, 40] {
            // Places below -100 are left out.
            let place = |at: i64| if at % every == 0 { at * 11 % 50 } else { i64::MIN / 2 + at };
            let is: Vec<i64> = (0..length).map(place).collect();
            let expected: i32 = is
                .iter()
                .filter(|&&at| at > -100)
                .map(|&at| table[usize::try_from(at).expect("not negative")])
                .sum();
            let mut sum = 0_i32;
            let least = -100_i64;
            let mut call = |is: &[i64]| {
                let inputs = [arg(&lend(&table)), arg(&lend(is)), arg(&least)];
                native.call("gather_kept", &[out(&mut sum)], &inputs).map(|()| sum)
            };
            assert_eq!(call(&is), Ok(expected), "{length}, {every}");
            for culprit in 0..is.len() {
                let mut wrong = is.clone();
                wrong[culprit] = 50;
                let message = "test.arr:2:17 1 [table] 50 50".to_owned();
                assert_eq!(call(&wrong), Err(message), "{culprit} of {length}, {every}");
            }
        }
    }
}
