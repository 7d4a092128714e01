//! The values of options, and the options that several commands have. Each becomes a choice of the compiler.
//!
//! Invariant: the names on the command line are those of the variants.
//!
//! ```text
//! --fusion megiddo --cost paper   ⇒   Method { strategy: Megiddo, cost: Paper, … }
//! ```

use clap::{Args, ValueEnum};

use arrc_fusion::clusters;
use arrc_fusion::clusters::{CostModel, Method, Strategy};

/// For whom diagnostics are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum MessageFormat {
    /// Text with snippets of the program.
    Human,
    /// One JSON object a line.
    Json,
}

/// When to colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal without `NO_COLOR`.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How values are drawn by `arrc run --plot`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Kind {
    /// Points at x and y: two arrays of one length, or an array of pairs, [n][2].
    Points,
    /// The same, joined in their order.
    Path,
    /// The same, joined to a closed line.
    Polygon,
    /// One array over its indices, joined.
    Line,
    /// How often values occur, in one array of any shape.
    Histogram,
    /// An array [h][w] of values or [h][w][3] of red, green and blue.
    Image,
}

/// How `arrc test` runs tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Way {
    /// Those that call nothing.
    Static,
    /// Calls, in the interpreter.
    Interpreter,
    /// Calls, compiled.
    Native,
}

/// What `build --bindings` writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Language {
    /// `FILE.hpp`, for C++17 and later.
    Cpp,
    /// `FILE.rs`, a module of Rust.
    Rust,
}

impl Language {
    /// The ending of its file.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Cpp => "hpp",
            Self::Rust => "rs",
        }
    }
}

/// What `build --lib` makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Library {
    /// `libFILE.a`.
    Static,
    /// `libFILE.a`, with the pool of threads inside.
    StaticParallel,
    /// `libFILE.so`.
    Shared,
}

/// Which passes are fused.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct FusionOptions {
    /// How clusters are chosen.
    #[arg(long, value_enum, default_value_t = Fusion::Ilp, value_name = "STRATEGY")]
    pub(crate) fusion: Fusion,
    /// What `ilp` and `megiddo` minimise.
    #[arg(long, value_enum, default_value_t = Cost::Traffic, value_name = "MODEL")]
    pub(crate) cost: Cost,
    /// Who solves the integer linear programs.
    #[arg(long, value_enum, default_value_t = Solver::Microlp, value_name = "SOLVER")]
    pub(crate) solver: Solver,
}

impl FusionOptions {
    /// How clusters are chosen.
    pub(crate) fn method(self) -> Method {
        Method { strategy: self.fusion.into(), cost: self.cost.into(), solver: self.solver.into() }
    }
}

/// How hard to optimise.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Level {
    /// Optimisation level, 0 to 3.
    #[arg(short = 'O', value_name = "LEVEL", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=3))]
    pub(crate) level: u8,

    /// Whether loops that LLVM would run one step at a time run in vectors, from level 2 on.
    #[arg(long, value_name = "WHETHER", default_value = "auto", hide = true)]
    pub(crate) vectors: Vectors,
}

/// [`arrc_llvm::Vectors`] on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Vectors {
    /// Where the machine can.
    Auto,
    /// The same, as if every array were large: to test.
    Streamed,
    /// Never: to compare.
    None,
}

impl From<Vectors> for arrc_llvm::Vectors {
    fn from(vectors: Vectors) -> Self {
        match vectors {
            Vectors::Auto => Self::Auto,
            Vectors::Streamed => Self::Streamed,
            Vectors::None => Self::None,
        }
    }
}

/// [`arrc_llvm::Sanitizer`] on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Sanitizer {
    /// Reads and writes outside of allocations.
    Address,
    /// Threads that do not wait for each other.
    Thread,
}

impl Sanitizer {
    /// Its name on the command lines of C compilers.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Thread => "thread",
        }
    }
}

impl From<Sanitizer> for arrc_llvm::Sanitizer {
    fn from(sanitizer: Sanitizer) -> Self {
        match sanitizer {
            Sanitizer::Address => Self::Address,
            Sanitizer::Thread => Self::Thread,
        }
    }
}

/// [`CostModel`] on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Cost {
    /// Arrays read and written.
    Traffic,
    /// The papers' objective.
    Paper,
}

impl From<Cost> for CostModel {
    fn from(cost: Cost) -> Self {
        match cost {
            Cost::Traffic => Self::Traffic,
            Cost::Paper => Self::Paper,
        }
    }
}

/// [`clusters::Solver`] on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Solver {
    /// The one that is part of arrc.
    Microlp,
    /// CBC of COIN-OR.
    #[cfg(feature = "coin_cbc")]
    CoinCbc,
}

impl From<Solver> for clusters::Solver {
    fn from(solver: Solver) -> Self {
        match solver {
            Solver::Microlp => Self::Microlp,
            #[cfg(feature = "coin_cbc")]
            Solver::CoinCbc => Self::CoinCbc,
        }
    }
}

/// [`Strategy`] on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Fusion {
    /// The optimum of the traffic model, by integer linear programming.
    Ilp,
    /// Vertical, then horizontal.
    Greedy,
    /// Equal iteration sizes only.
    Megiddo,
    /// A producer joins its only consumer.
    Stream,
    /// Each combinator by itself.
    None,
}

impl Fusion {
    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        Strategy::from(self).name()
    }
}

impl From<Strategy> for Fusion {
    fn from(strategy: Strategy) -> Self {
        match strategy {
            Strategy::Ilp => Self::Ilp,
            Strategy::Greedy => Self::Greedy,
            Strategy::Megiddo => Self::Megiddo,
            Strategy::Stream => Self::Stream,
            Strategy::None => Self::None,
        }
    }
}

impl From<Fusion> for Strategy {
    fn from(fusion: Fusion) -> Self {
        match fusion {
            Fusion::Ilp => Self::Ilp,
            Fusion::Greedy => Self::Greedy,
            Fusion::Megiddo => Self::Megiddo,
            Fusion::Stream => Self::Stream,
            Fusion::None => Self::None,
        }
    }
}

/// What `build --emit` prints.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, ValueEnum)]
pub(crate) enum Emit {
    /// What was written.
    Ast,
    /// Typed, names resolved, sizes explicit.
    Core,
    /// Combinator normal form.
    Cnf,
    /// The dependency graph of each block.
    Graph,
    /// The integer linear programs of each block, in LP format.
    Ilp,
    /// The clusters of each block.
    Clusters,
    /// The process of each cluster.
    Process,
    /// The procedure of each process.
    Procedure,
    /// The whole program as concrete loop nests.
    Concrete,
    /// The elements that the steps of each pass read and write, in the arrays behind all views.
    Accesses,
    /// The boxes of each pass in which nothing is tested, and their elements.
    Generators,
    /// The entries as passes over chunks of arrays, in JSON.
    Passes,
    /// How each pass is lowered: in vectors of how many lanes, or why LLVM has to see to it.
    Vectors,
    /// LLVM IR, optimised.
    Llvm,
    /// Assembly.
    Asm,
}

impl Emit {
    /// The form with this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::from_str(name, false).ok()
    }

    /// The names of all forms.
    pub(crate) fn names() -> Vec<String> {
        let named = Self::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        named.map(|value| value.get_name().to_owned()).collect()
    }
}
