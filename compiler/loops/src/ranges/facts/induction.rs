//! Facts about the numbers that a loop carries, if each step adds one of a few constants to them.
//!
//! Such a number differs from its initial value by at least the number of steps times the smallest of these constants,
//! and by at most the number of steps times the largest. Two of them often have a sum or a difference that each step
//! changes by the same constant, so one is known from the other.
//!
//! Invariant: the facts hold at the beginning of each step. A step changes a number by at most 4, and no run takes 2⁶⁰
//! steps, so a difference from the initial value never wraps.
//!
//! ```text
//! loop (i, j) = (0, 0) for k < n do if … then (i + 1, j) else (i, j + 1)   ⇒   i = k - j, j >= 0, k - j >= 0
//! ```

use std::collections::BTreeMap;

use indexmap::IndexSet;

use super::integer_facts::IntegerFacts;
use crate::concrete::{Block, LoopForm, Plain, Step, Worker};
use crate::ranges::sums::Sum;
use arrc_fusion::cnf::{Atom, Operation, Type, Var};
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::prim::{BinOp, Scalar};

/// The most that a step changes a number.
const MAX_CHANGE: i64 = 4;

/// The most paths through a step. It bounds the time of a proof.
const MAX_PATHS: usize = 8;

/// An induction variable: a number that a loop carries, and changes by constants.
struct InductionVariable {
    param: VarId,
    init: Sum,
    /// What each path through a step adds to it.
    changes: Vec<i64>,
}

impl InductionVariable {
    fn least_change(&self) -> i64 {
        self.changes.iter().copied().min().unwrap_or(0)
    }

    fn greatest_change(&self) -> i64 {
        self.changes.iter().copied().max().unwrap_or(0)
    }
}

impl IntegerFacts {
    /// Notes what holds at the beginning of each step of a loop.
    pub(crate) fn enter(
        &mut self,
        form: &LoopForm<Plain>,
        init: &[Atom],
        worker: &Worker<Plain>,
        vars: &PrimaryMap<VarId, Var>,
    ) {
        let counter = match form {
            LoopForm::For { count } => {
                let counter = worker.params[init.len()];
                self.counted(counter, *count);
                Some(counter)
            }
            LoopForm::While { .. } => None,
        };
        let carried = self.carried(init, worker, vars);
        self.relate(&carried, counter);
        for number in &carried {
            self.bound(number, counter);
        }
        if let LoopForm::While { cond } = form {
            for (&param, &same) in cond.params.iter().zip(&worker.params) {
                self.same(param, Atom::Var(same));
            }
        }
    }

    /// Notes that a counter is below the number of steps.
    pub(crate) fn counted(&mut self, counter: VarId, count: Atom) {
        let own = Sum::symbol(counter);
        self.note_non_negative(&own);
        self.short.push(counter);
        if let Some(count) = self.form(count) {
            self.note_non_negative(&count.plus(-1, &own).shifted(-1));
            self.note_non_negative(&count.shifted(-1));
            self.below(counter, &count);
        }
    }

    /// The numbers to which each step adds a constant.
    fn carried(
        &self,
        init: &[Atom],
        worker: &Worker<Plain>,
        vars: &PrimaryMap<VarId, Var>,
    ) -> Vec<InductionVariable> {
        let all = worker.params.iter().zip(init).zip(&worker.body.results);
        let numbers = all.filter(|((param, _), _)| vars[**param].ty == Type::Scalar(Scalar::I64));
        let (params, results): (Vec<_>, Vec<_>) =
            numbers.map(|((&param, &init), &result)| ((param, init), result)).unzip();
        let Some(paths) = StepChanges::of(&worker.body).path_results(&results) else {
            return Vec::new();
        };
        let change = |at: usize, param: VarId, path: &Vec<OffsetAtom>| {
            let OffsetAtom { base, plus } = path[at];
            (base == Atom::Var(param) && plus.abs() <= MAX_CHANGE).then_some(plus)
        };
        let found = params.into_iter().enumerate().filter_map(|(at, (param, init))| {
            let changes =
                paths.iter().map(|path| change(at, param, path)).collect::<Option<_>>()?;
            Some(InductionVariable { param, init: self.form(init)?, changes })
        });
        found.collect()
    }

    /// Notes the numbers that are known from the counter or from another number.
    fn relate(&mut self, carried: &[InductionVariable], counter: Option<VarId>) {
        let mut used = IndexSet::new();
        let mut defined = IndexSet::new();
        for (at, number) in carried.iter().enumerate() {
            if used.contains(&number.param) {
                continue;
            }
            let others = carried[at + 1..].iter().filter(|other| !defined.contains(&other.param));
            let alone = steps(&number.changes, counter).map(|steps| number.init.plus(1, &steps));
            let from = |(other, sign): (&InductionVariable, i64)| {
                let both = number.changes.iter().zip(&other.changes);
                let changes = both.map(|(own, other)| own - sign * other).collect::<Vec<_>>();
                let apart = number.init.plus(-sign, &other.init);
                let sum = apart.plus(1, &steps(&changes, counter)?);
                Some((sum.plus(sign, &Sum::symbol(other.param)), Some(other.param)))
            };
            let mut paths = others.flat_map(|other| [(other, -1), (other, 1)]);
            let known = alone.map(|sum| (sum, None)).or_else(|| paths.find_map(from));
            if let Some((sum, other)) = known {
                self.equal(number.param, &sum);
                defined.insert(number.param);
                used.extend(other);
            }
        }
    }

