//! The likely values of scalars, in terms of sizes. They tell where the split point of a condition on a loop's counter
//! probably is.
//!
//! Invariant: these guesses decide only which steps get a range of their own, and never change the effect of a step.
//!
//! ```text
//! first = if n == 0 then { yield (0) } else { t = -1 % n; yield (t) }     likely n - 1
//! ```

use std::collections::BTreeMap;

use crate::concrete::{Length, Ranged, Step};
use crate::ranges::sums::is_followed;
use arrc_fusion::affine::AffineForm;
use arrc_fusion::cnf::{Atom, Extent, Operation, SizeDef, SizeInfo, Type, Var};
use arrc_syntax::ids::{PrimaryMap, SizeId, VarId};
use arrc_syntax::prim::{BinOp, Scalar, UnOp};

/// A symbol of a guess.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Symbol {
    /// An unknown scalar.
    Var(VarId),
    /// A size.
    Size(SizeId),
}

/// A sum of more symbols counts as an unknown scalar. It bounds the time of the compiler.
const MAX_TERMS: usize = 16;

/// A scalar in terms of sizes.
pub(super) type Guess = AffineForm<Symbol>;

/// The side of a condition's split point that most steps of a loop are on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SplitSide {
    /// Before it.
    Before,
    /// From it on.
    After,
}

/// The likely values of the scalars of a function.
#[derive(Default)]
pub(super) struct LikelyValues {
    guesses: BTreeMap<VarId, Guess>,
    /// The scalars that are results of `==`.
    equalities: Vec<VarId>,
}

