//! Guards: statements that run only where a flag holds.
//!
//! Statements that are cheap and cannot fail run always, without a branch: an element that is not kept is written to
//! the place of the next one, and an accumulator is combined with its neutral element. So there is no branch to
//! mispredict, and LLVM vectorises a fold over a filter. Only the rest is behind a branch.
//!
//! Invariant: a statement that runs although the flag does not hold changes nothing that is read later, writes within
//! the vector's memory, and cannot fail.
//!
//! ```text
//! guard (j) c with p                      store x, ys[j]
//!   write j ys x             ⇒            s = s + (p ? x : -0.0)
//!   s := s + x                            c = j + (p ? 1 : 0)
//! ```

use std::collections::BTreeSet;

use arrc_fusion::cnf::Atom;
use arrc_fusion::cnf::neutral;
use arrc_loops::concrete::{
    Block, Complete, FoldOperation, Guard, Loop, Nest, Position, Step, Stmt, VisitPlace, VisitStmt,
    Worker, fold_operations,
};
use arrc_syntax::ids::{AccId, VarId};
use arrc_syntax::prim::{BinOp, Cost, Reassociation};
use inkwell::values::{BasicValueEnum, IntValue};

use crate::loops::pass::Pass;
use crate::unit::built;
use crate::value::LoweredValue;

/// The most operations that run although the flag may not hold. `scripts/bench sum_above_f64` has a guard of one
/// addition. The limit was not measured by itself.
const CHEAP: usize = 16;

/// The entry counters of every guard in a loop.
pub(in crate::loops) fn counters(nest: &Loop) -> Vec<AccId> {
    fn of(inner: &[Nest], into: &mut Vec<AccId>) {
        for nest in inner {
            match nest {
                Nest::Loop(nest) => of(&nest.inner, into),
                Nest::Guard(guard) => {
                    into.push(guard.counter);
                    of(&guard.inner, into);
                }
            }
        }
    }
    let mut counters = Vec::new();
    of(&nest.inner, &mut counters);
    counters
}

impl<'ctx, 'p> Pass<'_, '_, 'ctx, 'p> {
    /// A step of a guard whose flag is known to hold. The caller binds the index and counts.
    pub(super) fn guarded(&mut self, guard: &'p Guard) {
        let sizes = self.body.sizes.clone();
        self.inside(&guard.body, &guard.inner);
        self.release(&guard.release);
        self.body.sizes = sizes;
    }

    pub(in crate::loops) fn guard(&mut self, guard: &'p Guard) {
        let flag = self.body.int(guard.flag);
        self.guard_where(guard, flag);
    }

    /// A guard, with a flag of its own.
    pub(super) fn guard_where(&mut self, guard: &'p Guard, flag: IntValue<'ctx>) {
        let index = self.acc(guard.counter);
        self.body.bind_same(guard.index, LoweredValue::Scalar(index));
        if self.is_behind_strip(guard) {
            self.count_entry(guard, flag);
            self.store_guard_inputs(flag);
            return;
        }
        let (flat, rest) = split(guard, |var| self.body.type_of(var).is_array());
        for stmt in flat {
            self.flat_stmt(stmt, flag);
        }
        self.count_entry(guard, flag);
        if rest.is_empty() && guard.inner.is_empty() {
            return;
        }
        if let ([], Some(inner)) = (rest.as_slice(), self.strip_guard_around(guard)) {
            let own = self.body.int(inner.flag);
            let both = built(self.body.code.b.build_and(flag, own, ""));
            return self.guard_where(inner, both);
        }
        let code = &self.body.code;
        let [inside, next] = ["guarded", "next"].map(|name| code.block(name));
        if guard.inner.is_empty() {
            code.branch(flag, inside, next);
        } else {
            code.branch_on_element(flag, inside, next);
        }
        code.b.position_at_end(inside);
        let sizes = self.body.sizes.clone();
        for stmt in rest {
            self.stmt(stmt);
        }
        self.inside(&[], &guard.inner);
        self.release(&guard.release);
        self.body.sizes = sizes;
        self.body.code.jump(next);
        self.body.code.b.position_at_end(next);
    }

    /// Adds one to the counter of a guard if the flag holds.
    fn count_entry(&self, guard: &Guard, flag: IntValue<'ctx>) {
        let index = self.acc(guard.counter).into_int_value();
        let code = &self.body.code;
        let entered = built(code.b.build_int_z_extend(flag, code.types.i64, ""));
        self.set_acc(guard.counter, code.add_index(index, entered).into());
    }

    /// A statement that runs whatever the flag says.
    pub(in crate::loops) fn flat_stmt(&mut self, stmt: &'p Stmt, flag: IntValue<'ctx>) {
        let Stmt::Update { accs, order, worker, args } = stmt else {
            return self.stmt(stmt);
        };
        if let ([acc], [arg], Some(neutral)) =
            (accs.as_slice(), args.as_slice(), self.neutral(accs, worker))
        {
            let neutral = self.body.scalar(neutral);
            let elem = self.body.code.select(flag, self.body.scalar(*arg), neutral);
            let new = self.update(accs, *order, worker, vec![LoweredValue::Scalar(elem)]);
            self.set_acc(*acc, new[0].scalar(worker.params[0]));
            return;
        }
        let elems = args.iter().map(|&arg| self.body.atom(arg)).collect();
        if self.is_rare_choice(accs, *order, worker) {
            return self.choose_rarely((accs, *order, worker), elems, flag);
        }
        let new = self.update(accs, *order, worker, elems);
        // All old values are read before the first is overwritten.
        let old: Vec<BasicValueEnum<'ctx>> = accs.iter().map(|&acc| self.acc(acc)).collect();
        for (((&acc, new), old), &param) in accs.iter().zip(new).zip(old).zip(&worker.params) {
            self.set_acc(acc, self.body.code.select(flag, new.scalar(param), old));
        }
    }

