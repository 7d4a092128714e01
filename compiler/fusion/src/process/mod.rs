//! A cluster as a graph of series operators (002, figure 4): one pass, with rates and selectors.
//!
//! A `filter` has become a map to flags, a `mkSel` that makes the inner rate, and a `pack` for each array that it
//! keeps. An array that is used after the pass is made by `create`.
//!
//! Invariant (`verify`): series are bound before they are used, at the rate of their operator; rates are
//! well nested; a worker uses nothing that the process itself yields (002, section 4.1.1).
//!
//! ```text
//! process filter_max_1 (s1: Series k1 i64)
//! with { s2 <- map k1 … s1; s3 <- map k1 … s2
//!      ; mkSel (k2) (sel1) from k1 s3 in { s4 <- pack k2 sel1 s2; vec3 <= create k2 s4; … } }
//! yields (vec3, mx)
//! ```

pub mod print_ops;
pub mod print_process;
#[cfg(test)]
mod tests;
pub mod text;
pub mod uses;
pub mod verify_process;

use crate::cnf;
use crate::cnf::{Atom, FoldOrder, ScanKind, Worker};
use crate::passes;
use arrc_syntax::ids::{PrimaryMap, RateId, SelId, SeriesId, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// A block whose clusters are processes.
pub type Block = passes::Block<Process>;

/// One step of a block.
pub type BlockStep = passes::BlockStep<Process>;

/// One pass over memory.
#[derive(Clone, Debug)]
pub struct Process {
    /// The name: the name of the block, and a number.
    pub name: Name,
    /// The rates, outermost first: each one after the rates that it is made of.
    pub rates: PrimaryMap<RateId, Rate>,
    /// The series.
    pub series: PrimaryMap<SeriesId, Series>,
    /// The number of selectors. Their names are their ids; each is made by one [`Operator::MkSel`].
    pub selectors: u32,
    /// The series that come from arrays in memory.
    pub params: Vec<(SeriesId, VarId)>,
    /// The operators at the outermost rate, in an order in which each uses only earlier ones. Operators at a product
    /// rate are in the list of its first factor, after their `cross`.
    pub operators: Vec<Operator>,
    /// The scalars and arrays that the pass defines for the block.
    pub yields: Vec<VarId>,
}

/// How often a series yields.
#[derive(Clone, Debug)]
pub enum Rate {
    /// Once for each element of the arrays of this rate; the first array gives the length.
    Array(VarId),
    /// As often as the scalar says: the rate of a `generate`.
    Count {
        /// The size, `i64`; a negative one is an error.
        size: Atom,
        /// Where it came from.
        span: Span,
    },
    /// As often as the selector selects from the outer rate.
    Selected {
        /// The outer rate.
        outer: RateId,
        /// The selector.
        selector: SelId,
    },
    /// In each step of the outer rate, as often as the count says: the rate of a `flatmap`.
    Expanded {
        /// The outer rate.
        outer: RateId,
        /// The counts, a series at the outer rate: `i64`s that are not negative.
        counts: SeriesId,
        /// A small upper bound of the counts, if one is known.
        max_count: Option<u32>,
    },
    /// For each step of the first, every step of the second: the rate of a `cross`. The second
    /// belongs to this product alone.
    Product(RateId, RateId),
}

/// The facts on a series.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name for people: the name of the array that it stands for.
    pub name: Name,
    /// Its rate.
    pub rate: RateId,
    /// The elements' type.
    pub ty: cnf::Type,
}

