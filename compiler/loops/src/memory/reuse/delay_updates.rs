//! Makes room for updates in place, where the old elements of the array are used around an update.
//!
//! An update writes in place if nothing uses the array afterwards. Two changes make that so more often:
//!
//! - An update moves behind the steps that use the old elements, and so do the steps that use its result. The checks of
//!   their indices keep their place.
//! - A view that is used behind the update becomes a copy of the row that it shows. So the row is copied, and not
//!   the whole array.
//!
//! Invariant: steps that can fail keep their order, and each step reads the same elements as before.
//!
//! ```text
//! ys = xs with [i] = a; b = xs[j]; zs = ys with [j] = b
//! ⇒ assert 0 <= i && i < length xs; b = xs[j]; ys = xs with [i] = a; zs = ys with [j] = b
//!
//! a = row xs[i]; ys = xs with [i] = b; zs = ys with [j] = a
//! ⇒ a.2 = row xs[i]; a = copy a.2; ys = xs with [i] = b; zs = ys with [j] = a
//! ```

use arr_abi::ErrorCode;
use indexmap::{IndexMap, IndexSet};

use crate::concrete::def_use;
use crate::concrete::{Block, LoopForm, Ranged, ReplacedPart, Start, Step};
use crate::memory::reuse::write_into_part::views_of;
use arrc_fusion::cnf::{Assertion, Atom, Operation, Type, UNNAMED_SCALAR, Var};
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

/// Moves the updates of a block behind the steps that use the old elements.
pub(crate) fn updates_last(
    mut steps: Vec<Step<Ranged>>,
    results: &[Atom],
    vars: &mut PrimaryMap<VarId, Var>,
) -> Vec<Step<Ranged>> {
    for at in (0..steps.len()).rev() {
        if let Some(late) = DelayedUpdate::of(&steps, at, results, vars) {
            steps = late.moved(steps, vars);
        }
    }
    steps
}

/// An update that moves, with the steps that depend on it.
struct DelayedUpdate {
    /// The position of the update.
    at: usize,
    /// The position of the last step that uses the old elements, and does not depend on the update.
    last: usize,
    /// The positions up to there of the update and of the steps that depend on it.
    moves: IndexSet<usize>,
}

impl DelayedUpdate {
    fn of(
        steps: &[Step<Ranged>],
        at: usize,
        results: &[Atom],
        vars: &PrimaryMap<VarId, Var>,
    ) -> Option<Self> {
        let Step::Replace { array, placed: false, .. } = steps[at] else { return None };
        let old = views_of(array, steps);
        let mut moves = IndexSet::from([at]);
        let mut made = def_use::defines(&steps[at]);
        let mut last = None;
        for (position, step) in steps.iter().enumerate().skip(at + 1) {
            let used = def_use::uses(step);
            if used.iter().any(|used| made.contains(used)) {
                if used.contains(&array) {
                    return None;
                }
                moves.insert(position);
                made.extend(def_use::defines(step));
            } else if used.iter().any(|used| old.contains(used)) {
                last = Some(position);
            }
        }
        let last = last?;
        moves.retain(|&position| position <= last);
        let moved = moves.iter().flat_map(|&position| def_use::uses(&steps[position]));
        let moved = moved.collect::<IndexSet<_>>();
        let may_move = |(position, step): (usize, &Step<Ranged>)| {
            if moves.contains(&position) {
                return can_follow(step, vars);
            }
            // An update ends its array: no step may use it afterwards.
            let Step::Replace { array: other, .. } = *step else {
                return can_precede_update(step, vars);
            };
            views_of(other, steps).iter().all(|view| !moved.contains(view))
        };
        let all = steps.iter().enumerate().take(last + 1).skip(at).all(may_move);
        let checks = moves.iter().flat_map(|&position| checked(&steps[position]));
        let early = checks.into_iter().filter_map(Atom::as_var).all(|index| {
            !moves.iter().any(|&position| def_use::defines(&steps[position]).contains(&index))
        });
        (all && early && !results.contains(&Atom::Var(array))).then_some(Self { at, last, moves })
    }

