//! What each operation is called, what it is in the dependency graph, and how its parts belong together.
//!
//! Invariant: an operation has a kind unless it is always a scalar binding. A pass that asks for a property here
//! names no combinator.
//!
//! ```text
//! map: a node of the kind Map     with: a barrier     +: no node
//! ```

use super::{Atom, Block, Op, Operation, Order, Worker};
use crate::ids::VarId;
use crate::prim::{BinOp, Scalar};

/// The kind of a node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// `map`.
    Map,
    /// `filter`: a transducer.
    Filter,
    /// `flatmap`: a transducer.
    FlatMap,
    /// `reduce`, `fold`: gives what accumulators are at the end.
    Fold,
    /// `scan`.
    Scan,
    /// `generate`.
    Generate,
    /// `gather`: streams indices, reads data at random.
    Gather,
    /// `cross`: streams the left, reads the right whole for each.
    Cross,
    /// Everything that takes arrays and does not iterate: `++`, calls, `if` over arrays.
    Barrier,
}

impl Kind {
    /// Whether a node of this kind gives arrays of another size than it iterates over.
    #[must_use]
    pub fn is_transducer(self) -> bool {
        matches!(self, Self::Filter | Self::FlatMap)
    }

    /// Whether what a node of this kind gives has a size that the node makes.
    #[must_use]
    pub fn makes_size(self) -> bool {
        self.is_transducer() || self == Self::Cross
    }

    /// Whether what the worker of a node of this kind yields in a step are arrays, which are streams.
    #[must_use]
    pub fn expands(self) -> bool {
        self == Self::FlatMap
    }

    /// The name in the printed form.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Filter => "filter",
            Self::FlatMap => "flatmap",
            Self::Fold => "fold",
            Self::Scan => "scan",
            Self::Generate => "generate",
            Self::Gather => "gather",
            Self::Cross => "cross",
            Self::Barrier => "barrier",
        }
    }
}

/// The worker that takes elements, for reading or for changing.
macro_rules! elements {
    ($op:expr) => {
        if let Op::Map { worker, inputs }
        | Op::FlatMap { worker, inputs }
        | Op::Filter { worker, inputs, .. } = $op
        {
            Some(Elements { worker, accs: 0, inputs })
        } else if let Op::Fold { worker, init, inputs, .. }
        | Op::Scan { worker, init, inputs, .. } = $op
        {
            Some(Elements { worker, accs: init.len(), inputs })
        } else {
            None
        }
    };
}

/// How many steps a combinator takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Steps {
    /// As many as an array has elements.
    Of(VarId),
    /// As many as a scalar says.
    Count(Atom),
    /// One for each pair of elements of two arrays.
    Pairs(VarId, VarId),
}

/// Which sizes of its results an operation names. Those of rows may have other names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    /// All.
    All,
    /// That of the first dimension.
    First,
    /// None, but all results have one size; if it has a definition, it is the one that is told.
    One,
    /// None.
    Free,
}

/// What combines accumulators with elements, to be changed.
#[derive(Debug)]
pub struct Folded<'a> {
    /// The worker, which takes accumulators and elements.
    pub worker: &'a mut Worker,
    /// The first accumulators.
    pub init: &'a mut Vec<Atom>,
    /// The arrays.
    pub inputs: &'a mut Vec<VarId>,
}

/// The first carried values, for reading or for changing.
macro_rules! carried {
    ($op:expr) => {
        if let Op::Fold { init, .. } | Op::Scan { init, .. } | Op::Loop { init, .. } = $op {
            Some(init)
        } else {
            None
        }
    };
}

impl Op {
    /// The operation's name, and its kind where it is a node of the graph.
    fn description(&self) -> (&'static str, Option<Kind>) {
        let barrier = |name| (name, Some(Kind::Barrier));
        let combinator = |kind: Kind| (kind.name(), Some(kind));
        match self {
            Self::Un(op, _) => (op.name(), None),
            Self::Bin(op, ..) => (op.name(), None),
            Self::Fma(_) => ("fma", None),
            Self::Length { .. } => ("length", None),
            Self::Assert { .. } => ("assert", None),
            // Of a row, and over arrays; else a scalar binding.
            Self::Index { .. } => barrier("index"),
            Self::If { .. } => barrier("if"),
            Self::Map { .. } => combinator(Kind::Map),
            Self::Filter { .. } => combinator(Kind::Filter),
            Self::FlatMap { .. } => combinator(Kind::FlatMap),
            Self::Fold { order, .. } => (order.name(), Some(Kind::Fold)),
            Self::Scan { prefix, .. } => (prefix.name(), Some(Kind::Scan)),
            Self::Generate { .. } => combinator(Kind::Generate),
            Self::Gather { .. } => combinator(Kind::Gather),
            Self::Cross { .. } => combinator(Kind::Cross),
            Self::Call { .. } => barrier("call"),
            Self::Append { .. } => barrier("++"),
            Self::Array { .. } => barrier("array literal"),
            Self::Constant(_) => barrier("constant array"),
            Self::Reshape { .. } => barrier("reshape"),
            Self::Loop { .. } => barrier("loop"),
            Self::Replace { .. } => barrier("with"),
        }
    }

