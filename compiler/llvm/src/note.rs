//! How each pass was lowered, which `--emit=vectors` prints.
//!
//! Invariant: a pass that does not run in vectors of ours has one reason, the first that is found. A note tells a
//! decision that was made before any code was emitted, and the code follows it.
//!
//! ```text
//! s := (+) s x in order, of f64   ⇒   left to LLVM, because a fold of floats keeps its order
//! filter (> 0) xs, of i32         ⇒   2 vectors of 8 lanes a step; kept elements move by …
//! ```

use std::collections::BTreeSet;
use std::fmt;

/// How a pass was lowered.
#[derive(Clone, Debug)]
pub struct Note {
    /// The pass.
    pub name: String,
    /// Elements in a vector and vectors in a step, or why the pass was left to LLVM.
    pub shape: Result<[u32; 2], Obstacle>,
    /// The means by which its parts are lowered.
    pub(crate) means: BTreeSet<Technique>,
    /// The result of LLVM's vectoriser for its loop, if that was asked for.
    pub outcome: Option<Outcome>,
}

/// The result of LLVM's vectoriser for a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It runs in vectors.
    Vectorised,
    /// It makes one step after the other.
    OneByOne,
    /// It is unrolled, or has been replaced by something else.
    NoLoop,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Vectorised => "LLVM runs it in vectors",
            Self::OneByOne => "LLVM runs it step by step",
            Self::NoLoop => "LLVM leaves no loop of it",
        })
    }
}

impl Note {
    /// The vectors of a step, or the reason for which the pass does not run in vectors.
    #[must_use]
    pub fn how(&self) -> String {
        match self.shape {
            Err(_) if self.outcome == Some(Outcome::Vectorised) => {
                "LLVM runs it in vectors".to_owned()
            }
            Ok([lanes, 1]) => format!("1 vector of {lanes} lanes a step"),
            Ok([lanes, parts]) => format!("{parts} vectors of {lanes} lanes a step"),
            Err(Obstacle::Plain) => "LLVM finds no vectors for it".to_owned(),
            Err(Obstacle::Operator) => {
                "each step of the fold needs the result of the one before".to_owned()
            }
            Err(Obstacle::Order) => {
                "a fold of floats keeps its order, unlike a `reduce`".to_owned()
            }
            Err(why @ Obstacle::Compaction) => {
                format!("{why}, which a newer `--target-cpu` may do")
            }
            Err(why) => why.to_string(),
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.name)?;
        match &self.shape {
            Ok(_) => f.write_str(&self.how())?,
            Err(why) => write!(f, "left to LLVM, because {why}")?,
        }
        if let (Err(_), Some(outcome)) = (self.shape, self.outcome) {
            write!(f, "; {outcome}")?;
        }
        self.means.iter().try_for_each(|means| write!(f, "; {means}"))
    }
}

