//! Folds: which vectorise, which keep their order, and what becomes of NaN and -0.

mod support;

use arrc_core::ir::cnf::Order;
use arrc_core::ir::procedure::concrete::{Function, Length};
use arrc_core::prim::{BinOp, Const, Scalar};
use arrc_llvm::OptLevel;
use support::build::*;
use support::native::{Native, arg, lend, load, options, out};

const LEVELS: [OptLevel; 4] = [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3];

/// `reduce op init xs`, or `fold`.
fn fold(name: &str, ty: Scalar, op: BinOp, init: Const, order: Order) -> Function {
    let mut f = Fun::new(name);
    let (xs, _) = f.param_vec("xs", ty);
    let (i, x, r) = (f.scalar("i", Scalar::I64), f.scalar("x", ty), f.scalar("r", ty));
    let worker = f.bin_worker(op, ty);
    let mut pass = Pass::new(i, Length::Array(xs));
    let acc = pass.acc(ty, init);
    pass.body(vec![next(x, i, xs), update(acc, order, worker, x)]).read(r, acc);
    f.step(pass.step());
    f.returns(&[v(r)])
}

/// `reduce op init (filter (> 0) xs)` and how many there were.
fn filter_fold(name: &str, ty: Scalar, op: BinOp, init: Const, zero: Const) -> Function {
    let mut f = Fun::new(name);
    let (xs, _) = f.param_vec("xs", ty);
    let (i, j, n) =
        (f.scalar("i", Scalar::I64), f.scalar("j", Scalar::I64), f.scalar("n", Scalar::I64));
    let (x, r, flag) = (f.scalar("x", ty), f.scalar("r", ty), f.scalar("flag", Scalar::Bool));
    let positive = f.with_const(BinOp::Gt, zero);
    let worker = f.bin_worker(op, ty);
    let mut pass = Pass::new(i, Length::Array(xs));
    let acc = pass.acc(ty, init);
    let count = pass.counter();
    pass.body(vec![next(x, i, xs), apply(&[flag], positive, &[v(x)])]);
    pass.inner(guard(j, count, flag, vec![update(acc, Order::Associative, worker, x)]));
    pass.read(r, acc).read(n, count);
    f.step(pass.step());
    f.returns(&[v(r), v(n)])
}

fn scalar_of_array<T, R: Default>(native: &Native, entry: &str, xs: &[T]) -> R {
    let mut result = R::default();
    native.call(entry, &[out(&mut result)], &[arg(&lend(xs))]).expect("no error");
    result
}

