//! Passes, compiled and run.

mod support;

use arrc_core::ir::cnf::{Atom, Extent, Order, SizeDef};
use arrc_core::ir::procedure::concrete::{
    Function, Length, Nest, Position, Start, Step, Stmt, Written,
};
use arrc_core::prim::{BinOp, Scalar, UnOp};
use arrc_llvm::OptLevel;
use support::build::*;
use support::native::{CArray, arg, lend, load, options, out};

const LEVELS: [OptLevel; 4] = [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3];

/// `map (+ 1) xs`.
fn map_inc(name: &str, ty: Scalar) -> Function {
    let mut f = Fun::new(name);
    let (xs, n) = f.param_vec("xs", ty);
    let (i, x, y) = (f.scalar("i", Scalar::I64), f.scalar("x", ty), f.scalar("y", ty));
    let ys = f.array("ys", ty, &[n]);
    let inc = f.with_const(BinOp::Add, int(ty, 1));
    let mut pass = Pass::new(i, Length::Array(xs));
    pass.start(new_vec(ys, Length::Array(xs)));
    pass.body(vec![next(x, i, xs), apply(&[y], inc, &[v(x)]), write(ys, i, y)]);
    pass.slice(ys, Written::All);
    f.step(pass.step());
    f.returns(&[v(ys)])
}

/// Paper 002, figure 9: `vec3 = filter (> 0) (map (+ 1) vec1); mx = reduce max 0 vec3`.
fn filter_max() -> Function {
    let ty = Scalar::I64;
    let mut f = Fun::new("filter_max");
    let (vec1, _) = f.param_vec("vec1", ty);
    let [i, x1, x2, j, x4, mx] = ["i", "x1", "x2", "j", "x4", "mx"].map(|name| f.scalar(name, ty));
    let flag = f.scalar("flag", Scalar::Bool);
    let m = f.size("m", SizeDef::Exists);
    let vec3 = f.array("vec3", ty, &[m]);
    let inc = f.with_const(BinOp::Add, int(ty, 1));
    let positive = f.with_const(BinOp::Gt, int(ty, 0));
    let max = f.bin_worker(BinOp::Max, ty);
    let mut pass = Pass::new(i, Length::Array(vec1));
    let best = pass.acc(ty, int(ty, 0));
    let count = pass.counter();
    pass.start(new_vec(vec3, Length::Array(vec1)));
    pass.body(vec![
        next(x1, i, vec1),
        apply(&[x2], inc, &[v(x1)]),
        apply(&[flag], positive, &[v(x2)]),
    ]);
    pass.inner(guard(
        j,
        count,
        flag,
        vec![
            Stmt::Copy { elem: x4, from: v(x2) },
            write(vec3, j, x4),
            update(best, Order::Associative, max, x4),
        ],
    ));
    pass.slice(vec3, Written::Counted(count)).read(mx, best);
    f.step(pass.step());
    f.returns(&[v(vec3), v(mx)])
}

#[test]
fn map_adds_to_each_element() {
    for level in LEVELS {
        let native = load(&program(vec![map_inc("inc", Scalar::I32)]), &options(level));
        for length in [0, 1, 7, 8, 100, 1001] {
            let xs: Vec<i32> = (0..length).map(|x| if x == 3 { i32::MAX } else { 3 * x }).collect();
            let mut ys = CArray::<i32, 1>::EMPTY;
            native.call("inc", &[out(&mut ys)], &[arg(&lend(&xs))]).expect("no error");
            let expected: Vec<i32> = xs.iter().map(|x| x.wrapping_add(1)).collect();
            assert_eq!(native.take(&ys), expected);
        }
    }
}

#[test]
fn filter_max_is_one_pass() {
    for level in LEVELS {
        let native = load(&program(vec![filter_max()]), &options(level));
        for length in [0, 1, 2, 9, 1000] {
            let xs: Vec<i64> = (0..length).map(|x| (x * 7919) % 101 - 50).collect();
            let (mut ys, mut mx) = (CArray::<i64, 1>::EMPTY, 0_i64);
            native
                .call("filter_max", &[out(&mut ys), out(&mut mx)], &[arg(&lend(&xs))])
                .expect("no error");
            let expected: Vec<i64> = xs.iter().map(|x| x + 1).filter(|&x| x > 0).collect();
            assert_eq!(mx, expected.iter().copied().max().unwrap_or(0));
            assert_eq!(native.take(&ys), expected);
        }
    }
}

