//! Abstract loop nests (002, figure 6): what a process does at its start, in each step, in inner nests, and at its
//! end. In [`concrete`](crate::concrete) loop nests, counters replace the rates.
//!
//! Invariant (`verify`): each element variable is defined before it is used; each accumulator and each
//! vector has one writer; the types of elements, accumulators and vectors agree with the statements that use them.
//!
//! ```text
//! s2 <- map k1 i64 (+ 1i64) s1; mx <= fold k1 i64 s2 with i64.max and 0i64
//! ⇒ loop k1 start { mx_acc = newAcc 0i64 }
//!           body { s1_elem = next k1 s1; s2_elem = (+ 1i64) s1_elem; mx_acc := i64.max mx_acc s2_elem }
//!           end { mx = read mx_acc }
//! ```

pub(crate) mod print_procedure;
#[cfg(test)]
mod tests;
mod verify_procedure;

use arrc_fusion::cnf::{Atom, FoldOrder, Type, Worker};
use arrc_fusion::passes;
use arrc_fusion::process::Rate;
use arrc_syntax::ids::{AccId, PrimaryMap, RateId, SeriesId, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// A block whose passes are abstract loop nests.
pub type Block = passes::Block<Procedure>;

/// One step of a block.
pub type Step = passes::BlockStep<Procedure>;

/// A pass as an abstract loop nest.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// The name of the process.
    pub name: Name,
    /// The rates of the process.
    pub rates: PrimaryMap<RateId, Rate>,
    /// The series that come from arrays in memory.
    pub params: Vec<Param>,
    /// The accumulators.
    pub accs: PrimaryMap<AccId, Acc>,
    /// The outermost loop.
    pub nest: Nest,
    /// The variables that the pass defines for the block.
    pub yields: Vec<VarId>,
}

/// A series that comes from an array in memory.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The series of the process.
    pub series: SeriesId,
    /// Its rate.
    pub rate: RateId,
    /// The array.
    pub array: VarId,
}

/// An accumulator.
#[derive(Clone, Debug)]
pub struct Acc {
    /// The name: the name of the result with `_acc`.
    pub name: Name,
    /// Its type: a scalar, or an array whose shape no step changes.
    pub ty: Type,
}

/// A loop, or a guard in one.
#[derive(Clone, Debug)]
pub enum Nest {
    /// Runs its body once for each step of its rate.
    Loop {
        /// The rate. Inside another loop it is a product, and the loop steps through its second factor.
        rate: RateId,
        /// The statements before the first step.
        start: Vec<Start>,
        /// The statements of each step.
        body: Vec<Stmt>,
        /// The nests of each step, after the body.
        inner: Vec<Nest>,
        /// The statements after the last step.
        end: Vec<End>,
    },
    /// Runs its body in those steps of the outer rate whose flag holds.
    Guard {
        /// The inner rate.
        rate: RateId,
        /// The outer rate.
        outer: RateId,
        /// The element that is the flag.
        flag: Atom,
        /// The statements that run if the flag holds.
        body: Vec<Stmt>,
        /// The nests that run if the flag holds, after the body.
        inner: Vec<Nest>,
    },
    /// In each step of the outer rate, runs its body as often as the count says.
    Expansion {
        /// The inner rate.
        rate: RateId,
        /// The outer rate.
        outer: RateId,
        /// The element that is the count.
        count: Atom,
        /// The statements of each inner step.
        body: Vec<Stmt>,
        /// The nests of each inner step, after the body.
        inner: Vec<Nest>,
    },
}

/// A statement before a loop.
#[derive(Clone, Debug)]
pub enum Start {
    /// `vec = newVec k`.
    NewVec {
        /// The vector.
        vec: VarId,
        /// The rate that it is written at.
        rate: RateId,
        /// Where the array came from.
        span: Span,
    },
    /// `acc = newAcc init`.
    NewAcc {
        /// The accumulator.
        acc: AccId,
        /// Its first value.
        init: Atom,
    },
}

/// A statement in a loop or a guard.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// `elem = next k s`.
    Next {
        /// The element.
        elem: VarId,
        /// The rate.
        rate: RateId,
        /// The series: a parameter.
        series: SeriesId,
    },
    /// `elem = index k`: the position in the rate.
    Position {
        /// The position, `i64`.
        elem: VarId,
        /// The rate.
        rate: RateId,
    },
    /// `elem = place k`: the position within the part to which the step of the outer rate is expanded.
    Place {
        /// The position, `i64`.
        elem: VarId,
        /// The expanded rate.
        rate: RateId,
    },
    /// `elem = item k row`: the element at that position of a row that is as long as the part.
    Item {
        /// The element.
        elem: VarId,
        /// The expanded rate.
        rate: RateId,
        /// The row, an element of the outer rate.
        row: VarId,
    },
    /// `elem = other`: the form that `pack` and `cross` take here.
    Copy {
        /// The new name.
        elem: VarId,
        /// The element.
        from: Atom,
    },
    /// `elem… = worker elem…`.
    Apply {
        /// The name of the result, for people.
        name: Name,
        /// One for each result of the worker.
        elems: Vec<VarId>,
        /// The worker.
        worker: Worker,
        /// One for each parameter.
        args: Vec<Atom>,
        /// Where it came from.
        span: Span,
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
        /// The name of the result, for people.
        name: Name,
        /// The accumulators.
        accs: Vec<AccId>,
        /// How the fold may be evaluated.
        order: FoldOrder,
        /// The worker: accumulators, then elements.
        worker: Worker,
        /// The elements.
        args: Vec<Atom>,
        /// Where it came from.
        span: Span,
    },
    /// `elem = read acc`: the value of the accumulator at this point of the step.
    Current {
        /// The element.
        elem: VarId,
        /// The accumulator.
        acc: AccId,
    },
    /// `writeVec k vec elem`.
    Write {
        /// The vector.
        vec: VarId,
        /// The rate. The element goes to its position in this rate.
        rate: RateId,
        /// The element.
        elem: Atom,
    },
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
    /// `sliceVec k vec`: cuts the vector to the elements that were written.
    Slice {
        /// The vector.
        vec: VarId,
        /// The rate that it was written at.
        rate: RateId,
    },
}
