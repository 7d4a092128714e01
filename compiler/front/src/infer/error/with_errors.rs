//! The errors of with-loops and index vectors, as diagnostics.
//!
//! Invariant: dimensions are counted from 0, as the components of an index are.
//!
//! ```text
//! Overlap { span, first }   ⇒   error[A0361]: two generators give the same elements
//! ```

use super::Error;
use arrc_syntax::diagnostics::{Code, Diagnostic};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// Something wrong with a with-loop or an index vector.
#[derive(Clone, Debug)]
pub(crate) enum WithError {
    /// An expression that is no index vector, where one is needed.
    NoVector { span: Span, ty: String, why: NotAVector },
    /// An operator between index vectors of different lengths.
    VectorLengths { span: Span, operands: [(usize, Span); 2] },
    /// The shape of an expression whose type is not known.
    UnknownShape { name: Name, span: Span },
    /// Vectors of one with-loop have different lengths. The first one differs from most of the others.
    Ranks { odd: (usize, Span), others: Vec<(usize, Span)> },
    /// Nothing determines how many dimensions there are.
    UnknownRank { span: Span },
    /// A `modarray` of something that is no array.
    NoArray { span: Span, ty: String },
    /// A number where the shape of an array is needed.
    NoShape { span: Span },
    /// `.` at a place where it has no meaning.
    NoEdge { span: Span },
    /// Operators with different index spaces, and the sizes that differ, if they are known.
    Shapes { span: Span, first: Span, sizes: Option<[String; 2]> },
    /// A step that is not positive, or a width that is not between 1 and the step.
    Grid { span: Span, step: i64, width: Option<i64> },
    /// Generators that have an index in common.
    Overlap { span: Span, first: Span },
    /// A generator that reaches outside the shape.
    OutsideShape { span: Span, outside: OutOfShape },
    /// A use of a function with a shape parameter that does not determine the rank.
    OpenRank { name: Name, shape: Name, span: Span },
    /// A function with a shape parameter that does not declare all its types.
    OpenTypes { name: Name, span: Span },
    /// A shape parameter at a place that has one rank only.
    FixedRank { name: Name, span: Span, what: &'static str },
    /// More dimensions than an array has.
    TooManyDimensions { name: Name, span: Span },
    /// The name of no shape.
    NoShapeParameter { name: Name, span: Span },
    /// Elements that no generator gives. Each of several generators has the number of its elements.
    NoDefault { span: Span, generators: Vec<(Span, Option<String>)> },
}

/// Why an expression is no index vector.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NotAVector {
    /// It is no array of integers.
    Type,
    /// Its length is no constant.
    Length,
}

/// How a generator reaches outside the shape.
#[derive(Clone, Debug)]
pub(crate) struct OutOfShape {
    /// Whether it reaches below 0.
    pub(crate) is_below: bool,
    /// The dimension in which it does.
    pub(crate) dimension: usize,
    /// The bound, and the size of the dimension.
    pub(crate) sizes: [Option<String>; 2],
    /// The expression that gives the array this size.
    pub(crate) shape: Span,
}

impl From<WithError> for Error {
    fn from(error: WithError) -> Self {
        Self::With(error)
    }
}

