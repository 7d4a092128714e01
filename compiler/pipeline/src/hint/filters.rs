//! Two filters with the same condition, where one would do.
//!
//! The compiler joins filters that are equal. It does not join filters that keep different arrays, and does not know
//! that their results have the same size.
//!
//! Invariant: a hint is given only if both conditions are the same operation on the same arrays.
//!
//! ```text
//! as = filter (> 0) xs; bs = filter (\(x, _) -> x > 0) (zip xs ys) |> map (.1)
//! ⇒ let (as, bs) = unzip (filter (\(x, _) -> x > 0) (zip xs ys))
//! ```

use super::{HintContext, Proposal};
use crate::hint::block_variant::BlockVariant;
use arrc_fusion::cnf::{Bind, Op};
use arrc_fusion::simplify::same_worker;
use arrc_syntax::diagnostics::{Code, Diagnostic};

/// Proposals to use one filter instead of two.
pub(super) fn filters(look: HintContext<'_>) -> Vec<Proposal> {
    let mut proposals = Vec::new();
    let filters: Vec<&Bind> =
        look.binds().iter().filter(|bind| matches!(bind.op, Op::Filter { .. })).collect();
    for (place, second) in filters.iter().enumerate() {
        let first = filters[..place].iter().find(|first| same_condition(look, first, second));
        proposals.extend(first.and_then(|first| proposal(look, first, second)));
    }
    proposals
}

fn same_condition(look: HintContext<'_>, first: &Bind, second: &Bind) -> bool {
    let (
        Op::Filter { worker, inputs, .. },
        Op::Filter { worker: other_worker, inputs: other_inputs, .. },
    ) = (&first.op, &second.op)
    else {
        return false;
    };
    inputs == other_inputs
        && !first.op.has_effect()
        && same_worker(&look.tables.vars, worker, other_worker)
}

fn proposal(look: HintContext<'_>, first: &Bind, second: &Bind) -> Option<Proposal> {
    let (&result, &other) = (first.vars.first()?, second.vars.first()?);
    let (subject, known) = (look.quoted_or_described(other), look.quoted_or_described(result));
    let hint = Diagnostic::hint(
        Code::FILTERED_TWICE,
        second.span,
        format!("{subject} is filtered by the condition that {known} was filtered by"),
    )
    .label("the same condition, of the same elements")
    .also(first.span, format!("{known} is filtered here"))
    .note("each `filter` gives arrays of a size of its own, also if both keep the same places");
    let help = "filter once: `let (as, bs) = unzip (filter (\\(a, b) -> …) (zip …))` gives arrays of \
                one size, which one pass can go through";
    Some(Proposal { variant: merged_filters(look, first, second)?, hint, help: help.into() })
}

/// The block in which the first filter also keeps the arrays of the second one.
fn merged_filters(look: HintContext<'_>, first: &Bind, second: &Bind) -> Option<BlockVariant> {
    let Op::Filter { keep: others, .. } = &second.op else { return None };
    let mut variant = BlockVariant::of(look);
    variant.block.binds.retain(|bind| bind.vars != second.vars);
    let mut renamed = Vec::new();
    for bind in variant.block.binds.iter_mut().filter(|bind| bind.vars == first.vars) {
        let Bind { vars, op: Op::Filter { keep, .. }, .. } = bind else { return None };
        for (&var, &array) in second.vars.iter().zip(others) {
            match keep.iter().position(|&known| known == array) {
                Some(known) => renamed.push((var, vars[known])),
                None => {
                    vars.push(var);
                    keep.push(array);
                }
            }
        }
    }
    variant.equate(look.outer(second.vars[0]), look.outer(first.vars[0]));
    for (old, new) in renamed {
        variant.rename(old, new);
    }
    Some(variant)
}
