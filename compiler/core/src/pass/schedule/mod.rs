//! Processes become loop nests: abstract ones with rates (002, section 4.2), then concrete ones with
//! counters (section 4.3).
//!
//! Invariant: scheduling changes no result; one loop nest makes all results of a pass.
//!
//! ```text
//! process ⇒ loop k1 start {…} body {…} inner guard k2 … end {…}
//!         ⇒ loopI k1_ix (length xs) start {…} body {…} inner guardI k2_ix k2_acc … end {…}
//! ```

mod appends;
mod concretise;
#[cfg(test)]
mod examples;
mod judgments;
mod rows;
mod steps;
#[cfg(test)]
mod tests;

pub use self::concretise::concretise;
use crate::ir::cnf;
use crate::ir::procedure::{self, concrete};
use crate::ir::process;
use crate::ir::tables::Tables;
use crate::pass::simplify::Runs;

/// Makes the blocks inside a block, those of workers and branches, concrete. The pipeline passes this function, since
/// inner blocks take the same steps as every block. The name says where the block is.
pub type Nested<'a> =
    dyn FnMut(String, cnf::Block, Runs, &mut Tables) -> concrete::Block<concrete::Plain> + 'a;

/// Makes each process of the block an abstract loop nest.
#[must_use]
pub fn schedule(block: process::Block) -> procedure::Block {
    block.map(|process, tables| judgments::procedure(process, &mut tables.vars))
}