/// `cross xs ys |> map (\(x, y) -> x * 10 + y)`, and the sum of those.
fn cross() -> Function {
    let ty = Scalar::I64;
    let mut f = Fun::new("cross");
    let ((xs, n), (ys, m)) = (f.param_vec("xs", ty), f.param_vec("ys", ty));
    let [i, j, x, y, a, z, at, sum] =
        ["i", "j", "x", "y", "a", "z", "at", "sum"].map(|name| f.scalar(name, ty));
    let nm = f.size("nm", SizeDef::Product(n, m));
    let (zs, ats) = (f.array("zs", ty, &[nm]), f.array("ats", ty, &[nm]));
    let combine = worker(
        &[x, y],
        vec![bin(a, BinOp::Mul, v(x), i64c(10)), bin(z, BinOp::Add, v(a), v(y))],
        &[v(z)],
    );
    let [e, g, h] = ["e", "g", "h"].map(|name| f.scalar(name, ty));
    let add = f.bin_worker(BinOp::Add, ty);
    let total = Length::Product(Box::new(Length::Array(xs)), Box::new(Length::Array(ys)));
    let position = Position::Product {
        outer: Box::new(Position::Var(i)),
        length: Length::Array(ys),
        inner: j,
    };
    let mut pass = Pass::new(i, Length::Array(xs));
    let acc = pass.acc(ty, int(ty, 0));
    pass.start(new_vec(zs, total.clone())).start(new_vec(ats, total));
    pass.body(vec![next(e, i, xs)]);
    pass.inner(Nest::Loop(counted(
        j,
        Length::Array(ys),
        vec![
            next(g, j, ys),
            apply(&[h], combine, &[v(e), v(g)]),
            Stmt::Position { elem: at, index: position.clone() },
            Stmt::Write { vec: zs, index: position.clone(), elem: v(h), placed: false },
            Stmt::Write { vec: ats, index: position, elem: v(at), placed: false },
            update(acc, Order::Associative, add, h),
        ],
    )));
    pass.slice(zs, Written::All).slice(ats, Written::All).read(sum, acc);
    f.step(pass.step());
    f.returns(&[v(zs), v(ats), v(sum)])
}

#[test]
fn cross_pairs_everything() {
    for level in LEVELS {
        let native = load(&program(vec![cross()]), &options(level));
        for (n, m) in [(0, 3), (3, 0), (1, 1), (4, 33)] {
            let (xs, ys): (Vec<i64>, Vec<i64>) = ((0..n).collect(), (5..5 + m).collect());
            let (mut zs, mut ats, mut sum) =
                (CArray::<i64, 1>::EMPTY, CArray::<i64, 1>::EMPTY, 0_i64);
            let outputs = [out(&mut zs), out(&mut ats), out(&mut sum)];
            native.call("cross", &outputs, &[arg(&lend(&xs)), arg(&lend(&ys))]).expect("no error");
            let expected: Vec<i64> =
                xs.iter().flat_map(|x| ys.iter().map(move |y| x * 10 + y)).collect();
            assert_eq!(sum, expected.iter().sum::<i64>());
            assert_eq!(native.take(&zs), expected);
            assert_eq!(native.take(&ats), (0..n * m).collect::<Vec<i64>>());
        }
        // The product of the lengths exceeds every size: an error, not a short array.
        let endless = CArray::<i64, 1> { shape: [1 << 40], ..lend(&[0]) };
        let (mut zs, mut ats, mut sum) = (CArray::<i64, 1>::EMPTY, CArray::<i64, 1>::EMPTY, 0_i64);
        let outputs = [out(&mut zs), out(&mut ats), out(&mut sum)];
        let error = native.call("cross", &outputs, &[arg(&endless), arg(&endless)]);
        assert_eq!(error, Err(format!("test.arr:2:9 3 [zs] {0} {0}", i64::MAX)));
    }
}

