//! Abstract loop nests (002, figure 6): what a process does at its start, in each step, in inner
//! nests, and at its end. [`concrete`] has the same with counters for rates.
//!
//! Invariant (`verify`): each element variable is defined before it is used; each accumulator and each
//! vector has one writer.

pub mod concrete;

use crate::ids::{AccId, PrimaryMap, RateId, VarId};
use crate::ir::cnf::{Atom, Order, Type, Worker};
use crate::ir::process::Rate;
use crate::names::Name;
use crate::source::Span;

/// A pass as an abstract loop nest.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// The name of the process.
    pub name: Name,
    /// The rates of the process.
    pub rates: PrimaryMap<RateId, Rate>,
    /// The accumulators.
    pub accs: PrimaryMap<AccId, Acc>,
    /// The outermost loop.
    pub nest: Nest,
    /// What it leaves behind.
    pub yields: Vec<VarId>,
}

/// An accumulator.
#[derive(Clone, Debug)]
pub struct Acc {
    /// The name: that of the result with `_acc`.
    pub name: Name,
    /// Its type, a scalar's.
    pub ty: Type,
}

/// A loop, or a guard in one.
#[derive(Clone, Debug)]
pub enum Nest {
    /// Runs its body once for each step of its rate.
    Loop {
        /// The rate.
        rate: RateId,
        /// Before the first step.
        start: Vec<Start>,
        /// In each step.
        body: Vec<Stmt>,
        /// In each step, after the body.
        inner: Vec<Nest>,
        /// After the last step.
        end: Vec<End>,
    },
    /// Runs its body in those steps of the outer rate whose flag holds.
    Guard {
        /// The rate inside.
        rate: RateId,
        /// The rate outside.
        outer: RateId,
        /// The flag's element.
        flag: Atom,
        /// If it holds.
        body: Vec<Stmt>,
        /// If it holds, after the body.
        inner: Vec<Nest>,
    },
}

/// Before a loop.
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

/// In a loop or a guard.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// `elem = next k array`.
    Next {
        /// The element.
        elem: VarId,
        /// The rate.
        rate: RateId,
        /// The array in memory.
        array: VarId,
    },
    /// `elem = index k`: the position in the rate.
    Position {
        /// The position, `i64`.
        elem: VarId,
        /// The rate.
        rate: RateId,
    },
    /// `elem = other`: what `pack` and `cross` become.
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
        /// The accumulators.
        accs: Vec<AccId>,
        /// How the fold may be evaluated.
        order: Order,
        /// The worker: accumulators, then elements.
        worker: Worker,
        /// The elements.
        args: Vec<Atom>,
        /// Where it came from.
        span: Span,
    },
    /// `writeVec k vec elem`.
    Write {
        /// The vector.
        vec: VarId,
        /// The rate: its position is where the element goes.
        rate: RateId,
        /// The element.
        elem: Atom,
    },
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
    /// `sliceVec k vec`: cuts the vector to what was written.
    Slice {
        /// The vector.
        vec: VarId,
        /// The rate that it was written at.
        rate: RateId,
    },
}
