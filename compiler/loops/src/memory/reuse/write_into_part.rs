//! A pass whose result replaces a part of an array writes it directly into the array.
//!
//! Invariant: between the pass and the replacement nothing reads the array. The pass itself reads an element of the
//! part only in the step with the element's position, before it writes there, and then no step can fail. It may also
//! read elements outside of the part ([`Accesses::writes_part`]).
//!
//! ```text
//! a = row xs[i]; pass { b = newVecI m; … nextI j a … }; ys = xs with [i] = b; release b
//! ⇒ a = row xs[i]; pass { b = newVecI m in xs[i] over a; … nextI j a … }; ys = xs with [i] = b placed; release b
//!
//! k = i + 1; pass { b = newVecI m; … xs[k, j] … xs[i, j] … }; ys = xs with [i] = b; release b
//! ⇒ k = i + 1; pass { b = newVecI m in xs[i] over xs; … xs[k, j] … xs[i, j] … }; ys = xs with [i] = b placed; release b
//! ```

use crate::access::{Accesses, Context, PartReads};
use crate::concrete::def_use;
use crate::concrete::{End, Memory, Phase, Procedure, Start, Step, Subarray, WrittenCount};
use crate::memory::reuse::overwrite::is_row_of_scalars;
use arrc_fusion::cnf::{Atom, Var};
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::source::Span;
use indexmap::IndexMap;
use std::ops::Range;

/// Makes the passes of a block write into the arrays whose parts they make. Passes of inner blocks do not change. `views`
/// has the views of this block and of those around, each with the array in whose memory it is.
pub(crate) fn passes(
    mut steps: Vec<Step>,
    results: &[Atom],
    views: &IndexMap<VarId, VarId>,
    vars: &PrimaryMap<VarId, Var>,
) -> Vec<Step> {
    for at in 0..steps.len() {
        if let Some(found) = PartReplacement::of(&steps, at, results, vars)
            && !uses_view_from_around(found.array, &steps, found.pass..at, views)
        {
            found.place(&mut steps);
        }
    }
    steps
}

/// A replacement of a part of an array by the result of a pass.
struct PartReplacement {
    /// The positions of three steps: the pass, the step that makes the array unique, and the replacement.
    pass: usize,
    unique: Option<usize>,
    replace: usize,
    /// The array before the step that makes it unique.
    array: VarId,
    /// The array after that step.
    owned: VarId,
    /// The array or the row by which the pass reads elements of the part.
    view: Option<VarId>,
    /// The position of the step that binds the row.
    bound: Option<usize>,
    /// The result of the pass.
    vec: VarId,
    indices: Vec<Atom>,
    span: Span,
}

impl PartReplacement {
    /// The replacement at a position in the block, if the pass can write its result into the array.
    fn of(
        steps: &[Step],
        replace: usize,
        results: &[Atom],
        vars: &PrimaryMap<VarId, Var>,
    ) -> Option<Self> {
        let Step::Replace { array: owned, indices, value, placed: false, span, .. } =
            &steps[replace]
        else {
            return None;
        };
        let vec = value.as_var().filter(|&value| vars[value].ty.is_array())?;
        let pass = steps[..replace].iter().rposition(|step| makes(step, vec))?;
        let between = &steps[pass + 1..replace];
        let unique = between
            .iter()
            .position(|step| matches!(step, Step::Unique { var, .. } if var == owned));
        let array = match unique.map(|at| &between[at]) {
            Some(Step::Unique { array, .. }) => *array,
            Some(_) | None => *owned,
        };
        let found = Self {
            pass,
            unique: unique.map(|at| pass + 1 + at),
            replace,
            array,
            owned: *owned,
            view: None,
            bound: None,
            vec,
            indices: indices.clone(),
            span: *span,
        };
        (found.is_early(steps) && !found.is_kept(steps, results)).then_some(())?;
        found.with_view(steps, vars)
    }

    /// Whether the array and the indices are known before the pass.
    fn is_early(&self, steps: &[Step]) -> bool {
        let late = |var: VarId| {
            steps[self.pass..self.replace].iter().any(|step| def_use::defines(step).contains(&var))
        };
        !late(self.array) && !self.indices.iter().filter_map(Atom::as_var).any(late)
    }

    /// Whether a step other than the replacement uses the result of the pass.
    fn is_kept(&self, steps: &[Step], results: &[Atom]) -> bool {
        let others = steps.iter().enumerate().skip(self.pass + 1);
        let mut others = others.filter(|(at, _)| *at != self.replace).map(|(_, step)| step);
        results.contains(&Atom::Var(self.vec))
            || others.any(|step| {
                let ends = matches!(step, Step::Release { array } if *array == self.vec);
                !ends && def_use::uses(step).contains(&self.vec)
            })
    }