    /// The operation on scalars that it is, if it is one.
    #[must_use]
    pub fn operation(&self) -> Option<Operation> {
        if let Self::Bin(op, left, right) = *self {
            Some(Operation::Bin(op, [left, right]))
        } else if let Self::Un(op, arg) = *self {
            Some(Operation::Un(op, arg))
        } else if let Self::Fma(args) = *self {
            Some(Operation::Fma(args))
        } else {
            None
        }
    }

    /// The operator of two that it is, and its operands.
    #[must_use]
    pub fn binary(&self) -> Option<(BinOp, [Atom; 2])> {
        self.operation()?.binary()
    }

    /// The operation's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.description().0
    }

    /// The kind of node; `None` for an operation that is always a scalar binding.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        self.description().1
    }

    /// Whether it is a scalar binding: no node of the graph. An `if` is one when all that it computes
    /// is scalar.
    #[must_use]
    pub fn is_scalar(&self) -> bool {
        if let Some(branches) = self.branches() {
            let scalar = |block: &Block| block.binds.iter().all(|bind| bind.op.is_scalar());
            return branches.into_iter().all(scalar);
        }
        matches!(self, Self::Index { .. }) || self.kind().is_none()
    }

    /// Whether it iterates, and so is part of a pass.
    #[must_use]
    pub fn is_combinator(&self) -> bool {
        self.kind().is_some_and(|kind| kind != Kind::Barrier)
    }

    /// Whether it only says where an array is, in another one or in the program: it reads and writes no
    /// elements.
    #[must_use]
    pub fn is_view(&self) -> bool {
        matches!(self, Self::Reshape { .. } | Self::Index { .. } | Self::Constant(_))
    }

    /// Whether it is a scalar operation without blocks that never fails; `ty` tells the types of scalars.
    #[must_use]
    pub fn is_total(&self, ty: impl FnOnce(Atom) -> Option<Scalar>) -> bool {
        if let Some((op, [x, _])) = self.binary() {
            return ty(x).is_some_and(|ty| !op.traps(ty));
        }
        self.operation().is_some() || self.length().is_some()
    }

    /// Whether its only result is a scalar, and it has no blocks.
    #[must_use]
    pub fn gives_scalar(&self) -> bool {
        self.operation().is_some() || self.length().is_some() || matches!(self, Self::Index { .. })
    }

    /// The array and the dimension whose length it gives.
    #[must_use]
    pub fn length(&self) -> Option<(VarId, usize)> {
        if let Self::Length { array, dim } = *self { Some((array, dim)) } else { None }
    }

    /// The two blocks between which it chooses.
    #[must_use]
    pub fn branches(&self) -> Option<[&Block; 2]> {
        if let Self::If { then, otherwise, .. } = self { Some([then, otherwise]) } else { None }
    }

    /// Whether each step makes an element of every result.
    #[must_use]
    pub fn makes_each(&self) -> bool {
        matches!(
            self,
            Self::Map { .. } | Self::Scan { .. } | Self::Generate { .. } | Self::Gather { .. }
        )
    }

    /// The trip count of a combinator; none for one without arrays, whose results have it.
    #[must_use]
    pub fn steps(&self) -> Option<Steps> {
        if let Self::Generate { size, .. } = self {
            return Some(Steps::Count(*size));
        }
        if let Self::Cross { left, right } = self {
            return Some(Steps::Pairs(*left.first()?, *right.first()?));
        }
        self.streams().first().copied().map(Steps::Of)
    }

    /// Which sizes of its results the operation names.
    #[must_use]
    pub fn named(&self) -> Named {
        if matches!(self, Self::Index { .. } | Self::Replace { .. }) {
            Named::All
        } else if matches!(self, Self::Generate { .. } | Self::Append { .. }) {
            Named::One
        } else if self.makes_each() || matches!(self, Self::Array { .. }) {
            Named::First
        } else if self.is_combinator() && self.carried().is_none() {
            Named::One
        } else {
            Named::Free
        }
    }

    /// The initial values that it carries from step to step, if there are any.
    #[must_use]
    pub fn carried(&self) -> Option<&Vec<Atom>> {
        carried!(self)
    }

    /// The same, to be changed.
    pub fn carried_mut(&mut self) -> Option<&mut Vec<Atom>> {
        carried!(self)
    }

    /// Whether its worker takes an element for each accumulator, which it may be given in its place.
    #[must_use]
    pub fn is_paired(&self) -> bool {
        let free = |order: Order| order != Order::Strict;
        matches!(self, Self::Fold { order, .. } if free(*order))
            || matches!(self, Self::Scan { .. })
    }

    /// What combines accumulators with elements, if this does.
    pub fn folded_mut(&mut self) -> Option<Folded<'_>> {
        if let Self::Fold { worker, init, inputs, .. } | Self::Scan { worker, init, inputs, .. } =
            self
        {
            Some(Folded { worker, init, inputs })
        } else {
            None
        }
    }

    /// Lists of arrays of one size, where the operation binds `vars`.
    #[must_use]
    pub fn equal_sizes(&self, vars: &[VarId]) -> Vec<Vec<VarId>> {
        match self {
            Self::Map { inputs, .. } | Self::Scan { inputs, .. } => {
                vec![[&inputs[..], vars].concat()]
            }
            Self::Filter { inputs, keep, .. } => vec![[&inputs[..], keep].concat(), vars.to_vec()],
            Self::FlatMap { inputs, .. } => vec![inputs.clone(), vars.to_vec()],
            Self::Fold { inputs, .. } => vec![inputs.clone()],
            Self::Generate { .. } => vec![vars.to_vec()],
            Self::Gather { data, indices } => vec![data.clone(), [&[*indices], vars].concat()],
            Self::Cross { left, right } | Self::Append { left, right } => {
                vec![left.clone(), right.clone(), vars.to_vec()]
            }
            Self::Replace { array, .. } => vec![[&[*array], vars].concat()],
            Self::Un(..)
            | Self::Bin(..)
            | Self::Fma(_)
            | Self::Index { .. }
            | Self::Length { .. }
            | Self::Assert { .. }
            | Self::If { .. }
            | Self::Call { .. }
            | Self::Array { .. }
            | Self::Constant(_)
            | Self::Reshape { .. }
            | Self::Loop { .. } => Vec::new(),
        }
    }

    /// Drops the results that `live` does not mark, and the operands and yields that belong to one of them alone. Returns
    /// false where results depend on each other, as those of folds, loops and crosses do: then the caller drops them.
    pub fn keep_results(&mut self, live: &[bool]) -> bool {
        if let Self::Map { worker, .. }
        | Self::FlatMap { worker, .. }
        | Self::Generate { worker, .. } = self
        {
            keep(&mut worker.body.results, live);
        } else if let Self::Filter { keep: arrays, .. } | Self::Gather { data: arrays, .. } = self {
            keep(arrays, live);
        } else if let Self::If { then, otherwise, .. } = self {
            keep(&mut then.results, live);
            keep(&mut otherwise.results, live);
        } else if let Self::Append { left, right } = self {
            keep(left, live);
            keep(right, live);
        } else {
            return false;
        }
        true
    }

    /// The worker that takes the elements of arrays, if there is one.
    pub fn elements_mut(&mut self) -> Option<Elements<&mut Worker, &mut Vec<VarId>>> {
        elements!(self)
    }

    /// The same, to look at.
    #[must_use]
    pub fn elements(&self) -> Option<Elements<&Worker, &Vec<VarId>>> {
        elements!(self)
    }
}

impl From<Operation> for Op {
    fn from(operation: Operation) -> Self {
        match operation {
            Operation::Un(op, arg) => Self::Un(op, arg),
            Operation::Bin(op, [left, right]) => Self::Bin(op, left, right),
            Operation::Fma(args) => Self::Fma(args),
        }
    }
}

/// A worker that takes the elements of arrays.
#[derive(Debug)]
pub struct Elements<W, I> {
    /// The worker. Its parameters are accumulators, and then the elements.
    pub worker: W,
    /// How many accumulators there are.
    pub accs: usize,
    /// The arrays.
    pub inputs: I,
}

/// Keeps those of the items, one for each result, whose results stay.
pub(crate) fn keep<T>(items: &mut Vec<T>, live: &[bool]) {
    let mut live = live.iter();
    items.retain(|_| *live.next().expect("one flag for each result"));
}
