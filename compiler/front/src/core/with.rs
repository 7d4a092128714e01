//! With-loops with their bounds made explicit.
//!
//! Invariant: every vector of a with-loop has one component for each dimension of its index space. The upper bounds are
//! exclusive. If there are several operators, a body is a tuple with a part for each.
//!
//! ```text
//! with { (. <= iv <= .) : a[iv] } : fold (+, 0)
//! ⇒ With { generators: [([0, 0] <= [i, j] < [n, m]) : a[i, j]], operators: [Fold(+, 0)] }
//! ```

use super::{Expr, Pat, Phase, Solved, Type};
use arrc_syntax::source::Span;

/// A with-loop.
#[derive(Clone, Debug)]
pub struct With<P: Phase = Solved> {
    /// The sizes of the index space, if the with-loop makes an array. Otherwise the generators span it.
    pub shape: Option<Vec<Expr<P>>>,
    /// The operators.
    pub operators: Vec<Operator<P>>,
    /// The generators: sets of indices, each with an expression for its elements.
    pub generators: Vec<Generator<P>>,
    /// Pairs of generators that the sizes do not prove to be disjoint.
    pub may_overlap: Vec<(usize, usize)>,
}

/// The indices of a box or, with steps, of a grid in it.
#[derive(Clone, Debug)]
pub struct Generator<P: Phase = Solved> {
    /// The first index.
    pub lower: Vec<Expr<P>>,
    /// The index behind the last one.
    pub upper: Vec<Expr<P>>,
    /// The distance between the periods of the grid, and the number of indices in each period; none for a box.
    pub grid: Option<[Vec<Expr<P>>; 2]>,
    /// The index: a variable for each component.
    pub index: Vec<Pat<P>>,
    /// The element at the index.
    pub body: Expr<P>,
    /// Whether the sizes prove that the generator lies in the index space.
    pub is_inside: bool,
    /// Whether the upper bound was written as the last index. If that is the largest `i64`, the bound behind it wraps
    /// to the smallest.
    pub is_inclusive: bool,
    /// For each dimension, whether the sizes prove that the generator has one index there.
    pub is_single: Vec<bool>,
    /// The bounds as written.
    pub span: Span,
}

/// An operator: it combines the elements into a result.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "a with-loop has few")]
pub enum Operator<P: Phase = Solved> {
    /// An array of the elements. Without a default, the generators give every element.
    Genarray(Option<Expr<P>>),
    /// An array in which the generators replace elements.
    Modarray(Expr<P>),
    /// The elements are combined in row-major order, by an operator with its neutral element.
    Fold(Expr<P>, Expr<P>),
}

impl<P: Phase> Operator<P> {
    /// The expressions in it, in order.
    pub fn parts(&self) -> impl Iterator<Item = &Expr<P>> {
        let parts = match self {
            Self::Genarray(default) => [default.as_ref(), None],
            Self::Modarray(array) => [Some(array), None],
            Self::Fold(op, neutral) => [Some(op), Some(neutral)],
        };
        parts.into_iter().flatten()
    }

    /// The expressions in it, to be changed.
    pub fn parts_mut(&mut self) -> impl Iterator<Item = &mut Expr<P>> {
        let parts = match self {
            Self::Genarray(default) => [default.as_mut(), None],
            Self::Modarray(array) => [Some(array), None],
            Self::Fold(op, neutral) => [Some(op), Some(neutral)],
        };
        parts.into_iter().flatten()
    }
}

impl<P: Phase> Generator<P> {
    /// The components of its vectors (bounds, and steps and widths of a grid), in order.
    pub fn bounds(&self) -> impl Iterator<Item = &Expr<P>> {
        self.lower.iter().chain(&self.upper).chain(self.grid.iter().flatten().flatten())
    }

    /// The components of its vectors, to be changed.
    pub fn bounds_mut(&mut self) -> impl Iterator<Item = &mut Expr<P>> {
        let grid = self.grid.iter_mut().flatten().flatten();
        self.lower.iter_mut().chain(&mut self.upper).chain(grid)
    }
}

impl<P: Phase> With<P> {
    /// How many dimensions the index space has.
    #[must_use]
    pub fn rank(&self) -> usize {
        let first = self.generators.first().expect("a with-loop has a generator");
        first.index.len()
    }

    /// The types of the operators' results, where the with-loop has this type.
    #[must_use]
    pub fn results<'t>(&self, whole: &'t Type) -> &'t [Type] {
        if let Type::Tuple(types) = whole
            && self.operators.len() > 1
        {
            types
        } else {
            std::slice::from_ref(whole)
        }
    }

    /// The parts outside of the bodies, in order.
    pub fn outer(&self) -> impl Iterator<Item = &Expr<P>> {
        let operators = self.operators.iter().flat_map(Operator::parts);
        let bounds = self.generators.iter().flat_map(Generator::bounds);
        self.shape.iter().flatten().chain(operators).chain(bounds)
    }

    /// The patterns that bind the components of the indices.
    pub fn indices_mut(&mut self) -> impl Iterator<Item = &mut Pat<P>> {
        self.generators.iter_mut().flat_map(|generator| &mut generator.index)
    }

    /// The direct parts, in order.
    pub fn parts(&self) -> impl Iterator<Item = &Expr<P>> {
        self.outer().chain(self.generators.iter().map(|generator| &generator.body))
    }

    /// The direct parts, to be changed.
    pub fn parts_mut(&mut self) -> impl Iterator<Item = &mut Expr<P>> {
        let Self { shape, operators, generators, .. } = self;
        let operators = operators.iter_mut().flat_map(Operator::parts_mut);
        let generators = generators.iter_mut().flat_map(|generator| {
            let Generator { lower, upper, grid, body, .. } = generator;
            let grid = grid.iter_mut().flatten().flatten();
            lower.iter_mut().chain(upper).chain(grid).chain([body])
        });
        shape.iter_mut().flatten().chain(operators).chain(generators)
    }
}
