//! Passes in vectors of our own: which are, which are not and why, and what is in their loops.

mod support;

use arrc_core::ir::cnf::{Order, SizeDef};
use arrc_core::ir::procedure::concrete::{Function, Length, Nest, Step, Stmt, Written};
use arrc_core::prim::{BinOp, Const, Scalar, UnOp};
use arrc_llvm::{Cpu, Module, OptLevel, Options, Vectors, Why};
use support::build::*;
use support::emitted::{ARM, X86, blocks, compile};
use support::native::{arg, lend, load, options, out};

/// The text of the vector loops, in LLVM's IR after optimisation.
fn vector_loop(module: &Module) -> String {
    blocks(module, &["vector", "vector.kept", "vector.none", "vector.next"])
}

fn lacks(text: &str, words: &[&str]) {
    for word in words {
        assert!(!text.contains(word), "{word} in\n{text}");
    }
}

fn has(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "no {word} in\n{text}");
    }
}

/// `filter (> 0) xs`, and the sum of what it keeps.
fn filter_sum(ty: Scalar, zero: Const) -> Function {
    let mut f = Fun::new("filter_sum");
    let (xs, _) = f.param_vec("xs", ty);
    let kept = f.size("kept", SizeDef::Exists);
    let ys = f.array("ys", ty, &[kept]);
    let [i, j] = ["i", "j"].map(|name| f.scalar(name, Scalar::I64));
    let (x, r, flag) = (f.scalar("x", ty), f.scalar("r", ty), f.scalar("flag", Scalar::Bool));
    let positive = f.with_const(BinOp::Gt, zero);
    let add = f.bin_worker(BinOp::Add, ty);
    let mut pass = Pass::new(i, Length::Array(xs));
    pass.start(new_vec(ys, Length::Array(xs)));
    let acc = pass.acc(ty, zero);
    let count = pass.counter();
    pass.body(vec![next(x, i, xs), apply(&[flag], positive, &[v(x)])]);
    let body = vec![write(ys, j, x), update(acc, Order::Associative, add, x)];
    pass.inner(guard(j, count, flag, body));
    pass.slice(ys, Written::Counted(count)).read(r, acc);
    f.step(pass.step());
    f.returns(&[v(ys), v(r)])
}

/// The element that comes first by a comparison, and where it is.
fn best(comparison: BinOp, order: Order) -> Function {
    let (ty, int) = (Scalar::F64, Scalar::I64);
    let mut f = Fun::new("best");
    let (xs, _) = f.param_vec("xs", ty);
    let [i, at, result_at] = ["i", "at", "result_at"].map(|name| f.scalar(name, int));
    let [x, result, l, r, best] = ["x", "result", "l", "r", "best"].map(|name| f.scalar(name, ty));
    let [l_at, r_at, best_at] = ["l_at", "r_at", "best_at"].map(|name| f.scalar(name, int));
    let better = f.scalar("better", Scalar::Bool);
    let choose = Step::If {
        vars: vec![best, best_at],
        cond: v(better),
        takes: Vec::new(),
        then: block(Vec::new(), &[v(l), v(l_at)]),
        otherwise: block(Vec::new(), &[v(r), v(r_at)]),
    };
    let steps = vec![bin(better, comparison, v(l), v(r)), choose];
    let operator = worker(&[l, l_at, r, r_at], steps, &[v(best), v(best_at)]);
    let mut pass = Pass::new(i, Length::Array(xs));
    let accs = vec![pass.acc(ty, Const::float(ty, -1e300)), pass.acc(int, Const::i64(-1))];
    let (value, place) = (accs[0], accs[1]);
    let args = vec![v(x), v(at)];
    let position = arrc_core::ir::procedure::concrete::Position::Var(i);
    pass.body(vec![
        next(x, i, xs),
        Stmt::Position { elem: at, index: position },
        Stmt::Update { accs, order, worker: operator, args },
    ]);
    pass.read(result, value).read(result_at, place);
    f.step(pass.step());
    f.returns(&[v(result), v(result_at)])
}

