//! Lets a pass make its result in a window of an array, if a loop would only copy the result there.
//!
//! `xs[i:j, k:l] = ys` is a loop over the elements of `ys`, whose positions in `xs` were checked before. If a pass
//! makes `ys`, and nothing else reads it, the pass writes into the window itself.
//!
//! Invariant: no step of the pass can fail. The pass reads an element of the window only in the step that writes it, or
//! makes its row, before it is written; all else that it reads of the array lies outside the window. If the loop copies
//! into a fresh copy of the array, the copy is made before the pass, which may read all of the array.
//!
//! ```text
//! pass { t = newVecI m; … writeVecI i t y }
//! ys = loop xs for m do (\a i -> { k = c + i; v = inside t[i]; a with inside [r, k] = v })
//! release t
//! ⇒ pass { t = newVecI m in xs[r, c]; … writeVecI i t y }; ys = xs with window [r, c] = t placed; release t
//! ```

mod copy_loops;
mod non_negative;

use self::copy_loops::CopyLoop;
use self::non_negative::NonNegativeDifferences;
use crate::access::{Accesses, Context, PartReads};
use crate::affine::AffineForms;
use crate::concrete::def_use;
use crate::concrete::{
    End, Length, Loop, Memory, Position, Procedure, ReplacedPart, RowLocation, Start, Step, Stmt,
    Subarray, WrittenCount,
};
use crate::memory::reuse::overwrite::put_rows_over;
use crate::memory::reuse::write_into_part::{makes, uses_view_from_around};
use arrc_fusion::cnf::{Atom, Operation, Var};
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::prim::{BinOp, Scalar};
use indexmap::IndexMap;

/// Lets the passes of a block write into the windows that loops of the block copy to. Blocks inside the block are left
/// alone. The steps `around` come before the block, and `views` has the views of the block and of those around.
pub(crate) fn passes(
    mut steps: Vec<Step>,
    results: &[Atom],
    (around, views): (&[Step], &IndexMap<VarId, VarId>),
    vars: &PrimaryMap<VarId, Var>,
) -> Vec<Step> {
    for at in 0..steps.len() {
        if let Some(found) = WindowCopy::of(&steps, at, (results, around), vars)
            && !uses_view_from_around(found.copying.array, &steps, found.pass..at, views)
        {
            found.place(&mut steps);
        }
    }
    steps
}

/// A loop that copies the result of a pass into a window, if the pass can write there.
struct WindowCopy {
    copying: CopyLoop,
    /// The position of the pass, and that of the loop.
    pass: usize,
    at: usize,
    /// For each step between them, whether it moves before the pass.
    early: Vec<bool>,
    /// Whether the pass reads elements of the window.
    reads: bool,
}

impl WindowCopy {
    fn of(
        steps: &[Step],
        at: usize,
        (results, around): (&[Atom], &[Step]),
        vars: &PrimaryMap<VarId, Var>,
    ) -> Option<Self> {
        let copying = CopyLoop::of(&steps[at])?;
        let pass = steps[..at].iter().rposition(|step| makes(step, copying.value))?;
        let Step::Pass(made) = &steps[pass] else { return None };
        let early = moves_before_pass(&steps[pass..at])?;
        let moved = steps[pass + 1..at].iter().zip(&early);
        let moved = moved.filter_map(|(step, early)| early.then_some(step)).collect::<Vec<_>>();
        let before = around.iter().chain(&steps[..pass]).collect::<Vec<_>>();
        let known = before.iter().chain(&moved).copied().collect::<Vec<_>>();
        let mut forms = AffineForms::default();
        known.iter().for_each(|step| forms.note_step(step));
        let natural = NonNegativeDifferences::of(&before, &forms);
        let in_order = !checks_sizes(made, &natural, &forms)
            || moved.iter().all(|step| cannot_fail(step, &known, &forms, vars));
        let filled =
            CopiedVector { vec: copying.value, counts: &copying.counts, known: &known, vars };
        if is_kept(&copying, steps, at, results) || !in_order || !filled.fills_window(made, &forms)
        {
            return None;
        }
        let copy = steps[pass..at]
            .iter()
            .any(|step| matches!(step, Step::Copy { var, .. } if *var == copying.array));
        let late = |step: &Step| def_use::defines(step).contains(&copying.array);
        let reads = if copy {
            false
        } else if steps[pass..at].iter().any(late) {
            return None;
        } else {
            let mut context = Context::default();
            known.iter().for_each(|step| context.note_step(step, vars));
            context.place_window(copying.value, copying.array, &copying.indices, &copying.counts);
            let window = context.region(copying.value, vars);
            let accesses = Accesses::of_pass(made, &context, vars);
            let PartReads { inside, .. } = accesses.writes_part(copying.array, &window).ok()?;
            inside.iter().all(|&by| by == copying.array).then_some(())?;
            !inside.is_empty()
        };
        Some(Self { copying, pass, at, early, reads })
    }

