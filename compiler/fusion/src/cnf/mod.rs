//! Combinator normal form (001, section 1.2): monomorphic, first-order, A-normal.
//!
//! Every array is an array of scalars: tuples, records and functions are gone, and an array of
//! records has become one array for each scalar component. A block is a sequence of bindings, each of
//! one operation with atomic arguments; worker bodies and branches are blocks again.
//!
//! Invariant (`verify`): one combinator a binding; each variable is bound once in its function, before
//! it is used; workers use only scalars and whole arrays of the blocks around them; types agree.
//!
//! ```text
//! filter (\(p, d) -> d > 0) (zip ps (map f ps))
//! ⇒ d       = map (\x y -> …) ps_x ps_y
//!   x' y' d' = filter (\d -> { c = d > 0.0; c }) d keeping ps_x ps_y d
//! ```

mod assertion;
mod effects;
mod fold_order;
mod kind;
mod operation;
pub mod parse;
pub mod print;
mod rename;
mod summands;
#[cfg(test)]
mod tests;
mod types;
mod verify;
mod visit;

pub use assertion::Assertion;
pub(crate) use effects::mark_effects;
pub use fold_order::{in_any_order, neutral};
pub(crate) use kind::retain_live;
pub use kind::{ElementWorker, FoldPartsMut, Kind, NamedSizes, TripCount};
pub use operation::Operation;
pub use parse::parse;
pub use rename::Names;
pub use summands::Summands;
pub use types::{Dim, PartialType, Types};
pub use verify::verify;
pub use visit::{InnerBlock, Usage, Visit, VisitMut};

use std::convert::Infallible;

use crate::tables::Tables;
use arrc_front::data::Data;
use arrc_front::effect::Effect;
use arrc_front::sorting::Sorting;
use arrc_syntax::ids::{ExternalId, FuncId, PrimaryMap, SizeId, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{Const, Scalar};
use arrc_syntax::source::{Calls, Span};

/// A whole program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The functions: one for each entry, and one for each specialisation of a recursive definition.
    pub functions: PrimaryMap<FuncId, Function>,
    /// The C functions that these call.
    pub externals: PrimaryMap<ExternalId, External>,
    /// The entries, in the order of the file.
    pub entries: Vec<Entry>,
    /// The calls that spans mention.
    pub calls: Calls,
}

/// An entry: a function that is called from outside.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name, also of the C function.
    pub name: Name,
    /// The text of the `-- |` comment before it.
    pub doc: Option<String>,
    /// The Arr type as written, for documentation: `quickhull [n] (xs: [n]f64) …`.
    pub signature: String,
    /// The function that it calls; its parameters are the input components in order, its results
    /// the output components.
    pub function: FuncId,
    /// The names of the input components: `ps_x` for the field `x` of the parameter `ps`.
    pub inputs: Vec<String>,
    /// The names of the output components: `out` or `out0`, `out1`, with fields appended.
    pub outputs: Vec<String>,
    /// The components that are tags of sums, each with the constructors that 0, 1 … stand for.
    pub tags: Vec<(String, Vec<Name>)>,
}

/// A C function that the program is linked with: scalars, and arrays of scalars, in and out.
#[derive(Clone, Debug)]
pub struct External {
    /// The name, also of the C function.
    pub name: Name,
    /// The name's place.
    pub span: Span,
    /// The text of the `-- |` comment before it.
    pub doc: Option<String>,
    /// The Arr type as written, for documentation.
    pub signature: String,
    /// The side effect of a call.
    pub effect: Effect,
    /// The parameters' components, as those of an entry.
    pub inputs: Vec<Component>,
    /// The result's components.
    pub outputs: Vec<Component>,
    /// The components that are tags of sums, each with the constructors that 0, 1 … stand for.
    pub tags: Vec<(String, Vec<Name>)>,
    /// Whether it is no C function, but the runtime prints the value of the components behind the first one. The text
    /// describes the value's type, see [`arr_abi::trace`].
    pub trace: Option<String>,
}

/// One argument or result of a C function: a scalar, or an array of scalars.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    /// Its name: `ps_x` for the field `x` of the parameter `ps`.
    pub name: String,
    /// The scalar's type, or that of the array's scalars.
    pub elem: Scalar,
    /// How many dimensions it has; 0 for a scalar.
    pub rank: usize,
}

impl Component {
    /// Whether a value of the type can be passed as this component.
    #[must_use]
    pub fn takes(&self, ty: &Type) -> bool {
        (self.elem, self.rank) == (ty.scalars(), ty.rank())
    }
}

