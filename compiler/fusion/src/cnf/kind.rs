//! Properties of operations: the name, the kind of node, the sizes, the workers and the accumulators.
//!
//! Invariant: an operation has a kind unless it is always a scalar binding. A pass asks for these properties instead
//! of matching on the combinators.
//!
//! ```text
//! map: a node of the kind Map     with: a barrier     +: no node
//! ```

use super::{Atom, Block, FoldOrder, Op, Operation, Var, Worker};
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::prim::{BinOp, UnOp};

/// The kind of a node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// `map`.
    Map,
    /// `filter`: a transducer.
    Filter,
    /// `flatmap`: a transducer.
    FlatMap,
    /// `reduce`, `fold`: its results are the final accumulators.
    Fold,
    /// `scan`.
    Scan,
    /// `generate`.
    Generate,
    /// `gather`: streams indices, reads data at random.
    Gather,
    /// `cross`: streams the left arrays, and reads all of the right arrays for each left element.
    Cross,
    /// Everything that takes arrays and does not iterate: `++`, calls, `if` over arrays.
    Barrier,
}

impl Kind {
    /// Whether the results of such a node have another size than its iteration.
    #[must_use]
    pub fn is_transducer(self) -> bool {
        matches!(self, Self::Filter | Self::FlatMap)
    }

    /// Whether such a node determines the size of its results.
    #[must_use]
    pub fn makes_size(self) -> bool {
        self.is_transducer() || self == Self::Cross
    }

    /// Whether the worker of such a node yields a stream of elements in each step, instead of single elements.
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
            Some(ElementWorker { worker, accs: 0, inputs })
        } else if let Op::Fold { worker, init, inputs, .. }
        | Op::Scan { worker, init, inputs, .. } = $op
        {
            Some(ElementWorker { worker, accs: init.len(), inputs })
        } else {
            None
        }
    };
}

/// The trip count of a combinator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TripCount {
    /// The length of an array.
    Of(VarId),
    /// The value of a scalar.
    Count(Atom),
    /// The product of the lengths of two arrays.
    Pairs(VarId, VarId),
}

/// The sizes of the results that the operation fixes. Other sizes may have symbols of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NamedSizes {
    /// All sizes.
    All,
    /// The size of the first dimension.
    First,
    /// No size, but the first dimensions of all results are equal. If the operation defines their size as a product,
    /// the symbol has that definition.
    One,
    /// No size.
    Free,
}

/// The parts of a fold or a scan, to be changed.
#[derive(Debug)]
pub struct FoldPartsMut<'a> {
    /// The worker, which takes accumulators and elements.
    pub worker: &'a mut Worker,
    /// The initial accumulators.
    pub init: &'a mut Vec<Atom>,
    /// The arrays.
    pub inputs: &'a mut Vec<VarId>,
}

