//! Every operation on every type: compiled code gives what the evaluator of constants gives.

mod support;

use arrc_core::eval::scalar;
use arrc_core::ids::VarId;
use arrc_core::ir::procedure::concrete::{Function, Length, Step, Written};
use arrc_core::prim::{BinOp, Const, Scalar, UnOp};
use arrc_llvm::OptLevel;
use support::build::*;
use support::native::{CArray, Native, arg, load, options, out};

const LEVELS: [OptLevel; 2] = [OptLevel::O0, OptLevel::O3];

/// Values of a type at which operations go wrong.
fn values(ty: Scalar) -> Vec<Const> {
    if ty == Scalar::Bool {
        return [false, true].map(Const::bool).to_vec();
    }
    if ty.is_float() {
        let mut all: Vec<f64> =
            vec![0.0, 0.5, 1.0, 1.5, 2.5, 3.7, 7.0, 127.5, 128.0, 255.9, 256.0, 32768.0];
        all.extend([
            2_147_483_648.0,
            4_294_967_296.0,
            9_223_372_036_854_775_808.0,
            1.8e19,
            1e300,
            1e-310,
        ]);
        all.extend([
            f64::from(f32::MAX),
            f64::from(f32::MIN_POSITIVE) / 8.0,
            f64::INFINITY,
            f64::NAN,
            1e-8,
            0.1,
            0.77,
            2.0,
            20.3,
            89.9,
        ]);
        return all.iter().flat_map(|&x| [Const::float(ty, x), Const::float(ty, -x)]).collect();
    }
    let small = [0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 100];
    let mut all: Vec<i128> = small.iter().flat_map(|&x| [x, -x]).collect();
    let high = 1_i128 << (8 * ty.bytes() - 1);
    all.extend([high, high - 1, high + 1, 2 * high - 1, high / 3, 0x0123_4567_89ab_cdef]);
    all.into_iter().map(|x| Const::int(ty, x)).collect()
}

/// `map (\x -> (op x, …)) xs`.
fn unary(name: &str, ty: Scalar, ops: &[UnOp]) -> Function {
    let mut f = Fun::new(name);
    let (xs, _) = f.param_vec("xs", ty);
    let x = f.scalar("x", ty);
    let results: Vec<_> = ops.iter().map(|op| f.scalar(op.name(), op.result(ty))).collect();
    let steps =
        results.iter().zip(ops).map(|(&var, &op)| Step::Un { var, op, arg: v(x) }).collect();
    each(f, &[xs], &[x], steps, &results)
}

/// `map2 (\x y -> (x op y, …)) xs ys`.
fn binary(name: &str, ty: Scalar, ops: &[BinOp]) -> Function {
    let mut f = Fun::new(name);
    let (xs, n) = f.param_vec("xs", ty);
    let ys = f.param_array("ys", ty, &[n]);
    let (x, y) = (f.scalar("x", ty), f.scalar("y", ty));
    let results: Vec<_> = ops.iter().map(|op| f.scalar("r", op.result(ty))).collect();
    let steps = results.iter().zip(ops).map(|(&var, &op)| bin(var, op, v(x), v(y))).collect();
    each(f, &[xs, ys], &[x, y], steps, &results)
}

/// A pass that applies a worker to the elements of arrays, and keeps all results.
fn each(
    mut f: Fun,
    arrays: &[VarId],
    params: &[VarId],
    steps: Vec<Step>,
    results: &[VarId],
) -> Function {
    let results_atoms: Vec<_> = results.iter().copied().map(v).collect();
    let work = worker(params, steps, &results_atoms);
    let i = f.scalar("i", Scalar::I64);
    let mut pass = Pass::new(i, Length::Array(arrays[0]));
    let mut elems = Vec::new();
    for (&array, &param) in arrays.iter().zip(params) {
        let elem = f.f.tables.vars.push(f.f.tables.vars[param].clone());
        pass.body(vec![next(elem, i, array)]);
        elems.push(v(elem));
    }
    let outs: Vec<_> = results
        .iter()
        .map(|&result| f.f.tables.vars.push(f.f.tables.vars[result].clone()))
        .collect();
    pass.body(vec![apply(&outs, work, &elems)]);
    let size = match &f.f.tables.vars[arrays[0]].ty {
        arrc_core::ir::cnf::Type::Array { shape, .. } => shape[0],
        arrc_core::ir::cnf::Type::Scalar(_) => panic!("an array"),
    };
    let mut vecs = Vec::new();
    for &elem in &outs {
        let ty = f.f.tables.vars[elem].ty.as_scalar().expect("a scalar");
        let vec = f.array("out", ty, &[size]);
        pass.start(new_vec(vec, Length::Array(arrays[0])));
        pass.body(vec![write(vec, i, elem)]);
        pass.slice(vec, Written::All);
        vecs.push(v(vec));
    }
    f.step(pass.step());
    f.returns(&vecs)
}

