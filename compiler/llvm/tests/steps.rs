//! Steps of blocks: whole arrays, branches, calls, ownership.

mod support;

use arrc_core::ids::FuncId;
use arrc_core::ir::cnf::{Atom, Callee, Extent, SizeDef, Type};
use arrc_core::ir::procedure::concrete::{Function, Length, Memory, Program, Step, Written};
use arrc_core::prim::{BinOp, Const, Scalar};
use arrc_llvm::OptLevel;
use support::build::*;
use support::emitted::{X86, compile};
use support::native::{CArray, Native, arg, lend, load, options, out};

const LEVELS: [OptLevel; 2] = [OptLevel::O0, OptLevel::O3];

fn array_of<T: Copy>(
    native: &Native,
    entry: &str,
    inputs: &[*const std::ffi::c_void],
) -> Result<Vec<T>, String> {
    let mut result = CArray::<T, 1>::EMPTY;
    native.call(entry, &[out(&mut result)], inputs).map(|()| native.take(&result))
}

fn some_size(f: &mut Fun) -> Extent {
    f.size("k", SizeDef::Exists)
}

/// `(xs ++ ys) ++ [a, b, true]`: the second extends the first, and writes the literal behind it.
fn append() -> Function {
    let ty = Scalar::Bool;
    let mut f = Fun::new("append");
    let ((xs, _), (ys, _)) = (f.param_vec("xs", ty), f.param_vec("ys", ty));
    let (a, b) = (f.param_scalar("a", ty), f.param_scalar("b", ty));
    let [k1, k2] = [some_size(&mut f), some_size(&mut f)];
    let (both, zs) = (f.array("both", ty, &[k1]), f.array("zs", ty, &[k2]));
    let literal = f.array("literal", ty, &[Extent::Const(3)]);
    let elems = vec![v(a), v(b), Atom::Const(Const::bool(true))];
    f.step(Step::Append { var: both, extends: None, parts: vec![xs, ys], span: word(1) });
    f.step(Step::Array { var: literal, elem: ty, elems, memory: Memory::New, span: word(2) });
    f.step(Step::Append { var: zs, extends: Some(both), parts: vec![literal], span: word(3) });
    f.step(Step::Release { array: literal });
    f.returns(&[v(zs)])
}

#[test]
fn arrays_are_put_together() {
    for level in LEVELS {
        let native = load(&program(vec![append()]), &options(level));
        for (xs, ys) in
            [(vec![], vec![]), (vec![true], vec![]), (vec![true, false], vec![false; 100])]
        {
            let inputs = [lend::<bool>(&xs), lend(&ys)];
            let (a, b) = (false, true);
            let inputs = [arg(&inputs[0]), arg(&inputs[1]), arg(&a), arg(&b)];
            let expected: Vec<bool> =
                xs.iter().chain(&ys).chain(&[false, true, true]).copied().collect();
            assert_eq!(array_of::<bool>(&native, "append", &inputs), Ok(expected));
        }
        native.limit(2);
        let (xs, a, b) = (lend(&[true]), false, true);
        let inputs = [arg(&xs), arg(&xs), arg(&a), arg(&b)];
        assert_eq!(
            array_of::<bool>(&native, "append", &inputs),
            Err("test.arr:2:13 5 [zs] 8 1".to_owned())
        );
    }
}

#[test]
fn what_is_extended_is_not_copied() {
    let ir = compile(append(), X86, "x86-64-v3").lowered_ir();
    let (_, body) = ir.split_once("define internal fastcc i32 @arr.append(").expect("it is there");
    let (body, _) = body.split_once("\n}").expect("it ends");
    let count = |what: &str| body.matches(what).count();
    // Both `xs` and `ys` are copied to new memory; the literal is written behind them.
    assert_eq!([count("@arr_rt_alloc"), count("@llvm.memcpy")], [1, 2], "{body}");
    assert_eq!([count("@arr_rt_extend"), count("store i8")], [1, 3], "{body}");
}

