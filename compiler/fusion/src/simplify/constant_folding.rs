//! Constant folding, and identities that hold exactly.
//!
//! Invariant: floats keep every bit, except the payload of NaN: `x * 1` is `x`, but `x + 0` is not, because -0 + 0 is
//! 0. Functions that differ between mathematical libraries are left to run time. The tables have the block's own
//! variables only: each worker of a function is folded by itself.
//!
//! ```text
//! t = 2 + 3; u = x * 1; v = t + u; w = length xs   where xs: [n]f64 and n is a variable
//! ⇒ v = 5 + x; w = n
//!
//! j = i + k; t = j - i   where they are i64   ⇒   t = k
//!
//! a = generate n (\i -> { t = i < n; … })   ⇒   t = true
//! ```

use indexmap::{IndexMap, IndexSet};

use super::substitution::Substitution;
use crate::affine::AffineForm;
use crate::cnf::{
    Assertion, Atom, Block, Extent, Function, LoopForm, Op, Operation, SizeDef, Type,
};
use arrc_front::eval::scalar;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Const, Scalar, UnOp};

/// The most steps in which a sum is looked at that could cancel. It bounds the time of the compiler.
const MAX_SUM: usize = 4;

/// Folds constants in a function; says whether anything changed.
pub(super) fn fold(function: &mut Function) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let mut folder = Folder {
        function,
        substitution: Substitution::default(),
        scope: function.params.iter().copied().collect(),
        defs: IndexMap::new(),
        counters: IndexMap::new(),
        changed: false,
    };
    folder.block(&mut body);
    let Folder { substitution, changed, .. } = folder;
    function.body = body;
    substitution.finish(function) | changed
}

struct Folder<'a> {
    function: &'a Function,
    substitution: Substitution,
    /// The variables that were bound so far. Those of workers and branches are among them, which is harmless, since
    /// types outside do not mention them.
    scope: IndexSet<VarId>,
    /// The scalar operations that bind variables.
    defs: IndexMap<VarId, Op>,
    /// The counters of passes and loops, with the number of their steps.
    counters: IndexMap<VarId, Atom>,
    changed: bool,
}

/// The replacement of an operation.
enum FoldResult {
    Atom(Atom),
    Op(Op),
    Same,
}