/// The least difference of an element of one array and one of another.
fn nearest(ty: Scalar, order: Order) -> Function {
    let mut f = Fun::new("nearest");
    let [(xs, _), (ys, _)] = ["xs", "ys"].map(|name| f.param_vec(name, ty));
    let [i, j] = ["i", "j"].map(|name| f.scalar(name, Scalar::I64));
    let [x, y, a, b, c, d, least] =
        ["x", "y", "a", "b", "c", "d", "least"].map(|name| f.scalar(name, ty));
    let difference = worker(&[a, b], vec![bin(c, BinOp::Sub, v(a), v(b))], &[v(c)]);
    let operator = f.bin_worker(BinOp::Min, ty);
    let mut pass = Pass::new(i, Length::Array(xs));
    let acc = pass.acc(ty, if ty.is_float() { Const::float(ty, 1e30) } else { int(ty, 100) });
    pass.body(vec![next(x, i, xs)]);
    let pairs = vec![
        next(y, j, ys),
        apply(&[d], difference, &[v(x), v(y)]),
        update(acc, order, operator, d),
    ];
    pass.inner(Nest::Loop(counted(j, Length::Array(ys), pairs)));
    pass.read(least, acc);
    f.step(pass.step());
    f.returns(&[v(least)])
}

/// `map (op d) xs`.
fn divide(op: BinOp, ty: Scalar) -> Function {
    let mut f = Fun::new("divide");
    let (xs, size) = f.param_vec("xs", ty);
    let d = f.param_scalar("d", ty);
    let ys = f.array("ys", ty, &[size]);
    let i = f.scalar("i", Scalar::I64);
    let [x, y, px, py] = ["x", "y", "px", "py"].map(|name| f.scalar(name, ty));
    let by = worker(&[px], vec![bin(py, op, v(px), v(d))], &[v(py)]);
    let mut pass = Pass::new(i, Length::Array(xs));
    pass.start(new_vec(ys, Length::Array(xs)));
    pass.body(vec![next(x, i, xs), apply(&[y], by, &[v(x)]), write(ys, i, y)]);
    pass.slice(ys, Written::All);
    f.step(pass.step());
    f.returns(&[v(ys)])
}

/// `map i8.i64 xs`.
fn narrow() -> Function {
    let mut f = Fun::new("narrow");
    let (xs, size) = f.param_vec("xs", Scalar::I64);
    let ys = f.array("ys", Scalar::I8, &[size]);
    let i = f.scalar("i", Scalar::I64);
    let [x, px] = ["x", "px"].map(|name| f.scalar(name, Scalar::I64));
    let [y, py] = ["y", "py"].map(|name| f.scalar(name, Scalar::I8));
    let step = Step::Un { var: py, op: UnOp::To(Scalar::I8), arg: v(px) };
    let convert = worker(&[px], vec![step], &[v(py)]);
    let mut pass = Pass::new(i, Length::Array(xs));
    pass.start(new_vec(ys, Length::Array(xs)));
    pass.body(vec![next(x, i, xs), apply(&[y], convert, &[v(x)]), write(ys, i, y)]);
    pass.slice(ys, Written::All);
    f.step(pass.step());
    f.returns(&[v(ys)])
}

/// `map (\xs -> let ys = map (* 2) xs in sum ys) xss`, with `ys` in memory.
fn rows() -> Function {
    let ty = Scalar::I64;
    let mut f = Fun::new("rows");
    let [n, m] = ["n", "m"].map(|name| f.size(name, SizeDef::Param));
    let xss = f.param_array("xss", ty, &[n, m]);
    let [row, fresh] = ["row", "fresh"].map(|name| f.array(name, ty, &[m]));
    let sums = f.array("sums", ty, &[n]);
    let [i, a, b, x, y, z, s] = ["i", "a", "b", "x", "y", "z", "s"].map(|name| f.scalar(name, ty));
    let double = f.with_const(BinOp::Mul, int(ty, 2));
    let mut made = Pass::new(a, Length::Array(row));
    made.start(new_vec(fresh, Length::Array(row)));
    made.body(vec![next(x, a, row), apply(&[y], double, &[v(x)]), write(fresh, a, y)]);
    made.slice(fresh, Written::All);
    let add = f.bin_worker(BinOp::Add, ty);
    let mut summed = Pass::new(b, Length::Array(fresh));
    let acc = summed.acc(ty, int(ty, 0));
    summed.body(vec![next(z, b, fresh), update(acc, Order::Associative, add, z)]).read(s, acc);
    let release = Step::Release { array: fresh };
    let sum_of = worker(&[row], vec![made.step(), summed.step(), release], &[v(s)]);
    let mut pass = Pass::new(i, Length::Array(xss));
    pass.start(new_vec(sums, Length::Array(xss)));
    pass.body(vec![next(row, i, xss), apply(&[s], sum_of, &[v(row)]), write(sums, i, s)]);
    pass.slice(sums, Written::All);
    f.step(pass.step());
    f.returns(&[v(sums)])
}