/// Values as they lie in memory.
fn memory(values: &[Const]) -> Vec<u8> {
    let bytes = |value: &Const| value.bits.to_le_bytes()[..value.ty.bytes() as usize].to_vec();
    values.iter().flat_map(bytes).collect()
}

fn from_memory(ty: Scalar, bytes: &[u8]) -> Const {
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(all);
    if ty.is_integer() { Const::int(ty, i128::from(bits)) } else { Const { ty, bits } }
}

fn lend_bytes(bytes: &[u8], ty: Scalar) -> CArray<u8, 1> {
    let length = i64::try_from(bytes.len()).expect("small") / i64::from(ty.bytes());
    CArray { data: bytes.as_ptr(), shape: [length], stride: [1], owner: std::ptr::null_mut() }
}

/// Calls a function of arrays, and returns its results.
fn run(native: &Native, name: &str, inputs: &[&[Const]], results: &[Scalar]) -> Vec<Vec<Const>> {
    let bytes: Vec<_> = inputs.iter().map(|values| memory(values)).collect();
    let arrays: Vec<_> =
        bytes.iter().zip(inputs).map(|(bytes, values)| lend_bytes(bytes, values[0].ty)).collect();
    let mut outs = vec![CArray::<u8, 1>::EMPTY; results.len()];
    let pointers: Vec<_> = outs.iter_mut().map(out).collect();
    native.call(name, &pointers, &arrays.iter().map(arg).collect::<Vec<_>>()).expect("no error");
    let read = |(array, &ty): (&CArray<u8, 1>, &Scalar)| {
        let width = ty.bytes() as usize;
        // As bytes, of which there are `width` for each element.
        let as_bytes = CArray { shape: [array.shape[0] * i64::from(ty.bytes())], ..*array };
        native.take(&as_bytes).chunks(width).map(|bytes| from_memory(ty, bytes)).collect()
    };
    outs.iter().zip(results).map(read).collect()
}

fn same(a: Const, b: Const) -> bool {
    a == b || (a.ty == b.ty && a.ty.is_float() && a.as_f64().is_nan() && b.as_f64().is_nan())
}

#[test]
fn operations_on_one_scalar() {
    let conversions = Scalar::ALL.map(UnOp::To);
    let ops = |ty: Scalar| -> Vec<UnOp> {
        let all = UnOp::ALL.iter().copied().chain(conversions);
        all.filter(|op| op.accepts(ty)).collect()
    };
    let functions = Scalar::ALL.iter().map(|&ty| unary(ty.name(), ty, &ops(ty))).collect();
    let program = program(functions);
    for level in LEVELS {
        let native = load(&program, &options(level));
        for ty in Scalar::ALL {
            let (ops, xs) = (ops(ty), values(ty));
            let types: Vec<_> = ops.iter().map(|op| op.result(ty)).collect();
            let results = run(&native, ty.name(), &[&xs], &types);
            for (op, got) in ops.iter().zip(results) {
                for (&x, got) in xs.iter().zip(got) {
                    let expected = scalar::un(*op, x);
                    assert!(
                        same(got, expected),
                        "{} {x} is {expected}, not {got}, at {level:?}",
                        op.name()
                    );
                }
            }
        }
    }
}

