//! All rewrites on random functions of scalars; `tests/passes` shows what each of them does.

use super::simplify;
use crate::eval::cnf::{Value, run};
use crate::ids::{EntityRef, FuncId};
use crate::ir::cnf::{Atom, Block, Entry, Function, Op, Program, Type, verify};
use crate::pass::testing::Builder;
use crate::prim::{BinOp, Const, Scalar, UnOp};

/// The program of one entry.
fn program(function: Function) -> Program {
    let entry = Entry {
        name: function.name.clone(),
        doc: None,
        signature: String::new(),
        function: FuncId::new(0),
        inputs: function.params.iter().map(ToString::to_string).collect(),
        outputs: function.results.iter().map(|_| "out".into()).collect(),
        tags: Vec::new(),
    };
    let functions = [function].into_iter().collect();
    let program = Program { functions, entries: vec![entry], ..Program::default() };
    assert_eq!(verify(&program), Ok(()), "{program}");
    program
}

fn bind(b: &mut Builder, name: &str, ty: Scalar, op: Op) -> Atom {
    let var = b.var(name, Type::Scalar(ty));
    b.bind(vec![var], op);
    Atom::Var(var)
}

/// A random function of scalars: results before and after are the same bits, up to NaN.
#[test]
fn random_scalar_programs_keep_their_meaning() {
    let mut random = Random(0x5eed);
    for _ in 0..3000 {
        let (program, args) = random.program();
        let before = run(&program, FuncId::new(0), args.clone());
        let text = program.to_string();
        let after = simplify(program);
        assert_eq!(verify(&after), Ok(()), "{text}\n{after}");
        if let Ok(before) = before {
            let after_run = run(&after, FuncId::new(0), args).expect("it does not fail");
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
        let mut b = Builder::new();
        let mut atoms = vec![Atom::Const(self.constant(ty)), Atom::Const(self.constant(ty))];
        let mut flags = vec![Atom::Const(Const::bool(true)), Atom::Const(Const::bool(false))];
        let mut args = Vec::new();
        for _ in 0..3 {
            atoms.push(Atom::Var(b.scalar("x", ty)));
            args.push(Value::Scalar(self.constant(ty)));
        }
        for _ in 0..12 {
            self.statement(&mut b, ty, &mut atoms, &mut flags);
        }
        let last = flags[flags.len() - 1];
        flags.push(bind(&mut b, "last", Scalar::Bool, Op::Un(UnOp::Not, last)));
        let made = atoms.iter().rev().take(2).chain(flags.last());
        let results = made.map(|&atom| match atom {
            Atom::Var(var) => var,
            Atom::Const(value) => panic!("{value} was made last"),
        });
        (program(b.function("f", &results.collect::<Vec<_>>())), args)
    }

    fn statement(
        &mut self,
        b: &mut Builder,
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
                    atoms.push(bind(b, "u", ty, Op::Un(op, x)));
                }
            }
            1 => {
                let op = [BinOp::And, BinOp::Or, BinOp::Xor, BinOp::Eq, BinOp::Ne][self.below(5)];
                flags.push(bind(b, "f", Scalar::Bool, Op::Bin(op, f, g)));
            }
            2 => flags.push(bind(b, "n", Scalar::Bool, Op::Un(UnOp::Not, f))),
            3 => {
                let branch = |atom| Block { binds: Vec::new(), results: vec![atom] };
                let op = Op::If { cond: f, then: branch(x), otherwise: branch(y) };
                atoms.push(bind(b, "i", ty, op));
            }
            _ => {
                let op = BinOp::ALL[self.below(BinOp::ALL.len())];
                if op.accepts(ty) {
                    let result = bind(b, "b", op.result(ty), Op::Bin(op, x, y));
                    if op.is_comparison() { flags.push(result) } else { atoms.push(result) }
                }
            }
        }
    }
}
