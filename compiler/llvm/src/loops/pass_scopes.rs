//! The state of a pass, with alias scopes for the vectors that it makes.
//!
//! Invariant: behind the pass, the alias scopes are those of the pass around again.
//!
//! ```text
//! pass { ys = newVecI n; … xs[i] … }        a load of xs does not alias a store to ys
//! ```

use std::rc::Rc;

use arrc_loops::access::passes;
use arrc_loops::concrete::{Memory, Procedure, Start};
use arrc_syntax::ids::SecondaryMap;

use super::nesting::Level;
use super::pass::Pass;
use super::scalar::{contraction, signed_zeros};
use crate::function::aliasing::{Aliasing, ArrayNames, MadeVector};
use crate::function::function_body::Body;

/// Lowers a part of a pass, with alias scopes for the pass's vectors.
pub(super) fn lower_with_scopes<'ctx, 'p>(
    body: &mut Body<'_, 'ctx, 'p>,
    procedure: &'p Procedure,
    lower: impl FnOnce(&mut Pass<'_, '_, 'ctx, 'p>),
) {
    let vectors = vectors_of(procedure, body.aliasing.as_deref());
    let is_over = vectors.iter().any(|vector| vector.over.is_some());
    let around = body.aliasing.as_deref().and_then(Aliasing::names);
    let names = if is_over { Some(names_of(body)) } else { around };
    let aliasing = Aliasing::new(&mut body.code, &vectors, names, body.aliasing.as_deref());
    let outer = body.aliasing.replace(Rc::new(aliasing));
    let around = if outer.is_some() { Level::Inner } else { Level::Outermost };
    let level = body.collapsed.map_or(around, |collapsed| collapsed.level);
    let (accs, carries, growing) = (SecondaryMap::new(), SecondaryMap::new(), SecondaryMap::new());
    // In the steps of another pass, the bits would depend on whether a step runs in a lane.
    if outer.is_none() {
        contraction::note(&mut body.contracts, procedure);
    }
    let mut pass = Pass {
        body,
        procedure,
        level,
        accs,
        positive: signed_zeros::positive(procedure),
        carries,
        growing,
        behind: None,
        loaded: SecondaryMap::new(),
        slice: None,
        grouping: None,
        required_grouping: None,
        at_once: None,
    };
    lower(&mut pass);
    pass.body.aliasing = outer;
}

/// The names of the arrays of a function.
fn names_of(body: &mut Body<'_, '_, '_>) -> ArrayNames {
    let function = body.function;
    let known = &mut body.code.unit.names;
    known.entry(function.name.clone()).or_insert_with(|| Rc::new(passes::names(function))).clone()
}

/// The vectors that a pass makes, inside a pass with the scopes `around`.
fn vectors_of(procedure: &Procedure, around: Option<&Aliasing<'_>>) -> Vec<MadeVector> {
    let vector = |start: &Start| match start {
        Start::NewVec { vec, memory, .. } => {
            let over = match memory {
                Memory::New | Memory::Scratch | Memory::DoubleBuffer | Memory::Behind(_) => None,
                Memory::Row(place) => around.and_then(|around| around.over(place.vec)),
                Memory::Over(array) => Some(*array),
                Memory::Part(part) => part.view,
            };
            Some(MadeVector { vector: *vec, over })
        }
        Start::CheckSize { .. } | Start::NewAcc { .. } => None,
    };
    procedure.start.iter().filter_map(vector).collect()
}