impl LikelyValues {
    /// Notes the variables that a step binds; those inside it have been noted before.
    pub(super) fn note(
        &mut self,
        step: &Step<Ranged>,
        vars: &PrimaryMap<VarId, Var>,
        sizes: &PrimaryMap<SizeId, SizeInfo>,
    ) {
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "nothing is guessed of what the others bind"
        )]
        match step {
            Step::Scalar { var, op: Operation::Bin(BinOp::Eq, _), .. } => {
                self.equalities.push(*var)
            }
            Step::Scalar { var, op: Operation::Un(UnOp::To(to), Atom::Var(arg)), .. } => {
                let from = vars[*arg].ty.as_scalar();
                if is_followed(*to) && from.is_some_and(is_followed) {
                    self.guesses.insert(*var, self.var(*arg));
                }
            }
            Step::Scalar { var, op: Operation::Bin(op, args), .. } => {
                if vars[*var].ty.as_scalar().is_some_and(is_followed)
                    && let Some(guess) = self.operation(*op, *args)
                {
                    self.guesses.insert(*var, guess);
                }
            }
            Step::Length { var, array, dim } => {
                if let Type::Array { shape, .. } = &vars[*array].ty {
                    let extent = self.extent(shape[*dim], sizes);
                    self.guesses.insert(*var, extent);
                }
            }
            Step::If { vars: results, cond, then, otherwise, .. } => {
                for (&var, (&yes, &no)) in
                    results.iter().zip(then.results.iter().zip(&otherwise.results))
                {
                    if vars[var].ty == Type::Scalar(Scalar::I64) {
                        self.choice(var, *cond, [yes, no]);
                    }
                }
            }
            _ => {}
        }
    }

    /// The likely value of an `i64`.
    pub(super) fn atom(&self, atom: Atom) -> Guess {
        match atom {
            Atom::Const(value) => {
                Guess::constant(i64::try_from(value.as_i128()).unwrap_or(i64::MAX))
            }
            Atom::Var(var) => self.var(var),
        }
    }

    /// The likely value of a sum of scalars.
    pub(super) fn form(&self, form: &AffineForm<VarId>) -> Guess {
        let start = Guess::constant(form.constant);
        form.terms.iter().fold(start, |sum, (&var, &count)| sum.plus(count, &self.var(var)))
    }

    /// The likely value of a number of steps; nothing if it is a product.
    pub(super) fn length(
        &self,
        length: &Length,
        vars: &PrimaryMap<VarId, Var>,
        sizes: &PrimaryMap<SizeId, SizeInfo>,
    ) -> Option<Guess> {
        match length {
            Length::Array(array) => match &vars[*array].ty {
                Type::Array { shape, .. } => Some(self.extent(shape[0], sizes)),
                Type::Scalar(_) => None,
            },
            Length::Value(size) => Some(self.atom(*size)),
            Length::Product(..) => None,
        }
    }

    fn extent(&self, extent: Extent, sizes: &PrimaryMap<SizeId, SizeInfo>) -> Guess {
        match extent {
            Extent::Const(size) => Guess::constant(size),
            Extent::Size(size) => match sizes[size].def {
                SizeDef::Value(var) => self.var(var),
                SizeDef::Sum(a, b) => {
                    let [a, b] = SizeDef::both([a, b], |part| self.extent(part, sizes));
                    a.plus(1, &b)
                }
                SizeDef::Param | SizeDef::Exists | SizeDef::Product(..) => {
                    Guess::symbol(Symbol::Size(size))
                }
            },
        }
    }

    fn var(&self, var: VarId) -> Guess {
        self.guesses.get(&var).cloned().unwrap_or_else(|| Guess::symbol(Symbol::Var(var)))
    }

    fn operation(&self, op: BinOp, args: [Atom; 2]) -> Option<Guess> {
        let [a, b] = args.map(|arg| self.atom(arg));
        let small = |sum: Guess| (sum.terms.len() <= MAX_TERMS).then_some(sum);
        if op == BinOp::Add {
            return small(a.plus(1, &b));
        }
        if op == BinOp::Sub {
            return small(a.plus(-1, &b));
        }
        // A distance is likely to be shorter than the length that it is reduced by.
        let distance = a.as_constant().or_else(|| a.plus(-1, &b).as_constant());
        let distance = distance.filter(|_| op == BinOp::Mod)?;
        Some(if distance < 0 { b.shifted(distance) } else { Guess::constant(distance) })
    }

    /// Notes the result of a choice. A case for equal values is assumed to be rare.
    fn choice(&mut self, var: VarId, cond: Atom, [yes, no]: [Atom; 2]) {
        let [yes, no] = [yes, no].map(|result| self.atom(result));
        let special = matches!(cond, Atom::Var(cond) if self.equalities.contains(&cond));
        if special || yes == no {
            self.guesses.insert(var, no);
        }
    }
}

/// The most steps on one side of a split point that get no range of their own, where the number of all steps is
/// unknown. `scripts/bench wrap_3_f64` has two such steps on each side of a row. The limit was not measured by itself.
const EDGE: i64 = 8;

/// Where it is known, a side with at most this part of all steps gets none. No benchmark shows it alone.
const PART: i64 = 16;

/// Where the steps of a loop are for which a condition has one outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OutcomeShare {
    /// Nearly all of them are on that side.
    Nearly(SplitSide),
    /// Most of them are, but the others are many too.
    Most(SplitSide),
    /// That is anyone's guess.
    Any,
}

/// How the steps of a loop of `length` steps are shared between those before the split point, and those from there on.
pub(super) fn outcome_share(length: &Guess, split_point: &Guess) -> OutcomeShare {
    let before = split_point.as_constant();
    let after = length.plus(-1, split_point).as_constant();
    let (side, fewer, edge) = match (before, after) {
        (Some(before), Some(after)) => {
            let (side, fewer) = if before > after {
                (SplitSide::Before, after)
            } else {
                (SplitSide::After, before)
            };
            (side, fewer, before.saturating_add(after) / PART)
        }
        (Some(before), None) => (SplitSide::After, before, EDGE),
        (None, Some(after)) => (SplitSide::Before, after, EDGE),
        (None, None) => return OutcomeShare::Any,
    };
    if fewer <= edge { OutcomeShare::Nearly(side) } else { OutcomeShare::Most(side) }
}
