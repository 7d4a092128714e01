//! Test blocks: comments of a program that state its expected results, in Futhark's notation.
//!
//! Invariant: spans point into the program. Parts that depend on types, such as the values of an input, are kept as
//! written. They are read when the entry is known.
//!
//! ```text
//! -- ==
//! -- entry: total
//! -- input { [1, 2, 3] } output { 6 }
//! -- input { [] } error: division by zero
//! ⇒ two tests of `total`
//! ```

mod block_error;
mod parse;
#[cfg(test)]
mod tests;

pub(crate) use block_error::{Arity, TestError};
pub(crate) use parse::tests;

use arrc_fusion::clusters::Strategy;
use arrc_syntax::source::Span;

use super::script::Exp;

/// A piece of a test block as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Word {
    /// The text.
    pub(crate) text: String,
    /// Its place.
    pub(crate) span: Span,
}

/// One test.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Test {
    /// The place of its beginning.
    pub(crate) span: Span,
    /// The name that the user gave it, in quotes.
    pub(crate) name: Option<String>,
    /// The tags of its block.
    pub(crate) tags: Vec<String>,
    /// The files that the program is linked with, relative to the program's folder.
    pub(crate) links: Vec<Word>,
    /// The subject of the test.
    pub(crate) kind: Kind,
}

/// The subject of the test.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Kind {
    /// A call.
    Call(Call),
    /// The program does not compile, and its diagnostics match the regular expression.
    CompileError(Word),
    /// The program compiles, and its warnings match the regular expression.
    Warning(Word),
    /// A block of the compiled program has the expected counts.
    Structure(Structure),
    /// An entry that takes any value gives `true` for values that are made up.
    Property(Word),
}

/// A call and its expected outcome.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Call {
    /// The entry.
    pub(crate) entry: Word,
    /// The arguments.
    pub(crate) input: Input,
    /// The expectation.
    pub(crate) expected: Expected,
    /// The number of arrays that compiled code allocates, with clusters by integer linear programming.
    pub(crate) allocates: Option<u64>,
    /// Whether only compiled code is tested, since the interpreter is too slow or cannot run the call.
    pub(crate) compiled_only: bool,
    /// Whether the call is left out of measurements.
    pub(crate) tested_only: bool,
}

/// Arguments.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Input {
    /// Literals, or files behind `@`.
    Values(Values),
    /// Types with sizes, for which values are made up.
    Random(Values),
    /// An expression, whose value is the arguments.
    Script(Script),
    /// A file with such an expression.
    ScriptFile(Values),
}

impl Input {
    /// The place of everything.
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Values(values) | Self::Random(values) | Self::ScriptFile(values) => values.span,
            Self::Script(script) => script.word.span,
        }
    }
}

/// An expression of FutharkScript.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Script {
    /// Its text, in braces.
    pub(crate) word: Word,
    /// What it means.
    pub(crate) exp: Exp,
}

/// The values in braces, or the file that stands in their place.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Values {
    /// The values, separated by blanks.
    pub(crate) words: Vec<Word>,
    /// The place of everything.
    pub(crate) span: Span,
}

/// The expectation of a call.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Expected {
    /// The call succeeds.
    Success,
    /// The call gives these results.
    Output(Values),
    /// The call gives the same results as the interpreter.
    Auto,
    /// The call fails with a run-time error whose message matches the regular expression.
    Error(Word),
}

/// The expected counts for a compiled block.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Structure {
    /// The block: a function, or a path such as `side.else`.
    pub(crate) block: Word,
    /// The strategy that chooses clusters.
    pub(crate) strategy: Strategy,
    /// The counters, and the expected numbers.
    pub(crate) counts: Vec<(Count, String)>,
}

/// A counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Count {
    /// Passes over memory: clusters with combinators.
    Clusters,
    /// Loops, those of nested blocks included.
    Loops,
    /// Arrays in memory that are no results; the papers call them manifest.
    Arrays,
    /// Arrays that are read, once for each pass that reads them.
    Reads,
    /// Arrays that are written, results included.
    Writes,
    /// Allocations of memory, those in nested blocks included.
    Allocations,
    /// The maximum number of arrays that a call allocates, as a formula.
    Allocated,
}

impl Count {
    /// All counters.
    pub(crate) const ALL: [Self; 7] = [
        Self::Clusters,
        Self::Loops,
        Self::Arrays,
        Self::Reads,
        Self::Writes,
        Self::Allocations,
        Self::Allocated,
    ];

    /// Its name in test blocks.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Clusters => "clusters",
            Self::Loops => "loops",
            Self::Arrays => "arrays",
            Self::Reads => "reads",
            Self::Writes => "writes",
            Self::Allocations => "allocations",
            Self::Allocated => "allocated",
        }
    }
}

impl Test {
    /// Sets the files that the program is linked with. If there are any, the interpreter cannot run the call, since
    /// it cannot call their functions.
    pub(super) fn linked(&mut self, files: &[Word]) {
        self.links = files.to_vec();
        if let Kind::Call(call) = &mut self.kind {
            call.compiled_only |= !files.is_empty();
        }
    }

    /// The subject of the test, for a list: the entry, or the block.
    pub(crate) fn subject(&self) -> String {
        let name = self.name.as_ref().map_or_else(String::new, |name| format!(" \"{name}\""));
        match &self.kind {
            Kind::Call(call) => format!("{}{name}", call.entry.text),
            Kind::CompileError(_) => format!("compile error{name}"),
            Kind::Warning(_) => format!("warning{name}"),
            Kind::Property(entry) => format!("property {}{name}", entry.text),
            Kind::Structure(structure) => {
                let Structure { block, strategy, .. } = structure;
                format!("structure {} {}{name}", block.text, strategy.name())
            }
        }
    }
}