    fn moved(
        self,
        mut steps: Vec<Step<Ranged>>,
        vars: &mut PrimaryMap<VarId, Var>,
    ) -> Vec<Step<Ranged>> {
        let after = steps.split_off(self.last + 1);
        let between = steps.split_off(self.at);
        let mut late = Vec::new();
        // Updates do not change a shape, so the array before the first of them has the lengths.
        let mut first = IndexMap::<VarId, VarId>::new();
        for (position, step) in (self.at..).zip(between) {
            if !self.moves.contains(&position) {
                steps.push(step);
                continue;
            }
            if let Step::Replace { var, array, span, .. } = step {
                let shape_of = first.get(&array).copied().unwrap_or(array);
                first.insert(var, shape_of);
                for (dim, &index) in checked(&step).iter().enumerate() {
                    steps.extend(check(index, (shape_of, dim), span, vars));
                }
            }
            late.push(step);
        }
        steps.extend(late);
        steps.extend(after);
        steps
    }
}

/// Whether a step can be moved behind steps that may fail, once its indices are checked.
fn can_follow(step: &Step<Ranged>, vars: &PrimaryMap<VarId, Var>) -> bool {
    matches!(
        step,
        Step::Replace { target: ReplacedPart::Checked | ReplacedPart::Inside, placed: false, .. }
    ) || step.is_pure(vars)
        || step.is_total(vars)
}

/// Whether an update can be moved behind a step that does not depend on it: the step ends no array. A branch or a loop
/// does not, if it gives only scalars and none of its own steps ends one.
fn can_precede_update(step: &Step<Ranged>, vars: &PrimaryMap<VarId, Var>) -> bool {
    let inside =
        |block: &Block<Ranged>| block.steps.iter().all(|step| can_precede_update(step, vars));
    let scalars = |made: &[VarId]| made.iter().all(|&var| !vars[var].ty.is_array());
    match step {
        Step::Scalar { .. }
        | Step::Index { .. }
        | Step::Row { .. }
        | Step::Slice { .. }
        | Step::Reshape { .. }
        | Step::Length { .. }
        | Step::Assert { .. }
        | Step::Array { .. }
        | Step::Sort { .. }
        | Step::Constant { .. }
        | Step::Pass(_) => true,
        Step::If { vars: made, then, otherwise, .. } => {
            scalars(made) && inside(then) && inside(otherwise)
        }
        Step::Loop { vars: made, form, worker, .. } => {
            let cond = match form {
                LoopForm::For { .. } => true,
                LoopForm::While { cond } => inside(&cond.body),
            };
            scalars(made) && cond && inside(&worker.body)
        }
        Step::Call { .. }
        | Step::Append { .. }
        | Step::Replace { .. }
        | Step::Copy { .. }
        | Step::Unique { .. }
        | Step::Share { .. }
        | Step::Release { .. } => false,
    }
}

/// The indices of an update that are checked.
fn checked(step: &Step<Ranged>) -> &[Atom] {
    if let Step::Replace { indices, target: ReplacedPart::Checked, .. } = step {
        indices
    } else {
        &[]
    }
}

/// The steps that check an index in a dimension of an array.
fn check(
    index: Atom,
    (array, dim): (VarId, usize),
    span: Span,
    vars: &mut PrimaryMap<VarId, Var>,
) -> [Step<Ranged>; 5] {
    let mut scalar = |ty| vars.push(Var { name: Name::new(UNNAMED_SCALAR), ty: Type::Scalar(ty) });
    let length = scalar(Scalar::I64);
    let [natural, below, holds] = [(); 3].map(|()| scalar(Scalar::Bool));
    let bin = |var, op, args: [Atom; 2]| Step::Scalar { var, op: Operation::Bin(op, args), span };
    let failure = Failure::index(ErrorCode::Index, index, Atom::Var(length));
    [
        Step::Length { var: length, array, dim },
        bin(natural, BinOp::Le, [Atom::Const(Const::i64(0)), index]),
        bin(below, BinOp::Lt, [index, Atom::Var(length)]),
        bin(holds, BinOp::And, [Atom::Var(natural), Atom::Var(below)]),
        Step::Assert { check: Assertion { cond: Atom::Var(holds), failure }, span },
    ]
}

