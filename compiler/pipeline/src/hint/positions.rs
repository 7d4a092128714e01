//! Arrays that are indexed at the position of the loop's own step, but have another size than the loop.
//!
//! An array that is indexed has to be in memory. An array that is streamed, element by element, need not be.
//! `simplify` replaces indexing by streaming if the sizes are known to be equal.
//!
//! Invariant: a hint is given only for an array that a pass of the same block makes, and whose size a coercion can
//! make equal to the size of the loop.
//!
//! ```text
//! as : n = scan (+) 0 xs; map (\i -> as[i] + ys[i]) (iota m)   ⇒   map2 (+) as ys
//! ```

use indexmap::IndexSet;

use super::{HintContext, Proposal};
use crate::hint::block_variant::BlockVariant;
use arrc_fusion::cnf::{Atom, Bind, ElementWorker, Extent, FoldOrder, LoopForm, Op, Worker};
use arrc_syntax::diagnostics::{Code, Diagnostic};
use arrc_syntax::ids::VarId;
use arrc_syntax::source::Span;

/// Proposals to stream arrays that are indexed.
pub(super) fn positions(look: HintContext<'_>) -> Vec<Proposal> {
    let places = look.binds().iter().enumerate();
    places.filter_map(|(place, bind)| of_bind(look, place, bind)).collect()
}

fn of_bind(look: HintContext<'_>, place: usize, bind: &Bind) -> Option<Proposal> {
    let (worker, counter, size) = counted(look, bind)?;
    let reads: Vec<(VarId, Span)> = (worker.body.binds.iter())
        .filter_map(|inner| Some((read_at(&inner.op, counter)?, inner.span)))
        .filter(|&(array, _)| can_be_of(look, array, size))
        .collect();
    let mut variant = BlockVariant::of(look);
    if !streamed(&mut variant.block.binds[place], counter, &reads) {
        return None;
    }
    for &(array, _) in &reads {
        variant.equate(look.outer(array), size);
    }
    let made: Vec<(VarId, Span)> =
        reads.into_iter().filter(|&(array, _)| look.maker(array).is_some()).collect();
    let (hint, help) = told(look, &made)?;
    Some(Proposal { variant, hint, help })
}

/// Whether the array has this size, or could be coerced to it before it is made.
fn can_be_of(look: HintContext<'_>, array: VarId, size: Extent) -> bool {
    let own = look.outer(array);
    let made = look.maker(array).is_some();
    let is_free = |size| !look.is_filtered(size);
    own == size || (made && is_free(own) && is_free(size) && look.may_be_equal(own, size))
}

fn told(look: HintContext<'_>, made: &[(VarId, Span)]) -> Option<(Diagnostic, String)> {
    let &(array, span) = made.first()?;
    let name = look.quoted_or_described(array);
    let hint = Diagnostic::hint(
        Code::INDEXED_IN_ORDER,
        span,
        format!("{name} is indexed in order, so all of it must have been written before"),
    )
    .label("always at the position of the step itself");
    let arrays: IndexSet<VarId> = made.iter().map(|&(array, _)| array).collect();
    let hint = arrays.iter().fold(hint, |hint, &array| match look.maker(array) {
        Some(maker) => {
            hint.also(maker.span, format!("{} is made here", look.quoted_or_described(array)))
        }
        None => hint,
    });
    let example = look.name_or_dots(array);
    let help = format!(
        "take its elements one after the other: `map2 (\\x … -> …) {example} …`, `zip`, or in a loop \
         `for x in {example}`; where sizes differ, `:>` makes them equal before it is made"
    );
    Some((hint, help))
}

/// A combinator whose worker gets the number of the step: the worker, the parameter for this number, and the number
/// of steps.
fn counted<'a>(look: HintContext<'a>, bind: &'a Bind) -> Option<(&'a Worker, VarId, Extent)> {
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "of the others, those count that take the elements of an array of positions"
    )]
    match &bind.op {
        Op::Generate { worker, .. } => {
            Some((worker, *worker.params.first()?, look.outer(*bind.vars.first()?)))
        }
        // A loop becomes a fold only if it carries nothing but scalars.
        Op::Loop { form: LoopForm::For { count }, init, worker }
            if bind.vars.iter().all(|&var| !look.tables.vars[var].ty.is_array()) =>
        {
            Some((worker, worker.params[init.len()], length(look, *count)?))
        }
        op => {
            let ElementWorker { worker, accs, inputs } = op.elements()?;
            let place = inputs.iter().position(|&input| is_iota(look, input))?;
            Some((worker, worker.params[accs + place], look.outer(inputs[place])))
        }
    }
}

/// The size of the arrays whose length is `count`.
fn length(look: HintContext<'_>, count: Atom) -> Option<Extent> {
    let Atom::Var(count) = count else { return None };
    let bind = look.binds().iter().find(|bind| bind.vars == [count])?;
    let (array, 0) = bind.op.length()? else { return None };
    Some(look.outer(array))
}

/// Whether the array is `0, 1, 2, …`.
fn is_iota(look: HintContext<'_>, array: VarId) -> bool {
    let Some(Bind { vars, op: Op::Generate { worker, .. }, .. }) = look.maker(array) else {
        return false;
    };
    let at = vars.iter().position(|&var| var == array);
    at.is_some_and(|at| worker.body.results[at] == Atom::Var(worker.params[0]))
}

/// The array that an operation indexes with exactly this index.
fn read_at(op: &Op, index: VarId) -> Option<VarId> {
    let Op::Index { array, indices, .. } = op else { return None };
    (indices[..] == [Atom::Var(index)]).then_some(*array)
}

/// Makes the arrays that are read inputs of the combinator. Returns whether that is possible.
fn streamed(bind: &mut Bind, counter: VarId, reads: &[(VarId, Span)]) -> bool {
    let Bind { op, .. } = bind;
    if let Op::Generate { worker, .. } = op {
        let body = std::mem::take(&mut worker.body);
        *op = Op::Map { worker: Worker { params: Vec::new(), body }, inputs: Vec::new() };
    }
    if let Op::Loop { init, worker, .. } = op {
        let (mut params, body) = (worker.params.clone(), std::mem::take(&mut worker.body));
        params.truncate(init.len());
        let (init, worker) = (std::mem::take(init), Worker { params, body });
        *op = Op::Fold { order: FoldOrder::Strict, worker, init, inputs: Vec::new() };
    }
    let elements = op.elements_mut();
    let ElementWorker { worker, inputs, .. } = elements.expect("only a combinator has a counter");
    for bind in std::mem::take(&mut worker.body.binds) {
        let read = read_at(&bind.op, counter);
        match read.filter(|array| reads.iter().any(|(known, _)| known == array)) {
            Some(array) => {
                worker.params.push(bind.vars[0]);
                inputs.push(array);
            }
            None => worker.body.binds.push(bind),
        }
    }
    let mut counts = false;
    worker.body.for_each_use(&mut |atom| counts |= atom == Atom::Var(counter));
    !inputs.is_empty() && (worker.params.contains(&counter) || !counts)
}
