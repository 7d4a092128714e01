//! The tree of a concrete program: functions, blocks, passes, their loops and statements.
//!
//! Invariant: see [`verify`](super::Program::verify). The tree is recursive, so this file and `step.rs` import each
//! other: a block has steps, and a step may be a pass or have blocks inside.
//!
//! ```text
//! function > block > step > pass > loop > statement > worker > block
//! ```

use super::length::Length;
use super::phase::{Complete, Phase};
use super::step::Step;
use crate::procedure::Acc;
use arrc_fusion::cnf::{Atom, Entry, External, FoldOrder, Type};
use arrc_fusion::tables::Tables;
use arrc_syntax::ids::{AccId, ExternalId, FuncId, PrimaryMap, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::source::{Calls, Span};

/// A whole program.
#[derive(Clone, Debug, Default)]
pub struct Program<P: Phase = Complete> {
    /// The functions.
    pub functions: PrimaryMap<FuncId, Function<P>>,
    /// The C functions and the traces that the program calls. The caller owns each array that a C function returns.
    pub externals: PrimaryMap<ExternalId, External>,
    /// The entries, in the order of the file.
    pub entries: Vec<Entry>,
    /// The calls that spans mention.
    pub calls: Calls,
}

impl<P: Phase> Program<P> {
    /// The C functions that the program calls.
    pub fn c_functions(&self) -> impl Iterator<Item = &External> {
        self.externals.values().filter(|external| external.trace.is_none())
    }
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function<P: Phase = Complete> {
    /// The name, unique in the program.
    pub name: Name,
    /// The definition's name in the source.
    pub span: Span,
    /// The parameters. Arrays are borrowed from the caller, unless they are owned.
    pub params: Vec<VarId>,
    /// The parameters that end with the call: the function's body owns them.
    pub owned: Vec<VarId>,
    /// The indices of the results that the function appends to its last parameters, in order. Each of these results
    /// is `to ++ x`, where `to` is its parameter, and no `x` depends on these parameters.
    pub appends: Vec<usize>,
    /// The body. Each array that it yields belongs to the caller.
    pub body: Block<P>,
    /// The types of the results.
    pub results: Vec<Type>,
    /// Its variables and sizes.
    pub tables: Tables,
    /// Whether it can reach itself, and so checks the stack.
    pub recursive: bool,
}

/// A sequence of steps, and its results.
///
/// Ownership: the block owns, once, each array variable that one of its steps binds, unless the variable is a view
/// ([`Step::view`]). The array behind a view is released after the view's last use. The body of a loop also owns the
/// carried arrays, and the branches of an `if` own the arrays that they take. A result that is owned and yielded once
/// is handed over. Any other array result is shared by [`Step::Share`] first, so that each result is an owned
/// variable of the block and occurs once.
///
/// In a pass, the step of a loop or guard owns the array elements that [`Stmt::Apply`] and [`Stmt::Current`] bind,
/// and its `release` names them. An element that [`Stmt::Next`] or [`Stmt::Read`] binds is a view, and so is one that the
/// worker of a [`Stmt::Apply`] lends: it yields a view of an array from outside, which is not shared. A [`Stmt::Copy`]
/// owns nothing.
#[derive(Clone, Debug, Default)]
pub struct Block<P: Phase = Complete> {
    /// The steps, in order.
    pub steps: Vec<Step<P>>,
    /// The results.
    pub results: Vec<Atom>,
}

/// A pass.
#[derive(Clone, Debug)]
pub struct Procedure<P: Phase = Complete> {
    /// The name of the process.
    pub name: Name,
    /// The accumulators. The entry counters of guards are among them; these are `i64`.
    pub accs: PrimaryMap<AccId, Acc>,
    /// The division of the steps into slices, if slices may run at the same time. [`Procedure::joined`] says how the
    /// accumulators of two blocks are combined.
    pub slices: Option<P::Slices>,
    /// The statements before the loop.
    pub start: Vec<Start<P>>,
    /// The outermost loop.
    pub nest: Loop<P>,
    /// The statements after the loop.
    pub end: Vec<End>,
    /// The variables that `end` defines for the block.
    pub yields: Vec<VarId>,
}

/// A counted loop from 0.
#[derive(Clone, Debug)]
pub struct Loop<P: Phase = Complete> {
    /// The counter, `i64`, in scope in the loop.
    pub counter: VarId,
    /// The trip count.
    pub length: Length,
    /// A small upper bound of the trip count, if one is known. The vectors that the loop writes have room for this
    /// number of elements.
    pub most: Option<u32>,
    /// The number of loops in the passes of its step that may run as one loop together with it (loop collapsing).
    /// Each step but the innermost does nothing but run the next loop. The innermost step reads and writes elements
    /// whose positions are those of all steps in order.
    pub collapsed: u32,
    /// The statements of each step that is in no range.
    pub body: Vec<Stmt<P>>,
    /// The nests of each of these steps, after the body.
    pub inner: Vec<Nest<P>>,
    /// The array elements that workers of the body made; they are released at the end of each step.
    pub release: Vec<P::Owned>,
    /// Ranges of steps that run other code with the same effect, in the order of the steps.
    pub ranges: Vec<Range<P>>,
}

/// A range of the steps of a loop. More facts are known about its steps than about the others, so each of them does
/// less.
#[derive(Clone, Debug)]
pub struct Range<P: Phase = Complete> {
    /// The first step, `i64`: not before the end of the preceding range, nor before 0.
    pub from: P::Bound,
    /// The step after the last one, `i64`: not before `from`, nor beyond the loop's length.
    pub to: P::Bound,
    /// The code that replaces the loop's body. There is at least one variant.
    pub variants: Vec<Variant<P>>,
    /// The periods of steps that take the variants, if a period may have several steps of one variant. Without periods,
    /// each step takes the next variant. Such a range begins with the first variant and ends with the last one, so it
    /// is unrolled.
    pub period: Option<Period<P>>,
    /// How many steps are before the range and behind it, if these are small constants unless the loop is too short for
    /// a range. Code that relies on it tests `from` and `to` first.
    pub peeled: Option<PeeledIterations>,
}

/// The iterations outside of a range, which may be peeled: how many they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PeeledIterations {
    /// The steps before the range.
    pub before: u8,
    /// The steps behind it.
    pub behind: u8,
}

/// A period of steps, which repeats: in each period, some steps take the first variant, the next ones take the second
/// variant, and so on.
#[derive(Clone, Debug)]
pub struct Period<P: Phase = Complete> {
    /// The step in which the first period begins, `i64`: not after the range's first step, and less than a period
    /// before it. The range has neither the steps of that period before its first step, nor those of the last period
    /// behind its last one.
    pub first: P::Bound,
    /// The number of steps of a period that take each variant, `i64`: not negative. A period has at least one step.
    pub steps: Vec<P::Bound>,
}

/// A variant of a loop's body: the code of a step in a range.
#[derive(Clone, Debug)]
pub struct Variant<P: Phase = Complete> {
    /// The statements that replace the loop's body. They write the same vectors and accumulators. A variant without
    /// statements leaves the elements that are there: see [`Memory::Over`].
    pub body: Vec<Stmt<P>>,
    /// The nests after the body.
    pub inner: Vec<Nest<P>>,
    /// The array elements that workers of the body made; they are released at the end of the step.
    pub release: Vec<P::Owned>,
}

impl<P: Phase> Variant<P> {
    /// Whether the step leaves everything as it is.
    pub fn is_empty(&self) -> bool {
        self.body.is_empty() && self.inner.is_empty() && self.release.is_empty()
    }
}

impl<P: Phase> Range<P> {
    /// The numbers that say which steps the range has, and which variant each of them takes.
    pub fn bounds(&self) -> impl Iterator<Item = P::Bound> {
        let period = self.period.iter();
        let period = period.flat_map(|period| std::iter::once(&period.first).chain(&period.steps));
        [self.from, self.to].into_iter().chain(period.copied())
    }

    /// The same, to change them.
    pub fn bounds_mut(&mut self) -> impl Iterator<Item = &mut P::Bound> {
        let period = self.period.iter_mut();
        let period =
            period.flat_map(|period| std::iter::once(&mut period.first).chain(&mut period.steps));
        [&mut self.from, &mut self.to].into_iter().chain(period)
    }
}

impl<P: Phase> Loop<P> {
    /// All code that a step may run: the loop's own, and each variant of the ranges.
    pub fn variants(&self) -> impl Iterator<Item = (&[Stmt<P>], &[Nest<P>])> {
        let of_ranges = self.ranges.iter().flat_map(|range| &range.variants);
        let of_ranges = of_ranges.map(|variant| (&variant.body[..], &variant.inner[..]));
        std::iter::once((&self.body[..], &self.inner[..])).chain(of_ranges)
    }

    /// Whether the loop is the outermost of `depth + 1` loops, where each step of all but the innermost runs one pass
    /// and nothing else.
    pub(super) fn collapses(&self, depth: u32) -> bool {
        let Some(rest) = depth.checked_sub(1) else { return true };
        let steps = self.body.iter().filter_map(|stmt| {
            if let Stmt::Apply { worker, .. } = stmt { Some(&worker.body.steps) } else { None }
        });
        let first: Vec<_> = steps.map(|steps| steps.first()).collect();
        let [Some(Step::Pass(pass))] = first.as_slice() else { return false };
        self.inner.is_empty() && self.ranges.is_empty() && pass.nest.collapses(rest)
    }
}

/// A loop or guard that is nested in a loop.
#[derive(Clone, Debug)]
pub enum Nest<P: Phase = Complete> {
    /// The inner loop of a `cross`, or of a `flatmap`.
    Loop(Loop<P>),
    /// `guardI (index) acc with flag`.
    Guard(Guard<P>),
}

/// Runs its body if the flag holds, and counts how often it does.
#[derive(Clone, Debug)]
pub struct Guard<P: Phase = Complete> {
    /// The value of the counter before this entry, `i64`.
    pub index: VarId,
    /// The entry counter: it starts at 0, and is incremented after the body.
    pub counter: AccId,
    /// The flag.
    pub flag: Atom,
    /// The statements that run if the flag holds.
    pub body: Vec<Stmt<P>>,
    /// The nests that run after the body.
    pub inner: Vec<Nest<P>>,
    /// The array elements that workers of the body made; they are released at the end.
    pub release: Vec<P::Owned>,
}

/// A statement before a loop.
#[derive(Clone, Debug)]
pub enum Start<P: Phase = Complete> {
    /// The size must not be negative.
    CheckSize {
        /// The size, `i64`.
        size: Atom,
        /// Where it came from.
        span: Span,
    },
    /// `vec = newVecI length`: uninitialised memory for `length` elements.
    NewVec {
        /// The vector under construction: not an array yet, only [`Stmt::Write`] and
        /// [`End::Slice`] use it.
        vec: VarId,
        /// The number of elements that there is room for. [`Stmt::Reserve`] makes room for more.
        capacity: Length,
        /// The memory of the elements.
        memory: Memory<P>,
        /// Where the array came from.
        span: Span,
    },
    /// `acc = newAcc init`.
    NewAcc {
        /// The accumulator.
        acc: AccId,
        /// Its first value. If it is an array, the array ends here, and from here on the accumulator owns it.
        init: Atom,
    },
}

/// The memory of a vector under construction.
#[derive(Clone, Debug)]
pub enum Memory<P: Phase = Complete> {
    /// Memory of its own.
    New,
    /// A scratch buffer, which the outermost enclosing pass or loop owns and every step reuses. The array ends in the
    /// step that makes it, and has one owner.
    Scratch,
    /// Double buffering: one of two scratch buffers that alternate from step to step. The next step of the loop may
    /// read the array, and the array ends before a step writes to its buffer again. If it is the result of the
    /// outermost loop, the result takes the buffer over.
    DoubleBuffer,
    /// The place of a row in a vector of an enclosing pass.
    Row(RowLocation),
    /// The memory of an array that ends with the pass and has no other owner. The pass reads the element at position
    /// `i` in step `i` of its loop, before it writes at `i` or behind `i`. Steps of a range without statements leave
    /// the elements that are there.
    Over(P::Owned),
    /// The memory behind the elements of an array that has room for them. A later step of the block appends the
    /// result of the pass to that array, and nothing else uses the result.
    Behind(P::Owned),
    /// A part of an array. A later step of the block replaces this part with the result of the pass.
    Part(Subarray<P>),
}

/// A part of an array whose only owner is the block.
#[derive(Clone, Debug)]
pub struct Subarray<P: Phase = Complete> {
    /// The array.
    pub array: P::Owned,
    /// Its indices. If there are fewer of them than dimensions, the part is the row or matrix at these indices, which
    /// are checked before the pass. If there is one for each dimension, the part is a window
    /// ([`ReplacedPart::Window`](super::ReplacedPart::Window)).
    pub indices: Vec<Atom>,
    /// The array, or the view of the part, by which the pass reads elements of the part: each in the step that writes
    /// it, before it is written. The pass reads no other element of the part.
    pub view: Option<P::Owned>,
    /// The source of the replacement.
    pub span: Span,
}

/// The place of a row.
#[derive(Clone, Debug)]
pub struct RowLocation {
    /// A vector of rows, which an enclosing pass constructs.
    pub vec: VarId,
    /// The row's position in it.
    pub index: Position,
    /// The array under the row, if there is one. The pass that makes the row may read elements of it, each only in the
    /// step that writes there.
    pub over: Option<VarId>,
}

/// A statement in a loop or a guard.
#[derive(Clone, Debug)]
pub enum Stmt<P: Phase = Complete> {
    /// `elem = nextI index array`: in bounds by construction.
    Next {
        /// The element.
        elem: VarId,
        /// The position.
        index: Position,
        /// The array.
        array: VarId,
    },
    /// `elem = index`.
    Position {
        /// The position, `i64`.
        elem: VarId,
        /// The position in a rate.
        index: Position,
    },
    /// `elem = other`.
    Copy {
        /// The new name.
        elem: VarId,
        /// The element.
        from: Atom,
    },
    /// `elem… = worker elem…`.
    Apply {
        /// One for each result of the worker.
        elems: Vec<VarId>,
        /// The worker.
        worker: Worker<P>,
        /// One for each parameter.
        args: Vec<Atom>,
    },
    /// `elem = array[i]`, checked.
    Read {
        /// The element.
        elem: VarId,
        /// The array.
        array: VarId,
        /// The index.
        index: Atom,
        /// Where it came from.
        span: Span,
    },
    /// `acc… := worker acc… elem…`.
    Update {
        /// The accumulators.
        accs: Vec<AccId>,
        /// How the fold may be evaluated.
        order: FoldOrder,
        /// The worker: accumulators, then elements. Its body owns the accumulators that are arrays.
        worker: Worker<P>,
        /// The elements.
        args: Vec<Atom>,
    },
    /// `elem = read acc`: the value of the accumulator at this point of the step.
    Current {
        /// The element.
        elem: VarId,
        /// The accumulator.
        acc: AccId,
    },
    /// `reserveI vec written more`: makes room for `more` elements behind the written ones. It may move the vector.
    Reserve {
        /// The vector.
        vec: VarId,
        /// The number of elements that were written so far.
        written: WrittenCount,
        /// The maximum number of elements that follow.
        more: Length,
    },
    /// `writeVecI index vec elem`: in bounds by construction.
    Write {
        /// The vector.
        vec: VarId,
        /// The position.
        index: Position,
        /// The element.
        elem: Atom,
        /// Whether the element was made in its place ([`Memory::Row`]). Then there is nothing to write.
        placed: bool,
    },
}

/// A position in a rate.
#[derive(Clone, PartialEq, Debug)]
pub enum Position {
    /// A loop's counter or a guard's index.
    Var(VarId),
    /// In the product rate of a `cross`: `outer * length + inner`.
    Product {
        /// The position in the outer rate.
        outer: Box<Position>,
        /// The inner loop's length.
        length: Length,
        /// The inner loop's counter.
        inner: VarId,
    },
}

/// A worker with its body scheduled: may contain passes.
#[derive(Clone, Debug)]
pub struct Worker<P: Phase = Complete> {
    /// The parameters.
    pub params: Vec<VarId>,
    /// The body.
    pub body: Block<P>,
}

/// A statement after a loop.
#[derive(Clone, Debug)]
pub enum End {
    /// `result = read acc`.
    Read {
        /// The scalar.
        result: VarId,
        /// The accumulator.
        acc: AccId,
    },
    /// The vector becomes an array. Its length is the vector's capacity, or the count of a guard.
    Slice {
        /// The array; the vector's variable.
        vec: VarId,
        /// The number of elements that were written.
        length: WrittenCount,
    },
}

/// The number of written elements of a vector.
#[derive(Clone, PartialEq, Debug)]
pub enum WrittenCount {
    /// All of its capacity.
    All,
    /// The value of a guard's counter.
    Counted(AccId),
    /// A number of rows of this length, as in a `cross` inside a guard.
    Rows(Box<WrittenCount>, Length),
}
