//! Where the elements of the arrays that a function makes are.
//!
//! Invariant: an array whose elements are in the memory of another one names that array, if it has a label.
//!
//! ```text
//! ys = newVecI (n) over xs   ⇒   ys: in place of xs
//! ```

use std::collections::BTreeSet;
use std::fmt;

use arrc_loops::concrete::{Block, Memory, Step};
use arrc_syntax::ids::VarId;

/// Where the elements of an array are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Storage {
    /// In memory that is allocated for it.
    Allocated,
    /// In a buffer that all steps of the pass or loop around share.
    Scratch,
    /// In one of two buffers that alternate from step to step.
    DoubleBuffer,
    /// In the memory of this array, which is not used any more.
    InPlace(String),
    /// In its place in this array, which it is a part of.
    Part(String),
    /// In the memory of this array, which it is another shape or a part of.
    View(String),
    /// In data of the program.
    Constant,
    /// One element at a time is in a register.
    Registers,
}

impl Storage {
    /// The name in JSON.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Allocated => "allocated",
            Self::Scratch => "scratch",
            Self::DoubleBuffer => "double-buffer",
            Self::InPlace(_) => "in-place",
            Self::Part(_) => "part",
            Self::View(_) => "view",
            Self::Constant => "constant",
            Self::Registers => "registers",
        }
    }

    /// The array whose memory it is.
    #[must_use]
    pub fn of(&self) -> Option<&str> {
        match self {
            Self::InPlace(of) | Self::Part(of) | Self::View(of) => Some(of),
            Self::Allocated
            | Self::Scratch
            | Self::DoubleBuffer
            | Self::Constant
            | Self::Registers => None,
        }
    }

    /// Where a vector or an array with this memory is. `label` gives the labels of arrays.
    pub(super) fn of_memory(memory: &Memory, label: impl Fn(VarId) -> String) -> Self {
        match memory {
            Memory::New => Self::Allocated,
            Memory::Scratch => Self::Scratch,
            Memory::DoubleBuffer => Self::DoubleBuffer,
            Memory::Over(array) => Self::InPlace(label(*array)),
            Memory::Behind(array) => Self::Part(label(*array)),
            Memory::Part(part) => Self::Part(label(part.array)),
            Memory::Row(row) => Self::Part(label(row.vec)),
        }
    }
}

impl fmt::Display for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Allocated => f.write_str("allocated"),
            Self::Scratch => f.write_str("in a buffer that all steps share"),
            Self::DoubleBuffer => f.write_str("in one of two buffers that alternate"),
            Self::InPlace(of) => write!(f, "in place of {of}"),
            Self::Part(of) => write!(f, "in its place in {of}"),
            Self::View(of) => write!(f, "in the memory of {of}"),
            Self::Constant => f.write_str("data of the program"),
            Self::Registers => f.write_str("in registers"),
        }
    }
}

/// The arrays that become results of a block: its results themselves, and what loops and branches hand over as these.
pub(super) fn results(block: &Block) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    hand_over(block, block.results.iter().filter_map(|result| result.as_var()), &mut found);
    found
}

fn hand_over(block: &Block, wanted: impl Iterator<Item = VarId>, found: &mut BTreeSet<VarId>) {
    found.extend(wanted);
    for step in block.steps.iter().rev() {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others hand over no array")]
        match step {
            Step::If { vars, then, otherwise, .. } => {
                for branch in [then, otherwise] {
                    let handed = handed(vars, branch, found);
                    hand_over(branch, handed.into_iter(), found);
                }
            }
            Step::Loop { vars, worker, .. } => {
                let handed = handed(vars, &worker.body, found);
                hand_over(&worker.body, handed.into_iter(), found);
            }
            Step::Share { var, array } if found.contains(var) => {
                found.insert(*array);
            }
            Step::Replace { var, array, .. } if found.contains(var) => {
                found.insert(*array);
            }
            _ => {}
        }
    }
}

/// The results of a block that become variables in `found`.
fn handed(vars: &[VarId], block: &Block, found: &BTreeSet<VarId>) -> Vec<VarId> {
    let results = vars.iter().zip(&block.results).filter(|(var, _)| found.contains(*var));
    results.filter_map(|(_, result)| result.as_var()).collect()
}
