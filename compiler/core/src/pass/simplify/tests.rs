//! Each rewrite on programs that show it, and all of them on random ones.

use super::simplify;
use crate::eval::cnf::{Value, run};
use crate::ids::{FileId, FuncId, PrimaryMap, VarId};
use crate::ir::cnf::{
    Atom, Bind, Block, Entry, Extent, Function, Op, Order, Program, SizeDef, SizeInfo, Type, Var,
    Worker, verify,
};
use crate::prim::{BinOp, Const, Scalar, UnOp};
use crate::source::Span;

/// A function under construction.
struct Build {
    vars: PrimaryMap<VarId, Var>,
    sizes: PrimaryMap<crate::ids::SizeId, SizeInfo>,
    params: Vec<VarId>,
    binds: Vec<Bind>,
}

const I64: Type = Type::Scalar(Scalar::I64);

fn span() -> Span {
    Span::new(FileId::from_u32(0), 0, 0)
}

fn int(value: i64) -> Atom {
    Atom::Const(Const::i64(value))
}

impl Build {
    fn new() -> Self {
        Self {
            vars: PrimaryMap::new(),
            sizes: PrimaryMap::new(),
            params: Vec::new(),
            binds: Vec::new(),
        }
    }

    fn var(&mut self, name: &str, ty: Type) -> VarId {
        self.vars.push(Var { name: name.into(), ty })
    }

    fn param(&mut self, name: &str, ty: Type) -> Atom {
        let var = self.var(name, ty);
        self.params.push(var);
        Atom::Var(var)
    }

    fn size(&mut self, name: &str, def: SizeDef) -> Extent {
        Extent::Size(self.sizes.push(SizeInfo { name: name.into(), def }))
    }

    fn bind(&mut self, name: &str, ty: Type, op: Op) -> Atom {
        let var = self.var(name, ty);
        self.binds.push(Bind { vars: vec![var], op, span: span() });
        Atom::Var(var)
    }

    /// A worker of one parameter, whose body is made by `body`.
    fn worker(&mut self, elem: Scalar, body: impl FnOnce(&mut Self, Atom) -> Vec<Atom>) -> Worker {
        let around = std::mem::take(&mut self.binds);
        let param = self.var("x", Type::Scalar(elem));
        let results = body(self, Atom::Var(param));
        let binds = std::mem::replace(&mut self.binds, around);
        Worker { params: vec![param], body: Block { binds, results } }
    }

    fn finish(self, results: Vec<Atom>) -> Program {
        let mut function = Function {
            name: "f".into(),
            span: span(),
            params: self.params,
            owned: Vec::new(),
            body: Block { binds: self.binds, results },
            results: Vec::new(),
            vars: self.vars,
            sizes: self.sizes,
            recursive: false,
        };
        function.results =
            function.body.results.iter().map(|&result| function.type_of(result)).collect();
        let inputs = function.params.iter().map(ToString::to_string).collect();
        let outputs = function.results.iter().map(|_| "out".into()).collect();
        let mut program = Program::default();
        let function = program.functions.push(function);
        let (name, signature) = ("f".into(), String::new());
        program.entries.push(Entry {
            name,
            doc: None,
            signature,
            function,
            inputs,
            outputs,
            tags: Vec::new(),
        });
        assert_eq!(verify(&program), Ok(()), "{program}");
        program
    }
}

fn array(size: Extent) -> Type {
    Type::Array { elem: Scalar::I64, shape: vec![size] }
}

fn var(atom: Atom) -> VarId {
    match atom {
        Atom::Var(var) => var,
        Atom::Const(value) => panic!("{value} is no variable"),
    }
}

/// The simplified program's body, printed.
fn simplified(program: Program) -> String {
    let program = simplify(program);
    assert_eq!(verify(&program), Ok(()), "{program}");
    let text = program.to_string();
    text.split_once("=\n").expect("a function has a body").1.to_owned()
}

fn bin(op: BinOp, x: Atom, y: Atom) -> Op {
    Op::Bin(op, x, y)
}

