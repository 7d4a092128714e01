//! Coercions that make two sizes equal only after a pass has made an array of one of the sizes.
//!
//! Invariant: a hint is given only if the sizes can be known to be equal before the pass. The size of a filter's
//! result cannot.
//!
//! ```text
//! as = map f xs; map2 g (as :> [m]t) ys       xs : n, ys : m
//! ⇒ as = map f (xs :> [m]t); map2 g as ys     one pass
//! ```

use indexmap::IndexSet;

use super::{HintContext, Proposal};
use crate::hint::block_variant::BlockVariant;
use arrc_fusion::cnf::{Bind, Extent, Op, SizeDef, Type};
use arrc_syntax::diagnostics::{Code, Diagnostic};
use arrc_syntax::ids::VarId;

/// Proposals to make the sizes equal before the pass.
pub(super) fn coercions(look: HintContext<'_>) -> Vec<Proposal> {
    let mut seen = IndexSet::new();
    let coerced = look.binds().iter().filter_map(|bind| {
        let (array, sizes) = coercion(look, bind)?;
        seen.insert(sizes).then(|| proposal(look, bind, array, sizes)).flatten()
    });
    coerced.collect()
}

/// A coercion of an array that a pass of the block makes: the array, its size, and the size that the binding gives
/// it.
fn coercion(look: HintContext<'_>, bind: &Bind) -> Option<(VarId, (Extent, Extent))> {
    let Op::Reshape { array, .. } = bind.op else { return None };
    look.maker(array)?;
    let rank = |array: VarId| match &look.tables.vars[array].ty {
        Type::Array { shape, .. } => shape.len(),
        Type::Scalar(_) => 0,
    };
    let (from, to) = (look.outer(array), look.outer(bind.vars[0]));
    (rank(array) == rank(bind.vars[0]) && from != to).then_some((array, (from, to)))
}

fn proposal(
    look: HintContext<'_>,
    bind: &Bind,
    array: VarId,
    (from, to): (Extent, Extent),
) -> Option<Proposal> {
    if look.is_filtered(from) || look.is_filtered(to) || !look.may_be_equal(from, to) {
        return None;
    }
    let made = look.maker(array)?;
    let name = look.quoted_or_described(array);
    let hint = Diagnostic::hint(
        Code::LATE_COERCION,
        bind.span,
        format!("{name} gets this size only when a pass has made it"),
    )
    .label("who uses it is in a later pass")
    .also(made.span, format!("{name} is made here"));
    let mut variant = BlockVariant::of(look);
    variant.equate(from, to);
    Some(Proposal { variant, hint, help: help(look, array, from, to) })
}

/// Advice on how to make the sizes equal earlier.
fn help(look: HintContext<'_>, array: VarId, from: Extent, to: Extent) -> String {
    let source = source(look, array);
    let one_name = match (from, to) {
        (Extent::Size(from), Extent::Size(to)) => {
            [from, to].iter().all(|&size| look.tables.sizes[size].def == SizeDef::Param)
        }
        (Extent::Const(_) | Extent::Size(_), _) => false,
    };
    let name = source.map_or("…".into(), |source| look.name_or_dots(source));
    let ty = source.map_or("…".into(), |source| ty(look, source, to));
    let coerce = format!("coerce what it is made of, before the pass: `{name} :> {ty}`");
    if one_name {
        format!("{coerce}; or give both sizes one name in the types of the parameters")
    } else {
        coerce
    }
}

/// The written type of an array with the outermost size `outer`.
fn ty(look: HintContext<'_>, array: VarId, outer: Extent) -> String {
    let Type::Array { elem, shape } = &look.tables.vars[array].ty else {
        panic!("{array} is a scalar")
    };
    let dims = [&[outer], &shape[1..]].concat();
    let dim = |&extent: &Extent| look.size_name(extent).unwrap_or_else(|| "…".into());
    let dims: String = dims.iter().map(|extent| format!("[{}]", dim(extent))).collect();
    format!("{dims}{elem}")
}

/// The array that exists before the passes, and from whose elements the array is made.
fn source(look: HintContext<'_>, array: VarId) -> Option<VarId> {
    let mut array = array;
    while let Some(bind) = look.maker(array) {
        let size = look.outer(array);
        array = bind.op.streams().into_iter().find(|&input| look.outer(input) == size)?;
    }
    Some(array)
}