/// A first-order function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name, unique in the program.
    pub name: Name,
    /// The definition's name in the source.
    pub span: Span,
    /// The parameters: scalars and arrays of scalars.
    pub params: Vec<VarId>,
    /// The parameters whose memory the function owns: arrays that are marked `*`. An entry has none.
    pub owned: Vec<VarId>,
    /// The body.
    pub body: Block,
    /// The types of the results; they may mention the sizes of the parameters.
    pub results: Vec<Type>,
    /// Its variables and sizes.
    pub tables: Tables,
    /// Whether it can reach itself, and so checks the stack.
    pub recursive: bool,
}

/// The facts on a variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// The user's name where there is one; not unique, printed with the id where it must be.
    pub name: Name,
    /// Its type.
    pub ty: Type,
}

/// The name of an array that has no name in the source.
pub const UNNAMED_ARRAY: &str = "a";

/// The name of a scalar result that has no name in the source.
pub const UNNAMED_SCALAR: &str = "t";

/// The facts on a size.
#[derive(Clone, Debug)]
pub struct SizeInfo {
    /// The name as printed: `n`, `k1`.
    pub name: Name,
    /// Where it came from.
    pub def: SizeDef,
}

/// Where a size came from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SizeDef {
    /// The length of a parameter of the function.
    Param,
    /// The value of an `i64` variable, as in `iota n`.
    Value(VarId),
    /// Rigid: known only when computed, as after `filter`.
    Exists,
    /// The length of `xs ++ ys`; not commutative.
    Sum(Extent, Extent),
    /// The length of `cross xs ys`; not commutative.
    Product(Extent, Extent),
}

impl SizeDef {
    /// The sizes that a sum or a product is made of, each once: a sum of equal parts says how often a size is added, so
    /// a walk through both parts at each sum would take time in proportion to that number.
    pub fn parts(&self) -> impl Iterator<Item = Extent> + use<> {
        let (first, second) = match *self {
            Self::Sum(left, right) | Self::Product(left, right) => (Some(left), Some(right)),
            Self::Param | Self::Value(_) | Self::Exists => (None, None),
        };
        first.into_iter().chain(second.filter(|_| second != first))
    }

    /// The values of both parts of a sum or a product. The value of equal parts is computed once, for the same reason as
    /// in [`Self::parts`].
    pub fn both<T: Clone>(
        [left, right]: [Extent; 2],
        mut value: impl FnMut(Extent) -> T,
    ) -> [T; 2] {
        let first = value(left);
        let second = if left == right { first.clone() } else { value(right) };
        [first, second]
    }
}

/// One dimension of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Extent {
    /// Known when compiling.
    Const(i64),
    /// A symbol: equal symbols are equal at run time.
    Size(SizeId),
}

impl Extent {
    /// How many scalars an array of this shape has, if each extent is known and the number fits into memory.
    #[must_use]
    pub fn volume(shape: &[Self]) -> Option<usize> {
        shape.iter().try_fold(1_usize, |count, extent| match extent {
            Self::Const(extent) => count.checked_mul(usize::try_from(*extent).ok()?),
            Self::Size(_) => None,
        })
    }
}

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// A scalar.
    Scalar(Scalar),
    /// A regular array of scalars, dense and row-major, of at least one dimension.
    Array {
        /// The elements' type.
        elem: Scalar,
        /// The dimensions, outermost first.
        shape: Vec<Extent>,
    },
}

impl Type {
    /// The scalar type, if the type is one.
    #[must_use]
    pub fn as_scalar(&self) -> Option<Scalar> {
        match self {
            Self::Scalar(scalar) => Some(*scalar),
            Self::Array { .. } => None,
        }
    }

    /// The scalar's type, or that of the array's scalars.
    #[must_use]
    pub fn scalars(&self) -> Scalar {
        match self {
            Self::Scalar(scalar) => *scalar,
            Self::Array { elem, .. } => *elem,
        }
    }

    /// The type of an array's elements: a scalar, or an array of one dimension less.
    #[must_use]
    pub fn element(&self) -> Option<Self> {
        match self {
            Self::Scalar(_) => None,
            Self::Array { elem, shape } => Some(match &shape[1..] {
                [] => Self::Scalar(*elem),
                inner => Self::Array { elem: *elem, shape: inner.to_vec() },
            }),
        }
    }

    /// The type of arrays whose elements have this type.
    #[must_use]
    pub fn array_of(&self, size: Extent) -> Self {
        match self {
            Self::Scalar(elem) => Self::Array { elem: *elem, shape: vec![size] },
            Self::Array { elem, shape } => {
                Self::Array { elem: *elem, shape: [&[size], &shape[..]].concat() }
            }
        }
    }

