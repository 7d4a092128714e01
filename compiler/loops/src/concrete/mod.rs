//! Whole programs of concrete loop nests (002, section 4.3 and figure 9): counters instead of rates.
//! This is what `arrc_llvm` lowers.
//!
//! A program comes from `concretise` without ranges of loops and without the ends of arrays; `split` adds the ranges,
//! and `lifetimes` the ends. The [`Phase`] says which of them the program has.
//!
//! Invariant (`verify`): no rate is left; variables are defined before they are used; in a [`Complete`] program, a
//! block releases or yields each array that it makes exactly once.

mod bins;
mod called_functions;
mod combiners;
mod cost;
mod counts;
pub mod def_use;
mod destinations;
mod error_codes;
pub mod eval;
mod failures;
mod fold_operations;
mod forks;
mod gathering;
mod length;
mod listed_bins;
pub mod parse;
mod phase;
mod print;
mod program;
mod rename;
mod scans;
mod step;
mod stmt;
#[cfg(test)]
mod tests;
mod verify;
mod visit;

pub use bins::{Bins, operations};
pub use combiners::{Combiner, Combiners, FilledVector};
pub use cost::{Cost, UNKNOWN};
pub use counts::BlockCounts;
pub use destinations::Destination;
pub use fold_operations::{
    FoldOperation, SegmentStart, SegmentedFold, fold_operations, fold_operations_outside_loops,
    segmented_folds,
};
pub use forks::{ChainedAppend, group_len, groups, is_sliced};
pub use length::Length;
pub use listed_bins::ListedBins;
pub use parse::parse;
pub use phase::{After, Complete, Phase, Plain, Ranged, RowLength, Slices};
pub use program::{
    Block, End, Function, Guard, Loop, Memory, Nest, PeeledIterations, Period, Position, Procedure,
    Program, Range, RowLocation, Start, Stmt, Subarray, Variant, Worker, WrittenCount,
};
pub use rename::Names;
pub use scans::Scan;
pub use step::{LoopForm, ReplacedPart, Step};
pub use stmt::{VisitPlace, VisitPlaceMut, VisitStmt, VisitStmtMut};
pub use visit::{Mapper, StepBody, Visit, VisitMut};