/// `scan (+) 0 xs`.
fn scan(ty: Scalar, order: Order) -> Function {
    let mut f = Fun::new("scan");
    let (xs, size) = f.param_vec("xs", ty);
    let ys = f.array("ys", ty, &[size]);
    let i = f.scalar("i", Scalar::I64);
    let (x, y) = (f.scalar("x", ty), f.scalar("y", ty));
    let add = f.bin_worker(BinOp::Add, ty);
    let zero = if ty.is_float() { Const::float(ty, 0.0) } else { int(ty, 0) };
    let mut pass = Pass::new(i, Length::Array(xs));
    pass.start(new_vec(ys, Length::Array(xs)));
    let acc = pass.acc(ty, zero);
    let seen = Stmt::Current { elem: y, acc };
    pass.body(vec![next(x, i, xs), update(acc, order, add, x), seen, write(ys, i, y)]);
    pass.slice(ys, Written::All);
    f.step(pass.step());
    f.returns(&[v(ys)])
}

/// The greatest step between neighbours: `xs[i + 1]` is inside, or has to be checked.
fn steepest(inside: bool) -> Function {
    let ty = Scalar::F64;
    let mut f = Fun::new("steepest");
    let (xs, _) = f.param_vec("xs", ty);
    let steps = f.param_scalar("steps", Scalar::I64);
    let [i, at, a, next_at] = ["i", "at", "a", "next_at"].map(|name| f.scalar(name, Scalar::I64));
    let [x, y, after, p, q, d, most] =
        ["x", "y", "after", "p", "q", "d", "most"].map(|name| f.scalar(name, ty));
    let indices = vec![v(next_at)];
    let index = Step::Index { var: after, array: xs, indices, inside, span: word(3) };
    let one = arrc_core::ir::cnf::Atom::Const(Const::i64(1));
    let read = worker(&[a], vec![bin(next_at, BinOp::Add, v(a), one), index], &[v(after)]);
    let difference = worker(&[p, q], vec![bin(d, BinOp::Sub, v(p), v(q))], &[v(d)]);
    let max = f.bin_worker(BinOp::Max, ty);
    let z = f.scalar("z", ty);
    let mut pass = Pass::new(i, Length::Value(v(steps)));
    let acc = pass.acc(ty, Const::float(ty, 0.0));
    let position = arrc_core::ir::procedure::concrete::Position::Var(i);
    pass.body(vec![
        next(x, i, xs),
        Stmt::Position { elem: at, index: position },
        apply(&[y], read, &[v(at)]),
        apply(&[z], difference, &[v(y), v(x)]),
        update(acc, Order::Associative, max, z),
    ]);
    pass.read(most, acc);
    f.step(pass.step());
    f.returns(&[v(most)])
}

#[test]
fn what_is_beside_the_position_is_loaded_as_it_lies() {
    for (triple, cpu, load) in [
        (X86, "x86-64-v3", "load <4 x double>"),
        (X86, "znver4", "load <8 x double>"),
        (ARM, "generic", "load <2 x double>"),
    ] {
        let module = compile(steepest(true), triple, cpu);
        let inside = vector_loop(&module);
        // Nothing is looked at but whether the loop ends, which LLVM may look at every other time.
        assert_eq!(inside.matches(load).count() % 8, 0, "{inside}");
        assert_eq!(inside.matches("\n  br ").count(), 1, "{inside}");
        has(&inside, &[load]);
        lacks(&inside, &["icmp uge", "icmp ne <", "extractelement"]);
        // What may be outside is left to LLVM.
        assert_eq!(compile(steepest(false), triple, cpu).passes()[0].1, Err(Why::Plain));
    }
    let native = load(&program(vec![steepest(true)]), &options(OptLevel::O3));
    for steps in (0..67).chain([500]) {
        let xs: Vec<f64> = (0..=steps).map(|at| f64::from((at * at * 7 + at) % 101)).collect();
        let pairs = xs.iter().zip(&xs[1..]);
        let expected = pairs.map(|(x, y)| y - x).fold(0.0, f64::max);
        let mut most = 0.0_f64;
        native
            .call("steepest", &[out(&mut most)], &[arg(&lend(&xs)), arg(&i64::from(steps))])
            .expect("no error");
        assert_eq!(most.to_bits(), expected.to_bits(), "{steps}");
    }
}