impl Folder<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut binds = Vec::with_capacity(block.binds.len());
        for mut bind in std::mem::take(&mut block.binds) {
            bind.op.replace_operands(&mut |atom| self.substitution.atom(atom));
            for worker in bind.op.workers_mut() {
                self.scope.extend(&worker.params);
            }
            self.counters.extend(counter(&bind.op));
            for inner in bind.op.blocks_mut() {
                self.block(inner);
            }
            if matches!(bind.op, Op::Assert(Assertion { cond: Atom::Const(cond), .. }) if cond.bits != 0)
            {
                self.changed = true;
                continue;
            }
            match self.op(&bind.op) {
                FoldResult::Atom(atom)
                    if self.substitution.replace(self.function, bind.vars[0], atom) =>
                {
                    continue;
                }
                FoldResult::Op(op) => {
                    bind.op = op;
                    self.changed = true;
                }
                FoldResult::Atom(_) | FoldResult::Same => {}
            }
            self.scope.extend(&bind.vars);
            if matches!(bind.op, Op::Scalar(Operation::Un(..) | Operation::Bin(..))) {
                self.defs.insert(bind.vars[0], bind.op.clone());
            }
            binds.push(bind);
        }
        block.binds = binds;
        for result in &mut block.results {
            *result = self.substitution.atom(*result);
        }
    }

    fn op(&self, op: &Op) -> FoldResult {
        if let Op::Scalar(Operation::Un(op, x)) = op {
            return self.un(*op, *x);
        }
        if let Op::Scalar(Operation::Bin(op, [x, y])) = op {
            return self.bin(*op, *x, *y);
        }
        if let Op::Scalar(Operation::MulAdd(
            rounding,
            [Atom::Const(a), Atom::Const(b), Atom::Const(c)],
        )) = op
        {
            return FoldResult::Atom(scalar::mul_add(*rounding, [*a, *b, *c]).into());
        }
        if let Op::Scalar(Operation::MulAdd(_, [a, b, c])) = op {
            let is_one = |atom: &Atom| matches!(atom, Atom::Const(one) if one.as_f64() == 1.0);
            let other = [(a, b), (b, a)].into_iter().find(|(one, _)| is_one(one));
            return other
                .map_or(FoldResult::Same, |(_, x)| FoldResult::Op(Op::bin(BinOp::Add, *x, *c)));
        }
        if let Some((array, dim)) = op.length() {
            return self.length(array, dim);
        }
        FoldResult::Same
    }

    /// The length of an array whose size is known is that size.
    fn length(&self, array: VarId, dim: usize) -> FoldResult {
        let Type::Array { shape, .. } = &self.function.tables.vars[array].ty else {
            panic!("cnf is verified: {array} is an array");
        };
        match shape[dim] {
            Extent::Const(value) => FoldResult::Atom(Const::i64(value).into()),
            Extent::Size(size) => match self.function.tables.sizes[size].def {
                SizeDef::Value(var) => {
                    let value = self.substitution.atom(var.into());
                    let known = match value {
                        Atom::Var(var) => self.scope.contains(&var),
                        Atom::Const(value) => value.as_i128() >= 0,
                    };
                    if known { FoldResult::Atom(value) } else { FoldResult::Same }
                }
                SizeDef::Param | SizeDef::Exists | SizeDef::Sum(..) | SizeDef::Product(..) => {
                    FoldResult::Same
                }
            },
        }
    }

    fn un(&self, op: UnOp, x: Atom) -> FoldResult {
        let inner = match x {
            Atom::Const(value) if op.is_exact() => {
                return FoldResult::Atom(scalar::un(op, value).into());
            }
            Atom::Const(_) => return FoldResult::Same,
            Atom::Var(var) => self.defs.get(&var),
        };
        let ty = self.scalar(x);
        match (op, inner) {
            (UnOp::To(to), _) if to == ty => FoldResult::Atom(x),
            (UnOp::Neg, Some(Op::Scalar(Operation::Un(UnOp::Neg, y))))
            | (UnOp::Not, Some(Op::Scalar(Operation::Un(UnOp::Not, y)))) => FoldResult::Atom(*y),
            (UnOp::Not, Some(Op::Scalar(Operation::Bin(op, [y, z])))) if ty == Scalar::Bool => {
                match inverse(*op, self.scalar(*y)) {
                    Some(inverse) => FoldResult::Op(Op::bin(inverse, *y, *z)),
                    None => FoldResult::Same,
                }
            }
            _ => FoldResult::Same,
        }
    }

    fn bin(&self, op: BinOp, x: Atom, y: Atom) -> FoldResult {
        if let (Atom::Const(left), Atom::Const(right)) = (x, y) {
            let exact = op.is_exact(left.ty);
            return match scalar::bin(op, left, right) {
                Ok(value) if exact => FoldResult::Atom(value.into()),
                Ok(_) | Err(_) => FoldResult::Same,
            };
        }
        let ty = self.scalar(x);
        if x == y {
            return equal_operands(op, x, ty);
        }
        let mirrored = self.counter_compared(op.mirrored(), y, x);
        if let Some(holds) = self.counter_compared(op, x, y).or(mirrored) {
            return FoldResult::Atom(Const::bool(holds).into());
        }
        match (x, y) {
            (Atom::Var(_), Atom::Const(value)) => {
                let folded = right_constant(op, x, value);
                if matches!(folded, FoldResult::Same) { self.chain(op, x, value) } else { folded }
            }
            (Atom::Const(value), Atom::Var(_)) => left_constant(op, value, y),
            (Atom::Var(_), Atom::Var(_)) if ty == Scalar::I64 => self.cancelled(op, x, y),
            (Atom::Const(_), Atom::Const(_)) | (Atom::Var(_), Atom::Var(_)) => FoldResult::Same,
        }
    }

    /// What a comparison of a counter gives in every step: a counter is not negative, and below the number of steps.
    fn counter_compared(&self, op: BinOp, counter: Atom, with: Atom) -> Option<bool> {
        let steps = *self.counters.get(&counter.as_var()?)?;
        let number = |atom| match atom {
            Atom::Const(value) => Some(value.as_i128()),
            Atom::Var(_) => None,
        };
        let is_above = number(with).zip(number(steps)).is_some_and(|(with, steps)| with >= steps);
        let (is_above, least) = (with == steps || is_above, number(with));
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others are no comparisons")]
        match op {
            BinOp::Lt | BinOp::Le | BinOp::Ne if is_above => Some(true),
            BinOp::Ge | BinOp::Gt | BinOp::Eq if is_above => Some(false),
            BinOp::Gt | BinOp::Ne if least? < 0 => Some(true),
            BinOp::Le | BinOp::Eq if least? < 0 => Some(false),
            BinOp::Ge if least? <= 0 => Some(true),
            BinOp::Lt if least? <= 0 => Some(false),
            _ => None,
        }
    }

    /// A sum or a difference whose symbols cancel, but for one.
    fn cancelled(&self, op: BinOp, x: Atom, y: Atom) -> FoldResult {
        let Some(sum) = self.joined(op, x, y, MAX_SUM) else { return FoldResult::Same };
        if let Some(number) = sum.as_constant() {
            return FoldResult::Atom(Const::i64(number).into());
        }
        match (sum.terms.first_key_value(), sum.terms.len()) {
            (Some((&symbol, 1)), 1) if sum.constant == 0 => FoldResult::Atom(symbol.into()),
            (Some((&symbol, 1)), 1) => {
                let number = Const::i64(sum.constant);
                FoldResult::Op(Op::bin(BinOp::Add, symbol.into(), number.into()))
            }
            _ => FoldResult::Same,
        }
    }

    /// The form of an operation on numbers of type `i64`, if it is affine.
    fn joined(&self, op: BinOp, x: Atom, y: Atom, depth: usize) -> Option<AffineForm<VarId>> {
        let [x, y] = [self.form(x, depth)?, self.form(y, depth)?];
        match (op, x.as_constant(), y.as_constant()) {
            (BinOp::Add, _, _) => Some(x.plus(1, &y)),
            (BinOp::Sub, _, _) => Some(x.plus(-1, &y)),
            (BinOp::Mul, Some(by), _) => Some(AffineForm::constant(0).plus(by, &y)),
            (BinOp::Mul, _, Some(by)) => Some(AffineForm::constant(0).plus(by, &x)),
            (_, _, _) => None,
        }
    }

    /// The form of a number of type `i64`. A number that takes more than `depth` steps is a symbol.
    fn form(&self, atom: Atom, depth: usize) -> Option<AffineForm<VarId>> {
        let var = match atom {
            Atom::Const(Const { ty: Scalar::I64, bits }) => {
                return Some(AffineForm::constant(bits.cast_signed()));
            }
            Atom::Const(_) => return None,
            Atom::Var(var) => var,
        };
        let made = match (depth, self.defs.get(&var)) {
            (1.., Some(&Op::Scalar(Operation::Bin(op, [x, y])))) => {
                self.joined(op, x, y, depth - 1)
            }
            (_, _) => None,
        };
        Some(made.unwrap_or_else(|| AffineForm::symbol(var)))
    }

    /// `(x + c) + d` is `x + (c + d)`: integers wrap, so this is exact.
    fn chain(&self, op: BinOp, x: Atom, outer: Const) -> FoldResult {
        let Atom::Var(var) = x else { return FoldResult::Same };
        let Some(&Op::Scalar(Operation::Bin(inner_op, [y, Atom::Const(inner)]))) =
            self.defs.get(&var)
        else {
            return FoldResult::Same;
        };
        let sign = |op| match (op == BinOp::Add, op == BinOp::Sub) {
            (true, _) => Some(1),
            (_, true) => Some(-1),
            (false, false) => None,
        };
        if let (true, Some(outer_sign), Some(inner_sign)) =
            (outer.ty.is_integer(), sign(op), sign(inner_op))
        {
            let sum = outer_sign * outer.as_i128() + inner_sign * inner.as_i128();
            return FoldResult::Op(Op::bin(BinOp::Add, y, Const::int(outer.ty, sum).into()));
        }
        FoldResult::Same
    }

    fn scalar(&self, atom: Atom) -> Scalar {
        self.function.type_of(atom).as_scalar().expect("cnf is verified: a scalar stands here")
    }
}

