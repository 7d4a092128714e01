//! Facts about integers that hold wherever a step runs: the steps of a range keep to its bounds, and so do the loops
//! inside them. An inner loop does not test again what the range around it implies.
//!
//! Each row of a matrix has few elements, so a test before each row costs as much as several of its elements.
//!
//! Invariant: a fact is about the values that sums have modulo 2⁶⁴, as signed numbers. It holds in each step of the
//! loops that have been entered.
//!
//! ```text
//! range from 1 to n - 1 { j = i - 1; inner loop: needs i >= 1, i < n }   ⇒   the inner loop tests neither
//! ```

mod assumptions;
mod branches;
mod exact_sums;
mod implied;
mod induction;
mod integer_facts;
mod intervals;
mod known_sums;

pub(super) use self::branches::ResultBounds;
pub(super) use self::implied::Premises;
pub(super) use self::integer_facts::{Arithmetic, IntegerFacts};
use crate::concrete::{Phase, Position, Step, Stmt};
use crate::ranges::sums::{Sum, is_followed};
use arrc_fusion::cnf::{Atom, Extent, Operation, SizeDef, SizeInfo, Type, Var};
use arrc_syntax::ids::{PrimaryMap, SizeId, VarId};
use arrc_syntax::prim::{BinOp, Scalar, UnOp};

impl IntegerFacts {
    /// Notes what a step says of the variables that it binds.
    pub(super) fn note(
        &mut self,
        step: &Step<impl Phase>,
        vars: &PrimaryMap<VarId, Var>,
        sizes: &PrimaryMap<SizeId, SizeInfo>,
    ) {
        self.note_test(step, vars);
        self.note_interval(step, vars);
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others compute no sums")]
        match step {
            Step::Length { var, array, dim } => {
                let shape = vars[*array].ty.shape();
                self.length(*var, shape[*dim], sizes);
                // No size of an array is large if each of them is the same.
                if shape.iter().all(|extent| *extent == shape[0]) {
                    self.short.push(*var);
                }
            }
            Step::Scalar { var, op: Operation::Bin(BinOp::Mod, [_, by]), .. } => {
                self.remainder(*var, *by)
            }
            Step::Scalar { var, op: Operation::Bin(BinOp::Div, args), .. } => {
                self.quotient(*var, *args)
            }
            Step::Scalar { var, op: Operation::Bin(BinOp::Mul, args), .. }
                if vars[*var].ty == Type::Scalar(Scalar::I64) =>
            {
                self.product(*var, *args);
            }
            Step::Scalar {
                var, op: Operation::Bin(op @ (BinOp::Add | BinOp::Sub), args), ..
            } if vars[*var].ty.as_scalar().is_some_and(is_followed) => {
                self.operation(*var, *op, *args, vars);
            }
            Step::Scalar {
                var,
                op: Operation::Un(UnOp::To(Scalar::I64), arg @ Atom::Const(number)),
                ..
            } if is_followed(number.ty) => {
                self.same(*var, *arg);
            }
            Step::Scalar {
                var, op: Operation::Bin(op @ (BinOp::Max | BinOp::Min), args), ..
            } if vars[*var].ty == Type::Scalar(Scalar::I64) => {
                if *op == BinOp::Max {
                    self.at_least(*var, *args);
                }
                self.extreme(*var, *op, *args);
            }
            Step::Scalar { var, op: Operation::Un(UnOp::Neg, arg), .. }
                if vars[*var].ty == Type::Scalar(Scalar::I64) =>
            {
                if let Some(form) = self.form(*arg) {
                    self.forms.entry(*var).or_insert(form.negated());
                }
            }
            Step::Scalar {
                var, op: Operation::Un(UnOp::To(to), arg @ Atom::Var(from)), ..
            } => {
                let from = vars[*from].ty.as_scalar();
                if is_followed(*to) && from.is_some_and(is_followed) {
                    self.steps.insert(*var, Arithmetic::To(*arg));
                    if *to == Scalar::I64 {
                        self.same(*var, *arg);
                    }
                }
            }
            _ => {}
        }
    }

