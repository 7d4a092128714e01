//! Every operation on every type: compiled code gives the results of the evaluator of constants.

use crate::support::native::{CArray, Native, arg, link, load, options, out};
use crate::support::source::cnf;
use arrc_front::eval::scalar;
use arrc_llvm::OptLevel;
use arrc_syntax::prim::{BinOp, Const, Scalar, UnOp};

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

/// A function that applies operations to the elements of arrays of one size. Each operation is given by its text and
/// the type of its result.
fn each(name: &str, arrays: &[(&str, Scalar)], ops: &[(String, Scalar)]) -> String {
    let listed = |items: &mut dyn Iterator<Item = String>| items.collect::<Vec<_>>().join(", ");
    let params: String = arrays.iter().map(|(x, ty)| format!(" ({x}s: [n]{ty})")).collect();
    let elems: String = arrays.iter().map(|(x, _)| format!(" {x}")).collect();
    let inputs: String = arrays.iter().map(|(x, _)| format!(" {x}s")).collect();
    let types = listed(&mut ops.iter().map(|(_, ty)| format!("[n]{ty}")));
    let names = listed(&mut (0..ops.len()).map(|at| format!("r{at}")));
    let lets: String =
        ops.iter().enumerate().map(|(at, (op, _))| format!("let a{at} = {op}\n")).collect();
    let values = listed(&mut (0..ops.len()).map(|at| format!("a{at}")));
    let (count, many) = (arrays.len(), ops.len());
    format!(
        "entry {name} [n]{params}: ({types}) =
        let ({names}) = unzip{many} (map{count} (\\{elems} -> {lets} in ({values})){inputs}) in ({names})\n"
    )
}

/// Operations on one operand.
fn unary(name: &str, ty: Scalar, ops: &[UnOp]) -> String {
    let text = |op: &UnOp| format!("{}.{} x", op.module(ty), op.name_on(ty));
    let ops: Vec<_> = ops.iter().map(|op| (text(op), op.result(ty))).collect();
    each(name, &[("x", ty)], &ops)
}

/// An operation on two operands.
fn of_two(op: BinOp, ty: Scalar, left: &str, right: &str) -> String {
    match (op, ty) {
        (BinOp::And, Scalar::Bool) => format!("{left} && {right}"),
        (BinOp::Or, Scalar::Bool) => format!("{left} || {right}"),
        _ if op.is_infix() => format!("{left} {} {right}", op.name()),
        _ => format!("{ty}.{} {left} {right}", op.name()),
    }
}

/// Operations on two operands.
fn binary(name: &str, ty: Scalar, ops: &[BinOp]) -> String {
    let ops: Vec<_> = ops.iter().map(|&op| (of_two(op, ty, "x", "y"), op.result(ty))).collect();
    each(name, &[("x", ty), ("y", ty)], &ops)
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
        // As bytes, `width` for each element.
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
    let functions: String =
        Scalar::ALL.iter().map(|&ty| unary(&format!("on_{ty}"), ty, &ops(ty))).collect();
    let program = cnf(&functions);
    for level in LEVELS {
        let native = link(&program, &options(level));
        for ty in Scalar::ALL {
            let (ops, xs) = (ops(ty), values(ty));
            let types: Vec<_> = ops.iter().map(|op| op.result(ty)).collect();
            let results = run(&native, &format!("on_{ty}"), &[&xs], &types);
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

/// LLVM sees the exponent, and must not replace C's function by another one.
#[test]
fn powers_with_known_operands() {
    let ty = Scalar::F64;
    let known = [2.0, 0.5, -0.5, 3.0, -1.0, 10.0, 0.0].map(|known| Const::float(ty, known));
    let mut functions = String::new();
    for (at, known) in known.iter().enumerate() {
        let ops = [format!("x ** ({known})"), format!("({known}) ** x")].map(|op| (op, ty));
        functions += &each(&format!("known{at}"), &[("x", ty)], &ops);
    }
    let program = cnf(&functions);
    for level in LEVELS {
        let native = link(&program, &options(level));
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
    let mut functions = String::new();
    for ty in [Scalar::F32, Scalar::F64] {
        let fma = (format!("{ty}.fma x y x"), ty);
        functions += &each(&format!("on_{ty}"), &[("x", ty), ("y", ty)], &[fma]);
    }
    let program = cnf(&functions);
    for level in LEVELS {
        let native = link(&program, &options(level));
        for ty in [Scalar::F32, Scalar::F64] {
            let all = values(ty);
            let pairs = all.iter().flat_map(|&x| all.iter().map(move |&y| (x, y)));
            let (xs, ys): (Vec<_>, Vec<_>) = pairs.unzip();
            let results = run(&native, &format!("on_{ty}"), &[&xs, &ys], &[ty]);
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

/// Compares operations on all pairs of values that they accept.
fn check_pairs(
    what: &str,
    ops: impl Fn(Scalar) -> Vec<BinOp>,
    good: impl Fn(Const, Const) -> bool,
) {
    let types = Scalar::ALL.into_iter().filter(|&ty| !ops(ty).is_empty());
    let types: Vec<_> = types.collect();
    let functions: String =
        types.iter().map(|&ty| binary(&format!("on_{ty}"), ty, &ops(ty))).collect();
    let program = cnf(&functions);
    for level in LEVELS {
        let native = link(&program, &options(level));
        for &ty in &types {
            let all = values(ty);
            let pairs: Vec<_> = all
                .iter()
                .flat_map(|&x| all.iter().map(move |&y| (x, y)))
                .filter(|&(x, y)| good(x, y))
                .collect();
            let (xs, ys): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
            let types: Vec<_> = ops(ty).iter().map(|op| op.result(ty)).collect();
            let results = run(&native, &format!("on_{ty}"), &[&xs, &ys], &types);
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
        let mut functions = String::new();
        for (at, divisor) in divisors.iter().enumerate() {
            let by = format!("({divisor})");
            let ops = ops.map(|op| (of_two(op, ty, "x", &by), ty));
            functions += &each(&format!("by{at}"), &[("x", ty)], &ops);
        }
        let program = cnf(&functions);
        for level in LEVELS {
            let native = link(&program, &options(level));
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
    let divided = "
entry div (x: i8) (y: i8): i8 = x / y
entry rem (x: i8) (y: i8): i8 = x %% y
entry pow (x: i8) (y: i8): i8 = x ** y
";
    let native = load(divided, &options(OptLevel::O3));
    let call = |name: &str, x: i8, y: i8| {
        let mut z = 77_i8;
        native.call(name, &[out(&mut z)], &[arg(&x), arg(&y)]).map(|()| z)
    };
    assert_eq!(call("div", -7, 2), Ok(-4));
    assert_eq!(call("div", -128, -1), Ok(-128));
    assert_eq!(call("rem", -128, -1), Ok(0));
    assert_eq!(call("pow", 3, 4), Ok(81));
    assert_eq!(call("div", 1, 0), Err("test.arr:2:33 2 [/] 0 0".to_owned()));
    assert_eq!(call("rem", 1, 0), Err("test.arr:3:33 2 [%%] 0 0".to_owned()));
    assert_eq!(call("pow", 1, -3), Err("test.arr:4:33 9 [**] -3 0".to_owned()));
}