#[test]
fn filters_move_kept_elements_together_without_branches() {
    let zero = |ty: Scalar| if ty.is_float() { Const::float(ty, 0.0) } else { int(ty, 0) };
    let module = |ty, triple, cpu| compile(filter_sum(ty, zero(ty)), triple, cpu);
    for (ty, load) in [
        (Scalar::I32, "load <8 x i32>"),
        (Scalar::F32, "load <8 x float>"),
        (Scalar::I64, "load <4 x i64>"),
        (Scalar::F64, "load <4 x double>"),
        (Scalar::I16, "load <8 x i16>"),
        (Scalar::U8, "load <8 x i8>"),
    ] {
        let avx2 = module(ty, X86, "x86-64-v3");
        let inside = vector_loop(&avx2);
        has(&inside, &[load, "@llvm.ctpop"]);
        let moves = if ty.bytes() < 4 { "@llvm.x86.ssse3.pshuf.b" } else { "@llvm.x86.avx2.permd" };
        has(&inside, &[moves]);
        // The arrays' descriptors are in registers, and nothing is called.
        lacks(&inside, &["load ptr", "load i64,", "@arr_rt"]);
        lacks(&avx2.ir(), &["compressstore", "masked.store"]);
    }
    has(&module(Scalar::I32, X86, "znver3").assembly(), &["vpermd"]);
    let avx512 = module(Scalar::I32, X86, "znver4").assembly();
    has(&avx512, &["vpcompressd\t%zmm"]);
    // Neither to memory, which is microcode, nor with zeroes, which waits for the register before.
    let is_slow =
        |line: &str| line.contains("vpcompress") && (line.contains('(') || line.contains("{z}"));
    assert!(!avx512.lines().any(is_slow), "{avx512}");
    let arm = module(Scalar::I32, ARM, "generic");
    has(&vector_loop(&arm), &["load <4 x i32>", "@llvm.aarch64.neon.tbl1"]);
    has(&arm.assembly(), &["tbl\tv"]);
    let baseline = module(Scalar::I32, X86, "x86-64");
    assert_eq!(baseline.passes()[0].1, Err(Why::Compaction));
}

#[test]
fn where_next_to_nothing_is_kept_there_is_one_branch_a_step() {
    for (triple, cpu) in [(X86, "x86-64-v2"), (X86, "znver3"), (X86, "znver4"), (ARM, "generic")] {
        let module = compile(filter_sum(Scalar::I32, int(Scalar::I32, 0)), triple, cpu);
        let inside = vector_loop(&module);
        // Of both parts together, and not where much is kept.
        assert_eq!(inside.matches("\n  br i1 ").count(), 2, "{inside}");
        has(&inside, &["shl i64 "]);
        let (before, _) = inside.split_once("vector.kept").expect("a block of its own");
        lacks(before, &["@llvm.ctpop", "store "]);
    }
    // A fold over what is kept costs less than a branch.
    let mut f = Fun::new("first");
    let (xs, _) = f.param_vec("xs", Scalar::I64);
    let d = f.param_scalar("d", Scalar::I64);
    let i = f.scalar("i", Scalar::I64);
    let [x, q, j, r] = ["x", "q", "j", "r"].map(|name| f.scalar(name, Scalar::I64));
    let flag = f.scalar("flag", Scalar::Bool);
    let positive = f.with_const(BinOp::Gt, int(Scalar::I64, 0));
    let add = f.bin_worker(BinOp::Add, Scalar::I64);
    let [px, py] = ["px", "py"].map(|name| f.scalar(name, Scalar::I64));
    let by = worker(&[px], vec![bin(py, BinOp::Div, v(px), v(d))], &[v(py)]);
    let mut pass = Pass::new(i, Length::Array(xs));
    let acc = pass.acc(Scalar::I64, int(Scalar::I64, 0));
    let count = pass.counter();
    pass.body(vec![next(x, i, xs), apply(&[flag], positive, &[v(x)])]);
    let body = vec![apply(&[q], by, &[v(x)]), update(acc, Order::Associative, add, q)];
    pass.inner(guard(j, count, flag, body));
    pass.read(r, acc);
    f.step(pass.step());
    let module = compile(f.returns(&[v(r)]), X86, "x86-64-v3");
    assert_eq!(module.passes()[0].1, Ok([4, 2]));
    assert_eq!(vector_loop(&module).matches("\n  br i1 ").count(), 1);
}