/// A series operator.
#[derive(Clone, Debug)]
pub enum Operator {
    /// `out… <- map k worker in…`.
    Map {
        /// One series for each result of the worker.
        outs: Vec<SeriesId>,
        /// The rate.
        rate: RateId,
        /// The worker.
        worker: Worker,
        /// One series for each parameter of the worker.
        ins: Vec<SeriesId>,
        /// Where it came from.
        span: Span,
    },
    /// `out… <- generate k worker`: the worker gets the position.
    Generate {
        /// One series for each result of the worker.
        outs: Vec<SeriesId>,
        /// The rate.
        rate: RateId,
        /// The worker.
        worker: Worker,
        /// Where it came from.
        span: Span,
    },
    /// `out… <- gather k data… indices`: reads the arrays at random, checked.
    Gather {
        /// One series for each array.
        outs: Vec<SeriesId>,
        /// The rate.
        rate: RateId,
        /// The arrays.
        data: Vec<VarId>,
        /// The positions.
        indices: SeriesId,
        /// Where it came from.
        span: Span,
    },
    /// `mkSel (inner) (sel) from outer flags in { … }`.
    MkSel {
        /// The new rate.
        inner: RateId,
        /// The new selector.
        selector: SelId,
        /// The rate of the flags.
        outer: RateId,
        /// The flags.
        flags: SeriesId,
        /// The operators at the new rate.
        operators: Vec<Operator>,
    },
    /// `out <- pack inner sel in`: the elements that are selected.
    Pack {
        /// The series at the inner rate.
        out: SeriesId,
        /// The inner rate.
        rate: RateId,
        /// The selector.
        selector: SelId,
        /// The series at the outer rate.
        input: SeriesId,
    },
    /// `mkExp (inner) from outer counts in { … }`.
    MkExp {
        /// The new rate.
        inner: RateId,
        /// The rate of the counts.
        outer: RateId,
        /// The counts.
        counts: SeriesId,
        /// The operators at the new rate.
        operators: Vec<Operator>,
    },
    /// `out… <- expand k worker in… of row…`: the elements to which each step of the outer rate is expanded.
    Expand {
        /// One series for each result of the worker.
        outs: Vec<SeriesId>,
        /// The expanded rate.
        rate: RateId,
        /// The worker. It takes the position in the step's part, the elements, and the elements of the rows at that
        /// position.
        worker: Worker,
        /// Series at the outer rate.
        ins: Vec<SeriesId>,
        /// Series of rows at the outer rate. A row is as long as the count says.
        rows: Vec<SeriesId>,
        /// Where it came from.
        span: Span,
    },
    /// `out… <- cross k left… right…`: both sides at the product rate.
    Cross {
        /// The left series and then the right ones, at the product rate.
        outs: Vec<SeriesId>,
        /// The product rate.
        rate: RateId,
        /// The series at its first factor.
        left: Vec<SeriesId>,
        /// The series at its second factor.
        right: Vec<SeriesId>,
    },
    /// `result… <= fold k in… with worker and init`.
    Fold {
        /// The scalars.
        results: Vec<VarId>,
        /// The rate.
        rate: RateId,
        /// How it may be evaluated.
        order: FoldOrder,
        /// The worker.
        worker: Worker,
        /// The initial values.
        init: Vec<Atom>,
        /// The series.
        ins: Vec<SeriesId>,
        /// Where it came from.
        span: Span,
    },
    /// `out… <- scan k in… with worker and init`: the accumulators in each step.
    Scan {
        /// One series for each accumulator.
        outs: Vec<SeriesId>,
        /// The rate.
        rate: RateId,
        /// Whether the result at a place includes the element at this place.
        prefix: ScanKind,
        /// The worker.
        worker: Worker,
        /// The initial values.
        init: Vec<Atom>,
        /// The series.
        ins: Vec<SeriesId>,
        /// Where it came from.
        span: Span,
    },
    /// `result <= create k in`: the series as an array in memory.
    Create {
        /// The array.
        result: VarId,
        /// The rate.
        rate: RateId,
        /// The series.
        input: SeriesId,
        /// Where it came from.
        span: Span,
    },
}

impl Operator {
    /// The series that it binds for later operators.
    #[must_use]
    pub fn outs(&self) -> &[SeriesId] {
        match self {
            Self::Map { outs, .. }
            | Self::Generate { outs, .. }
            | Self::Gather { outs, .. }
            | Self::Scan { outs, .. }
            | Self::Expand { outs, .. }
            | Self::Cross { outs, .. } => outs,
            Self::Pack { out, .. } => std::slice::from_ref(out),
            Self::MkSel { .. } | Self::MkExp { .. } | Self::Fold { .. } | Self::Create { .. } => {
                &[]
            }
        }
    }

    /// The series that it uses. Series that only the operators in it use are not among them.
    #[must_use]
    pub fn ins(&self) -> Vec<SeriesId> {
        match self {
            Self::Map { ins, .. } | Self::Fold { ins, .. } | Self::Scan { ins, .. } => ins.clone(),
            Self::Expand { ins, rows: more, .. } | Self::Cross { left: ins, right: more, .. } => {
                [&ins[..], more].concat()
            }
            Self::Gather { indices: one, .. }
            | Self::MkSel { flags: one, .. }
            | Self::MkExp { counts: one, .. }
            | Self::Pack { input: one, .. }
            | Self::Create { input: one, .. } => vec![*one],
            Self::Generate { .. } => Vec::new(),
        }
    }

    /// The operators in it, if it has any.
    #[must_use]
    pub fn inner(&self) -> &[Self] {
        let (Self::MkSel { operators, .. } | Self::MkExp { operators, .. }) = self else {
            return &[];
        };
        operators
    }

    /// The list of the operators in it, if it has one.
    pub fn inner_mut(&mut self) -> Option<&mut Vec<Self>> {
        let (Self::MkSel { operators, .. } | Self::MkExp { operators, .. }) = self else {
            return None;
        };
        Some(operators)
    }
}