/// `([x] ++ ys, [x])`: the literal is appended and given back, so it is an array.
#[test]
fn a_literal_that_is_more_than_appended_is_an_array() {
    let ty = Scalar::I64;
    let mut f = Fun::new("both");
    let (x, (ys, _)) = (f.param_scalar("x", ty), f.param_vec("ys", ty));
    let k = some_size(&mut f);
    let (one, zs) = (f.array("one", ty, &[Extent::Const(1)]), f.array("zs", ty, &[k]));
    f.step(Step::Array {
        var: one,
        elem: ty,
        elems: vec![v(x)],
        memory: Memory::New,
        span: word(1),
    });
    f.step(Step::Append { var: zs, extends: None, parts: vec![one, ys], span: word(2) });
    let program = program(vec![f.returns(&[v(zs), v(one)])]);
    for level in LEVELS {
        let native = load(&program, &options(level));
        let (x, ys) = (7_i64, lend(&[8_i64, 9]));
        let [mut zs, mut one] = [CArray::<i64, 1>::EMPTY; 2];
        let outs = [out(&mut zs), out(&mut one)];
        assert_eq!(native.call("both", &outs, &[arg(&x), arg(&ys)]), Ok(()));
        assert_eq!((native.take(&zs), native.take(&one)), (vec![7, 8, 9], vec![7]));
    }
}

/// `[] : [0]f32`.
#[test]
fn an_empty_literal_can_be_freed() {
    let mut f = Fun::new("empty");
    let none = f.array("none", Scalar::F32, &[Extent::Const(0)]);
    f.step(Step::Array {
        var: none,
        elem: Scalar::F32,
        elems: Vec::new(),
        memory: Memory::New,
        span: word(1),
    });
    let native = load(&program(vec![f.returns(&[v(none)])]), &options(OptLevel::O2));
    assert_eq!(array_of::<f32>(&native, "empty", &[]), Ok(vec![]));
}

/// `(xs, xs, ys, ys)` where `ys = [1, 2]`: what is the caller's is copied, what is ours is shared.
#[test]
fn outputs_are_never_the_callers_memory() {
    let ty = Scalar::I16;
    let mut f = Fun::new("same");
    let (xs, n) = f.param_vec("xs", ty);
    let [x1, x2] = ["x1", "x2"].map(|name| f.array(name, ty, &[n]));
    let [ys, again] = ["ys", "again"].map(|name| f.array(name, ty, &[Extent::Const(2)]));
    let elems = [1, 2].map(|value| Atom::Const(int(ty, value))).to_vec();
    f.step(Step::Array { var: ys, elem: ty, elems, memory: Memory::New, span: word(1) });
    f.step(Step::Share { var: x1, array: xs });
    f.step(Step::Share { var: x2, array: xs });
    f.step(Step::Share { var: again, array: ys });
    let program = program(vec![f.returns(&[v(x1), v(x2), v(ys), v(again)])]);
    for level in LEVELS {
        let native = load(&program, &options(level));
        let xs = [5_i16, 6, 7, 8];
        for given in [lend(&xs), CArray { shape: [2], stride: [2], ..lend(&xs) }] {
            let mut outs = [CArray::<i16, 1>::EMPTY; 4];
            let [a, b, c, d] = &mut outs;
            native
                .call("same", &[out(a), out(b), out(c), out(d)], &[arg(&given)])
                .expect("no error");
            assert!(outs.iter().all(|array| array.data != xs.as_ptr()));
            assert_eq!(outs[2].owner, outs[3].owner, "what is ours needs no copy");
            let expected = if given.stride == [1] { xs.to_vec() } else { vec![5, 7] };
            let [a, b, c, d] = outs.map(|array| native.take(&array));
            assert_eq!((a, b, c, d), (expected.clone(), expected, vec![1, 2], vec![1, 2]));
        }
    }
}

