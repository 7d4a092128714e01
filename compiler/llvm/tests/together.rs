//! Filters of several arrays by one flag: what two vectors keep is stored at once while that is little.

mod support;

use arrc_core::ir::cnf::SizeDef;
use arrc_core::ir::procedure::concrete::{Function, Length, Step, Written};
use arrc_core::prim::{BinOp, Scalar, UnOp};
use arrc_llvm::OptLevel;
use support::build::*;
use support::emitted::{ARM, X86, blocks, compile};
use support::native::{CArray, Native, arg, lend, load, options, out};

/// `filter (> 0) xs`, and the same as elements of other types, each an array.
fn as_each(types: &[Scalar]) -> Function {
    let mut f = Fun::new("as_each");
    let (xs, _) = f.param_vec("xs", Scalar::I64);
    let kept = f.size("kept", SizeDef::Exists);
    let ys = f.array("ys", Scalar::I64, &[kept]);
    let others: Vec<_> = types.iter().map(|&ty| f.array("others", ty, &[kept])).collect();
    let [i, j, x] = ["i", "j", "x"].map(|name| f.scalar(name, Scalar::I64));
    let flag = f.scalar("flag", Scalar::Bool);
    let positive = f.with_const(BinOp::Gt, int(Scalar::I64, 0));
    let mut pass = Pass::new(i, Length::Array(xs));
    let count = pass.counter();
    pass.body(vec![next(x, i, xs), apply(&[flag], positive, &[v(x)])]);
    let mut body = vec![write(ys, j, x)];
    for (&ty, &other) in types.iter().zip(&others) {
        let px = f.scalar("px", Scalar::I64);
        let [py, y] = ["py", "y"].map(|name| f.scalar(name, ty));
        let convert = vec![Step::Un { var: py, op: UnOp::To(ty), arg: v(px) }];
        body.push(apply(&[y], worker(&[px], convert, &[v(py)]), &[v(x)]));
        body.push(write(other, j, y));
    }
    pass.inner(guard(j, count, flag, body));
    let arrays: Vec<_> = [ys].into_iter().chain(others).collect();
    for &array in &arrays {
        pass.start(new_vec(array, Length::Array(xs)));
        pass.slice(array, Written::Counted(count));
    }
    f.step(pass.step());
    f.returns(&arrays.into_iter().map(v).collect::<Vec<_>>())
}

#[test]
fn one_permutation_for_both_vectors_of_each_array() {
    let module = compile(as_each(&[Scalar::F64, Scalar::I32]), X86, "znver4");
    let together = blocks(&module, &["vector.together"]);
    assert_eq!(together.matches("@llvm.x86.avx512.vpermi2var.q.512").count(), 3, "{together}");
    // LLVM stores the last vector where both ways meet.
    assert_eq!(together.matches(" store <8 x ").count(), 2, "{together}");
    assert_eq!(together.matches(" load i64").count(), 2, "one order for all:\n{together}");
    assert!(module.assembly().contains("vpermt2q") || module.assembly().contains("vpermi2q"));
    let apart = blocks(&module, &["vector.apart"]);
    assert_eq!(apart.matches("@llvm.experimental.vector.compress").count(), 6, "{apart}");
    assert_eq!(apart.matches(" store <8 x ").count(), 5, "{apart}");
}

#[test]
fn single_arrays_and_other_machines_move_each_vector_by_itself() {
    let alone: &[Scalar] = &[];
    for (types, triple, cpu) in [
        (alone, X86, "znver4"),
        (&[Scalar::F64], X86, "znver3"),
        (&[Scalar::F64], X86, "x86-64-v2"),
        (&[Scalar::F64], ARM, "generic"),
    ] {
        let module = compile(as_each(types), triple, cpu);
        assert!(!module.ir().contains("vector.together"), "{cpu}");
    }
}

#[test]
fn dense_and_sparse_stretches_are_kept_in_order() {
    let types = [Scalar::F64, Scalar::I32, Scalar::I8, Scalar::Bool];
    let native = load(&program(vec![as_each(&types)]), &options(OptLevel::O3));
    // How many of how many elements are kept, one stretch after the other.
    let stretches: [&[(usize, usize)]; 7] = [
        &[(1, 4); 60],
        &[(0, 64), (8, 8), (0, 24), (7, 8), (1, 8), (0, 100), (8, 16), (0, 8), (8, 8)],
        &[(2, 8); 40],
        &[(3, 8); 40],
        &[(0, 500), (100, 100), (0, 40), (1, 3), (0, 2000), (9, 9), (5, 16), (1, 1)],
        &[(1, 1); 100],
        &[(0, 17)],
    ];
    for stretches in stretches {
        let mut xs: Vec<i64> = Vec::new();
        for &(kept, of) in stretches {
            let value = |at: usize| i64::try_from(xs.len() + at).expect("small") % 1000 + 1;
            let next: Vec<i64> =
                (0..of).map(|at| if at % of < kept { value(at) } else { -value(at) }).collect();
            xs.extend(next);
        }
        check(&native, &xs);
    }
}

#[test]
fn every_set_of_flags_is_kept_in_order() {
    let types = [Scalar::F64, Scalar::I32, Scalar::I8, Scalar::Bool];
    let native = load(&program(vec![as_each(&types)]), &options(OptLevel::O3));
    let mut xs = Vec::new();
    for flags in 0_u64..1 << 16 {
        // So many that are not kept that few are, and the 16 begin with a step of the loop.
        let flag = |at: i64| if at < 16 { flags >> at & 1 == 1 } else { false };
        xs.extend((0..48).map(|at| if flag(at) { at + 1 } else { -1 }));
    }
    check(&native, &xs);
}

fn check(native: &Native, xs: &[i64]) {
    let kept: Vec<i64> = xs.iter().copied().filter(|&x| x > 0).collect();
    let (mut ys, mut floats) = (CArray::<i64, 1>::EMPTY, CArray::<f64, 1>::EMPTY);
    let (mut words, mut bytes) = (CArray::<i32, 1>::EMPTY, CArray::<i8, 1>::EMPTY);
    let mut flags = CArray::<bool, 1>::EMPTY;
    let outputs =
        [out(&mut ys), out(&mut floats), out(&mut words), out(&mut bytes), out(&mut flags)];
    native.call("as_each", &outputs, &[arg(&lend(xs))]).expect("no error");
    assert_eq!(native.take(&ys), kept);
    #[allow(clippy::cast_precision_loss, reason = "at most 1000")]
    let expected: Vec<f64> = kept.iter().map(|&x| x as f64).collect();
    assert_eq!(native.take(&floats), expected);
    #[allow(clippy::cast_possible_truncation, reason = "as the program does it")]
    let expected: Vec<(i32, i8)> = kept.iter().map(|&x| (x as i32, x as i8)).collect();
    let (narrow, narrower): (Vec<i32>, Vec<i8>) = expected.into_iter().unzip();
    assert_eq!(native.take(&words), narrow);
    assert_eq!(native.take(&bytes), narrower);
    assert_eq!(native.take(&flags), vec![true; kept.len()]);
}