/// The rows of arrays that the block owns and updates, if they are used behind the update, and the update can write in
/// place once they are copied. The views get other names. Each comes with the name that the copy of its elements has.
pub(crate) fn copied_rows(
    steps: &mut [Step<Ranged>],
    results: &[Atom],
    owned: &[VarId],
    vars: &mut PrimaryMap<VarId, Var>,
) -> IndexMap<VarId, VarId> {
    let mut copies = IndexMap::new();
    for at in 0..steps.len() {
        for array in updated(&steps[at]) {
            if !owned.contains(&array) && !makes(&steps[..at], array) {
                continue;
            }
            let Some(rows) = kept_rows(steps, at, array, results) else { continue };
            for position in rows {
                let Step::Row { var, .. } = &mut steps[position] else { panic!("it binds a row") };
                let copy = std::mem::replace(var, vars.push(vars[*var].clone()));
                copies.insert(*var, copy);
            }
        }
    }
    copies
}

/// The arrays that a step ends and may write to.
fn updated(step: &Step<Ranged>) -> Vec<VarId> {
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others update no array")]
    match step {
        Step::Replace { array, placed: false, .. } => vec![*array],
        Step::Loop { init, form, worker, .. } => {
            let inside = def_use::uses_inside(form, worker);
            init.iter().filter_map(Atom::as_var).filter(|init| !inside.contains(init)).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether one of these steps makes an array that is no view and no constant.
fn makes(steps: &[Step<Ranged>], array: VarId) -> bool {
    let maker = steps.iter().find(|step| def_use::defines(step).contains(&array));
    maker.is_some_and(|step| step.view().is_none() && !matches!(step, Step::Constant { .. }))
}

/// Whether a step carries an array, so that its results may share the array's memory.
fn carries(step: &Step<Ranged>, array: VarId) -> bool {
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others carry nothing")]
    match step {
        Step::Loop { init, .. } => init.contains(&Atom::Var(array)),
        Step::Pass(pass) => pass.start.iter().any(|start| match start {
            Start::NewAcc { init, .. } => *init == Atom::Var(array),
            Start::CheckSize { .. } | Start::NewVec { .. } => false,
        }),
        _ => false,
    }
}

/// The positions of the steps that bind rows of an array which are used behind the update at this position, or shared.
/// None if something else uses the array there, or a view that may have as many elements as the array.
fn kept_rows(
    steps: &[Step<Ranged>],
    at: usize,
    array: VarId,
    results: &[Atom],
) -> Option<Vec<usize>> {
    // A loop may use the views after its first update.
    let from = if matches!(steps[at], Step::Loop { .. }) { at } else { at + 1 };
    let behind = steps[from..].iter().flat_map(def_use::uses).collect::<IndexSet<_>>();
    let is_used = |var: VarId| {
        behind.contains(&var)
            || results.contains(&Atom::Var(var))
            || steps[..at].iter().any(|step| carries(step, var))
    };
    let ends = !results.contains(&Atom::Var(array))
        && !steps[at + 1..].iter().any(|step| def_use::uses(step).contains(&array));
    let mut shown = IndexSet::from([array]);
    let mut kept = Vec::new();
    for (position, step) in steps[..at].iter().enumerate() {
        match step.view() {
            Some((view, of)) if shown.contains(&of) && is_used(view) => {
                matches!(step, Step::Row { .. }).then(|| kept.push(position))?;
            }
            Some((view, of)) if shown.contains(&of) => {
                shown.insert(view);
            }
            Some(_) | None => {}
        }
    }
    ends.then_some(kept)
}