    /// Lets the pass write into the window.
    fn place(self, steps: &mut Vec<Step>) {
        let CopyLoop { result: var, array, value, indices, counts: _, span } = self.copying;
        let view = self.reads.then_some(array);
        let part = Subarray { array, indices: indices.clone(), view, span };
        let target = ReplacedPart::Window;
        let tail = steps.split_off(self.at + 1);
        let between = steps.split_off(self.pass + 1);
        let Some(Step::Pass(mut pass)) = steps.pop() else { panic!("a pass was found here") };
        for start in &mut pass.start {
            if let Start::NewVec { vec, memory, .. } = start
                && *vec == value
            {
                *memory = Memory::Part(part.clone());
            }
        }
        if let Some(over) = view {
            put_rows_over(&mut pass, value, over);
        }
        // The last step is the loop. It has no entry in `early`, so it is left out.
        let mut late = Vec::new();
        for (step, early) in between.into_iter().zip(self.early) {
            if early { steps.push(step) } else { late.push(step) }
        }
        steps.push(Step::Pass(pass));
        steps.extend(late);
        steps.push(Step::Replace {
            var,
            array,
            indices,
            target,
            value: value.into(),
            placed: true,
            span,
        });
        steps.extend(tail);
    }
}

/// The first step is a pass. Tells for each step after it whether the step moves before the pass: computations of
/// numbers, assertions and copies do. There is no answer if another step may not stay between the pass and the window,
/// or if a step that moves uses what the pass or a step that stays defines.
fn moves_before_pass(steps: &[Step]) -> Option<Vec<bool>> {
    let (pass, between) = steps.split_first()?;
    let mut late = def_use::defines(pass);
    let mut early = Vec::new();
    for step in between {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others keep their place")]
        let moves = match step {
            Step::Scalar { .. } | Step::Length { .. } | Step::Assert { .. } | Step::Copy { .. } => {
                true
            }
            Step::Release { .. } | Step::Replace { placed: true, .. } => false,
            _ => return None,
        };
        if moves && def_use::uses(step).iter().any(|used| late.contains(used)) {
            return None;
        }
        if !moves {
            late.extend(def_use::defines(step));
        }
        early.push(moves);
    }
    Some(early)
}

/// Whether a pass, or one in its steps, checks a size that may be negative.
fn checks_sizes(
    pass: &Procedure,
    natural: &NonNegativeDifferences,
    forms: &AffineForms<'_>,
) -> bool {
    let may_fail = |start: &Start| match start {
        Start::CheckSize { size, .. } => !natural.has(*size, forms),
        Start::NewVec { .. } | Start::NewAcc { .. } => false,
    };
    let mut checks = pass.start.iter().any(may_fail);
    pass.nest.for_each_stmt(&mut |stmt| {
        if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
            let mut forms = forms.clone();
            for step in &worker.body.steps {
                forms.note_step(step);
                checks |= matches!(step, Step::Pass(pass) if checks_sizes(pass, natural, &forms));
            }
        }
    });
    checks
}

/// Whether a step cannot fail, so that it may move before a pass that may fail. Such a step is a total computation, a
/// copy, or an assertion that two equal forms are equal.
fn cannot_fail(
    step: &Step,
    known: &[&Step],
    forms: &AffineForms<'_>,
    vars: &PrimaryMap<VarId, Var>,
) -> bool {
    let Step::Assert { check, .. } = step else {
        return step.is_total(vars) || matches!(step, Step::Copy { .. });
    };
    known.iter().any(|step| {
        let Step::Scalar { var, op: Operation::Bin(BinOp::Eq, [a, b]), .. } = step else {
            return false;
        };
        let is_number = a.ty(vars).scalars() == Scalar::I64;
        let (a, b) = (forms.of(*a), forms.of(*b));
        check.cond == Atom::Var(*var) && is_number && a.is_some() && a == b
    })
}