    /// Whether two types agree up to their sizes.
    #[must_use]
    pub fn agrees(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Scalar(left), Self::Scalar(right)) => left == right,
            (Self::Array { elem, shape }, Self::Array { elem: other, shape: dims }) => {
                elem == other && shape.len() == dims.len()
            }
            (Self::Scalar(_) | Self::Array { .. }, _) => false,
        }
    }

    /// The extents of an array, outermost first; none of a scalar.
    #[must_use]
    pub fn shape(&self) -> &[Extent] {
        match self {
            Self::Scalar(_) => &[],
            Self::Array { shape, .. } => shape,
        }
    }

    /// How many dimensions it has; 0 for a scalar.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.shape().len()
    }

    /// How many scalars it consists of, if its shape is constant; 1 for a scalar.
    #[must_use]
    pub fn scalar_count(&self) -> Option<usize> {
        self.shape().iter().try_fold(1_usize, |count, extent| match extent {
            Extent::Const(extent) => count.checked_mul(usize::try_from(*extent).ok()?),
            Extent::Size(_) => None,
        })
    }

    /// Whether it is the type of an array.
    #[must_use]
    pub fn is_array(&self) -> bool {
        matches!(self, Self::Array { .. })
    }
}

/// A sequence of bindings, and the results.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Block {
    /// The bindings, in an order in which they can run.
    pub binds: Vec<Bind>,
    /// The results.
    pub results: Vec<Atom>,
}

/// One operation and the variables that it binds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Bind {
    /// The results, in the order that [`Op`] gives.
    pub vars: Vec<VarId>,
    /// The operation.
    pub op: Op,
    /// The source of the operation. Run-time errors point to it.
    pub span: Span,
}

/// An argument that needs no computing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Atom {
    /// A constant.
    Const(Const),
    /// A variable.
    Var(VarId),
}

impl Atom {
    /// The variable, if it is one.
    #[must_use]
    pub fn as_var(&self) -> Option<VarId> {
        match self {
            Self::Const(_) => None,
            Self::Var(var) => Some(*var),
        }
    }
}

impl From<VarId> for Atom {
    fn from(var: VarId) -> Self {
        Self::Var(var)
    }
}

impl From<Const> for Atom {
    fn from(value: Const) -> Self {
        Self::Const(value)
    }
}

/// What a phase without such atoms has in their place.
impl From<Infallible> for Atom {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// A function that a combinator applies to elements. Its body may use any variable of the blocks
/// around it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Worker {
    /// The parameters.
    pub params: Vec<VarId>,
    /// The body.
    pub body: Block,
}

/// How a fold may be evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FoldOrder {
    /// `fold`: from the left, as written, also for floats.
    Strict,
    /// `reduce`: may be reassociated, the initial value being neutral.
    Associative,
    /// `reduce_comm`: may also be commuted.
    Commutative,
}

impl FoldOrder {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Strict, Self::Associative, Self::Commutative];

    /// The fold's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Strict => "fold",
            Self::Associative => "reduce",
            Self::Commutative => "reduce_comm",
        }
    }
}

/// The kinds of scans.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScanKind {
    /// `scan`: the elements up to this place, inclusive.
    Inclusive,
    /// `exscan`: the elements before this place.
    Exclusive,
}

impl ScanKind {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Inclusive, Self::Exclusive];

    /// The scan's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Inclusive => "scan",
            Self::Exclusive => "exscan",
        }
    }
}