    /// Adds the view of the part that the pass reads. None if the pass may read other elements of the part, or if a
    /// later step may read other elements of the array.
    fn with_view(self, steps: &[Step], vars: &PrimaryMap<VarId, Var>) -> Option<Self> {
        let views = views_of(self.array, &steps[..self.replace]);
        let used = |step: &Step| {
            let used = def_use::uses(step);
            views.iter().copied().filter(|view| used.contains(view)).collect::<Vec<_>>()
        };
        let Step::Pass(pass) = &steps[self.pass] else { panic!("a pass was found here") };
        let view = self.reads(steps, pass, vars)?;
        let bound = match view.filter(|&view| view != self.array) {
            Some(row) => Some(self.bound(steps, row)?),
            None => None,
        };
        if view.is_some() && !can_overwrite_view(pass, self.vec, vars) {
            return None;
        }
        // The step that makes the array unique moves before the view.
        let from = bound.filter(|_| self.unique.is_some()).unwrap_or(self.pass);
        let others = (from..self.replace)
            .filter(|&at| at != self.pass && Some(at) != self.unique && Some(at) != bound);
        let is_seen = others.into_iter().any(|at| !used(&steps[at]).is_empty());
        (!is_seen).then_some(Self { view, bound, ..self })
    }

    /// The array or its row by which the pass reads elements of the part, if it reads some. No answer if it may read an
    /// element of the part that another step has written.
    fn reads(
        &self,
        steps: &[Step],
        pass: &Procedure,
        vars: &PrimaryMap<VarId, Var>,
    ) -> Option<Option<VarId>> {
        let mut context = Context::default();
        steps[..self.pass].iter().for_each(|step| context.note_step(step, vars));
        context.place_part(self.vec, (self.array, &self.indices), vars);
        let part = context.region(self.vec, vars);
        let PartReads { inside, outside } =
            Accesses::of_pass(pass, &context, vars).writes_part(self.array, &part).ok()?;
        if inside.len() > 1 {
            return None;
        }
        let view = inside.first().copied();
        // The step that makes the array unique would move before the pass, so the pass would read the array from before
        // that step.
        let is_before = self.unique.is_some() && (!outside.is_empty() || view == Some(self.array));
        (!is_before).then_some(view)
    }

    /// The position of the step that binds a view of the part.
    fn bound(&self, steps: &[Step], view: VarId) -> Option<usize> {
        steps[..self.pass].iter().position(|step| {
            matches!(
                step,
                Step::Row { var, array, indices, .. }
                    if *var == view && *array == self.array && *indices == self.indices
            )
        })
    }

    /// Makes the pass write its result into the array.
    fn place(self, steps: &mut Vec<Step>) {
        if let Step::Pass(pass) = &mut steps[self.pass] {
            for start in &mut pass.start {
                if let Start::NewVec { vec, memory, .. } = start
                    && *vec == self.vec
                {
                    let (indices, view) = (self.indices.clone(), self.view);
                    *memory = Memory::Part(Subarray {
                        array: self.owned,
                        indices,
                        view,
                        span: self.span,
                    });
                }
            }
        }
        if let Step::Replace { placed, .. } = &mut steps[self.replace] {
            *placed = true;
        }
        if let Some(unique) = self.unique {
            if let Some(at) = self.bound
                && let Step::Row { array, .. } = &mut steps[at]
            {
                *array = self.owned;
            }
            let step = steps.remove(unique);
            steps.insert(self.bound.unwrap_or(self.pass), step);
        }
    }
}

/// Whether a step is a pass that makes all of a vector in memory of its own.
pub(super) fn makes(step: &Step, made: VarId) -> bool {
    let Step::Pass(pass) = step else { return false };
    let is_new = pass.start.iter().any(
        |start| matches!(start, Start::NewVec { vec, memory: Memory::New, .. } if *vec == made),
    );
    let is_whole = pass
        .end
        .iter()
        .any(|end| matches!(end, End::Slice { vec, length: WrittenCount::All } if *vec == made));
    is_new && is_whole && pass.nest.inner.is_empty() && !pass.growing().contains(&made)
}

/// Whether one of these steps of a block uses a view of an array that a block around binds.
pub(super) fn uses_view_from_around(
    array: VarId,
    steps: &[Step],
    of: Range<usize>,
    views: &IndexMap<VarId, VarId>,
) -> bool {
    let own = views_of(array, &steps[..of.end]);
    let is_view = |var: VarId| {
        let mut chain = std::iter::successors(Some(var), |var| views.get(var).copied());
        !own.contains(&var) && chain.any(|of| of == array)
    };
    steps[of].iter().flat_map(def_use::uses).any(is_view)
}

/// An array and all its views.
pub(super) fn views_of<P: Phase>(array: VarId, steps: &[Step<P>]) -> Vec<VarId> {
    let mut views = vec![array];
    for (view, of) in steps.iter().filter_map(Step::view) {
        if views.contains(&of) {
            views.push(view);
        }
    }
    views
}

/// Whether a pass can write a vector over elements that it reads, each in the step that writes it.
fn can_overwrite_view(pass: &Procedure, vec: VarId, vars: &PrimaryMap<VarId, Var>) -> bool {
    let fits = pass.start.iter().all(|start| match start {
        Start::NewVec { vec: made, capacity, .. } => *made != vec || *capacity == pass.nest.length,
        Start::CheckSize { .. } | Start::NewAcc { .. } => true,
    });
    fits && is_row_of_scalars(&vars[vec].ty) && !pass.nest.may_fail(&[], vars)
}