#[test]
fn constants_fold_and_identities_vanish() {
    let mut b = Build::new();
    let x = b.param("x", I64);
    let five = b.bind("a", I64, bin(BinOp::Add, int(2), int(3)));
    let same = b.bind("b", I64, bin(BinOp::Mul, x, int(1)));
    let sum = b.bind("c", I64, bin(BinOp::Add, five, same));
    let more = b.bind("d", I64, bin(BinOp::Add, sum, int(0)));
    let none = b.bind("e", I64, bin(BinOp::Sub, x, x));
    assert_eq!(simplified(b.finish(vec![more, none])), "  let c = 5i64 + x\n  in (c, 0i64)\n");
}

#[test]
fn floats_keep_their_zeros() {
    let float = Type::Scalar(Scalar::F64);
    let zero = |value| Atom::Const(Const::float(Scalar::F64, value));
    let mut b = Build::new();
    let x = b.param("x", float.clone());
    let kept = b.bind("a", float.clone(), bin(BinOp::Add, x, zero(0.0)));
    let gone = b.bind("b", float.clone(), bin(BinOp::Add, x, zero(-0.0)));
    let also = b.bind("c", float.clone(), bin(BinOp::Sub, x, zero(0.0)));
    let nan = b.bind("d", float, bin(BinOp::Sub, x, x));
    let text = simplified(b.finish(vec![kept, gone, also, nan]));
    assert_eq!(text, "  let a = x + 0.0f64\n  let d = x - x\n  in (a, x, x, d)\n");
}

#[test]
fn a_trap_is_not_folded_away_but_may_be_dead() {
    let mut b = Build::new();
    let trap = b.bind("a", I64, bin(BinOp::Div, int(1), int(0)));
    b.bind("b", I64, bin(BinOp::Mod, int(1), int(0)));
    assert_eq!(simplified(b.finish(vec![trap])), "  let a = 1i64 / 0i64\n  in a\n");
}

#[test]
fn equal_maps_merge_with_their_sizes() {
    let mut b = Build::new();
    let n = b.size("n", SizeDef::Param);
    let xs = b.param("xs", array(n));
    let keep = |b: &mut Build, name: &str| {
        let k = b.size("k", SizeDef::Exists);
        let worker = b.worker(Scalar::I64, |b, x| {
            vec![b.bind("c", Type::Scalar(Scalar::Bool), bin(BinOp::Gt, x, int(0)))]
        });
        let (inputs, keep) = (vec![var(xs)], vec![var(xs)]);
        b.bind(name, array(k), Op::Filter { worker, inputs, keep })
    };
    let (first, second) = (keep(&mut b, "a"), keep(&mut b, "b"));
    let length = b.bind("l", I64, Op::Length { array: var(second), dim: 0 });
    let text = simplified(b.finish(vec![first, second, length]));
    let expected = "  let a = filter (\\x -> x > 0i64) xs\n  let l = length a\n  in (a, a, l)\n";
    assert_eq!(text, expected);
}

#[test]
fn unused_results_and_inputs_are_dropped() {
    let mut b = Build::new();
    let n = b.size("n", SizeDef::Param);
    let (xs, ys) = (b.param("xs", array(n)), b.param("ys", array(n)));
    let mut worker = b.worker(Scalar::I64, |b, x| {
        vec![
            b.bind("t", I64, bin(BinOp::Add, x, int(1))),
            b.bind("u", I64, bin(BinOp::Div, x, int(0))),
        ]
    });
    worker.params.push(b.var("y", I64));
    let vars = vec![b.var("a", array(n)), b.var("b", array(n))];
    let used = Atom::Var(vars[0]);
    let op = Op::Map { worker, inputs: vec![var(xs), var(ys)] };
    b.binds.push(Bind { vars, op, span: span() });
    assert_eq!(simplified(b.finish(vec![used])), "  let a = map (\\x -> x + 1i64) xs\n  in a\n");
}

