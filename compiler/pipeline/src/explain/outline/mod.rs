//! What each function runs, as `arrc explain` shows it: its loops and passes in each other, the arrays that they make,
//! and how each pass runs.
//!
//! An outline follows the loop nests that code is generated from. The names, places and clusters are those of the
//! explanations of the function's blocks.
//!
//! Invariant: every pass of the loop nests is in the outline once. Passes are numbered in the order in which they run
//! first.
//!
//! ```text
//! ys = map xs; loop zs = ys for k do map zs
//! ⇒ pass 1: reads xs, writes ys; loop of k steps { pass 2: reads zs, writes zs in place of zs }
//! ```

mod fold_library;
mod memory_text;
mod numbers;
mod outline_json;
mod outline_text;
mod storage;
mod walk;

use std::collections::BTreeMap;

use super::{AllocationBound, Explanation, WorkSharing};
use crate::Compiled;
use arrc_fusion::graph::Kind;
use arrc_loops::memory::reuse::ReuseObstacle;
use arrc_syntax::diagnostics::Diagnostic;
use arrc_syntax::source::{Sources, Span};

pub(super) use numbers::pass_numbers;
pub use outline_text::page;
pub use storage::Storage;

/// How the back end lowered each pass, by the names of the passes.
pub type Lowering = BTreeMap<String, Vectors>;

/// Whether a pass runs in vectors.
#[derive(Clone, Debug)]
pub struct Vectors {
    /// What runs in vectors.
    pub state: VectorState,
    /// The lanes of a vector and the vectors of a step, or the reason for which there are none.
    pub text: String,
}

/// Whether the loop of a pass runs in vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VectorState {
    /// A step computes some vectors of some lanes.
    Vectors {
        /// The elements in a vector.
        lanes: u32,
        /// The vectors in a step.
        parts: u32,
    },
    /// LLVM runs the loop in vectors.
    ByLlvm,
    /// Each step computes one element.
    Scalar,
    /// No loop is left.
    NoLoop,
}

/// What a function runs.
#[derive(Clone, Debug)]
pub struct Outline<'a> {
    /// The name of the function.
    pub name: String,
    /// Its name in the source.
    pub span: Span,
    /// The explanations of its blocks. The first one is that of its body, if the body has combinators.
    pub blocks: Vec<&'a Explanation>,
    /// What it runs, in order.
    pub items: Vec<Item>,
    /// The arrays that it makes, in the order in which they are made first.
    pub arrays: Vec<ArrayUse>,
    /// An upper bound of the arrays that a call allocates, if one is known.
    pub allocated: Option<AllocationBound>,
    /// The array arguments that a call copies if they have strides; none if it is no entry.
    pub copied_if_strided: Vec<String>,
}

/// A part of what a function runs.
#[derive(Clone, Debug)]
pub enum Item {
    /// A pass over data.
    Pass(Box<PassItem>),
    /// A loop of the program.
    Loop(LoopItem),
    /// A choice between two blocks.
    If(IfItem),
    /// An operation on whole arrays that is no pass.
    Whole(WholeItem),
}

/// A pass over data.
#[derive(Clone, Debug)]
pub struct PassItem {
    /// The name of the procedure.
    pub procedure: String,
    /// Its number; none if it only fills accumulators.
    pub number: Option<usize>,
    /// Its trip count, in names of the program.
    pub steps: Option<String>,
    /// Its combinators, in order.
    pub nodes: Vec<OutlineNode>,
    /// The arrays that it reads from memory.
    pub reads: Vec<String>,
    /// The arrays that it writes to memory.
    pub writes: Vec<String>,
    /// The arrays that it keeps in registers, one element at a time.
    pub registers: Vec<String>,
    /// How threads share the steps; none inside a step of another pass.
    pub sharing: Option<WorkSharing>,
    /// Whether it runs in vectors; none if that was not looked at.
    pub vectors: Option<Vectors>,
    /// What each step runs.
    pub items: Vec<Item>,
    /// See [`Stamp`].
    pub stamp: Stamp,
}

/// The time at which an item begins. Items begin in the order of the outline; some of the numbers are left out.
pub type Stamp = usize;

/// A choice between two blocks.
#[derive(Clone, Debug)]
pub struct IfItem {
    /// What runs if the condition holds.
    pub then: Vec<Item>,
    /// What runs if it does not hold.
    pub otherwise: Vec<Item>,
    /// See [`Stamp`].
    pub stamp: Stamp,
}

