//! Processes become loop nests: abstract ones with rates (002, section 4.2), then concrete ones with
//! counters (section 4.3).
//!
//! Invariant: scheduling changes no result; one loop nest makes all results of a pass.
//!
//! ```text
//! process ⇒ loop k1 start {…} body {…} inner guard k2 … end {…}
//!         ⇒ loopI k1_ix (length xs) start {…} body {…} inner guardI k2_ix k2_acc … end {…}
//! ```

mod concretise;
mod convert_steps;
mod join_appends;
mod judgments;
mod nested;
mod place_rows;

pub use self::concretise::concretise;
pub use self::nested::Nested;
use crate::procedure;
use arrc_fusion::process;

/// Makes each process of the block an abstract loop nest.
#[must_use]
pub fn schedule(block: process::Block) -> procedure::Block {
    block.map(|process, tables| judgments::procedure(process, &mut tables.vars))
}
