//! Hints: changes of a program after which a block takes fewer passes, or its passes take less time.
//!
//! Each kind of hint has its own file, which finds the places and proposes a change. To find the saving, the block is
//! changed as proposed, and its clusters are chosen again.
//!
//! Invariant: a hint that names a saving is true of the clusters which the strategy chooses. A change that the
//! compiler makes by itself is never proposed. The places of a hint are in the user's files.
//!
//! ```text
//! as = filter (> 0) xs; bs = filter (> 0) xs keeping ys; cs = bs :> [k]; map2 (+) as cs
//! ⇒ hint[A0710]: `bs` is filtered by the condition that `as` was filtered by … saves 1 pass
//! ```

mod allocations;
mod block_variant;
mod coercions;
mod filters;
mod folds;
mod positions;

pub use allocations::allocations;

use arrc_front::lint::operators::Joined;
use arrc_fusion::clusters::Clusters;
use arrc_fusion::cnf::{Bind, Extent, SizeDef, Summands, Type};
use arrc_fusion::graph::{Graph, Kind};
use arrc_fusion::tables::Tables;
use arrc_syntax::diagnostics::Diagnostic;
use arrc_syntax::ids::VarId;
use arrc_syntax::source::Span;
use block_variant::{BlockVariant, Savings};

/// The most changes of one block that are tried. The block is clustered anew for each.
const MAX_PROPOSALS: usize = 20;

/// A block and the facts on it.
#[derive(Clone, Copy)]
pub struct HintContext<'a> {
    /// Its graph.
    pub graph: &'a Graph,
    /// Its clusters.
    pub clusters: &'a Clusters,
    /// The variables and sizes of the enclosing function.
    pub tables: &'a Tables,
    /// Whether a place is in the user's text.
    pub own: &'a dyn Fn(Span) -> bool,
}

/// A hint on a block.
pub struct Hint {
    /// What the user reads.
    pub diagnostic: Diagnostic,
    /// What the fold does that it is about, if the change of the text is still to be found.
    pub fold: Option<Joined>,
}

/// The hints on a block.
#[must_use]
pub fn hints(look: HintContext<'_>) -> Vec<Hint> {
    let mut found = folds::folds(look);
    let proposals = [filters::filters, coercions::coercions, positions::positions];
    let proposals = proposals.into_iter().flat_map(|propose| propose(look)).take(MAX_PROPOSALS);
    let worthwhile = proposals.filter_map(|proposal| proposal.worthwhile_hint(look));
    found.extend(worthwhile.map(|diagnostic| Hint { diagnostic, fold: None }));
    let place = |hint: &Hint| hint.diagnostic.primary.as_ref().map(|label| label.span);
    found.retain(|hint| place(hint).is_some_and(look.own));
    found
}

/// A change of the block, and the hint that proposes it.
struct Proposal {
    variant: BlockVariant,
    hint: Diagnostic,
    help: String,
}

impl Proposal {
    /// The hint, if the change saves anything.
    fn worthwhile_hint(self, look: HintContext<'_>) -> Option<Diagnostic> {
        let saved = Savings::by(self.variant, look)?;
        Some(self.hint.note(format!("that would save {saved}")).instruct(self.help))
    }
}

impl<'a> HintContext<'a> {
    /// The bindings of the block.
    fn binds(self) -> &'a [Bind] {
        &self.graph.block.binds
    }

    /// The array in backquotes, if the user gave it a name.
    fn quoted_name(self, array: VarId) -> Option<String> {
        self.tables.user_name(array).map(|name| format!("`{name}`"))
    }

    /// The array's name, or dots.
    fn name_or_dots(self, array: VarId) -> String {
        self.quoted_name(array).map_or("…".into(), |name| name.trim_matches('`').to_owned())
    }

    /// The array in backquotes, or other words if it has no name.
    fn quoted_or_described(self, array: VarId) -> String {
        self.quoted_name(array).unwrap_or_else(|| "this array".into())
    }

    /// The size of an array's outermost dimension.
    fn outer(self, array: VarId) -> Extent {
        match &self.tables.vars[array].ty {
            Type::Array { shape, .. } => shape[0],
            Type::Scalar(_) => panic!("{array} is a scalar"),
        }
    }

    /// The text of a constant size, or of a size that the user has named.
    fn size_name(self, extent: Extent) -> Option<String> {
        match extent {
            Extent::Const(value) => Some(value.to_string()),
            Extent::Size(size) => match self.tables.sizes[size].def {
                SizeDef::Param => Some(self.tables.sizes[size].name.to_string()),
                SizeDef::Value(var) => self.tables.user_name(var).map(ToString::to_string),
                SizeDef::Exists | SizeDef::Sum(..) | SizeDef::Product(..) => None,
            },
        }
    }

    /// The binding of the combinator that makes the array. There is none if the array exists before the block, or a
    /// barrier makes it.
    fn maker(self, array: VarId) -> Option<&'a Bind> {
        let producer = &self.graph.nodes[self.graph.arrays.get(&array)?.producer?];
        (producer.kind != Kind::Barrier).then(|| &self.graph.block.binds[producer.bind])
    }

    /// Whether two sizes may have the same value. They cannot if they differ by a constant, and they are not taken to
    /// be equal if one is made of the other, as `n - 1` of `n`.
    fn may_be_equal(self, left: Extent, right: Extent) -> bool {
        let [own, other] = [left, right].map(|extent| {
            let mut sum = Summands::default();
            sum.add(&self.tables.sizes, extent, 1).then_some(sum)
        });
        let differ = own.zip(other).is_some_and(|(own, other)| {
            own.counts == other.counts && own.constant != other.constant
        });
        !differ && !self.is_part(left, right) && !self.is_part(right, left)
    }

    /// Whether a size is made of another one.
    fn is_part(self, part: Extent, whole: Extent) -> bool {
        let Extent::Size(size) = whole else { return false };
        let mut parts = self.tables.sizes[size].def.parts();
        parts.any(|side| side == part || self.is_part(part, side))
    }

    /// Whether a filter of the block makes arrays of that size.
    fn is_filtered(self, extent: Extent) -> bool {
        self.graph.nodes.values().any(|node| {
            node.kind == Kind::Filter && node.writes.iter().any(|&made| self.outer(made) == extent)
        })
    }
}