/// The initial values of the carried values, for reading or for changing.
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
    /// An operation on one scalar.
    #[must_use]
    pub fn un(op: UnOp, arg: Atom) -> Self {
        Self::Scalar(Operation::Un(op, arg))
    }

    /// An operation on two scalars.
    #[must_use]
    pub fn bin(op: BinOp, left: Atom, right: Atom) -> Self {
        Self::Scalar(Operation::Bin(op, [left, right]))
    }

    /// The name of the operation, and its kind where it is a node of the graph.
    fn description(&self) -> (&'static str, Option<Kind>) {
        let barrier = |name| (name, Some(Kind::Barrier));
        let combinator = |kind: Kind| (kind.name(), Some(kind));
        match self {
            Self::Scalar(operation) => (operation.name(), None),
            Self::Length { .. } => ("length", None),
            Self::Assert(_) => ("assert", None),
            // `index` is a barrier if it gives a row, and `if` if it is over arrays. Otherwise they are scalar
            // bindings.
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
            Self::Constant { .. } => barrier("constant array"),
            Self::Reshape { .. } => barrier("reshape"),
            Self::Sort { sorting, .. } => barrier(sorting.name()),
            Self::Loop { .. } => barrier("loop"),
            Self::Replace { .. } => barrier("with"),
        }
    }

    /// The operation on scalars, if this is one.
    #[must_use]
    pub fn operation(&self) -> Option<Operation> {
        if let Self::Scalar(operation) = *self { Some(operation) } else { None }
    }

    /// The operator with two operands and its operands, if this is one.
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

    /// Whether it is a scalar binding, and so no node of the graph. An `if` is a scalar binding if all its bindings
    /// are.
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

    /// Whether it is a view: it only says where an array is, in another array or in the program's data. It reads and
    /// writes no elements.
    #[must_use]
    pub fn is_view(&self) -> bool {
        matches!(self, Self::Reshape { .. } | Self::Index { .. } | Self::Constant { .. })
    }

    /// Whether it is a scalar operation without blocks that never fails. An operation with a trap is none, even if its
    /// operands are constants that the trap spares ([`Operation::fails`]).
    #[must_use]
    pub fn is_total(&self, vars: &PrimaryMap<VarId, Var>) -> bool {
        match self.operation() {
            Some(operation) => !operation.has_trap(vars),
            None => self.length().is_some(),
        }
    }

    /// Whether it is total, or chooses between blocks of such operations.
    #[must_use]
    pub fn is_total_choice(&self, vars: &PrimaryMap<VarId, Var>) -> bool {
        let in_block = |block: &Block| block.binds.iter().all(|bind| bind.op.is_total_choice(vars));
        self.branches().map_or_else(|| self.is_total(vars), |both| both.into_iter().all(in_block))
    }

    /// Whether its only result is a scalar, and it has no blocks.
    #[must_use]
    pub fn gives_scalar(&self) -> bool {
        self.operation().is_some() || self.length().is_some() || matches!(self, Self::Index { .. })
    }

    /// The array and the dimension, if this is a `length`.
    #[must_use]
    pub fn length(&self) -> Option<(VarId, usize)> {
        if let Self::Length { array, dim } = *self { Some((array, dim)) } else { None }
    }

    /// The two branches of an `if`.
    #[must_use]
    pub fn branches(&self) -> Option<[&Block; 2]> {
        if let Self::If { then, otherwise, .. } = self { Some([then, otherwise]) } else { None }
    }

    /// Whether each step makes exactly one element of every result.
    #[must_use]
    pub fn makes_each(&self) -> bool {
        matches!(
            self,
            Self::Map { .. } | Self::Scan { .. } | Self::Generate { .. } | Self::Gather { .. }
        )
    }

    /// The trip count of a combinator. There is none for a combinator without input arrays; its trip count is the
    /// size of its results.
    #[must_use]
    pub fn steps(&self) -> Option<TripCount> {
        if let Self::Generate { size, .. } = self {
            return Some(TripCount::Count(*size));
        }
        if let Self::Cross { left, right } = self {
            return Some(TripCount::Pairs(*left.first()?, *right.first()?));
        }
        self.streams().first().copied().map(TripCount::Of)
    }

    /// The sizes of its results that the operation fixes.
    #[must_use]
    pub fn named_sizes(&self) -> NamedSizes {
        if matches!(
            self,
            Self::Index { .. } | Self::Replace { .. } | Self::Constant { .. } | Self::Sort { .. }
        ) {
            NamedSizes::All
        } else if matches!(self, Self::Generate { .. } | Self::Append { .. }) {
            NamedSizes::One
        } else if self.makes_each() || matches!(self, Self::Array { .. }) {
            NamedSizes::First
        } else if self.is_combinator() && self.carried().is_none() {
            NamedSizes::One
        } else {
            NamedSizes::Free
        }
    }

    /// The initial values of the values that the operation carries from step to step.
    #[must_use]
    pub fn carried(&self) -> Option<&Vec<Atom>> {
        carried!(self)
    }

    /// The initial values of the carried values, to be changed.
    pub fn carried_mut(&mut self) -> Option<&mut Vec<Atom>> {
        carried!(self)
    }

    /// Whether the worker takes one element for each accumulator, and an element may take the accumulator's place.
    #[must_use]
    pub fn is_paired(&self) -> bool {
        let free = |order: FoldOrder| order != FoldOrder::Strict;
        matches!(self, Self::Fold { order, .. } if free(*order))
            || matches!(self, Self::Scan { .. })
    }

    /// The parts of a fold or a scan.
    pub fn folded_mut(&mut self) -> Option<FoldPartsMut<'_>> {
        if let Self::Fold { worker, init, inputs, .. } | Self::Scan { worker, init, inputs, .. } =
            self
        {
            Some(FoldPartsMut { worker, init, inputs })
        } else {
            None
        }
    }

    /// Groups of arrays with equal sizes, among the operands and the results `vars`.
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
            Self::Replace { array, .. } | Self::Sort { array, .. } => {
                vec![[&[*array], vars].concat()]
            }
            Self::Scalar(_)
            | Self::Index { .. }
            | Self::Length { .. }
            | Self::Assert(_)
            | Self::If { .. }
            | Self::Call { .. }
            | Self::Array { .. }
            | Self::Constant { .. }
            | Self::Reshape { .. }
            | Self::Loop { .. } => Vec::new(),
        }
    }

    /// Removes the results that `live` does not mark, with the operands and yields that belong to them alone. It
    /// returns false for folds, loops and crosses, whose results depend on each other: the caller removes those.
    pub fn keep_results(&mut self, live: &[bool]) -> bool {
        if let Self::Map { worker, .. }
        | Self::FlatMap { worker, .. }
        | Self::Generate { worker, .. } = self
        {
            retain_live(&mut worker.body.results, live);
        } else if let Self::Filter { keep: arrays, .. } | Self::Gather { data: arrays, .. } = self {
            retain_live(arrays, live);
        } else if let Self::If { then, otherwise, .. } = self {
            retain_live(&mut then.results, live);
            retain_live(&mut otherwise.results, live);
        } else if let Self::Append { left, right } = self {
            retain_live(left, live);
            retain_live(right, live);
        } else {
            return false;
        }
        true
    }

    /// The worker that takes the elements of arrays, to be changed.
    pub fn elements_mut(&mut self) -> Option<ElementWorker<&mut Worker, &mut Vec<VarId>>> {
        elements!(self)
    }

    /// The worker that takes the elements of arrays.
    #[must_use]
    pub fn elements(&self) -> Option<ElementWorker<&Worker, &Vec<VarId>>> {
        elements!(self)
    }
}

impl From<Operation> for Op {
    fn from(operation: Operation) -> Self {
        Self::Scalar(operation)
    }
}

/// A worker that takes the elements of arrays.
#[derive(Debug)]
pub struct ElementWorker<W, I> {
    /// The worker. Its parameters are accumulators, and then the elements.
    pub worker: W,
    /// How many accumulators there are.
    pub accs: usize,
    /// The arrays.
    pub inputs: I,
}

/// Keeps the items whose results are live. There is one item for each result.
pub(crate) fn retain_live<T>(items: &mut Vec<T>, live: &[bool]) {
    let mut live = live.iter();
    items.retain(|_| *live.next().expect("one flag for each result"));
}
