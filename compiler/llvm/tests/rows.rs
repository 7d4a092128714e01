//! Arrays of several dimensions: their elements are rows.

mod support;

use arrc_core::ir::cnf::{Order, SizeDef};
use arrc_core::ir::procedure::concrete::{
    Function, Guard, Length, Memory, Nest, Position, Start, Stmt, Written,
};
use arrc_core::prim::{BinOp, Scalar};
use arrc_llvm::OptLevel;
use support::build::*;
use support::native::{CArray, arg, load, options, out};

/// Over the rows of `xss`: their sums, the rows doubled, those with a sum above 0, and `xss[is[i]]`.
fn rows() -> Function {
    let ty = Scalar::I64;
    let mut f = Fun::new("rows");
    let [n, m, k] = [("n", SizeDef::Param), ("m", SizeDef::Param), ("k", SizeDef::Exists)]
        .map(|(name, def)| f.size(name, def));
    let xss = f.param_array("xss", ty, &[n, m]);
    let is = f.param_array("is", ty, &[n]);
    let [row, picked, doubled, p, q, fresh] =
        ["row", "picked", "doubled", "p", "q", "fresh"].map(|name| f.array(name, ty, &[m]));
    let sums = f.array("sums", ty, &[n]);
    let [twice, picks] = ["twice", "picks"].map(|name| f.array(name, ty, &[n, m]));
    let kept = f.array("kept", ty, &[k, m]);
    let [i, g, a, b, x, y, z, s, sum, at] =
        ["i", "g", "a", "b", "x", "y", "z", "s", "sum", "at"].map(|name| f.scalar(name, ty));
    let flag = f.scalar("flag", Scalar::Bool);

    let add = f.bin_worker(BinOp::Add, ty);
    let mut inner = Pass::new(a, Length::Array(p));
    let acc = inner.acc(ty, int(ty, 0));
    inner.body(vec![next(x, a, p), update(acc, Order::Associative, add, x)]).read(s, acc);
    let sum_of = worker(&[p], vec![inner.step()], &[v(s)]);

    let double = f.with_const(BinOp::Mul, int(ty, 2));
    let mut inner = Pass::new(b, Length::Array(q));
    inner.start(new_vec(fresh, Length::Array(q)));
    inner.body(vec![next(y, b, q), apply(&[z], double, &[v(y)]), write(fresh, b, z)]);
    inner.slice(fresh, Written::All);
    let double_of = worker(&[q], vec![inner.step()], &[v(fresh)]);

    let positive = f.with_const(BinOp::Gt, int(ty, 0));
    let mut pass = Pass::new(i, Length::Array(xss));
    let count = pass.counter();
    for vec in [sums, twice, kept, picks] {
        pass.start(Start::NewVec {
            vec,
            capacity: Length::Array(xss),
            memory: Memory::New,
            span: word(2),
        });
    }
    pass.body(vec![
        next(row, i, xss),
        apply(&[sum], sum_of, &[v(row)]),
        apply(&[doubled], double_of, &[v(row)]),
        next(at, i, is),
        Stmt::Read { elem: picked, array: xss, index: v(at), span: word(3) },
        write(sums, i, sum),
        write(twice, i, doubled),
        write(picks, i, picked),
        apply(&[flag], positive, &[v(sum)]),
    ]);
    pass.p.nest.release.push(doubled);
    pass.inner(Nest::Guard(Guard {
        index: g,
        counter: count,
        flag: v(flag),
        body: vec![Stmt::Write { vec: kept, index: Position::Var(g), elem: v(row), placed: false }],
        inner: Vec::new(),
        release: Vec::new(),
    }));
    pass.slice(sums, Written::All).slice(twice, Written::All).slice(picks, Written::All);
    pass.slice(kept, Written::Counted(count));
    f.step(pass.step());
    f.returns(&[v(sums), v(twice), v(kept), v(picks)])
}

#[test]
fn rows_are_read_made_filtered_and_gathered() {
    for level in [OptLevel::O0, OptLevel::O3] {
        let native = load(&program(vec![rows()]), &options(level));
        let (n, m) = (5_i64, 9_i64);
        let xs: Vec<i64> = (0..n * m).map(|x| (x * 31) % 17 - 8).collect();
        let matrix = CArray {
            data: xs.as_ptr(),
            shape: [n, m],
            stride: [m, 1],
            owner: std::ptr::null_mut(),
        };
        let call = |is: &[i64]| {
            let mut sums = CArray::<i64, 1>::EMPTY;
            let [mut twice, mut kept, mut picks] = [CArray::<i64, 2>::EMPTY; 3];
            let outputs = [out(&mut sums), out(&mut twice), out(&mut kept), out(&mut picks)];
            let is = support::native::lend(is);
            native.call("rows", &outputs, &[arg(&matrix), arg(&is)])?;
            assert_eq!((twice.shape, picks.shape), ([n, m], [n, m]));
            Ok::<_, String>((
                native.take(&sums),
                native.take(&twice),
                (kept.shape[0], native.take(&kept)),
                native.take(&picks),
            ))
        };
        let rows: Vec<&[i64]> = xs.chunks(9).collect();
        let (sums, twice, kept, picks) = call(&[4, 0, 0, 2, 1]).expect("no error");
        assert_eq!(sums, rows.iter().map(|row| row.iter().sum::<i64>()).collect::<Vec<_>>());
        assert_eq!(twice, xs.iter().map(|x| 2 * x).collect::<Vec<_>>());
        let good: Vec<_> = rows.iter().filter(|row| row.iter().sum::<i64>() > 0).collect();
        assert!(!good.is_empty() && good.len() < rows.len());
        assert_eq!(kept, (good.len() as i64, good.iter().flat_map(|row| row.to_vec()).collect()));
        assert_eq!(
            picks,
            [4, 0, 0, 2, 1].iter().flat_map(|&at| rows[at].to_vec()).collect::<Vec<_>>()
        );
        assert_eq!(call(&[0, 1, 2, 3, 5]).map(|_| ()), Err("test.arr:2:13 1 [xss] 5 5".to_owned()));
    }
}