#[test]
fn reductions_vectorise_and_strict_folds_keep_their_order() {
    let (zero, ty) = (Const::float(Scalar::F64, 0.0), Scalar::F64);
    let functions = || {
        vec![
            fold("sum", ty, BinOp::Add, zero, Order::Associative),
            fold("strict", ty, BinOp::Add, zero, Order::Strict),
            fold(
                "highest",
                ty,
                BinOp::Max,
                Const::float(ty, f64::NEG_INFINITY),
                Order::Associative,
            ),
            filter_fold("positive", ty, BinOp::Add, zero, zero),
            filter_fold("highest_positive", ty, BinOp::Max, zero, zero),
            filter_fold("count", Scalar::I32, BinOp::Add, int(Scalar::I32, 0), int(Scalar::I32, 0)),
        ]
    };
    let xs: Vec<f64> = (0..1003).map(|x| f64::from(x % 17) * 0.1 - 0.7).collect();
    let strict: f64 = xs.iter().fold(0.0, |sum, x| sum + x);
    for level in LEVELS {
        let native = load(&program(functions()), &options(level));
        let sum: f64 = scalar_of_array(&native, "sum", &xs);
        assert!((sum - strict).abs() < 1e-9);
        assert_eq!(scalar_of_array::<_, f64>(&native, "strict", &xs).to_bits(), strict.to_bits());
        assert_eq!(scalar_of_array::<_, f64>(&native, "highest", &xs), 0.1 * 16.0 - 0.7);
        assert_eq!(scalar_of_array::<f64, f64>(&native, "highest", &[]), f64::NEG_INFINITY);
        let (mut positive, mut count) = (0.0_f64, 0_i64);
        native
            .call("positive", &[out(&mut positive), out(&mut count)], &[arg(&lend(&xs))])
            .expect("no error");
        let kept: Vec<f64> = xs.iter().copied().filter(|&x| x > 0.0).collect();
        assert!((positive - kept.iter().sum::<f64>()).abs() < 1e-9);
        assert_eq!(count, i64::try_from(kept.len()).expect("small"));
    }
    let mut machine = options(OptLevel::O3);
    machine.triple = Some("x86_64-unknown-linux-gnu".to_owned());
    machine.cpu = arrc_llvm::Cpu::Named("znver3".to_owned());
    for function in functions() {
        let vectorised = match function.name.as_str() {
            "sum" | "positive" => "fadd reassoc <4 x double>",
            "highest" | "highest_positive" => "@llvm.maximumnum.v4f64(",
            "count" => "add <4 x i32>",
            "strict" => "",
            other => panic!("{other} is expected to be something"),
        };
        let ir = arrc_llvm::compile(&program(vec![function]), &sources(), &machine)
            .expect("compiles")
            .ir();
        assert!(ir.contains(vectorised), "{vectorised} in\n{ir}");
        if vectorised.is_empty() {
            assert!(!ir.contains("reassoc") && !ir.contains("fadd <"), "the order is kept:\n{ir}");
        }
    }
}

#[test]
fn signs_of_zeros_and_nan_survive_reductions() {
    let ty = Scalar::F64;
    let negative_zero = Const::float(ty, -0.0);
    let functions = vec![
        fold("sum", ty, BinOp::Add, negative_zero, Order::Associative),
        filter_fold("positive", ty, BinOp::Add, negative_zero, Const::float(ty, 0.0)),
        fold("highest", ty, BinOp::Max, Const::float(ty, f64::NAN), Order::Commutative),
        fold("lowest", ty, BinOp::Min, Const::float(ty, f64::NAN), Order::Commutative),
        filter_fold(
            "highest_positive",
            ty,
            BinOp::Max,
            Const::float(ty, f64::NAN),
            Const::float(ty, 0.0),
        ),
    ];
    for level in LEVELS {
        let native = load(&program(functions.clone()), &options(level));
        let sum = |xs: &[f64]| scalar_of_array::<_, f64>(&native, "sum", xs);
        assert!(sum(&[]).is_sign_negative() && sum(&[-0.0; 37]).is_sign_negative());
        assert!(sum(&[0.0; 37]).is_sign_positive() && sum(&[1.0, f64::NAN, 2.0]).is_nan());
        for name in ["positive", "highest_positive"] {
            let (mut result, mut count) = (1.0_f64, 1_i64);
            let none = [-1.0, f64::NAN, 0.0].repeat(20);
            native
                .call(name, &[out(&mut result), out(&mut count)], &[arg(&lend(&none))])
                .expect("no error");
            let untouched = if name == "positive" {
                result.to_bits() == (-0.0_f64).to_bits()
            } else {
                result.is_nan()
            };
            assert!(untouched && count == 0, "{name} gives {result}");
        }
        let mut xs = vec![f64::NAN; 40];
        for name in ["highest", "lowest"] {
            assert!(scalar_of_array::<_, f64>(&native, name, &xs).is_nan());
        }
        xs[17] = -0.0;
        xs[30] = 0.0;
        assert!(
            scalar_of_array::<_, f64>(&native, "highest", &xs).is_sign_positive(),
            "at {level:?}"
        );
        assert!(
            scalar_of_array::<_, f64>(&native, "lowest", &xs).is_sign_negative(),
            "at {level:?}"
        );
    }
}