/// Whether a step other than the loop uses the result of the pass.
fn is_kept(copying: &CopyLoop, steps: &[Step], at: usize, results: &[Atom]) -> bool {
    let value = copying.value;
    let mut others = steps.iter().enumerate().filter(|(other, _)| *other != at);
    results.contains(&Atom::Var(value))
        || others.any(|(_, step)| {
            let ends = matches!(step, Step::Release { array } if *array == value);
            !ends && def_use::uses(step).contains(&value)
        })
}

/// A vector whose elements are those that a loop copies.
struct CopiedVector<'a> {
    vec: VarId,
    counts: &'a [Atom],
    /// The steps before the pass that makes it.
    known: &'a [&'a Step],
    vars: &'a PrimaryMap<VarId, Var>,
}

impl CopiedVector<'_> {
    /// Whether the pass writes as many elements as the loop copies along each dimension, and none of its steps can
    /// fail.
    fn fills_window(&self, pass: &Procedure, forms: &AffineForms<'_>) -> bool {
        let made = pass.start.iter().find_map(|start| match start {
            Start::NewVec { vec, capacity, .. } if *vec == self.vec => Some(capacity),
            Start::NewVec { .. } | Start::CheckSize { .. } | Start::NewAcc { .. } => None,
        });
        let is_whole = made == Some(&pass.nest.length);
        match self.counts {
            [count] => {
                is_whole
                    && self.is_length(&pass.nest.length, *count, forms)
                    && !pass.nest.may_fail(&[], self.vars)
            }
            [rows, columns] => {
                is_whole
                    && self.is_length(&pass.nest.length, *rows, forms)
                    && pass.nest.variants().all(|(body, inner)| {
                        inner.is_empty()
                            && self.fills_window_by_rows(body, &pass.nest, *columns, forms)
                    })
            }
            _ => false,
        }
    }

    /// Whether a step cannot fail, and makes a row in its place with as many elements as the loop copies.
    fn fills_window_by_rows(
        &self,
        body: &[Stmt],
        nest: &Loop,
        columns: Atom,
        forms: &AffineForms<'_>,
    ) -> bool {
        let [.., Stmt::Apply { worker, .. }, Stmt::Write { vec, placed: true, .. }] = body else {
            return false;
        };
        let [before @ .., Step::Pass(row)] = &worker.body.steps[..] else { return false };
        let fails = body[..body.len() - 2].iter().any(|stmt| stmt.may_fail(self.vars))
            || before.iter().any(|step| step.may_fail(self.vars))
            || row.nest.may_fail(&[], self.vars);
        let mut forms = forms.clone();
        before.iter().for_each(|step| forms.note_step(step));
        let in_place = |start: &Start| {
            matches!(
                start,
                Start::NewVec { capacity, memory: Memory::Row(RowLocation { vec, index, .. }), .. }
                    if *vec == self.vec && *index == Position::Var(nest.counter)
                        && *capacity == row.nest.length && self.is_length(capacity, columns, &forms)
            )
        };
        let is_whole = matches!(row.end[..], [End::Slice { length: WrittenCount::All, .. }]);
        *vec == self.vec && !fails && is_whole && row.start.iter().any(in_place)
    }

    /// Whether a length is equal to a count.
    fn is_length(&self, length: &Length, count: Atom, forms: &AffineForms<'_>) -> bool {
        let is_equal = |atom: Atom| match (forms.of(atom), forms.of(count)) {
            (Some(a), Some(b)) => a == b,
            (_, _) => false,
        };
        match length {
            Length::Value(atom) => is_equal(*atom),
            Length::Array(array) => self.known.iter().any(|step| match made_length(step, *array) {
                Some(Length::Value(of)) => is_equal(of),
                Some(Length::Array(_) | Length::Product(..)) | None => false,
            }),
            Length::Product(..) => false,
        }
    }
}

/// The length of an array, if the step makes the array.
fn made_length(step: &Step, array: VarId) -> Option<Length> {
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others do not tell the length")]
    match step {
        Step::Slice { var, count, .. } if *var == array => Some(Length::Value(*count)),
        Step::Pass(pass) if makes(step, array) => pass.start.iter().find_map(|start| match start {
            Start::NewVec { vec, capacity, .. } if *vec == array => Some(capacity.clone()),
            Start::NewVec { .. } | Start::CheckSize { .. } | Start::NewAcc { .. } => None,
        }),
        _ => None,
    }
}