/// The counter of a pass or a loop, with the number of its steps.
fn counter(op: &Op) -> Option<(VarId, Atom)> {
    if let Op::Generate { size, worker } = op {
        return Some((worker.params[0], *size));
    }
    let Op::Loop { form: LoopForm::For { count }, init, worker } = op else { return None };
    Some((worker.params[init.len()], *count))
}

/// The comparison that holds exactly if this one does not. Only `==` and `!=` are opposites on NaN.
pub(crate) fn inverse(op: BinOp, ty: Scalar) -> Option<BinOp> {
    let opposites = [(BinOp::Eq, BinOp::Ne), (BinOp::Lt, BinOp::Ge), (BinOp::Gt, BinOp::Le)];
    let known = if ty.is_float() { &opposites[..1] } else { &opposites[..] };
    known.iter().find_map(|&(left, right)| match (op == left, op == right) {
        (true, _) => Some(right),
        (_, true) => Some(left),
        (false, false) => None,
    })
}

fn equal_operands(op: BinOp, x: Atom, ty: Scalar) -> FoldResult {
    let truth = |value| FoldResult::Atom(Const::bool(value).into());
    match (op, ty.is_float()) {
        (BinOp::Min | BinOp::Max | BinOp::And | BinOp::Or, _) => FoldResult::Atom(x),
        (BinOp::Sub | BinOp::Xor, false) => FoldResult::Atom(Const::zero(ty).into()),
        (BinOp::Eq | BinOp::Le | BinOp::Ge, false) => truth(true),
        (BinOp::Lt | BinOp::Gt, _) | (BinOp::Ne, false) => truth(false),
        _ => FoldResult::Same,
    }
}