/// A combinator of a pass.
#[derive(Clone, Debug)]
pub struct OutlineNode {
    /// Its label.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// Whether the user gave it the name.
    pub is_named: bool,
    /// The library function that the user calls, if the combinator is code of the library.
    pub library: Option<String>,
    /// The library function, or else the operation.
    pub what: String,
    /// Its place in the user's files.
    pub span: Span,
}

/// A loop of the program, whose steps run in order.
#[derive(Clone, Debug)]
pub struct LoopItem {
    /// Whether the number of steps is known before the loop.
    pub is_counted: bool,
    /// The number of steps, in names of the program, if it has a name.
    pub steps: Option<String>,
    /// The carried values that have names.
    pub carries: Vec<String>,
    /// Its place in the user's files.
    pub span: Span,
    /// The library function that the user calls, if the loop is code of the library.
    pub library: Option<String>,
    /// What each step runs.
    pub items: Vec<Item>,
    /// See [`Stamp`].
    pub stamp: Stamp,
    /// The time at which it has ended.
    pub end: Stamp,
}

/// An operation on whole arrays.
#[derive(Clone, Debug)]
pub struct WholeItem {
    /// What it is.
    pub what: WholeOperation,
    /// The array that it makes or copies, or the function that it calls.
    pub name: String,
    /// Its place in the user's files.
    pub span: Span,
    /// The library function that the user calls, if the operation is code of the library.
    pub library: Option<String>,
    /// See [`Stamp`].
    pub stamp: Stamp,
}

/// The operations on whole arrays that are no passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WholeOperation {
    /// Sorts numbers.
    Sort,
    /// Copies an array that is still needed as it was.
    Copy,
    /// Copies an argument, since the caller still has it.
    CopyArgument,
    /// Copies an array if it has another owner.
    CopyIfShared,
    /// Joins arrays, by copying them.
    Append,
    /// Calls a function of the program.
    Call,
    /// Calls a C function.
    External,
}

/// An array that a function makes.
#[derive(Clone, Debug)]
pub struct ArrayUse {
    /// Its label.
    pub name: String,
    /// Its type: `[n]f64`.
    pub ty: String,
    /// Its size in bytes, as a formula in names of the program, if all extents have names.
    pub bytes: Option<String>,
    /// Where its elements are.
    pub storage: Storage,
    /// An array that ends with the pass in whose memory it is not made, and the reason.
    pub not_in_place: Option<(String, ReuseObstacle)>,
    /// Whether the function gives it back.
    pub is_result: bool,
    /// Whether code of the library makes it.
    pub is_of_library: bool,
    /// The stamps of the items that make it first and that use it last.
    pub alive: [Stamp; 2],
    /// Its place in the user's files.
    pub span: Span,
}

/// The outlines of the functions of a program whose blocks are explained, in the order of the program.
#[must_use]
pub fn outlines<'a>(
    compiled: &Compiled,
    sources: &Sources,
    blocks: &'a [Explanation],
    lowering: &Lowering,
) -> Vec<Outline<'a>> {
    let sharing = super::parallel(&compiled.program);
    let context =
        walk::Context { program: &compiled.program, sources, lowering, sharing: &sharing };
    let functions = compiled.program.functions.iter();
    let explained = functions.filter_map(|(id, function)| {
        let of_function = |block: &&Explanation| block.function == function.name;
        let blocks: Vec<_> = blocks.iter().filter(of_function).collect();
        (!blocks.is_empty()).then(|| walk::outline(&context, id, blocks))
    });
    explained.collect()
}

impl Item {
    /// See [`Stamp`].
    pub(super) fn stamp(&self) -> Stamp {
        match self {
            Self::Pass(pass) => pass.stamp,
            Self::Loop(of) => of.stamp,
            Self::If(of) => of.stamp,
            Self::Whole(of) => of.stamp,
        }
    }

    /// The lists of items inside the item.
    pub(super) fn inside(&self) -> impl Iterator<Item = &[Item]> {
        let lists = match self {
            Self::Pass(pass) => vec![&pass.items[..]],
            Self::Loop(of) => vec![&of.items[..]],
            Self::If(of) => vec![&of.then[..], &of.otherwise[..]],
            Self::Whole(_) => Vec::new(),
        };
        lists.into_iter()
    }
}

/// The stamps of items and of those inside them, in order.
fn stamps(items: &[Item]) -> Vec<Stamp> {
    let of_item = |item: &Item| {
        std::iter::once(item.stamp()).chain(item.inside().flat_map(stamps)).collect::<Vec<_>>()
    };
    items.iter().flat_map(of_item).collect()
}

impl Outline<'_> {
    /// The hints on the function, by place.
    pub fn hints(&self) -> impl Iterator<Item = &Diagnostic> {
        self.blocks.iter().flat_map(|block| &block.hints)
    }
}