    /// Whether an update certainly leaves the accumulator as it is. Its element is the one that the accumulator began
    /// with, as in the steps between the indices of a grid. A sum that began with 0 is never -0.
    pub(super) fn changes_nothing(&self, accs: &[AccId], worker: &Worker, args: &[Atom]) -> bool {
        let (&[acc], &[arg]) = (accs, args) else { return false };
        let separate = fold_operations(worker, 1).unwrap_or_default();
        let &[FoldOperation { op, elem, .. }] = &separate[..] else { return false };
        let elem = if elem == worker.params[1].into() { arg } else { elem };
        let Atom::Const(elem) = elem else { return false };
        self.init(acc) == Some(elem.into())
            && match op.fold() {
                Reassociation::Sum => {
                    op.row().neutral.is_some_and(|neutral| neutral.of(elem.ty) == elem)
                }
                Reassociation::Choice => true,
                Reassociation::Ordered => false,
            }
    }

    /// The element with which an update changes nothing, if there is one.
    fn neutral(&self, accs: &[AccId], worker: &Worker) -> Option<Atom> {
        let (&[acc], Some(op)) = (accs, operation(worker)) else { return None };
        neutral(op, self.acc_type(acc), self.init(acc)?)
    }
}

/// The statements that run whatever the flag says, and those that run only where it holds.
pub(in crate::loops) fn split(
    guard: &Guard,
    is_array: impl Fn(VarId) -> bool,
) -> (Vec<&Stmt>, Vec<&Stmt>) {
    let (mut flat, mut rest) = (Vec::new(), Vec::new());
    let mut behind_branch = BTreeSet::new();
    // A step that reads an accumulator reads it between updates: those stay in their order.
    let seen: Vec<AccId> = guard.body.iter().filter_map(seen).collect();
    for stmt in &guard.body {
        let mut uses = UsedValues::default();
        stmt.visit(&mut uses);
        let is_seen =
            matches!(stmt, Stmt::Update { accs, .. } if accs.iter().any(|acc| seen.contains(acc)));
        let copies_row =
            matches!(stmt, Stmt::Write { elem: Atom::Var(elem), .. } if is_array(*elem));
        if is_flat(stmt, guard.index, &is_array)
            && !copies_row
            && !is_seen
            && uses.0.iter().all(|var| !behind_branch.contains(var))
        {
            flat.push(stmt);
        } else {
            behind_branch.extend(stmt.defines());
            rest.push(stmt);
        }
    }
    (flat, rest)
}

/// The accumulator that a statement reads.
fn seen(stmt: &Stmt) -> Option<AccId> {
    if let Stmt::Current { acc, .. } = stmt { Some(*acc) } else { None }
}

/// Whether a statement may run where the flag does not hold.
fn is_flat(stmt: &Stmt, index: VarId, is_array: &impl Fn(VarId) -> bool) -> bool {
    let own = |position: &Position| *position == Position::Var(index);
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "there may be no element here, or no memory, or it stands between updates"
    )]
    match stmt {
        Stmt::Copy { .. } | Stmt::Position { index: Position::Var(_), .. } => true,
        Stmt::Position { index, .. } | Stmt::Write { index, .. } => own(index),
        // An accumulator that is an array can't be selected by the flag.
        Stmt::Update { worker, .. } if worker.params.iter().any(|&param| is_array(param)) => false,
        Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } => {
            let cost = cost(&worker.body);
            cost.is_some_and(|cost| cost <= CHEAP)
        }
        _ => false,
    }
}

/// The variables that a statement of a guard uses as values.
#[derive(Default)]
struct UsedValues(Vec<VarId>);

impl VisitPlace<'_> for UsedValues {
    fn atom(&mut self, atom: &Atom) {
        if let Atom::Var(var) = atom {
            self.0.push(*var);
        }
    }
}

impl VisitStmt<'_, Complete> for UsedValues {
    fn worker(&mut self, worker: &Worker) {
        worker.body.for_each_atom(&mut |atom| self.atom(atom));
    }
}

/// How many operations a statement has that runs whatever the flag says.
pub(in crate::loops) fn cost_of(stmt: &Stmt) -> usize {
    if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
        return 1 + cost(&worker.body).unwrap_or(CHEAP);
    }
    1
}

/// How many operations a block has; none if one of them can fail, costs much or is on arrays.
pub(in crate::loops) fn cost(block: &Block) -> Option<usize> {
    block.number_of_steps(&is_cheap)
}

/// Whether it costs little to compute something that is not used.
fn is_cheap(step: &Step) -> bool {
    step.operation().is_some_and(|(_, operation)| {
        matches!(operation.greatest_cost(), Cost::Quick | Cost::QuickAlone)
    })
}

/// The operation, if a worker is only one operation on the accumulator and the element.
fn operation(worker: &Worker) -> Option<BinOp> {
    let ([acc, elem], [step], [result]) =
        (worker.params.as_slice(), worker.body.steps.as_slice(), worker.body.results.as_slice())
    else {
        return None;
    };
    let (var, operation) = step.operation()?;
    let (op, args) = operation.binary()?;
    let (acc, elem) = (Atom::Var(*acc), Atom::Var(*elem));
    let on_both = args == [acc, elem] || args == [elem, acc];
    (on_both && *result == Atom::Var(var)).then_some(op)
}