#[test]
fn sparse_and_dense_stretches_are_kept_as_they_lie() {
    let zero = int(Scalar::I32, 0);
    let native = load(&program(vec![filter_sum(Scalar::I32, zero)]), &options(OptLevel::O3));
    // How many of how many elements are kept, one stretch after the other.
    let stretches: [&[(usize, usize)]; 6] = [
        &[(0, 500), (1, 40), (0, 999)],
        &[(90, 90), (0, 700), (1, 3)],
        &[(0, 31), (1, 1), (0, 64), (2, 2), (0, 3000), (33, 40), (0, 77)],
        &[(1, 1), (0, 63), (1, 1), (0, 65), (1, 33)],
        &[(0, 64)],
        &[(0, 4096), (64, 64), (0, 4096), (65, 67)],
    ];
    for stretches in stretches {
        let mut xs: Vec<i32> = Vec::new();
        for &(kept, of) in stretches {
            let value = |at: usize| i32::try_from(xs.len() + at).expect("small") % 1000 + 1;
            let next: Vec<i32> =
                (0..of).map(|at| if at < kept { value(at) } else { -value(at) }).collect();
            xs.extend(next);
        }
        let expected: Vec<i32> = xs.iter().copied().filter(|&x| x > 0).collect();
        let (mut ys, mut sum) = (support::native::CArray::<i32, 1>::EMPTY, 0_i32);
        native
            .call("filter_sum", &[out(&mut ys), out(&mut sum)], &[arg(&lend(&xs))])
            .expect("no error");
        assert_eq!(native.take(&ys), expected, "{stretches:?}");
        assert_eq!(sum, expected.iter().sum::<i32>(), "{stretches:?}");
    }
}

#[test]
fn choices_blend_and_divisions_multiply() {
    let choice = compile(best(BinOp::Gt, Order::Associative), X86, "x86-64-v3");
    has(&vector_loop(&choice), &["fcmp ogt <4 x double>", "select <4 x i1>"]);
    lacks(&vector_loop(&choice), &["@arr"]);
    for ty in [Scalar::I8, Scalar::U16, Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64] {
        for op in [BinOp::Div, BinOp::Mod, BinOp::Quot, BinOp::Rem] {
            let module = compile(divide(op, ty), X86, "x86-64-v3");
            lacks(&vector_loop(&module), &["div <", "rem <", "@arr"]);
            lacks(&module.ir(), &[" i128 "]);
        }
    }
    let scan = compile(scan(Scalar::I32, Order::Strict), X86, "x86-64-v3");
    has(&vector_loop(&scan), &["shufflevector", "add <8 x i32>"]);
}