    /// Notes how far a number is from its initial value.
    fn bound(&mut self, number: &InductionVariable, counter: Option<VarId>) {
        let apart = Sum::symbol(number.param).plus(-1, &number.init);
        let (least, most) = (number.least_change(), number.greatest_change());
        if least >= 0 {
            self.note_non_negative(&apart);
        }
        if most <= 0 {
            self.note_non_negative(&apart.negated());
        }
        if let Some(counter) = counter {
            let counter = Sum::symbol(counter);
            self.note_non_negative(&apart.plus(-least, &counter));
            self.note_non_negative(&apart.negated().plus(most, &counter));
        }
    }
}

/// What the steps before have added, if each step adds the same.
fn steps(changes: &[i64], counter: Option<VarId>) -> Option<Sum> {
    let (&first, others) = changes.split_first()?;
    if others.iter().any(|&other| other != first) {
        return None;
    }
    match counter {
        _ if first == 0 => Some(Sum::constant(0)),
        Some(counter) => Some(Sum::constant(0).plus(first, &Sum::symbol(counter))),
        None => None,
    }
}

/// A number plus a constant.
#[derive(Clone, Copy)]
struct OffsetAtom {
    base: Atom,
    plus: i64,
}

/// The sums and choices in a step of a loop.
#[derive(Default)]
struct StepChanges {
    sums: BTreeMap<VarId, OffsetAtom>,
    /// The `if` whose results a variable is, and which one it is.
    results: BTreeMap<VarId, (usize, usize)>,
    /// The results of the branches of each `if`.
    ifs: Vec<[Vec<Atom>; 2]>,
}

impl StepChanges {
    fn of(block: &Block<Plain>) -> Self {
        let mut changes = Self::default();
        changes.block(block);
        changes
    }

    fn block(&mut self, block: &Block<Plain>) {
        for step in &block.steps {
            #[allow(clippy::wildcard_enum_match_arm, reason = "the others add no constants")]
            match step {
                Step::Scalar {
                    var,
                    op: Operation::Bin(op @ (BinOp::Add | BinOp::Sub), args),
                    ..
                } => {
                    if let Some(number) = plus_constant(*op, *args) {
                        self.sums.insert(*var, number);
                    }
                }
                Step::If { vars, then, otherwise, .. } => {
                    self.block(then);
                    self.block(otherwise);
                    let number = self.ifs.len();
                    self.results.extend(vars.iter().copied().zip((0..).map(|at| (number, at))));
                    self.ifs.push([then, otherwise].map(|branch| branch.results.clone()));
                }
                _ => {}
            }
        }
    }

    /// The results, in terms of other variables, for each path through the step.
    fn path_results(&self, results: &[Atom]) -> Option<Vec<Vec<OffsetAtom>>> {
        let start = results.iter().map(|&base| OffsetAtom { base, plus: 0 });
        let mut open = vec![start.collect::<Vec<_>>()];
        let mut found = Vec::new();
        while let Some(mut path) = open.pop() {
            self.reduce(&mut path);
            let choice = path.iter().find_map(|number| match number.base {
                Atom::Var(var) => self.results.get(&var),
                Atom::Const(_) => None,
            });
            match choice {
                Some(&(number, _)) => {
                    open.extend(
                        self.ifs[number]
                            .iter()
                            .map(|branch| self.branch_values(&path, number, branch)),
                    );
                }
                None => found.push(path),
            }
            if open.len() + found.len() > MAX_PATHS {
                return None;
            }
        }
        Some(found)
    }

    /// The numbers where an `if` takes a branch.
    fn branch_values(
        &self,
        path: &[OffsetAtom],
        number: usize,
        branch: &[Atom],
    ) -> Vec<OffsetAtom> {
        let result = |base: Atom| match base {
            Atom::Var(var) => self.results.get(&var).filter(|(of, _)| *of == number),
            Atom::Const(_) => None,
        };
        let taken = path.iter().map(|&OffsetAtom { base, plus }| match result(base) {
            Some(&(_, at)) => OffsetAtom { base: branch[at], plus },
            None => OffsetAtom { base, plus },
        });
        taken.collect()
    }

    /// Follows sums to their first operands.
    fn reduce(&self, path: &mut [OffsetAtom]) {
        for number in path {
            while let Atom::Var(var) = number.base
                && let Some(sum) = self.sums.get(&var)
            {
                *number = OffsetAtom { base: sum.base, plus: number.plus.wrapping_add(sum.plus) };
            }
        }
    }
}

/// A sum of a variable and a constant.
fn plus_constant(op: BinOp, [a, b]: [Atom; 2]) -> Option<OffsetAtom> {
    let (base, plus) = match (a, b) {
        (Atom::Var(_), Atom::Const(plus)) => (a, plus),
        (Atom::Const(plus), Atom::Var(_)) if op == BinOp::Add => (b, plus),
        (_, _) => return None,
    };
    let plus = i64::try_from(plus.as_i128()).ok()?;
    Some(OffsetAtom { base, plus: if op == BinOp::Add { plus } else { plus.wrapping_neg() } })
}