/// An operation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    // Scalar bindings: they are no nodes of the graph. Their dependencies pass to their users.
    /// An operation on scalars.
    Scalar(Operation),
    /// `a[i]`: one element of an array, checked. With fewer indices than dimensions it is a row: a view of the other
    /// dimensions. A row is a barrier instead of a scalar binding.
    Index {
        /// The array.
        array: VarId,
        /// At most one index a dimension.
        indices: Vec<Atom>,
        /// The program has checked before that the element is there, so the read is not checked again.
        inside: bool,
    },
    /// The extent of a dimension. It needs only the rate of the array, not its elements.
    Length {
        /// The array.
        array: VarId,
        /// Which dimension, from 0.
        dim: usize,
    },
    /// The call fails unless a condition holds. It binds nothing, and is not removed as long as its block exists.
    Assert(Assertion),
    /// `if`. A scalar binding if its branches bind and yield scalars only, else a barrier.
    If {
        /// The condition.
        cond: Atom,
        /// If it holds.
        then: Block,
        /// If it does not.
        otherwise: Block,
    },

    // Combinators (001, figure 1.2).
    /// `map` over any number of arrays of one size, giving any number of arrays: one for each result of
    /// the worker. The worker's parameters are the elements of the inputs.
    Map {
        /// The worker.
        worker: Worker,
        /// The arrays.
        inputs: Vec<VarId>,
    },
    /// `filter` by a predicate on the elements of `inputs`. The results are the arrays of `keep`, filtered.
    Filter {
        /// The predicate: one result, `bool`.
        worker: Worker,
        /// The arrays whose elements the predicate takes.
        inputs: Vec<VarId>,
        /// The filtered arrays, of the inputs' size.
        keep: Vec<VarId>,
    },
    /// `flatmap`: each step makes one array for each result, and the result is the concatenation of these arrays. The
    /// worker's parameters are the elements of the inputs. The arrays of one step have one length, which is known
    /// only in the step.
    FlatMap {
        /// The worker.
        worker: Worker,
        /// The arrays.
        inputs: Vec<VarId>,
    },
    /// A fold: the worker's parameters are the accumulators and then the elements of the inputs; its results are the
    /// new accumulators. Accumulators are scalars, and arrays whose shape no step changes.
    Fold {
        /// How it may be evaluated.
        order: FoldOrder,
        /// The worker.
        worker: Worker,
        /// The accumulators' initial values.
        init: Vec<Atom>,
        /// The arrays.
        inputs: Vec<VarId>,
    },
    /// `scan` and `exscan`: as a fold, but the results are arrays with the accumulators of each step. The worker is
    /// associative, and the initial values are neutral for it.
    Scan {
        /// Whether the result at a place includes the element at this place.
        prefix: ScanKind,
        /// The worker: accumulators, then elements.
        worker: Worker,
        /// The accumulators' initial values.
        init: Vec<Atom>,
        /// The arrays: one for each accumulator.
        inputs: Vec<VarId>,
    },
    /// `generate n f`: the worker's parameter is the index. A negative size is an error.
    Generate {
        /// The size.
        size: Atom,
        /// The worker.
        worker: Worker,
    },
    /// `gather xs is`: gives each array of `data`, at the indices, checked.
    Gather {
        /// Arrays that are read at random, all of one size.
        data: Vec<VarId>,
        /// The indices, `i64`, a stream.
        indices: VarId,
    },
    /// `cross xs ys`: pairs each element of the left with every element of the right. The results are the left arrays
    /// and then the right arrays.
    Cross {
        /// A stream: arrays of one size.
        left: Vec<VarId>,
        /// Needed whole: arrays of one size.
        right: Vec<VarId>,
    },

    // Barriers: nodes of unknown iteration size.
    /// A call of a function that was not inlined, or of a C function. The sizes of the arrays that a C function
    /// returns are new.
    Call {
        /// The function.
        callee: Callee,
        /// The arguments.
        args: Vec<Atom>,
        /// The side effect of the call.
        effect: Effect,
    },
    /// `xs ++ ys`, for each pair of components.
    Append {
        /// The left arrays, of one size.
        left: Vec<VarId>,
        /// The right arrays, of one size.
        right: Vec<VarId>,
    },
    /// An array literal of scalars, or of rows of one shape.
    Array {
        /// The scalars' type, for the empty literal, which has one dimension.
        elem: Scalar,
        /// The elements.
        elems: Vec<Atom>,
    },
    /// An array literal of one or more constants. The compiled program holds it as constant data, without an owner.
    Constant {
        /// The extents. Literals of the same scalars in different shapes are different operations.
        shape: Vec<i64>,
        /// The scalars, row by row.
        data: Data,
    },
    /// The same elements in another shape, without a copy.
    Reshape {
        /// The array.
        array: VarId,
        /// The new extents, of `i64`. They have the product of the old ones.
        shape: Vec<Atom>,
    },
    /// An array of numbers in order, or their positions in order, at the positions in a window.
    Sort {
        /// What the results are.
        sorting: Sorting,
        /// The numbers.
        array: VarId,
        /// The first position in the window, and the first one behind it, of `i64`. Positions outside of the array do
        /// not count.
        window: [Atom; 2],
    },
    /// `loop`: carries scalars and arrays from step to step. The results are the yields of the last step, or the
    /// initial values if there is no step. The size of a carried array may be known in the body only, and then it may
    /// change in each step.
    Loop {
        /// What determines the number of steps.
        form: LoopForm,
        /// The initial values.
        init: Vec<Atom>,
        /// The worker's parameters are the carried values, and for a counted loop the counter, `i64`; it
        /// yields the carried values of the next step.
        worker: Worker,
    },
    /// `array with [i, …] = value`: the array with one element, or with fewer indices than dimensions
    /// a part, replaced. Checked unless it is known to be inside.
    Replace {
        /// The array.
        array: VarId,
        /// At most one index a dimension.
        indices: Vec<Atom>,
        /// The new element.
        value: Atom,
        /// Every index is in bounds by construction.
        inside: bool,
    },
}

/// The function that a call calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    /// A function of the program.
    Function(FuncId),
    /// A function of C.
    External(ExternalId),
}

/// What determines the number of steps of a loop.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LoopForm {
    /// `count` steps, counted from 0; none if the count is negative.
    For {
        /// The count, `i64`.
        count: Atom,
    },
    /// As long as this yields true for the carried values.
    While {
        /// The condition: one result, `bool`.
        cond: Worker,
    },
}