/// `if c then xs else if d then ys ++ ys else [7]`.
fn choose() -> Function {
    let ty = Scalar::U32;
    let mut f = Fun::new("choose");
    let (c, d) = (f.param_scalar("c", Scalar::Bool), f.param_scalar("d", Scalar::Bool));
    let ((xs, _), (ys, _)) = (f.param_vec("xs", ty), f.param_vec("ys", ty));
    let sizes: Vec<_> = (0..5).map(|_| some_size(&mut f)).collect();
    let mut made = sizes.iter().map(|&k| f.array("made", ty, &[k])).collect::<Vec<_>>().into_iter();
    let [shared, twice, seven, inner, outer] = std::array::from_fn(|_| made.next().expect("five"));
    let elems = vec![Atom::Const(int(ty, 7))];
    let then = block(
        vec![Step::Append { var: twice, extends: None, parts: vec![ys, ys], span: word(1) }],
        &[v(twice)],
    );
    let last = block(
        vec![Step::Array { var: seven, elem: ty, elems, memory: Memory::New, span: word(1) }],
        &[v(seven)],
    );
    let rest = Step::If { vars: vec![inner], cond: v(d), takes: vec![], then, otherwise: last };
    f.step(Step::If {
        vars: vec![outer],
        cond: v(c),
        takes: vec![],
        then: block(vec![Step::Share { var: shared, array: xs }], &[v(shared)]),
        otherwise: block(vec![rest], &[v(inner)]),
    });
    f.returns(&[v(outer)])
}

#[test]
fn branches_yield_arrays() {
    for level in LEVELS {
        let native = load(&program(vec![choose()]), &options(level));
        let (xs, ys) = (lend(&[1_u32, 2, 3]), lend(&[4_u32]));
        let call = |c: bool, d: bool| {
            array_of::<u32>(&native, "choose", &[arg(&c), arg(&d), arg(&xs), arg(&ys)])
        };
        assert_eq!(call(true, false), Ok(vec![1, 2, 3]));
        assert_eq!(call(false, true), Ok(vec![4, 4]));
        assert_eq!(call(false, false), Ok(vec![7]));
    }
}

/// `down n xs = if n == 0 then (xs, 0) else let (ys, s) = down (n - 1) ([n] ++ xs) in (ys, s + n)`,
/// and an entry that calls it.
fn recursive() -> Program {
    let (ty, down) = (Scalar::I64, <FuncId as arrc_core::ids::EntityRef>::new(0));
    let mut f = Fun::new("down");
    f.f.recursive = true;
    let n = f.param_scalar("n", ty);
    let (xs, _) = f.param_vec("xs", ty);
    let (done, m, s, t) =
        (f.scalar("done", Scalar::Bool), f.scalar("m", ty), f.scalar("s", ty), f.scalar("t", ty));
    let sizes: Vec<_> = (0..5).map(|_| some_size(&mut f)).collect();
    let mut made = sizes.iter().map(|&k| f.array("made", ty, &[k])).collect::<Vec<_>>().into_iter();
    let [same, one, longer, ys, result] = std::array::from_fn(|_| made.next().expect("five"));
    let sum = f.scalar("sum", ty);
    f.step(bin(done, BinOp::Eq, v(n), i64c(0)));
    f.step(Step::If {
        vars: vec![result, sum],
        cond: v(done),
        takes: vec![],
        then: block(vec![Step::Share { var: same, array: xs }], &[v(same), i64c(0)]),
        otherwise: block(
            vec![
                bin(m, BinOp::Sub, v(n), i64c(1)),
                Step::Array {
                    var: one,
                    elem: ty,
                    elems: vec![v(n)],
                    memory: Memory::New,
                    span: word(1),
                },
                Step::Append { var: longer, extends: None, parts: vec![one, xs], span: word(2) },
                Step::Release { array: one },
                Step::Call {
                    vars: vec![ys, s],
                    callee: Callee::Function(down),
                    args: vec![v(m), v(longer)],
                    span: word(3),
                },
                Step::Release { array: longer },
                bin(t, BinOp::Add, v(s), v(n)),
            ],
            &[v(ys), v(t)],
        ),
    });
    let mut program = Program::default();
    program.functions.push(f.returns(&[v(result), v(sum)]));

    let mut f = Fun::new("start");
    let n = f.param_scalar("n", ty);
    let (xs, _) = f.param_vec("xs", ty);
    let k = some_size(&mut f);
    let (ys, s) = (f.array("ys", ty, &[k]), f.scalar("s", ty));
    f.step(Step::Call {
        vars: vec![ys, s],
        callee: Callee::Function(down),
        args: vec![v(n), v(xs)],
        span: word(4),
    });
    add_entry(&mut program, f.returns(&[v(ys), v(s)]));
    program
}

