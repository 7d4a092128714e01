//! How each pass was lowered, which `--emit=vectors` prints.
//!
//! Invariant: a pass that does not run in vectors of ours has one reason, the first that is found.
//!
//! ```text
//! s := (+) s x in order, of f64   ⇒   left to LLVM, because a fold of floats keeps its order
//! ```

use std::fmt;

/// How a pass was lowered: its name, and the lanes of its vectors and how many of those a step has, or why it was left
/// to LLVM.
pub type PassNote = (String, Result<[u32; 2], Why>);

/// Why a pass is left to LLVM, one step at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// Vectors are not asked for.
    Off,
    /// LLVM vectorises it as well.
    Plain,
    /// A loop in the loop.
    InnerLoop,
    /// An element is an array.
    Rows,
    /// An array is read or written at another place than that of the step.
    Position,
    /// A step calls a function or makes an array.
    Control,
    /// A loop in a step reads elements that do not lie next to each other.
    Scattered,
    /// A loop in a step does with integers of 64 bits what the machine does not do in vectors.
    Wide,
    /// A loop in a step divides integers by what is not the same in all steps.
    Division,
    /// An operation is a call of a function.
    Call,
    /// A fold of floats keeps its order.
    Order,
    /// A fold's operator is neither simple nor chooses.
    Operator,
    /// What is seen of a fold on the way is not that of a simple scan.
    Scan,
    /// The machine cannot move the kept elements together.
    Compaction,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Off => "vectors are not asked for",
            Self::Plain => "LLVM vectorises it as well",
            Self::InnerLoop => "there is a loop in the loop",
            Self::Rows => "elements are arrays",
            Self::Position => "an array is read or written out of step",
            Self::Control => "a step calls a function or makes an array",
            Self::Scattered => "a loop in a step reads elements that are not next to each other",
            Self::Wide => "a loop in a step multiplies, divides or compares integers of 64 bits",
            Self::Division => "a loop in a step divides integers by a number of its own",
            Self::Call => "an operation is a call of a function",
            Self::Order => "a fold of floats keeps its order",
            Self::Operator => "the operator of a fold is not known to be free in order",
            Self::Scan => "a fold that is seen on the way is no simple scan",
            Self::Compaction => "the machine cannot move kept elements together",
        })
    }
}