impl From<WithError> for Diagnostic {
    fn from(error: WithError) -> Self {
        match error {
            WithError::NoVector { span, ty, why } => no_vector(span, &ty, why),
            WithError::VectorLengths { span, operands } => {
                let [left, right] = operands.map(|(length, _)| length);
                let message = format!("index vectors of length {left} and {right} have no sum");
                let error = Self::error(Code::INDEX_RANK, span, message)
                    .label("applied to each component of both");
                with_lengths(error, operands)
                    .help("a number in the place of a vector stands for each component")
            }
            WithError::UnknownShape { name, span } => {
                let message = format!("`{name}` needs the type of its argument");
                Self::error(Code::INDEX_VECTOR, span, message)
                    .label("nothing tells yet how many dimensions this has")
                    .help("write the type where it is bound: `(a: [n][m]f64)`")
            }
            WithError::Ranks { odd: (rank, span), others } => {
                let message = "the vectors of a with-loop have different lengths";
                let error = Self::error(Code::INDEX_RANK, span, message)
                    .label(format!("this has {}", components(rank)));
                with_lengths(error, others)
                    .help("each has one component for each dimension of the index space")
            }
            WithError::UnknownRank { span } => {
                Self::error(Code::INDEX_RANK, span, "nothing tells how many dimensions this index has")
                    .label("of an unknown number of dimensions")
                    .help("name its components: `[i, j]`; or write a bound as a vector: `[0, 0]`")
            }
            WithError::NoArray { span, ty } => {
                Self::error(Code::TYPE_MISMATCH, span, "`modarray` changes elements of an array")
                    .label(format!("this is `{ty}`"))
                    .help("for each of several arrays write a `modarray`: `(modarray a, modarray b)`; for a new array `genarray`")
            }
            WithError::NoShape { span } => {
                Self::error(Code::INDEX_VECTOR, span, "the shape of an array is a vector")
                    .label("this is a number")
                    .help("write it in brackets: `genarray ([n], 0)`")
            }
            WithError::NoEdge { span } => {
                Self::error(Code::INDEX_RANK, span, "`.` stands for no index here")
                    .label("the edge of what?")
                    .note("`.` is the first or the last index of the array that is made, or of the arrays of one shape \
                           that the body indexes by the whole index")
                    .help("write the bound: `[0] <= iv < shape a`")
            }
            WithError::OpenRank { name, shape, span } => {
                let message = format!("nothing tells the rank of `{name}` here");
                Self::error(Code::RANK, span, message)
                    .label(format!("`{shape}` may have any number of dimensions"))
                    .help(
                        "apply it to an array whose type is known, also in a function: `\\x -> f x`; \
                         or write its type: `(f: [n][m]f64 -> f64)`",
                    )
            }
            WithError::OpenTypes { name, span } => {
                let message = format!("`{name}` has a shape parameter, and so needs all its types");
                Self::error(Code::RANK, span, message)
                    .label("a type is missing")
                    .help("write the types of the parameters and of the result: `def f [..s] (a: [..s]f64): [..s]f64`")
            }
            WithError::FixedRank { name, span, what } => {
                let message = format!("`{name}` is {what}, and so has one rank");
                Self::error(Code::RANK, span, message)
                    .label("may have any number of dimensions")
                    .help(
                        "make it a `def`, and write an entry for each rank: \
                         `entry f_2 [n] [m]: [n][m]f64 -> [n][m]f64 = f`",
                    )
            }
            WithError::TooManyDimensions { name, span } => {
                let message = format!("`{name}` is needed at higher and higher ranks");
                Self::error(Code::RANK, span, message)
                    .label("no end of ranks")
                    .help("a recursion that changes the rank leads down to rank 0")
            }
            WithError::NoShapeParameter { name, span } => {
                Self::error(Code::RANK, span, format!("there is no shape `{name}` here"))
                    .label("unknown here")
                    .help("a shape parameter is declared in brackets: `def f [..s] …`")
            }
            WithError::Shapes { span, first, sizes } => shapes(span, first, sizes),
            WithError::Grid { span, step, width } => grid(span, step, width),
            WithError::Overlap { span, first } => {
                Self::error(Code::OVERLAP, span, "two generators give the same elements")
                    .label("has indices of another generator")
                    .also(first, "this one")
                    .help("let each index belong to one generator: change the bounds of one of them")
            }
            WithError::OutsideShape { span, outside } => outside_shape(span, &outside),
            WithError::NoDefault { span, generators } => {
                let error = Self::error(Code::NO_DEFAULT, span, "some elements of this array are given by nothing")
                    .label("there is no default");
                let error = generators.into_iter().fold(error, |error, (generator, count)| {
                    let label = match count {
                        Some(count) => format!("this gives at most `{count}` of them"),
                        None => "the only generator leaves some indices out".to_owned(),
                    };
                    error.also(generator, label)
                });
                error.help("write the default behind the shape: `genarray (shape, 0)`")
            }
        }
    }
}

/// Marks vectors with their lengths.
fn with_lengths(error: Diagnostic, vectors: impl IntoIterator<Item = (usize, Span)>) -> Diagnostic {
    vectors.into_iter().fold(error, |error, (length, span)| {
        error.also(span, format!("this has {}", components(length)))
    })
}

fn components(count: usize) -> String {
    if count == 1 { "1 component".to_owned() } else { format!("{count} components") }
}

fn no_vector(span: Span, ty: &str, why: NotAVector) -> Diagnostic {
    let error = Diagnostic::error(Code::INDEX_VECTOR, span, "an index vector must stand here");
    let error = error.label(format!("this is `{ty}`"));
    match why {
        NotAVector::Type => error.help(
            "an index vector is an array of integers, such as `[1, n]`, `shape a` or `iv + 1`",
        ),
        NotAVector::Length => error
            .help("the length of an index vector is a constant: `[r]i64` with a number for `r`, at most 10,000"),
    }
}

fn shapes(span: Span, first: Span, sizes: Option<[String; 2]>) -> Diagnostic {
    let message = "the arrays of one with-loop have different shapes";
    let error = Diagnostic::error(Code::INDEX_RANK, span, message);
    let error = match sizes {
        Some([left, right]) => {
            error.label(format!("of size `{right}`")).also(first, format!("of size `{left}`"))
        }
        None => error.label("not known to be the same").also(first, "the first one"),
    };
    error.help(
        "all operators of a with-loop go through one index space; write a with-loop for each shape",
    )
}

fn grid(span: Span, step: i64, width: Option<i64>) -> Diagnostic {
    match width {
        None => Diagnostic::error(Code::GRID, span, "the step of a generator must be positive")
            .label(format!("this is {step}"))
            .help(
                "a step is how far the indices, or groups of them, are apart; without one it is 1",
            ),
        Some(width) => {
            let message =
                format!("the width of a generator must be between 1 and its step, {step}");
            Diagnostic::error(Code::GRID, span, message)
                .label(format!("this is {width}"))
                .help("`step s width w` takes the first w of every s indices")
        }
    }
}

fn outside_shape(span: Span, outside: &OutOfShape) -> Diagnostic {
    let OutOfShape { is_below, dimension, sizes: [bound, size], shape } = outside;
    let message = format!("this generator leaves the array in dimension {dimension}");
    let error = Diagnostic::error(Code::OUTSIDE_SHAPE, span, message);
    let shown = |size: &Option<String>| size.clone().unwrap_or_else(|| "?".to_owned());
    let error = if *is_below {
        error.label(format!("it begins at `{}`", shown(bound)))
    } else {
        let (bound, size) = (shown(bound), shown(size));
        error
            .label(format!("it ends before `{bound}`"))
            .also(*shape, format!("the size is `{size}`"))
    };
    error.help(
        "the bounds lie between 0 and the shape; `.` stands for the first and for the last index",
    )
}