/// `generate n (\i -> xs[(i * k)] / d)`.
fn generate() -> Function {
    let ty = Scalar::I64;
    let mut f = Fun::new("generate");
    let (n, k, d) = (f.param_scalar("n", ty), f.param_scalar("k", ty), f.param_scalar("d", ty));
    let (xs, _) = f.param_vec("xs", ty);
    let [i, p, at, x, q, y] = ["i", "p", "at", "x", "q", "y"].map(|name| f.scalar(name, ty));
    let size = f.size("n", SizeDef::Value(n));
    let ys = f.array("ys", ty, &[size]);
    let read = worker(
        &[p],
        vec![
            bin(at, BinOp::Mul, v(p), v(k)),
            Step::Index { var: x, array: xs, indices: vec![v(at)], inside: false, span: word(3) },
            Step::Bin { var: q, op: BinOp::Div, args: [v(x), v(d)], span: word(4) },
        ],
        &[v(q)],
    );
    let e = f.scalar("e", ty);
    let mut pass = Pass::new(i, Length::Value(v(n)));
    pass.start(Start::CheckSize { size: v(n), span: word(5) });
    pass.start(new_vec(ys, Length::Value(v(n))));
    pass.body(vec![
        Stmt::Position { elem: e, index: Position::Var(i) },
        apply(&[y], read, &[v(e)]),
        write(ys, i, y),
    ]);
    pass.slice(ys, Written::All);
    f.step(pass.step());
    f.returns(&[v(ys)])
}

#[test]
fn what_fails_says_where_and_leaves_nothing() {
    for level in LEVELS {
        let native = load(&program(vec![generate()]), &options(level));
        let xs: Vec<i64> = (0..10).map(|x| x * x).collect();
        let call = |n: i64, k: i64, d: i64| {
            let mut ys = CArray::<i64, 1>::EMPTY;
            let xs = lend(&xs);
            let inputs = [arg(&n), arg(&k), arg(&d), arg(&xs)];
            let result = native.call("generate", &[out(&mut ys)], &inputs);
            if result.is_err() {
                assert!(
                    ys.data.is_null() && ys.owner.is_null() && ys.shape == [0] && ys.stride == [0]
                );
            }
            result.map(|()| native.take(&ys))
        };
        assert_eq!(call(5, 2, 3), Ok(vec![0, 1, 5, 12, 21]));
        assert_eq!(call(0, 2, 0), Ok(vec![]));
        assert_eq!(call(6, 2, 1), Err("test.arr:2:13 1 [xs] 10 10".to_owned()));
        assert_eq!(call(2, -1, 1), Err("test.arr:2:13 1 [xs] -1 10".to_owned()));
        assert_eq!(call(3, 1, 0), Err("test.arr:2:17 2 [/] 0 0".to_owned()));
        assert_eq!(call(-7, 1, 1), Err("test.arr:2:21 3 [w05] -7 0".to_owned()));
        native.limit(79);
        assert_eq!(call(10, 0, 1), Err("test.arr:2:9 5 [ys] 10 8".to_owned()));
    }
}

/// For each `x`, the sum of `map (+ x) ys`, by a pass in the worker that makes an array.
fn nested() -> Function {
    let ty = Scalar::I64;
    let mut f = Fun::new("nested");
    let ((xs, n), (ys, m)) = (f.param_vec("xs", ty), f.param_vec("ys", ty));
    let [i, j, x, y, z, p, k, w, sum, s] =
        ["i", "j", "x", "y", "z", "p", "k", "w", "sum", "s"].map(|name| f.scalar(name, ty));
    let (ts, rs) = (f.array("ts", ty, &[m]), f.array("rs", ty, &[n]));
    let (a, b) = (f.scalar("a", ty), f.scalar("b", ty));
    let shift = worker(&[a], vec![bin(b, BinOp::Add, v(a), v(p))], &[v(b)]);
    let add = f.bin_worker(BinOp::Add, ty);
    let mut first = Pass::new(j, Length::Array(ys));
    first.start(new_vec(ts, Length::Array(ys)));
    first.body(vec![next(y, j, ys), apply(&[z], shift, &[v(y)]), write(ts, j, z)]);
    first.slice(ts, Written::All);
    let mut second = Pass::new(k, Length::Array(ts));
    let acc = second.acc(ty, int(ty, 0));
    second.body(vec![next(w, k, ts), update(acc, Order::Associative, add, w)]).read(sum, acc);
    let inside =
        worker(&[p], vec![first.step(), second.step(), Step::Release { array: ts }], &[v(sum)]);
    let mut pass = Pass::new(i, Length::Array(xs));
    pass.start(new_vec(rs, Length::Array(xs)));
    pass.body(vec![next(x, i, xs), apply(&[s], inside, &[v(x)]), write(rs, i, s)]);
    pass.slice(rs, Written::All);
    f.step(pass.step());
    f.returns(&[v(rs)])
}