#[test]
fn accumulators_that_help_stay() {
    let mut b = Build::new();
    let n = b.size("n", SizeDef::Param);
    let xs = b.param("xs", array(n));
    let mut worker = b.worker(Scalar::I64, |_, _| Vec::new());
    let accs: Vec<VarId> = ["a", "b", "c"].into_iter().map(|name| b.var(name, I64)).collect();
    let around = std::mem::take(&mut b.binds);
    let elem = Atom::Var(worker.params[0]);
    // a uses b; c is on its own.
    let a = b.bind("t", I64, bin(BinOp::Add, Atom::Var(accs[0]), Atom::Var(accs[1])));
    let next = b.bind("u", I64, bin(BinOp::Add, Atom::Var(accs[1]), elem));
    let c = b.bind("v", I64, bin(BinOp::Mul, Atom::Var(accs[2]), elem));
    worker.body =
        Block { binds: std::mem::replace(&mut b.binds, around), results: vec![a, next, c] };
    worker.params = [accs, worker.params].concat();
    let vars: Vec<VarId> = ["x", "y", "z"].into_iter().map(|name| b.var(name, I64)).collect();
    let used = Atom::Var(vars[0]);
    let (order, init) = (Order::Strict, vec![int(0); 3]);
    let op = Op::Fold { order, worker, init, inputs: vec![var(xs)] };
    b.binds.push(Bind { vars, op, span: span() });
    let program = simplify(b.finish(vec![used]));
    let function = &program.functions[FuncId::from_u32(0)];
    let Op::Fold { init, worker, .. } = &function.body.binds[0].op else { panic!("{program}") };
    assert_eq!((init.len(), worker.params.len(), worker.body.results.len()), (2, 3, 2));
    let args = vec![Value::array(Scalar::I64, [1, 2, 3].map(Const::i64))];
    let result = run(&program, FuncId::from_u32(0), args).expect("it runs");
    assert_eq!(result, [Value::Scalar(Const::i64(4))]);
}

#[test]
fn a_constant_condition_chooses() {
    let mut b = Build::new();
    let x = b.param("x", I64);
    let around = std::mem::take(&mut b.binds);
    let t = b.bind("t", I64, bin(BinOp::Add, x, int(7)));
    let binds = std::mem::replace(&mut b.binds, around);
    let then = Block { binds, results: vec![t] };
    let otherwise = Block { binds: Vec::new(), results: vec![x] };
    let cond = b.bind("c", Type::Scalar(Scalar::Bool), bin(BinOp::Lt, int(1), int(2)));
    let y = b.bind("y", I64, Op::If { cond, then, otherwise });
    assert_eq!(simplified(b.finish(vec![y])), "  let t = x + 7i64\n  in t\n");
}

#[test]
fn what_both_branches_yield_is_used_directly() {
    let mut b = Build::new();
    let (c, x) = (b.param("c", Type::Scalar(Scalar::Bool)), b.param("x", I64));
    let vars = vec![b.var("y", I64), b.var("z", Type::Scalar(Scalar::Bool))];
    let results = vec![Atom::Var(vars[0]), Atom::Var(vars[1])];
    let block = |value| Block { binds: Vec::new(), results: vec![x, Const::bool(value).into()] };
    let op = Op::If { cond: c, then: block(true), otherwise: block(false) };
    b.binds.push(Bind { vars, op, span: span() });
    assert_eq!(simplified(b.finish(results)), "  (x, c)\n");
}

#[test]
fn what_is_the_same_for_every_element_is_hoisted() {
    let mut b = Build::new();
    let n = b.size("n", SizeDef::Param);
    let (xs, y) = (b.param("xs", array(n)), b.param("y", I64));
    let worker = b.worker(Scalar::I64, |b, x| {
        let t = b.bind("t", I64, bin(BinOp::Mul, y, y));
        let u = b.bind("u", I64, bin(BinOp::Div, int(1), y));
        let v = b.bind("v", I64, bin(BinOp::Add, t, u));
        vec![b.bind("w", I64, bin(BinOp::Add, x, v))]
    });
    let a = b.bind("a", array(n), Op::Map { worker, inputs: vec![var(xs)] });
    let text = simplified(b.finish(vec![a]));
    // The division may fail, and what depends on it stays with it.
    assert!(text.starts_with("  let t = y * y\n  let a = map (\\x ->\n"), "{text}");
}

#[test]
fn functions_that_nothing_calls_are_dropped() {
    let mut program = Build::new().finish(vec![int(1)]);
    let mut other = program.functions[FuncId::from_u32(0)].clone();
    other.name = "g".into();
    program.functions.push(other);
    assert_eq!(simplify(program).functions.len(), 1);
}

