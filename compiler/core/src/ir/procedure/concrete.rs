//! Whole programs of concrete loop nests (002, section 4.3 and figure 9): counters instead of rates.
//! This is what `arrc_llvm` lowers.
//!
//! A program comes from `concretise` without ranges of loops and without the ends of arrays; `split` adds
//! the ranges, and `lifetimes` the ends. The [`Phase`] says which of these there are.
//!
//! Invariant (`verify`): no rate is left; variables are defined before they are used; in a [`Complete`]
//! program each array that a block makes is released in it exactly once, or yielded.

mod bins;
mod cost;
mod forks;
mod joins;
pub mod mentions;
mod operator;
mod phase;
mod print;
mod scans;
mod step;
mod stmt;
#[cfg(test)]
mod tests;
mod verify;
mod visit;
mod work;

pub use bins::Bins;
pub use cost::Cost;
pub use forks::{Chained, groups, together};
pub use joins::{Filled, Join, Joined};
pub use operator::{Separate, in_any_order, neutral, separate};
pub use phase::{After, Complete, Phase, Plain, Ranged, Row, Slices};
pub use scans::Scan;
pub use step::{LoopForm, Step};
pub use stmt::{VisitPlace, VisitPlaceMut, VisitStmt, VisitStmtMut};
pub use visit::{Inside, Mapper, Visit, VisitMut};
pub use work::Work;

use crate::ids::{AccId, ExternalId, FuncId, PrimaryMap, VarId};
use crate::ir::cnf::{Atom, Entry, External, Order, Type};
use crate::ir::procedure::Acc;
use crate::ir::tables::Tables;
use crate::names::Name;
use crate::source::{Calls, Span};

/// A whole program.
#[derive(Clone, Debug, Default)]
pub struct Program<P: Phase = Complete> {
    /// The functions.
    pub functions: PrimaryMap<FuncId, Function<P>>,
    /// The C functions that these call: each array that one gives belongs to who called it.
    pub externals: PrimaryMap<ExternalId, External>,
    /// The entries, in the order of the file.
    pub entries: Vec<Entry>,
    /// The calls that spans mention.
    pub calls: Calls,
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
    /// Those that end with the call: the function's body owns them.
    pub owned: Vec<VarId>,
    /// The results that the function appends to what it is given, in order: each is `to ++ x`, where the last parameters are
    /// such a `to` for each, and no `x` depends on them.
    pub appends: Vec<usize>,
    /// What it does. Each array that it yields belongs to the caller.
    pub body: Block<P>,
    /// The types of the results.
    pub results: Vec<Type>,
    /// Its variables and sizes.
    pub tables: Tables,
    /// Whether it can reach itself, and so checks the stack.
    pub recursive: bool,
}

/// A sequence of steps, and what it yields.
///
/// Ownership: an array variable that a step of the block binds is owned by the block, once, unless it
/// is a view ([`Step::view`]): the array behind it is released after the view's last use. So are what a
/// loop's body carries, and what the branches of an `if` take. A result
/// that is owned and yielded once is handed over; any other array result is shared by [`Step::Share`]
/// first, so that each result is an owned variable of the block and occurs once. In a pass, an array
/// element that [`Stmt::Apply`] binds is owned by the step of its loop or guard, whose `release` names
/// it; so is one that [`Stmt::Current`] binds; one that [`Stmt::Next`] or [`Stmt::Read`] binds is a view, and a copy owns
/// nothing.
#[derive(Clone, Debug, Default)]
pub struct Block<P: Phase = Complete> {
    /// In order.
    pub steps: Vec<Step<P>>,
    /// What the block yields.
    pub results: Vec<Atom>,
}