#[test]
fn workers_may_have_passes() {
    for level in LEVELS {
        let native = load(&program(vec![nested()]), &options(level));
        let (xs, ys): (Vec<i64>, Vec<i64>) = ((0..20).collect(), (0..33).collect());
        let mut rs = CArray::<i64, 1>::EMPTY;
        native
            .call("nested", &[out(&mut rs)], &[arg(&lend(&xs)), arg(&lend(&ys))])
            .expect("no error");
        let expected: Vec<i64> = xs.iter().map(|x| ys.iter().map(|y| x + y).sum()).collect();
        assert_eq!(native.take(&rs), expected);
    }
}

/// Two guards, one in the other, with what must stay behind the branch: a division by the element.
fn guards() -> Function {
    let ty = Scalar::I32;
    let mut f = Fun::new("guards");
    let (xs, _) = f.param_vec("xs", ty);
    let [i, j, k, n] = ["i", "j", "k", "n"].map(|name| f.scalar(name, Scalar::I64));
    let [x, q, sum, first, last, at] =
        ["x", "q", "sum", "first", "last", "at"].map(|name| f.scalar(name, ty));
    let (outer, inner) = (f.scalar("outer", Scalar::Bool), f.scalar("inner", Scalar::Bool));
    let [m1, m2] = ["m1", "m2"].map(|name| f.size(name, SizeDef::Exists));
    let (quotients, firsts) = (f.array("quotients", ty, &[m1]), f.array("firsts", ty, &[m2]));
    let nonzero = f.with_const(BinOp::Ne, int(ty, 0));
    let small = f.with_const(BinOp::Lt, int(ty, 5));
    let (a, b) = (f.scalar("a", ty), f.scalar("b", ty));
    let divide = worker(&[a], vec![bin(b, BinOp::Div, Atom::Const(int(ty, 100)), v(a))], &[v(b)]);
    let add = f.bin_worker(BinOp::Add, ty);
    // The least and the last element, as a pair: no neutral element.
    let [l, r, e, low] = ["l", "r", "e", "low"].map(|name| f.scalar(name, ty));
    let pair = worker(&[l, r, e], vec![bin(low, BinOp::Min, v(l), v(e))], &[v(low), v(e)]);
    let mut pass = Pass::new(i, Length::Array(xs));
    let total = pass.acc(ty, int(ty, 0));
    let (lowest, latest) = (pass.acc(ty, int(ty, 1000)), pass.acc(ty, int(ty, -1)));
    let (c1, c2) = (pass.counter(), pass.counter());
    pass.start(new_vec(quotients, Length::Array(xs))).start(new_vec(firsts, Length::Array(xs)));
    pass.body(vec![next(x, i, xs), apply(&[outer], nonzero, &[v(x)])]);
    let Nest::Guard(mut nest) = guard(
        j,
        c1,
        outer,
        vec![
            apply(&[q], divide, &[v(x)]),
            Stmt::Update {
                accs: vec![lowest, latest],
                order: Order::Strict,
                worker: pair,
                args: vec![v(x)],
            },
            write(quotients, j, q),
            apply(&[inner], small, &[v(q)]),
        ],
    ) else {
        panic!("a guard is a guard")
    };
    let to_i32 = Stmt::Apply {
        elems: vec![at],
        worker: {
            let (g, h) = (f.scalar("g", Scalar::I64), f.scalar("h", ty));
            worker(&[g], vec![Step::Un { var: h, op: UnOp::To(ty), arg: v(g) }], &[v(h)])
        },
        args: vec![v(k)],
    };
    nest.inner.push(guard(
        k,
        c2,
        inner,
        vec![to_i32, write(firsts, k, at), update(total, Order::Associative, add, q)],
    ));
    pass.inner(Nest::Guard(nest));
    pass.slice(quotients, Written::Counted(c1)).slice(firsts, Written::Counted(c2));
    pass.read(sum, total).read(first, lowest).read(last, latest).read(n, c2);
    f.step(pass.step());
    f.returns(&[v(quotients), v(firsts), v(sum), v(first), v(last), v(n)])
}

