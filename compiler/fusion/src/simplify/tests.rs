//! All rewrites on random functions of scalars; `tests/passes` shows what each of them does.

use std::fmt::Write;

use super::simplify;
use crate::cnf::print::scalar;
use crate::cnf::{Program, Type, verify};
use crate::eval::cnf::{Value, run};
use crate::testing;
use arrc_syntax::ids::{EntityRef, FuncId};
use arrc_syntax::prim::{BinOp, Const, Scalar, UnOp};

/// A random function of scalars: its results before and after are the same bits, except the payload of NaN.
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
        let mut constant = || scalar::argument(self.constant(ty).to_string());
        let mut atoms = vec![constant(), constant()];
        let mut flags = vec!["true".to_owned(), "false".to_owned()];
        let mut args = Vec::new();
        for name in ["x", "y", "z"] {
            atoms.push(name.to_owned());
            args.push(Value::Scalar(self.constant(ty)));
        }
        let mut text = format!("entry f (x: {ty}) (y: {ty}) (z: {ty}): ({ty}, {ty}, bool) =\n");
        for at in 0..12 {
            if let Some((is_flag, op)) = self.statement(ty, &atoms, &flags) {
                writeln!(text, "  let v{at} = {op}").expect("a text grows");
                if is_flag { &mut flags } else { &mut atoms }.push(format!("v{at}"));
            }
        }
        let [.., one, other] = &atoms[..] else { panic!("there are parameters") };
        let last = &flags[flags.len() - 1];
        write!(text, "  let last = bool.not {last}\n  in ({other}, {one}, last)\n")
            .expect("a text grows");
        (testing::program(&text), args)
    }

    /// An operation, and whether it makes a truth value.
    fn statement(
        &mut self,
        ty: Scalar,
        atoms: &[String],
        flags: &[String],
    ) -> Option<(bool, String)> {
        let (x, y) = (&atoms[self.below(atoms.len())], &atoms[self.below(atoms.len())]);
        let (f, g) = (&flags[self.below(flags.len())], &flags[self.below(flags.len())]);
        let binary = |op: BinOp, ty: Scalar, x: &str, y: &str| {
            let name = scalar::binary(op, &Type::Scalar(ty));
            if op.is_infix() { format!("{x} {name} {y}") } else { format!("{name} {x} {y}") }
        };
        match self.below(6) {
            0 => {
                let op = UnOp::ALL[self.below(UnOp::ALL.len())];
                let fits = op.accepts(ty) && op.result(ty) == ty;
                fits.then(|| (false, format!("{}.{} {x}", op.module(ty), op.name_on(ty))))
            }
            1 => {
                let op = [BinOp::And, BinOp::Or, BinOp::Xor, BinOp::Eq, BinOp::Ne][self.below(5)];
                Some((true, binary(op, Scalar::Bool, f, g)))
            }
            2 => Some((true, format!("bool.not {f}"))),
            3 => Some((false, format!("if {f} then {x} else {y}"))),
            _ => {
                let op = BinOp::ALL[self.below(BinOp::ALL.len())];
                op.accepts(ty).then(|| (op.is_comparison(), binary(op, ty, x, y)))
            }
        }
    }
}
