//! The function that schedules nested blocks: the bodies of workers, and branches.
//!
//! Invariant: a nested block takes the same passes as every block, whatever step it is in.

use crate::concrete;
use arrc_fusion::cnf;
use arrc_fusion::simplify::ExecutionFrequency;
use arrc_fusion::tables::Tables;

/// Makes the blocks inside a block, those of workers and branches, concrete. The pipeline passes this function, since
/// inner blocks take the same steps as every block. The name says where the block is.
pub type Nested<'a> = dyn FnMut(String, cnf::Block, ExecutionFrequency, &mut Tables) -> concrete::Block<concrete::Plain>
    + 'a;