#[test]
fn what_is_beyond_the_caches_is_written_past_them() {
    let map = || divide(BinOp::Add, Scalar::I32);
    for (cpu, store) in
        [("x86-64", "movntdq"), ("znver3", "vmovntdq\t%ymm"), ("znver4", "vmovntdq\t%zmm")]
    {
        let module = compile(map(), X86, cpu);
        // From 8 Mi steps on, of two arrays; below, LLVM's own loop.
        has(&module.ir(), &[", 838860", "!nontemporal", "@llvm.x86.sse.sfence"]);
        has(&module.assembly(), &[store, "sfence"]);
        assert_eq!(module.passes()[0].1, Err(Why::Plain));
        // Four vectors are read, and then four lines are written, one after the other.
        let inside = vector_loop(&module);
        let accesses = inside.lines().filter_map(|line| {
            let load = line.contains(" load <").then_some('r');
            load.or(line.contains("  store <").then_some('w'))
        });
        let accesses: String = accesses.collect();
        assert_eq!(accesses.replace("rrrrwwww", ""), "", "{inside}");
        // Where the loop is ours at all sizes, there is one of each kind.
        for function in [divide(BinOp::Div, Scalar::I64), scan(Scalar::I64, Order::Strict)] {
            let module = compile(function, X86, cpu);
            let inside = vector_loop(&module);
            let stores: Vec<_> = inside.lines().filter(|line| line.contains("store <")).collect();
            let (past, into): (Vec<&str>, Vec<&str>) =
                stores.iter().partition(|line| line.contains("!nontemporal"));
            assert!(!past.is_empty() && !into.is_empty(), "{inside}");
        }
        // Parts of lines are not.
        let kept = compile(filter_sum(Scalar::I32, int(Scalar::I32, 0)), X86, cpu);
        lacks(&kept.ir(), &["!nontemporal", "sfence"]);
    }
    // Neither are vectors of 4 bytes: 4 lanes of them.
    lacks(&compile(narrow(), X86, "x86-64-v3").ir(), &["!nontemporal"]);
    lacks(&compile(map(), ARM, "generic").assembly(), &["stnp"]);
    // In a loop, the results of a step are small, or read soon.
    let inner = compile(rows(), X86, "znver3");
    lacks(&inner.ir(), &["!nontemporal"]);
}

#[test]
fn folds_of_all_pairs_keep_their_accumulators_in_vectors() {
    let module = |ty, triple, cpu| compile(nearest(ty, Order::Commutative), triple, cpu);
    let avx512 = module(Scalar::F64, X86, "znver4");
    assert_eq!(avx512.passes()[0].1, Ok([8, 4]));
    let assembly = avx512.assembly();
    // Four elements of the left array; one instruction for the least, and one for NaN that signals.
    has(&assembly, &["vbroadcastsd\t24(", "vrangepd\t$4, %zmm", "vmulpd\t"]);
    let avx2 = module(Scalar::F64, X86, "x86-64-v3").assembly();
    // For the sign of zeros one comparison, and none for NaN.
    has(&avx2, &["vminpd\t%ymm", "vcmpeqpd\t%ymm", "vorpd\t%ymm"]);
    for (ty, cpu, triple, lanes) in [
        (Scalar::F64, "x86-64-v3", X86, 4),
        (Scalar::F32, "x86-64-v3", X86, 8),
        (Scalar::I32, "x86-64-v2", X86, 4),
        (Scalar::F64, "generic", ARM, 2),
    ] {
        assert_eq!(module(ty, triple, cpu).passes()[0].1, Ok([lanes, 4]), "{cpu}");
    }
}

#[test]
fn what_is_not_in_vectors_says_why() {
    let why = |function: Function, options: &Options| {
        let module = arrc_llvm::compile(&program(vec![function]), &sources(), options);
        module.expect("it compiles").passes()[0].1
    };
    let mut machine = Options {
        triple: Some(X86.to_owned()),
        cpu: Cpu::from_argument("x86-64-v3"),
        ..Options::default()
    };
    let filter = || filter_sum(Scalar::I32, int(Scalar::I32, 0));
    assert_eq!(why(filter(), &machine), Ok([8, 2]));
    assert_eq!(why(best(BinOp::Gt, Order::Associative), &machine), Ok([4, 2]));
    assert_eq!(why(best(BinOp::Gt, Order::Strict), &machine), Err(Why::Operator));
    assert_eq!(why(scan(Scalar::F64, Order::Strict), &machine), Err(Why::Order));
    assert_eq!(why(divide(BinOp::Pow, Scalar::I64), &machine), Err(Why::Call));
    assert_eq!(why(divide(BinOp::Add, Scalar::I64), &machine), Err(Why::Plain));
    machine.opt_level = OptLevel::O1;
    assert_eq!(why(filter(), &machine), Err(Why::Off));
    machine.opt_level = OptLevel::O3;
    machine.vectors = Vectors::None;
    assert_eq!(why(filter(), &machine), Err(Why::Off));
}

