//! What each operation is called, and what it is in the dependency graph.
//!
//! Invariant: an operation has a kind unless it is always a scalar binding.
//!
//! ```text
//! map: a node of the kind Map     with: a barrier     +: no node
//! ```

use super::{Atom, Block, Op};
use crate::prim::Scalar;

/// The kind of a node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// `map`.
    Map,
    /// `filter`: a transducer.
    Filter,
    /// `flatmap`: a transducer.
    FlatMap,
    /// `reduce`, `fold`: gives what accumulators are at the end.
    Fold,
    /// `scan`.
    Scan,
    /// `generate`.
    Generate,
    /// `gather`: streams indices, reads data at random.
    Gather,
    /// `cross`: streams the left, reads the right whole for each.
    Cross,
    /// Everything that takes arrays and does not iterate: `++`, calls, `if` over arrays.
    Barrier,
}

impl Kind {
    /// Whether a node of this kind gives arrays of another size than it iterates over.
    #[must_use]
    pub fn is_transducer(self) -> bool {
        matches!(self, Self::Filter | Self::FlatMap)
    }

    /// The name in the printed form.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Filter => "filter",
            Self::FlatMap => "flatmap",
            Self::Fold => "fold",
            Self::Scan => "scan",
            Self::Generate => "generate",
            Self::Gather => "gather",
            Self::Cross => "cross",
            Self::Barrier => "barrier",
        }
    }
}

impl Op {
    /// The operation's name, and its kind where it is a node of the graph.
    fn description(&self) -> (&'static str, Option<Kind>) {
        let barrier = |name| (name, Some(Kind::Barrier));
        let combinator = |kind: Kind| (kind.name(), Some(kind));
        match self {
            Self::Un(op, _) => (op.name(), None),
            Self::Bin(op, ..) => (op.name(), None),
            Self::Fma(_) => ("fma", None),
            Self::Length { .. } => ("length", None),
            Self::Assert { .. } => ("assert", None),
            // Of a row, and over arrays; else a scalar binding.
            Self::Index { .. } => barrier("index"),
            Self::If { .. } => barrier("if"),
            Self::Map { .. } => combinator(Kind::Map),
            Self::Filter { .. } => combinator(Kind::Filter),
            Self::FlatMap { .. } => combinator(Kind::FlatMap),
            Self::Fold { .. } => combinator(Kind::Fold),
            Self::Scan { prefix, .. } => (prefix.name(), Some(Kind::Scan)),
            Self::Generate { .. } => combinator(Kind::Generate),
            Self::Gather { .. } => combinator(Kind::Gather),
            Self::Cross { .. } => combinator(Kind::Cross),
            Self::Call { .. } => barrier("call"),
            Self::Append { .. } => barrier("++"),
            Self::Array { .. } => barrier("array literal"),
            Self::Constant(_) => barrier("constant array"),
            Self::Reshape { .. } => barrier("reshape"),
            Self::Loop { .. } => barrier("loop"),
            Self::Replace { .. } => barrier("with"),
        }
    }

    /// The operation's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.description().0
    }

    /// The kind of node; `None` for an operation that is always a scalar binding.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        self.description().1
    }

    /// Whether it is a scalar binding: no node of the graph. An `if` is one when all that it computes
    /// is scalar.
    #[must_use]
    pub fn is_scalar(&self) -> bool {
        if let Self::If { then, otherwise, .. } = self {
            let scalar = |block: &Block| block.binds.iter().all(|bind| bind.op.is_scalar());
            return scalar(then) && scalar(otherwise);
        }
        matches!(self, Self::Index { .. }) || self.kind().is_none()
    }

    /// Whether it iterates, and so is part of a pass.
    #[must_use]
    pub fn is_combinator(&self) -> bool {
        self.kind().is_some_and(|kind| kind != Kind::Barrier)
    }

    /// Whether it only says where an array is, in another one or in the program: it reads and writes no
    /// elements.
    #[must_use]
    pub fn is_view(&self) -> bool {
        matches!(self, Self::Reshape { .. } | Self::Index { .. } | Self::Constant(_))
    }

    /// Whether it is a scalar operation without blocks that never fails; `ty` tells the types of scalars.
    #[must_use]
    pub fn is_total(&self, ty: impl FnOnce(Atom) -> Option<Scalar>) -> bool {
        if let Self::Bin(op, x, _) = self {
            return ty(*x).is_some_and(|ty| !op.traps(ty));
        }
        matches!(self, Self::Un(..) | Self::Fma(_) | Self::Length { .. })
    }
}