#[test]
fn recursion_ends_at_its_base_or_at_the_end_of_the_stack() {
    for level in LEVELS {
        let native = load(&recursive(), &options(level));
        let call = |n: i64, xs: &[i64]| {
            let (mut ys, mut s) = (CArray::<i64, 1>::EMPTY, 0_i64);
            native
                .call("start", &[out(&mut ys), out(&mut s)], &[arg(&n), arg(&lend(xs))])
                .map(|()| (native.take(&ys), s))
        };
        assert_eq!(call(0, &[9]), Ok((vec![9], 0)));
        assert_eq!(call(4, &[9]), Ok((vec![1, 2, 3, 4, 9], 10)));
        assert_eq!(call(100, &[]).map(|(_, s)| s), Ok(5050));
        // The place, then the calls that led there, each from the same place.
        let message = call(-1, &[]).expect_err("the stack has an end");
        let (place, callers) = message.split_once(" < ").expect("it was called");
        assert_eq!(place, "test.arr:2:1 6 [down] 0 0");
        let mut places: Vec<&str> = callers.split(" < ").collect();
        places.pop();
        assert!(places.len() > 10 && places.iter().all(|place| *place == places[0]));
        assert_eq!(call(4, &[9]), Ok((vec![1, 2, 3, 4, 9], 10)), "the context is good again");
    }
}

/// Every scalar type through parameters, results and arrays of a function that is called.
#[test]
fn scalars_pass_through_calls() {
    let mut inner = Fun::new("inner");
    let params: Vec<_> = Scalar::ALL.iter().map(|&ty| inner.param_scalar(ty.name(), ty)).collect();
    let inner = inner.returns(&params.iter().copied().map(v).collect::<Vec<_>>());
    let mut outer = Fun::new("outer");
    let params: Vec<_> = Scalar::ALL.iter().map(|&ty| outer.param_scalar(ty.name(), ty)).collect();
    let results: Vec<_> = Scalar::ALL.iter().map(|&ty| outer.scalar(ty.name(), ty)).collect();
    let args = params.into_iter().map(v).collect();
    let function = <FuncId as arrc_core::ids::EntityRef>::new(0);
    outer.step(Step::Call {
        vars: results.clone(),
        callee: Callee::Function(function),
        args,
        span: word(1),
    });
    let mut program = Program::default();
    program.functions.push(inner);
    add_entry(&mut program, outer.returns(&results.into_iter().map(v).collect::<Vec<_>>()));
    for level in LEVELS {
        let native = load(&program, &options(level));
        let given: [u64; 11] =
            std::array::from_fn(|at| if at == 0 { 1 } else { 0xf1e2_d3c4_b5a6_9780 + at as u64 });
        let mut got = [0_u64; 11];
        let outputs: Vec<_> = got.iter_mut().map(out).collect();
        native
            .call("outer", &outputs, &given.iter().map(arg).collect::<Vec<_>>())
            .expect("no error");
        for ((ty, given), got) in Scalar::ALL.iter().zip(given).zip(got) {
            let mask = u64::MAX >> (64 - 8 * ty.bytes());
            assert_eq!(got, given & mask, "{ty}");
        }
    }
}

/// A result of a type that has the sizes of a parameter, from a pass over two arrays of one size.
#[test]
fn an_array_that_was_mapped_can_be_dropped() {
    let ty = Scalar::F64;
    let mut f = Fun::new("drop");
    let (xs, n) = f.param_vec("xs", ty);
    let [i, x] = [("i", Scalar::I64), ("x", ty)].map(|(name, ty)| f.scalar(name, ty));
    let ys = f.array("ys", ty, &[n]);
    let length = f.scalar("length", Scalar::I64);
    let mut pass = Pass::new(i, Length::Array(xs));
    pass.start(new_vec(ys, Length::Array(xs)));
    pass.body(vec![next(x, i, xs), write(ys, i, x)]).slice(ys, Written::All);
    f.step(pass.step());
    f.step(Step::Length { var: length, array: ys, dim: 0 });
    f.step(Step::Release { array: ys });
    let function = f.returns(&[v(length)]);
    assert_eq!(function.results, [Type::Scalar(Scalar::I64)]);
    let native = load(&program(vec![function]), &options(OptLevel::O3));
    let mut length = 0_i64;
    native.call("drop", &[out(&mut length)], &[arg(&lend(&[1.0; 12]))]).expect("no error");
    assert_eq!((length, native.live()), (12, 0));
}