/// A random function of scalars: results before and after are the same bits, up to NaN.
#[test]
fn random_scalar_programs_keep_their_meaning() {
    let mut random = Random(0x5eed);
    for _ in 0..3000 {
        let (program, args) = random.program();
        let before = run(&program, FuncId::from_u32(0), args.clone());
        let text = program.to_string();
        let after = simplify(program);
        assert_eq!(verify(&after), Ok(()), "{text}\n{after}");
        if let Ok(before) = before {
            let after_run = run(&after, FuncId::from_u32(0), args).expect("it does not fail");
            assert!(same(&before, &after_run), "{text}\n{after}\n{before:?}\n{after_run:?}");
        }
    }
}

/// Equal bits, or both NaN.
fn same(left: &[Value], right: &[Value]) -> bool {
    left.iter().zip(right).all(|(x, y)| match (x, y) {
        (Value::Scalar(x), Value::Scalar(y)) => {
            x == y || (x.ty.is_float() && x.as_f64().is_nan() && y.as_f64().is_nan())
        }
        (Value::Scalar(_) | Value::Array(..), _) => x == y,
    })
}

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % bound
    }

    fn constant(&mut self, ty: Scalar) -> Const {
        let interesting = [0, 1, -1, 2, 3, 7, -5, 64, 127, i128::from(i64::MIN), 1 << 40];
        let value = interesting[self.below(interesting.len())];
        if ty == Scalar::Bool {
            Const::bool(value % 2 == 0)
        } else if ty.is_float() {
            let floats = [0.0, -0.0, 1.0, -1.5, 0.1, f64::NAN, f64::INFINITY, 1e300];
            Const::float(ty, floats[self.below(floats.len())])
        } else {
            Const::int(ty, value)
        }
    }

    /// A function of a few parameters of one type, and arguments for it.
    fn program(&mut self) -> (Program, Vec<Value>) {
        let ty = Scalar::ALL[self.below(Scalar::ALL.len())];
        let mut b = Build::new();
        let mut atoms = vec![Atom::Const(self.constant(ty)), Atom::Const(self.constant(ty))];
        let mut flags = vec![Atom::Const(Const::bool(true)), Atom::Const(Const::bool(false))];
        let mut args = Vec::new();
        for _ in 0..3 {
            atoms.push(b.param("x", Type::Scalar(ty)));
            args.push(Value::Scalar(self.constant(ty)));
        }
        for _ in 0..12 {
            self.statement(&mut b, ty, &mut atoms, &mut flags);
        }
        let results = vec![atoms[atoms.len() - 1], atoms[atoms.len() - 2], flags[flags.len() - 1]];
        (b.finish(results), args)
    }

    fn statement(
        &mut self,
        b: &mut Build,
        ty: Scalar,
        atoms: &mut Vec<Atom>,
        flags: &mut Vec<Atom>,
    ) {
        let (x, y) = (atoms[self.below(atoms.len())], atoms[self.below(atoms.len())]);
        let (f, g) = (flags[self.below(flags.len())], flags[self.below(flags.len())]);
        match self.below(6) {
            0 => {
                let ops: Vec<_> = UnOp::ALL.to_vec();
                let op = ops[self.below(ops.len())];
                if op.accepts(ty) && op.result(ty) == ty {
                    atoms.push(b.bind("u", Type::Scalar(ty), Op::Un(op, x)));
                }
            }
            1 => {
                let op = [BinOp::And, BinOp::Or, BinOp::Xor, BinOp::Eq, BinOp::Ne][self.below(5)];
                flags.push(b.bind("f", Type::Scalar(Scalar::Bool), Op::Bin(op, f, g)));
            }
            2 => flags.push(b.bind("n", Type::Scalar(Scalar::Bool), Op::Un(UnOp::Not, f))),
            3 => {
                let branch = |atom| Block { binds: Vec::new(), results: vec![atom] };
                let op = Op::If { cond: f, then: branch(x), otherwise: branch(y) };
                atoms.push(b.bind("i", Type::Scalar(ty), op));
            }
            _ => {
                let op = BinOp::ALL[self.below(BinOp::ALL.len())];
                if op.accepts(ty) {
                    let result = b.bind("b", Type::Scalar(op.result(ty)), Op::Bin(op, x, y));
                    if op.is_comparison() { flags.push(result) } else { atoms.push(result) }
                }
            }
        }
    }
}