#[test]
fn operations_on_two_scalars() {
    let safe = |ty: Scalar| -> Vec<BinOp> {
        BinOp::ALL.iter().copied().filter(|op| op.accepts(ty) && !op.traps(ty)).collect()
    };
    check_pairs("safe", safe, |_, _| true);
}

/// LLVM sees what the exponent is, and puts no other function in the place of C's.
#[test]
fn powers_with_known_operands() {
    let ty = Scalar::F64;
    let known = [2.0, 0.5, -0.5, 3.0, -1.0, 10.0, 0.0].map(|known| Const::float(ty, known));
    let mut functions = Vec::new();
    for (at, &known) in known.iter().enumerate() {
        let mut f = Fun::new(&format!("known{at}"));
        let (xs, _) = f.param_vec("xs", ty);
        let x = f.scalar("x", ty);
        let (power, base) = (f.scalar("power", ty), f.scalar("base", ty));
        let known = arrc_core::ir::cnf::Atom::Const(known);
        let steps = vec![bin(power, BinOp::Pow, v(x), known), bin(base, BinOp::Pow, known, v(x))];
        functions.push(each(f, &[xs], &[x], steps, &[power, base]));
    }
    let program = program(functions);
    for level in LEVELS {
        let native = load(&program, &options(level));
        let xs: Vec<_> = (0..2000).map(|i| Const::float(ty, 0.37 * f64::from(i) - 5.1)).collect();
        for (at, &known) in known.iter().enumerate() {
            let results = run(&native, &format!("known{at}"), &[&xs], &[ty; 2]);
            for (place, &x) in xs.iter().enumerate() {
                let power = scalar::bin(BinOp::Pow, x, known).expect("floats do not fail");
                assert!(same(results[0][place], power), "{x} ** {known} at {level:?}");
                let power = scalar::bin(BinOp::Pow, known, x).expect("floats do not fail");
                assert!(same(results[1][place], power), "{known} ** {x} at {level:?}");
            }
        }
    }
}

#[test]
fn fma_rounds_once() {
    let mut functions = Vec::new();
    for ty in [Scalar::F32, Scalar::F64] {
        let mut f = Fun::new(ty.name());
        let (xs, n) = f.param_vec("xs", ty);
        let ys = f.param_array("ys", ty, &[n]);
        let [x, y, r] = ["x", "y", "r"].map(|name| f.scalar(name, ty));
        let steps = vec![Step::Fma { var: r, args: [v(x), v(y), v(x)] }];
        functions.push(each(f, &[xs, ys], &[x, y], steps, &[r]));
    }
    let program = program(functions);
    for level in LEVELS {
        let native = load(&program, &options(level));
        for ty in [Scalar::F32, Scalar::F64] {
            let all = values(ty);
            let pairs = all.iter().flat_map(|&x| all.iter().map(move |&y| (x, y)));
            let (xs, ys): (Vec<_>, Vec<_>) = pairs.unzip();
            let results = run(&native, ty.name(), &[&xs, &ys], &[ty]);
            for ((&x, &y), &got) in xs.iter().zip(&ys).zip(&results[0]) {
                let expected = scalar::fma(x, y, x);
                assert!(same(got, expected), "fma {x} {y} {x} is {expected}, not {got}");
            }
        }
    }
}

#[test]
fn operations_that_may_fail() {
    let divisions = |ty: Scalar| -> Vec<BinOp> {
        BinOp::ALL.iter().copied().filter(|&op| op.traps(ty) && op != BinOp::Pow).collect()
    };
    check_pairs("divisions", divisions, |_, y| y.as_i128() != 0);
    let power = |ty: Scalar| if ty.is_integer() { vec![BinOp::Pow] } else { Vec::new() };
    check_pairs("power", power, |_, y| y.as_i128() >= 0);
}