/// The technique by which a part of a pass is lowered, where there are several.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Technique {
    /// A step contains loops. Each lane runs the loop of its own step.
    Loops,
    /// A step reads a short row. Each lane reads that of its own step.
    ShortRows,
    /// Each vector of a step is in another row of the result.
    Rows,
    /// Columns are folded along memory, as if there were no rows.
    Flat,
    /// Vectors of a row go through all steps, one after the other.
    Carried,
    /// Folds are made in spans of iterations, which read copies in the caches.
    Spans,
    /// The indices of a vector are compared with the length at once.
    Indices,
    /// Divisors that all steps share become factors.
    Reciprocals,
    /// Integers are divided as doubles.
    Doubles,
    /// A fold that chooses selects lane by lane.
    Choices,
    /// Prefixes are combined within a vector.
    Scans,
    /// The kept elements of a guard are moved together in this way.
    Kept(CompactionKind),
    /// A branch passes over a guard that keeps nothing.
    Around,
    /// The kept elements of two vectors are stored at once.
    Together,
    /// Inner guards are deferred: they run over the elements that the outer guard has stored.
    Behind,
    /// A guard runs one step at a time, behind strips of steps.
    Strips,
    /// Each vector of the right array of a `cross` meets several elements of the left one.
    Tiles,
    /// The steps that remain after whole vector steps run in single vectors.
    Rest,
    /// The last vector of a row overlaps the one before, and is computed first.
    Ahead,
    /// Fewer steps than a vector has lanes run in shorter vectors.
    Shorter,
    /// Results beyond the caches are written past them.
    Streams,
    /// Steps of an inner loop run in vectors.
    Inner,
    /// Inner loops with a small bounded trip count are lowered without a loop.
    Few,
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loops => "loops in steps run across lanes",
            Self::ShortRows => "each lane reads the row of its step",
            Self::Rows => "each vector is in a row of its own",
            Self::Flat => "columns are folded along memory",
            Self::Carried => "vectors of the row go through all steps in registers",
            Self::Spans => "folds run in spans",
            Self::Indices => "indices are checked a vector at once",
            Self::Reciprocals => "divisors are factors",
            Self::Doubles => "integers are divided as doubles",
            Self::Choices => "choices select lanes",
            Self::Scans => "prefixes are combined in vectors",
            Self::Kept(mover) => return write!(f, "kept elements move by {mover}"),
            Self::Around => "a branch passes over what keeps nothing",
            Self::Together => "two vectors are stored as one where they keep little",
            Self::Behind => "guards in guards run behind, over what is stored",
            Self::Strips => "a guard runs step by step, behind each strip",
            Self::Tiles => "a vector meets several elements",
            Self::Rest => "the rest runs in single vectors",
            Self::Ahead => "the last vector is computed first",
            Self::Shorter => "few steps run in shorter vectors",
            Self::Streams => "results beyond the caches are written past them",
            Self::Inner => "the inner loop runs in vectors",
            Self::Few => "parts of few elements are made without a loop",
        })
    }
}

/// The instructions that move the kept elements of a vector together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum CompactionKind {
    /// A compress instruction.
    Compress,
    /// A permutation of words, from a table.
    Words,
    /// A permutation of bytes, from a table.
    Bytes,
}

impl fmt::Display for CompactionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Compress => "compression",
            Self::Words => "permutations of words",
            Self::Bytes => "permutations of bytes",
        })
    }
}

/// An obstacle to vectors of ours: why a pass is left to LLVM, one step at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// Vectors are not asked for.
    Off,
    /// Vectors of ours gain nothing.
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
    /// A loop in a step stores elements that do not lie next to each other, and does little else.
    Stores,
    /// A loop in a step reads elements that lie next to each other, and its trip count differs from step to step.
    Along,
    /// A loop in a step uses an operation on 64-bit integers for which the machine has no vector instruction.
    Wide,
    /// A loop in a step divides integers by a divisor that differs between steps.
    Division,
    /// An operation is a call of a function.
    Call,
    /// A fold of floats keeps its order.
    Order,
    /// A fold's operator is not a simple one, and does not choose.
    Operator,
    /// A step reads an accumulator in another way than a simple scan does.
    Scan,
    /// A scan begins anew in some steps, and vectors have too few lanes for that.
    Segments,
    /// The machine cannot move the kept elements together.
    Compaction,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Off => "vectors are not asked for",
            Self::Plain => "vectors of ours gain nothing",
            Self::InnerLoop => "there is a loop in the loop",
            Self::Rows => "elements are arrays",
            Self::Position => "an array is read or written out of step",
            Self::Control => "a step calls a function or makes an array",
            Self::Scattered => "a loop in a step reads elements that are not next to each other",
            Self::Stores => {
                "a loop in a step mostly stores elements that are not next to each other"
            }
            Self::Along => "loops in steps read along memory, and differ in their trip counts",
            Self::Wide => "a loop in a step multiplies, divides or compares integers of 64 bits",
            Self::Division => "a loop in a step divides integers by a number of its own",
            Self::Call => "an operation is a call of a function",
            Self::Order => "a fold of floats keeps its order",
            Self::Operator => "the operator of a fold is not known to be free in order",
            Self::Scan => "a fold that is seen on the way is no simple scan",
            Self::Segments => "a scan that begins anew needs vectors of more lanes",
            Self::Compaction => "the machine cannot move kept elements together",
        })
    }
}
