//! What each operation is called, what it is in the dependency graph, and how its parts belong together.
//!
//! Invariant: an operation has a kind unless it is always a scalar binding. A pass that asks for a property here
//! names no combinator.
//!
//! ```text
//! map: a node of the kind Map     with: a barrier     +: no node
//! ```

use super::{Atom, Block, Op, Worker};
use crate::ids::VarId;
use crate::prim::Scalar;

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
        if let Self::If { then, otherwise, .. } = self {
            let scalar = |block: &Block| block.binds.iter().all(|bind| bind.op.is_scalar());
            return scalar(then) && scalar(otherwise);
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
        if let Self::Bin(op, x, _) = self {
            return ty(*x).is_some_and(|ty| !op.traps(ty));
        }
        matches!(self, Self::Un(..) | Self::Fma(_) | Self::Length { .. })
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