    /// Notes what a statement says of the element that it binds.
    pub(super) fn note_stmt(&mut self, stmt: &Stmt<impl Phase>) {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others hand no integers on")]
        match stmt {
            Stmt::Position { elem, index: Position::Var(counter) } => {
                self.same(*elem, Atom::Var(*counter));
            }
            Stmt::Copy { elem, from } => self.same(*elem, *from),
            Stmt::Apply { worker, args, .. } => self.all_same(&worker.params, args),
            Stmt::Update { accs, worker, args, .. } => {
                self.all_same(&worker.params[accs.len()..], args);
            }
            _ => {}
        }
    }

    /// Notes that the elements that a statement binds have the values of its worker's results.
    pub(super) fn note_results(&mut self, stmt: &Stmt<impl Phase>) {
        if let Stmt::Apply { elems, worker, .. } = stmt {
            self.all_same(elems, &worker.body.results);
        }
    }

    fn length(&mut self, var: VarId, extent: Extent, sizes: &PrimaryMap<SizeId, SizeInfo>) {
        let Extent::Size(size) = extent else { return };
        // The length for a negative number is 0, so it differs from the number.
        if matches!(sizes[size].def, SizeDef::Value(_)) {
            return;
        }
        let first = *self.lengths.entry(size).or_insert(var);
        self.same(var, Atom::Var(first));
        self.note_non_negative(&Sum::symbol(first));
    }

    fn operation(&mut self, var: VarId, op: BinOp, args: [Atom; 2], vars: &PrimaryMap<VarId, Var>) {
        let is_narrow = vars[var].ty != Type::Scalar(Scalar::I64);
        if is_narrow || args.into_iter().any(|arg| self.is_narrowed(arg)) {
            self.steps.insert(var, Arithmetic::Bin(op, args));
        }
        if is_narrow {
            return;
        }
        if let [Some(a), Some(b)] = args.map(|arg| self.form(arg)) {
            let sum = a.plus(if op == BinOp::Add { 1 } else { -1 }, &b);
            self.forms.entry(var).or_insert(sum);
        }
    }

    /// A sum times a number.
    fn product(&mut self, var: VarId, args: [Atom; 2]) {
        let [Some(a), Some(b)] = args.map(|arg| self.form(arg)) else { return };
        let by = |number: &Sum, sum: &Sum| Some(Sum::constant(0).plus(number.as_constant()?, sum));
        if let Some(product) = by(&a, &b).or_else(|| by(&b, &a)) {
            self.forms.entry(var).or_insert(product);
        }
    }

    /// The larger one of a number and a constant is not less than the constant.
    fn at_least(&mut self, var: VarId, args: [Atom; 2]) {
        for arg in args {
            if let Atom::Const(least) = arg
                && least.ty == Scalar::I64
                && let Some(less) = least.bits.cast_signed().checked_neg()
            {
                self.note_non_negative(&Sum::symbol(var).shifted(less));
            }
        }
    }

    /// A remainder by a natural number is less than that number.
    fn remainder(&mut self, var: VarId, by: Atom) {
        let by = self.form(by).filter(|by| self.natural.contains(by));
        if let Some(by) = by {
            self.note_non_negative(&Sum::symbol(var));
            self.note_non_negative(&by.plus(-1, &Sum::symbol(var)).shifted(-1));
            self.below(var, &by);
        }
    }

    /// A natural number divided by a positive constant is natural, and no greater than the number.
    fn quotient(&mut self, var: VarId, [number, by]: [Atom; 2]) {
        let Atom::Const(by) = by else { return };
        let number = self.form(number).filter(|number| Premises::new(self).is_certain(number));
        if let Some(number) = number
            && by.ty == Scalar::I64
            && by.bits.cast_signed() > 0
        {
            self.note_non_negative(&Sum::symbol(var));
            self.note_non_negative(&number.plus(-1, &Sum::symbol(var)));
            self.divided(var, &number, by.bits.cast_signed());
        }
    }

    fn all_same(&mut self, params: &[VarId], args: &[Atom]) {
        for (&param, &arg) in params.iter().zip(args) {
            self.same(param, arg);
        }
    }

    fn same(&mut self, var: VarId, from: Atom) {
        self.same_interval(var, from);
        if from != Atom::Var(var)
            && let Some(form) = self.form(from)
        {
            self.forms.entry(var).or_insert(form);
        }
    }
}