#[test]
fn guards_nest_and_do_not_run_what_may_fail() {
    for level in LEVELS {
        let native = load(&program(vec![guards()]), &options(level));
        let xs: Vec<i32> = (0..100).map(|x| (x * 37) % 61 - 30).chain([0]).collect();
        let (mut qs, mut ats) = (CArray::<i32, 1>::EMPTY, CArray::<i32, 1>::EMPTY);
        let (mut sum, mut first, mut last, mut n) = (0, 0, 0, 0_i64);
        let outputs = [
            out(&mut qs),
            out(&mut ats),
            out(&mut sum),
            out(&mut first),
            out(&mut last),
            out(&mut n),
        ];
        native.call("guards", &outputs, &[arg(&lend(&xs))]).expect("no error");
        let kept: Vec<i32> = xs.iter().copied().filter(|&x| x != 0).collect();
        let quotients: Vec<i32> =
            kept.iter().map(|&x| (100_f64 / f64::from(x)).floor() as i32).collect();
        let small: Vec<i32> = quotients.iter().copied().filter(|&q| q < 5).collect();
        assert_eq!(native.take(&qs), quotients);
        let length = i32::try_from(small.len()).expect("small");
        assert_eq!(native.take(&ats), (0..length).collect::<Vec<i32>>());
        assert_eq!((sum, n), (small.iter().sum(), i64::from(length)));
        assert_eq!((Some(&first), Some(&last)), (kept.iter().min(), kept.last()));
    }
}

/// A pass that does not know how long its arrays are but for their type: `[4]f32` and `[n][3]f32`.
#[test]
fn extents_of_types_are_known() {
    let mut f = Fun::new("sizes");
    let (ty, n) = (Scalar::I64, f.size("n", SizeDef::Param));
    let xs = f.param_array("xs", ty, &[n, Extent::Const(3)]);
    let ys = f.param_array("ys", ty, &[n]);
    let at = [f.param_scalar("row", ty), f.param_scalar("column", ty)];
    let [rows, columns, x] = ["rows", "columns", "x"].map(|name| f.scalar(name, ty));
    f.step(Step::Length { var: rows, array: ys, dim: 0 });
    f.step(Step::Length { var: columns, array: xs, dim: 1 });
    f.step(Step::Index {
        var: x,
        array: xs,
        indices: at.map(v).to_vec(),
        inside: false,
        span: word(3),
    });
    let native =
        load(&program(vec![f.returns(&[v(rows), v(columns), v(x)])]), &options(OptLevel::O2));
    let xs: Vec<i64> = (0..6).collect();
    let matrix =
        CArray { data: xs.as_ptr(), shape: [2, 3], stride: [3, 1], owner: std::ptr::null_mut() };
    let (mut rows, mut columns, mut x) = (0_i64, 0_i64, 0_i64);
    let mut call = |matrix: &CArray<i64, 2>, ys: &[i64], row: i64, column: i64| {
        let outputs = [out(&mut rows), out(&mut columns), out(&mut x)];
        let ys = lend(ys);
        let inputs = [arg(matrix), arg(&ys), arg(&row), arg(&column)];
        native.call("sizes", &outputs, &inputs).map(|()| (rows, columns, x))
    };
    assert_eq!(call(&matrix, &[0, 0], 1, 1), Ok((2, 3, 4)));
    // The transpose of a matrix of three rows.
    let transposed = CArray { stride: [1, 2], ..matrix };
    assert_eq!(call(&transposed, &[0, 0], 1, 1), Ok((2, 3, 3)));
    assert_eq!(call(&matrix, &[0, 0], 1, 3), Err("test.arr:2:13 1 [xs] 3 3".to_owned()));
    assert_eq!(call(&matrix, &[0, 0], 2, 0), Err("test.arr:2:13 1 [xs] 2 2".to_owned()));
    assert_eq!(
        call(&matrix, &[0], 0, 0),
        Err("test.arr:2:1 4 [dimension 1 of xs|ys] 2 1".to_owned())
    );
    let narrow = CArray { shape: [2, 2], ..matrix };
    assert_eq!(
        call(&narrow, &[0, 0], 0, 0),
        Err("test.arr:2:1 4 [dimension 2 of xs|its type [3]] 2 3".to_owned())
    );
}