fn right_constant(op: BinOp, x: Atom, value: Const) -> FoldResult {
    if value.ty == Scalar::Bool {
        return right_bool(op, x, value.bits != 0);
    }
    if value.ty.is_float() {
        let number = value.as_f64();
        let same = match (op, number == 0.0, number.is_sign_negative()) {
            (BinOp::Mul | BinOp::Div, ..) => number == 1.0,
            (BinOp::Sub, true, false) | (BinOp::Add, true, true) => true,
            _ => false,
        };
        return if same { FoldResult::Atom(x) } else { FoldResult::Same };
    }
    match (op, value.as_i128()) {
        (
            BinOp::Add
            | BinOp::Sub
            | BinOp::Or
            | BinOp::Xor
            | BinOp::Shl
            | BinOp::Shr
            | BinOp::ShrLogical,
            0,
        )
        | (BinOp::Mul | BinOp::Div | BinOp::Quot | BinOp::Pow, 1) => FoldResult::Atom(x),
        (BinOp::Mul | BinOp::And, 0) | (BinOp::Mod | BinOp::Rem, 1) => {
            FoldResult::Atom(Const::zero(value.ty).into())
        }
        (BinOp::Pow, 0) => FoldResult::Atom(Const::int(value.ty, 1).into()),
        _ => FoldResult::Same,
    }
}

fn right_bool(op: BinOp, x: Atom, value: bool) -> FoldResult {
    match (op, value) {
        (BinOp::And, true)
        | (BinOp::Or, false)
        | (BinOp::Xor, false)
        | (BinOp::Eq, true)
        | (BinOp::Ne, false) => FoldResult::Atom(x),
        (BinOp::And, false) => FoldResult::Atom(Const::bool(false).into()),
        (BinOp::Or, true) => FoldResult::Atom(Const::bool(true).into()),
        (BinOp::Xor, true) | (BinOp::Eq, false) | (BinOp::Ne, true) => {
            FoldResult::Op(Op::un(UnOp::Not, x))
        }
        _ => FoldResult::Same,
    }
}

/// A commutative operator with a constant on the left folds as with the constant on the right.
fn left_constant(op: BinOp, value: Const, y: Atom) -> FoldResult {
    if op.commutes() { right_constant(op, y, value) } else { FoldResult::Same }
}
