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
mod intervals;
mod known_sums;

use indexmap::IndexMap;

use self::assumptions::{Cases, Predicate};
pub(super) use self::branches::ResultBounds;
use self::exact_sums::ExactSum;
pub(super) use self::implied::Premises;
use self::known_sums::KnownSums;
use crate::concrete::{Phase, Position, Step, Stmt};
use crate::ranges::split::bounds::Sum;
use crate::ranges::split::narrow_integers::is_followed;
use arrc_fusion::affine::AffineForm;
use arrc_fusion::cnf::{Atom, Extent, Operation, SizeDef, SizeInfo, Type, Var};
use arrc_syntax::ids::{PrimaryMap, SizeId, VarId};
use arrc_syntax::prim::{BinOp, Interval, Scalar, UnOp};

/// Facts use only sums with smaller constants, so that no such sum wraps.
const MAX_CONSTANT: u64 = 1 << 32;

/// The facts that hold at one place of a function.
#[derive(Default)]
pub(super) struct IntegerFacts {
    /// Variables with the value of a sum of others.
    forms: IndexMap<VarId, Sum>,
    /// How a number that is narrower than `i64`, or that is computed from one, is computed.
    steps: IndexMap<VarId, Arithmetic>,
    /// The lengths of arrays.
    lengths: IndexMap<SizeId, VarId>,
    /// Sums that are not negative.
    natural: KnownSums,
    /// Sums within ± 2⁶⁰, without their constants.
    sane: KnownSums,
    /// Numbers of steps and of elements. Each is below 2⁶⁰: a run takes fewer steps, and memory holds fewer elements.
    short: Vec<VarId>,
    /// Sums of integers that are not negative.
    exact: Vec<ExactSum>,
    /// The numbers of steps of the loops around.
    limits: Vec<Sum>,
    /// The numbers that each maximum is the larger one of.
    maxima: IndexMap<VarId, [Sum; 2]>,
    /// The integers whose intervals are smaller than their types.
    intervals: IndexMap<VarId, Interval>,
    /// How truth values are computed.
    tests: IndexMap<VarId, Predicate>,
    /// What the conditions around the current place imply.
    cases: Cases,
}

/// How many facts were known at a place, and what its conditions implied.
pub(super) struct FactsMark {
    short: usize,
    exact: usize,
    limits: usize,
    cases: Cases,
    forms: usize,
    steps: usize,
    natural: usize,
    sane: usize,
}

/// An operation on integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arithmetic {
    /// A sum or a difference.
    Bin(BinOp, [Atom; 2]),
    /// A conversion.
    To(Atom),
}

impl IntegerFacts {
    /// The facts so far.
    pub(super) fn mark(&self) -> FactsMark {
        FactsMark {
            forms: self.forms.len(),
            steps: self.steps.len(),
            natural: self.natural.len(),
            sane: self.sane.len(),
            short: self.short.len(),
            exact: self.exact.len(),
            limits: self.limits.len(),
            cases: self.cases.clone(),
        }
    }

    /// Forgets the facts since a mark, which hold only in the steps of a loop.
    pub(super) fn forget(&mut self, since: FactsMark) {
        self.forms.truncate(since.forms);
        self.steps.truncate(since.steps);
        self.natural.truncate(since.natural);
        self.sane.truncate(since.sane);
        self.short.truncate(since.short);
        self.exact.truncate(since.exact);
        self.limits.truncate(since.limits);
        self.cases = since.cases;
    }

    /// The number of variables that are known to be lengths.
    pub(super) fn lengths(&self) -> usize {
        self.lengths.len()
    }

    /// Forgets the lengths but the first, since the scope of their variables ends.
    pub(super) fn forget_lengths(&mut self, but: usize) {
        self.lengths.truncate(but);
    }

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

    /// Whether an atom is computed from a number narrower than `i64`.
    fn is_narrowed(&self, atom: Atom) -> bool {
        matches!(atom, Atom::Var(var) if self.steps.contains_key(&var))
    }

    /// How a variable is computed, if it is narrow or computed from a narrow one.
    pub(super) fn arithmetic(&self, var: VarId) -> Option<Arithmetic> {
        self.steps.get(&var).copied()
    }

    /// A variable with the length of an array in the dimension that has this size.
    pub(super) fn length_of(&self, size: SizeId) -> Option<VarId> {
        self.lengths.get(&size).copied()
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

    /// Notes that a variable has the value of a sum.
    pub(super) fn equal(&mut self, var: VarId, sum: &Sum) {
        let sum = self.reduced(sum);
        if !sum.terms.contains_key(&var) {
            self.forms.entry(var).or_insert(sum);
        }
    }

    fn form(&self, atom: Atom) -> Option<Sum> {
        match atom {
            Atom::Const(value) => i64::try_from(value.as_i128()).ok().map(AffineForm::constant),
            Atom::Var(var) => {
                Some(self.forms.get(&var).cloned().unwrap_or(AffineForm::symbol(var)))
            }
        }
    }

    /// A sum in terms of as few variables as possible.
    pub(super) fn reduced(&self, sum: &Sum) -> Sum {
        let start = AffineForm::constant(sum.constant);
        sum.terms.iter().fold(start, |reduced, (&var, &count)| {
            let form = self.forms.get(&var).cloned().unwrap_or(AffineForm::symbol(var));
            reduced.plus(count, &form)
        })
    }

    /// Notes that a sum is not negative.
    pub(super) fn note_non_negative(&mut self, sum: &Sum) {
        let sum = self.reduced(sum);
        self.natural.insert(sum);
    }

    /// Notes that a sum without its constant lies within ± 2⁶⁰.
    pub(super) fn note_sane(&mut self, sum: &Sum) {
        let sum = self.reduced(sum);
        self.sane.insert(sum);
    }
}