/// A pass.
#[derive(Clone, Debug)]
pub struct Procedure<P: Phase = Complete> {
    /// The name of the process.
    pub name: Name,
    /// The accumulators, entry counters of guards included (those are `i64`).
    pub accs: PrimaryMap<AccId, Acc>,
    /// How the steps part into slices, if slices may run at the same time. [`Procedure::joins`] says how accumulators of
    /// two blocks become one.
    pub slices: Option<P::Slices>,
    /// Before the loop.
    pub start: Vec<Start<P>>,
    /// The outermost loop.
    pub nest: Loop<P>,
    /// After the loop.
    pub end: Vec<End>,
    /// What it leaves behind: defined by `end`.
    pub yields: Vec<VarId>,
}

/// A counted loop from 0.
#[derive(Clone, Debug)]
pub struct Loop<P: Phase = Complete> {
    /// The counter, `i64`, in scope in the loop.
    pub counter: VarId,
    /// How many steps.
    pub length: Length,
    /// A small bound of the trip count, if one is known: vectors have room for this many elements.
    pub most: Option<u32>,
    /// How many loops of the passes inside its step may run as one loop with it: its own step does nothing but run the next
    /// one, and the innermost step reads and writes elements whose positions are those of all steps in order.
    pub collapsed: u32,
    /// In each step that is in no range.
    pub body: Vec<Stmt<P>>,
    /// In each step, after the body.
    pub inner: Vec<Nest<P>>,
    /// At the end of each step: the array elements that workers of the body made.
    pub release: Vec<P::Owned>,
    /// The steps that are done in another way, which comes to the same; in the order of the steps.
    pub ranges: Vec<Range<P>>,
}

/// Steps of a loop with more known facts than the others, so that each of them does less.
#[derive(Clone, Debug)]
pub struct Range<P: Phase = Complete> {
    /// The first step, `i64`: not before the end of the range before it, or 0.
    pub from: P::Bound,
    /// The first step after it, `i64`: not before `from`, nor beyond the loop's length.
    pub to: P::Bound,
    /// What the steps do instead of the loop's body. There is at least one way. The steps take the ways by turns, beginning with
    /// the first one: so a range with several ways is unrolled.
    pub ways: Vec<Way<P>>,
}

/// What a step of a range does.
#[derive(Clone, Debug)]
pub struct Way<P: Phase = Complete> {
    /// Instead of the loop's body. It writes the same vectors and accumulators.
    pub body: Vec<Stmt<P>>,
    /// After the body.
    pub inner: Vec<Nest<P>>,
    /// At the end of the step: the array elements that workers of the body made.
    pub release: Vec<P::Owned>,
}

impl<P: Phase> Loop<P> {
    /// What a step may do: as in no range, and each way of the ranges.
    pub fn ways(&self) -> impl Iterator<Item = (&[Stmt<P>], &[Nest<P>])> {
        let of_ranges = self.ranges.iter().flat_map(|range| &range.ways);
        let of_ranges = of_ranges.map(|way| (&way.body[..], &way.inner[..]));
        std::iter::once((&self.body[..], &self.inner[..])).chain(of_ranges)
    }