#[test]
fn of_equals_the_first_or_the_last_is_chosen() {
    for comparison in [BinOp::Gt, BinOp::Ge] {
        let function = best(comparison, Order::Associative);
        let native = load(&program(vec![function]), &options(OptLevel::O3));
        for length in [1_usize, 17, 40, 64, 99] {
            let xs: Vec<f64> =
                (0..length).map(|at| if at % 29 == 3 { 7.5 } else { 0.25 }).collect();
            let highest = if length > 3 { 7.5 } else { 0.25 };
            let (mut best, mut at) = (0.0_f64, 0_i64);
            native
                .call("best", &[out(&mut best), out(&mut at)], &[arg(&lend(&xs))])
                .expect("no error");
            let mut places =
                (0_i64..100).zip(&xs).filter(|&(_, &x)| x == highest).map(|(at, _)| at);
            let expected = if comparison == BinOp::Gt { places.last() } else { places.next() };
            assert_eq!((best, Some(at)), (highest, expected), "{comparison:?} of {length}");
        }
    }
}

#[test]
fn division_by_a_number_known_late_is_exact() {
    let edges = |bits: u32| {
        let top = 1_i128 << (bits - 1);
        let near = [-3, -2, -1, 0, 1, 2, 3, 5, 7, 10, 13, 100, 127];
        let mut all: Vec<i128> = near.to_vec();
        for base in [top, -top, 2 * top, top / 2, top / 3] {
            all.extend((-2..=2).map(|off| base + off));
        }
        all
    };
    for op in [BinOp::Div, BinOp::Mod, BinOp::Quot, BinOp::Rem] {
        check_division::<i8>(op, Scalar::I8, &edges(8));
        check_division::<u8>(op, Scalar::U8, &edges(8));
        check_division::<i16>(op, Scalar::I16, &edges(16));
        check_division::<u16>(op, Scalar::U16, &edges(16));
        check_division::<i32>(op, Scalar::I32, &edges(32));
        check_division::<u32>(op, Scalar::U32, &edges(32));
        check_division::<i64>(op, Scalar::I64, &edges(64));
        check_division::<u64>(op, Scalar::U64, &edges(64));
    }
}

/// Divides all of the numbers, wrapped, by each of them but 0.
fn check_division<T: Wraps>(op: BinOp, ty: Scalar, numbers: &[i128]) {
    let native = load(&program(vec![divide(op, ty)]), &options(OptLevel::O3));
    let xs: Vec<T> = numbers.iter().chain(numbers).map(|&x| T::wrap(x)).collect();
    for divisor in numbers.iter().map(|&d| T::wrap(d)).filter(|d| d.wide() != 0) {
        let mut ys = support::native::CArray::<T, 1>::EMPTY;
        native
            .call("divide", &[out(&mut ys)], &[arg(&lend(&xs)), arg(&divisor)])
            .expect("no error");
        for (x, y) in xs.iter().zip(native.take(&ys)) {
            let (a, b) = (x.wide(), divisor.wide());
            let down = (a % b + b) % b;
            let (quotient, rest) = if matches!(op, BinOp::Quot | BinOp::Rem) {
                (a / b, a % b)
            } else {
                ((a - down) / b, down)
            };
            let expected = if matches!(op, BinOp::Div | BinOp::Quot) { quotient } else { rest };
            assert_eq!(y.wide(), T::wrap(expected).wide(), "{a} {} {b}: {ty}", op.name());
        }
    }
}

/// Integers that wide ones wrap to.
trait Wraps: Copy {
    fn wrap(wide: i128) -> Self;
    fn wide(self) -> i128;
}

macro_rules! wraps {
    ($($ty:ty)*) => {$(
        impl Wraps for $ty {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it wraps")]
            fn wrap(wide: i128) -> Self {
                wide as Self
            }

            fn wide(self) -> i128 {
                i128::from(self)
            }
        }
    )*};
}

wraps!(i8 u8 i16 u16 i32 u32 i64 u64);
