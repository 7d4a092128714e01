//! Parts of the elements, one after the other: of few elements without a branch, of any number by growing.

mod support;

use arrc_core::ir::cnf::{Atom, SizeDef};
use arrc_core::ir::procedure::concrete::{
    Function, Guard, Length, Loop, Nest, Position, Step, Stmt, Written,
};
use arrc_core::prim::{BinOp, Const, Scalar, UnOp};
use arrc_llvm::{OptLevel, Why};
use support::build::*;
use support::emitted::{ARM, X86, blocks, compile};
use support::native::{CArray, Native, arg, lend, load, options, out};

/// `x, x + 1 …`, as many as `mask` leaves of `x`; at most so many if that is said.
fn parts(mask: i128, most: Option<u32>) -> Function {
    let ty = Scalar::I32;
    let mut f = Fun::new("parts");
    let (xs, _) = f.param_vec("xs", ty);
    let joined = f.size("joined", SizeDef::Exists);
    let ys = f.array("ys", ty, &[joined]);
    let [i, j, at, place, count, low] =
        ["i", "j", "at", "place", "count", "low"].map(|name| f.scalar(name, Scalar::I64));
    let [x, y, px, few, narrow, sum, given] =
        ["x", "y", "px", "few", "narrow", "sum", "given"].map(|name| f.scalar(name, ty));
    let once = worker(
        &[px],
        vec![
            bin(few, BinOp::And, v(px), Atom::Const(int(ty, mask))),
            Step::Un { var: count, op: UnOp::To(Scalar::I64), arg: v(few) },
        ],
        &[v(count)],
    );
    let length = f.scalar("length", Scalar::I64);
    let each = worker(
        &[low, given],
        vec![
            Step::Un { var: narrow, op: UnOp::To(ty), arg: v(low) },
            bin(sum, BinOp::Add, v(given), v(narrow)),
        ],
        &[v(sum)],
    );
    let mut pass = Pass::new(i, Length::Array(xs));
    let counter = pass.counter();
    let room = most.map_or(Length::Array(xs), |most| {
        let most = Length::Value(i64c(i64::from(most)));
        Length::Product(Box::new(Length::Array(xs)), Box::new(most))
    });
    pass.start(new_vec(ys, room));
    pass.body(vec![next(x, i, xs), apply(&[length], once, &[v(x)])]);
    if most.is_none() {
        let (written, more) = (Written::Counted(counter), Length::Value(v(length)));
        pass.body(vec![Stmt::Reserve { vec: ys, written, more }]);
    }
    let body = vec![
        Stmt::Position { elem: place, index: Position::Var(j) },
        apply(&[y], each, &[v(place), v(x)]),
        write(ys, at, y),
    ];
    let part = Guard {
        index: at,
        counter,
        flag: Atom::Const(Const::bool(true)),
        body,
        inner: Vec::new(),
        release: Vec::new(),
    };
    let inner = vec![Nest::Guard(part)];
    let nest = counted(j, Length::Value(v(length)), Vec::new());
    pass.inner(Nest::Loop(Loop { most, inner, ..nest }));
    pass.slice(ys, Written::Counted(counter));
    f.step(pass.step());
    f.returns(&[v(ys)])
}

#[test]
fn parts_of_few_elements_are_stored_as_one_vector() {
    for (triple, cpu, store) in [(X86, "znver3", "vmovdqu\t%xmm"), (ARM, "neoverse-n1", "str\tq")] {
        let module = compile(parts(3, Some(3)), triple, cpu);
        let (text, ir) = (module.assembly(), module.ir());
        assert!(text.contains(store), "{cpu}: no {store} in\n{text}");
        // The lengths of parts are only added: nothing in the loop is compared but its counter.
        let blocks: Vec<&str> =
            ir.split("\n\n").filter(|block| block.contains("store <4 x i32>")).collect();
        assert!(!blocks.is_empty(), "{cpu}: no vector is stored in\n{ir}");
        for block in blocks {
            assert_eq!(block.matches("icmp").count(), 1, "{cpu}: {block}");
            assert_eq!(block.matches("store i32").count(), 0, "{cpu}: {block}");
            assert_eq!(block.matches("call ").count(), 0, "{cpu}: {block}");
        }
    }
}

#[test]
fn parts_of_several_elements_are_stored_as_one_vector_where_it_is_long() {
    // Four elements of up to three in a vector of AVX-512; where each has one or none, as many as it has lanes.
    for (mask, triple, cpu, shape) in [
        (3, X86, "znver4", [16, 2]),
        (1, X86, "znver4", [16, 2]),
        (1, X86, "x86-64-v3", [8, 2]),
        (1, ARM, "generic", [4, 2]),
    ] {
        let most = u32::try_from(mask).expect("a small number");
        let module = compile(parts(mask, Some(most)), triple, cpu);
        assert_eq!(module.passes()[0].1, Ok(shape), "{cpu}, {mask}");
        let kept = blocks(&module, &["vector.kept"]);
        let [_, parts] = shape;
        let stores = kept.matches(" store <").count();
        assert_eq!(stores, parts as usize, "{cpu}, {mask}: {kept}");
    }
    let short = compile(parts(3, Some(3)), X86, "x86-64-v3");
    assert_eq!(short.passes()[0].1, Err(Why::InnerLoop));
}

/// What the program gives.
fn run(native: &Native, xs: &[i32]) -> Result<Vec<i32>, String> {
    let mut ys = CArray::<i32, 1>::EMPTY;
    let array = lend(xs);
    native.call("parts", &[out(&mut ys)], &[arg(&array)])?;
    Ok(native.take(&ys))
}

#[test]
fn parts_come_one_after_the_other() {
    let kinds = [(3, Some(3)), (7, Some(7)), (7, Some(8)), (1, Some(1)), (63, None), (3, None)];
    for (mask, most) in kinds {
        for level in [OptLevel::O0, OptLevel::O3] {
            let native = load(&program(vec![parts(mask.into(), most)]), &options(level));
            for length in (0..70).chain([257]) {
                let xs: Vec<i32> = (0..length).map(|at| at * 37 % 101 - 20).collect();
                let part = |&x: &i32| (0..x & mask).map(move |at| x + at);
                let expected: Vec<i32> = xs.iter().flat_map(part).collect();
                assert_eq!(run(&native, &xs), Ok(expected), "mask {mask}, {most:?}, {level:?}");
            }
        }
    }
}

#[test]
fn what_cannot_grow_fails_and_leaves_nothing() {
    let native = load(&program(vec![parts(1023, None)]), &options(OptLevel::O3));
    let xs = vec![1023; 100];
    assert_eq!(run(&native, &xs).map(|ys| ys.len()), Ok(102_300));
    native.limit(100_000);
    assert!(run(&native, &xs).is_err(), "there is no such memory");
    assert_eq!(run(&native, &[5]), Ok(vec![5, 6, 7, 8, 9]));
}