    /// Whether the loop is the outermost of `depth + 1` loops, in which the step of each but the last runs one pass and nothing
    /// else.
    fn collapses(&self, depth: u32) -> bool {
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

/// Runs its body if the flag holds, counting how often.
#[derive(Clone, Debug)]
pub struct Guard<P: Phase = Complete> {
    /// Bound to the counter's value before this entry, `i64`.
    pub index: VarId,
    /// The entry counter: starts at 0, incremented after the body.
    pub counter: AccId,
    /// The flag.
    pub flag: Atom,
    /// If it holds.
    pub body: Vec<Stmt<P>>,
    /// If it holds, after the body.
    pub inner: Vec<Nest<P>>,
    /// If it holds, at its end: the array elements that workers of the body made.
    pub release: Vec<P::Owned>,
}

/// A number of elements that is known before the pass.
#[derive(Clone, PartialEq, Debug)]
pub enum Length {
    /// The length of an array.
    Array(VarId),
    /// A scalar, `i64`; checked not to be negative by [`Start::CheckSize`].
    Value(Atom),
    /// The product of two.
    Product(Box<Length>, Box<Length>),
}

/// Before a loop.
#[derive(Clone, Debug)]
pub enum Start<P: Phase = Complete> {
    /// A negative size is an error.
    CheckSize {
        /// The size, `i64`.
        size: Atom,
        /// Where it came from.
        span: Span,
    },
    /// `vec = newVecI length`: uninitialised memory for that many elements.
    NewVec {
        /// The vector under construction: not an array yet, only [`Stmt::Write`] and
        /// [`End::Slice`] use it.
        vec: VarId,
        /// How many elements at most, but for those that there is a [`Stmt::Reserve`] for.
        capacity: Length,
        /// Where the elements go.
        memory: Memory<P>,
        /// Where the array came from.
        span: Span,
    },
    /// `acc = newAcc init`.
    NewAcc {
        /// The accumulator.
        acc: AccId,
        /// Its first value. An array ends here: from here on the accumulator owns it.
        init: Atom,
    },
}

/// Where the elements of a vector under construction go.
#[derive(Clone, Debug)]
pub enum Memory<P: Phase = Complete> {
    /// To memory of its own.
    New,
    /// To a buffer that the outermost enclosing pass or loop owns and every step reuses. The array ends in the step that
    /// makes it, and has one owner.
    Scratch,
    /// To one of two such buffers by turns: the array may be read by the next step of the loop whose step makes it, and ends
    /// before that makes its own again.
    Turns,
    /// To the place of a row in a vector of a pass around.
    Row(Place),
    /// Over the elements of an array that ends with the pass and has no other owner: the pass reads each of
    /// its elements in the step of its loop with that number, before it writes there or behind it.
    Over(P::Owned),
    /// Behind the elements of an array that has room for them. A later step of the block appends the result of the pass to that
    /// array, and nothing else uses the result.
    Behind(P::Owned),
    /// To a part of an array. A later step of the block replaces this part by the result of the pass.
    Part(Part<P>),
}

/// A part of an array that has one owner, the block.
#[derive(Clone, Debug)]
pub struct Part<P: Phase = Complete> {
    /// The array.
    pub array: P::Owned,
    /// Its indices, which are checked before the pass: fewer than dimensions.
    pub indices: Vec<Atom>,
    /// A view of the part. The pass reads each of its elements in the step of its loop with that number, before it
    /// writes there. It reads nothing else of the array.
    pub view: Option<P::Owned>,
    /// Where the array is replaced.
    pub span: Span,
}

/// The place of a row.
#[derive(Clone, Debug)]
pub struct Place {
    /// A vector of rows, under construction in a pass around.
    pub vec: VarId,
    /// The row's position in it.
    pub index: Position,
}

/// In a loop or a guard.
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
        /// Which.
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
        order: Order,
        /// The worker: accumulators, then elements. Its body owns the accumulators that are arrays.
        worker: Worker<P>,
        /// The elements.
        args: Vec<Atom>,
    },
    /// `elem = read acc`: what the accumulator is at this point of the step.
    Current {
        /// The element.
        elem: VarId,
        /// The accumulator.
        acc: AccId,
    },
    /// `reserveI vec written more`: from here on there is room for `more` elements behind the written ones.
    /// May move the vector.
    Reserve {
        /// The vector.
        vec: VarId,
        /// How many elements were written so far.
        written: Written,
        /// How many there will be more, at most.
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
        /// It was made there ([`Start::NewVec`]): nothing is left to do.
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

/// After a loop.
#[derive(Clone, Debug)]
pub enum End {
    /// `result = read acc`.
    Read {
        /// The scalar.
        result: VarId,
        /// The accumulator.
        acc: AccId,
    },
    /// The vector is an array now, of the length that it was made with, or of the guard's count.
    Slice {
        /// The array; the vector's variable.
        vec: VarId,
        /// How many elements were written.
        length: Written,
    },
}

/// How many elements of a vector were written.
#[derive(Clone, PartialEq, Debug)]
pub enum Written {
    /// All of its capacity.
    All,
    /// What the guard's counter says.
    Counted(AccId),
    /// A number of rows of that length: a `cross` inside a guard.
    Rows(Box<Written>, Length),
}