/// Compares operations on all pairs of values that are good for them.
fn check_pairs(
    what: &str,
    ops: impl Fn(Scalar) -> Vec<BinOp>,
    good: impl Fn(Const, Const) -> bool,
) {
    let types = Scalar::ALL.into_iter().filter(|&ty| !ops(ty).is_empty());
    let types: Vec<_> = types.collect();
    let program = program(types.iter().map(|&ty| binary(ty.name(), ty, &ops(ty))).collect());
    for level in LEVELS {
        let native = load(&program, &options(level));
        for &ty in &types {
            let all = values(ty);
            let pairs: Vec<_> = all
                .iter()
                .flat_map(|&x| all.iter().map(move |&y| (x, y)))
                .filter(|&(x, y)| good(x, y))
                .collect();
            let (xs, ys): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
            let types: Vec<_> = ops(ty).iter().map(|op| op.result(ty)).collect();
            let results = run(&native, ty.name(), &[&xs, &ys], &types);
            for (op, got) in ops(ty).iter().zip(results) {
                for (&(x, y), got) in pairs.iter().zip(got) {
                    let expected = scalar::bin(*op, x, y).expect("these do not fail");
                    let name = op.name();
                    assert!(
                        same(got, expected),
                        "{what}: {x} {name} {y} is {expected}, not {got}, at {level:?}"
                    );
                }
            }
        }
    }
}

/// `x / c` and the like for constants, which LLVM turns into other instructions.
#[test]
fn divisions_by_constants() {
    let ops = [BinOp::Div, BinOp::Mod, BinOp::Quot, BinOp::Rem];
    for ty in [Scalar::I8, Scalar::I32, Scalar::U16, Scalar::I64, Scalar::U64] {
        let divisors: Vec<_> =
            [1, 2, 7, -1, -2, -10, 8].iter().map(|&divisor| Const::int(ty, divisor)).collect();
        let mut functions = Vec::new();
        for (at, &divisor) in divisors.iter().enumerate() {
            let mut f = Fun::new(&format!("by{at}"));
            let (xs, _) = f.param_vec("xs", ty);
            let x = f.scalar("x", ty);
            let results: Vec<_> = ops.iter().map(|_| f.scalar("r", ty)).collect();
            let divisor = arrc_core::ir::cnf::Atom::Const(divisor);
            let steps =
                results.iter().zip(ops).map(|(&var, op)| bin(var, op, v(x), divisor)).collect();
            functions.push(each(f, &[xs], &[x], steps, &results));
        }
        let program = program(functions);
        for level in LEVELS {
            let native = load(&program, &options(level));
            let xs = values(ty);
            for (at, &divisor) in divisors.iter().enumerate() {
                let results = run(&native, &format!("by{at}"), &[&xs], &[ty; 4]);
                for (op, got) in ops.iter().zip(results) {
                    for (&x, got) in xs.iter().zip(got) {
                        let expected = scalar::bin(*op, x, divisor).expect("no divisor is 0");
                        assert_eq!(got, expected, "{x} {} {divisor}", op.name());
                    }
                }
            }
        }
    }
}

#[test]
fn what_fails_is_named() {
    let mut functions = Vec::new();
    for (name, op) in [("div", BinOp::Div), ("rem", BinOp::Rem), ("pow", BinOp::Pow)] {
        let mut f = Fun::new(name);
        let (x, y) = (f.param_scalar("x", Scalar::I8), f.param_scalar("y", Scalar::I8));
        let z = f.scalar("z", Scalar::I8);
        f.step(bin(z, op, v(x), v(y)));
        functions.push(f.returns(&[v(z)]));
    }
    let native = load(&program(functions), &options(OptLevel::O3));
    let call = |name: &str, x: i8, y: i8| {
        let mut z = 77_i8;
        native.call(name, &[out(&mut z)], &[arg(&x), arg(&y)]).map(|()| z)
    };
    assert_eq!(call("div", -7, 2), Ok(-4));
    assert_eq!(call("div", -128, -1), Ok(-128));
    assert_eq!(call("rem", -128, -1), Ok(0));
    assert_eq!(call("pow", 3, 4), Ok(81));
    assert_eq!(call("div", 1, 0), Err("test.arr:2:5 2 [/] 0 0".to_owned()));
    assert_eq!(call("rem", 1, 0), Err("test.arr:2:5 2 [%%] 0 0".to_owned()));
    assert_eq!(call("pow", 1, -3), Err("test.arr:2:5 9 [**] -3 0".to_owned()));
}
