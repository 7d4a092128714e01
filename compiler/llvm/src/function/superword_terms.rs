//! The terms of sums that are computed in the lanes of a vector, and the sums that have been found.
//!
//! Invariant: the terms of a run have one shape. Only the numbers in the last indices of their reads differ, by the
//! number of the lane.
//!
//! ```text
//! |a[y, x] - b[v, u]|, |a[y, x + 1] - b[v, u + 1]|        shape: |a[y, x + 0] - b[v, u + 0]|        at: 0, 1
//! ```

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use arrc_fusion::cnf::{Atom, Operation};
use arrc_loops::concrete::{Block, Complete, Procedure, Step, Stmt, Visit, Worker};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Const, Scalar, UnOp};

/// The sums of the blocks so far.
#[derive(Default)]
pub(crate) struct SuperwordSums {
    pub(super) sums: HashMap<VarId, SuperwordSum>,
    /// The results of steps that are left out.
    pub(super) unused: HashSet<VarId>,
    /// The variables of the function that are a variable plus a constant.
    pub(super) offsets: Option<Rc<Offsets>>,
}

/// A sum in vectors.
#[derive(Clone)]
pub(super) struct SuperwordSum {
    pub(super) runs: Vec<TermRun>,
    /// The other terms.
    pub(super) rest: Vec<Atom>,
}

/// Terms that are one expression of consecutive elements.
#[derive(Clone)]
pub(super) struct TermRun {
    /// The first term.
    pub(super) first: Term,
    pub(super) lanes: usize,
}

/// A term of a sum.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Term {
    /// The same number in all lanes.
    Same(Atom),
    /// An element whose last index, the atom, is `base` plus a number.
    Read {
        array: VarId,
        row: Vec<Atom>,
        last: Atom,
        base: Option<VarId>,
        at: i64,
    },
    Un(UnOp, Scalar, Box<Term>),
    Bin(BinOp, Scalar, Box<[Term; 2]>),
}

impl Term {
    /// The number in the last index of its first read.
    pub(super) fn at(&self) -> Option<i64> {
        match self {
            Self::Same(_) => None,
            Self::Read { at, .. } => Some(*at),
            Self::Un(_, _, arg) => arg.at(),
            Self::Bin(_, _, args) => args.iter().find_map(Self::at),
        }
    }

    /// The term with numbers that are relative to this one, and without the indices themselves.
    pub(super) fn shape(&self, from: i64) -> Self {
        match self {
            Self::Same(atom) => Self::Same(*atom),
            Self::Read { array, row, last: _, base, at } => {
                let (array, row, base) = (*array, row.clone(), *base);
                let last = Atom::Const(Const::i64(0));
                Self::Read { array, row, last, base, at: at.wrapping_sub(from) }
            }
            Self::Un(op, ty, arg) => Self::Un(*op, *ty, Box::new(arg.shape(from))),
            Self::Bin(op, ty, args) => {
                Self::Bin(*op, *ty, Box::new([args[0].shape(from), args[1].shape(from)]))
            }
        }
    }
}

/// The variables of a function that are a variable plus a constant.
#[derive(Default)]
pub(super) struct Offsets(pub(super) HashMap<VarId, (VarId, i64)>);

impl Offsets {
    pub(super) fn block(&mut self, block: &Block) {
        for step in &block.steps {
            if let Step::Scalar { var, op: Operation::Bin(op, args), .. } = step
                && let Some(offset) = offset(*op, *args)
            {
                self.0.insert(*var, offset);
            }
            step.visit(self);
        }
    }

    /// An index as a variable and a constant.
    pub(super) fn of(&self, index: Atom) -> Option<(Option<VarId>, i64)> {
        let mut var = match index {
            Atom::Const(at) => return Some((None, i64::try_from(at.as_i128()).ok()?)),
            Atom::Var(var) => var,
        };
        let mut at = 0_i64;
        while let Some(&(base, plus)) = self.0.get(&var) {
            (var, at) = (base, at.checked_add(plus)?);
        }
        Some((Some(var), at))
    }
}

fn offset(op: BinOp, args: [Atom; 2]) -> Option<(VarId, i64)> {
    let (var, plus) = match (op, args) {
        (BinOp::Add | BinOp::Sub, [Atom::Var(var), Atom::Const(plus)])
        | (BinOp::Add, [Atom::Const(plus), Atom::Var(var)]) => (var, plus),
        (_, _) => return None,
    };
    let plus = (plus.ty == Scalar::I64).then(|| plus.bits.cast_signed())?;
    Some((var, if op == BinOp::Add { plus } else { plus.checked_neg()? }))
}

impl Visit<'_, Complete> for Offsets {
    fn branch(&mut self, block: &Block) {
        self.block(block);
    }

    fn worker(&mut self, worker: &Worker) {
        self.block(&worker.body);
    }

    fn pass(&mut self, pass: &Procedure) {
        pass.nest.for_each_stmt(&mut |stmt| {
            if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
                self.block(&worker.body);
            }
        });
    }
}
