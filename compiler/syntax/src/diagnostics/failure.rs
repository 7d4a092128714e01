//! The messages of checks that fail while a program runs.
//!
//! Invariant: compiled programs and the reference interpreter take each message from here, so both use the same words.
//! The messages of the runtime's own checks are in [`arr_abi::reason`].
//!
//! ```text
//! Failure::negative_size(n, "iota")   ⇒   Size: "negative size " n " in iota"
//! ```

use std::fmt::Display;

use arr_abi::ErrorCode;

use crate::check::Piece;

/// A check that does not hold: its code and its message.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Failure<V> {
    /// The code that the call ends with.
    pub code: ErrorCode,
    /// The message.
    pub message: Vec<Piece<V>>,
}

/// The numbers of a range as written: the first, the second if there is one, the sign and the last.
pub type RangeNumbers<V> = (V, Option<V>, &'static str, V);

/// The kinds of errors in a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WrongRange {
    /// Its first two numbers are equal.
    StepZero,
    /// It does not lead to its last number.
    Direction,
    /// The range has more elements than an array can have.
    TooLong,
}

impl<V> Failure<V> {
    fn new(code: ErrorCode, message: impl Into<Vec<Piece<V>>>) -> Self {
        Self { code, message: message.into() }
    }

    /// An index outside of its array. The code says whether it is the index of an element, of a slice or of an
    /// update.
    pub fn index(code: ErrorCode, index: V, length: V) -> Self {
        Self::new(code, [text("index "), Piece::Value(index)]).outside(length)
    }

    fn outside(mut self, length: V) -> Self {
        self.message.push(text(" is out of bounds for an array of length "));
        self.message.push(Piece::Value(length));
        self
    }

    /// A negative size. `what` is the operation that would make an array of this size.
    pub fn negative_size(size: V, what: &str) -> Self {
        let message = [text("negative size "), Piece::Value(size), text(format!(" in {what}"))];
        Self::new(ErrorCode::Size, message)
    }

    /// A sum or a product of sizes that does not fit in an `i64`.
    pub fn size_overflow(x: V, sign: char, y: V) -> Self {
        let sign = text(format!(" {sign} "));
        let message =
            [text("size "), Piece::Value(x), sign, Piece::Value(y), text(" is too large")];
        Self::new(ErrorCode::Size, message)
    }

    /// A slice that does not lie in its array.
    pub fn slice_outside(bounds: [Option<V>; 3], length: V) -> Self {
        Self::slice(bounds).outside(length)
    }

    /// A generator with indices that the array does not have.
    pub fn generator_outside([lower, upper]: [Vec<V>; 2], shape: Vec<V>) -> Self {
        let mut message = vec![text("the generator from ")];
        message.extend(vector(lower));
        message.push(text(" to below "));
        message.extend(vector(upper));
        message.push(text(" leaves an array of shape "));
        message.extend(vector(shape));
        Self::new(ErrorCode::Generator, message)
    }

    /// A generator that overlaps another one. `other` is the number of that one, counted from 1.
    pub fn generators_overlap(other: usize) -> Self {
        let message = format!("this generator has indices of generator {other}");
        Self::new(ErrorCode::Generator, [text(message)])
    }

    /// Generators that do not give all elements, where there is no default.
    pub fn generators_miss(found: V, wanted: V) -> Self {
        let message = [
            text("the generators give "),
            Piece::Value(found),
            text(" of "),
            Piece::Value(wanted),
            text(" elements, and there is no default"),
        ];
        Self::new(ErrorCode::Generator, message)
    }

    /// A step of a generator that is not positive.
    pub fn generator_step(step: V) -> Self {
        let message =
            [text("the step "), Piece::Value(step), text(" of a generator is not positive")];
        Self::new(ErrorCode::Generator, message)
    }

    /// A width of a generator that is not between 1 and its step.
    pub fn generator_width(width: V, step: V) -> Self {
        let message = [
            text("the width "),
            Piece::Value(width),
            text(" of a generator is not between 1 and its step "),
            Piece::Value(step),
        ];
        Self::new(ErrorCode::Generator, message)
    }

    /// A slice with the step 0.
    pub fn slice_step_zero(bounds: [Option<V>; 3]) -> Self {
        let mut failure = Self::slice(bounds);
        failure.message.push(text(STEP_ZERO));
        failure
    }

    /// The slice as text: `slice i:j:s`.
    fn slice([first, last, step]: [Option<V>; 3]) -> Self {
        let mut message = vec![text("slice ")];
        message.extend(first.map(Piece::Value));
        message.push(text(":"));
        message.extend(last.map(Piece::Value));
        if let Some(step) = step {
            message.extend([text(":"), Piece::Value(step)]);
        }
        Self::new(ErrorCode::Slice, message)
    }

    /// A slice that is replaced by an array with more or fewer elements.
    pub fn replacement(slice: V, array: V) -> Self {
        let message = [
            text("a slice of length "),
            Piece::Value(slice),
            text(" cannot be replaced by an array of length "),
            Piece::Value(array),
        ];
        Self::new(ErrorCode::Slice, message)
    }

    /// A range that cannot be an array.
    pub fn range((first, second, sign, last): RangeNumbers<V>, wrong: WrongRange) -> Self {
        let (code, what) = match wrong {
            WrongRange::StepZero => (ErrorCode::Range, STEP_ZERO),
            WrongRange::Direction => (ErrorCode::Range, " goes the wrong way"),
            WrongRange::TooLong => (ErrorCode::Size, " has too many numbers"),
        };
        let mut message = vec![text("range "), Piece::Value(first)];
        if let Some(second) = second {
            message.extend([text(".."), Piece::Value(second)]);
        }
        message.extend([text(sign), Piece::Value(last), text(what)]);
        Self::new(code, message)
    }

    /// A `:>` whose type does not fit the array. The message gives the value of the wanted size, unless the type is
    /// that number.
    pub fn coercion(ty: &str, found: V, wanted: Option<(String, V)>) -> Self {
        let cannot = format!("cannot be {ty}: the array's length is ");
        let mut message = vec![text(cannot), Piece::Value(found)];
        if let Some((size, wanted)) = wanted {
            message.extend([text(format!(" and {size} is ")), Piece::Value(wanted)]);
        }
        Self::new(ErrorCode::Coercion, message)
    }

    /// An array from a C function that has another size than its declaration. `array` names the array and the
    /// dimension.
    pub fn external_array_size(
        array: String,
        found: V,
        ty: &str,
        wanted: Option<(String, V)>,
    ) -> Self {
        let declared = text(format!(", but is declared to be {ty}"));
        let mut message = vec![text(array), Piece::Value(found), declared];
        if let Some((size, wanted)) = wanted {
            message.extend([text(format!(", and {size} is ")), Piece::Value(wanted)]);
        }
        Self::new(ErrorCode::External, message)
    }

    /// An argument of an entry has another size than its type says.
    pub fn argument(name: &str, found: V, size: &str, wanted: V) -> Self {
        let message = [
            text(format!("{name} has size ")),
            Piece::Value(found),
            text(format!(" but its type [{size}] has size ")),
            Piece::Value(wanted),
            text("; they must be equal"),
        ];
        Self::new(ErrorCode::Shape, message)
    }

    /// The arguments of an entry have sizes that make another one negative.
    pub fn negative_parameter(name: &str, size: V) -> Self {
        let message = [
            text(format!("the sizes of the arguments make {name} ")),
            Piece::Value(size),
            text(", but no size is negative"),
        ];
        Self::new(ErrorCode::Shape, message)
    }

    /// A number that stands for none of the constructors of a sum; `problem` says so.
    pub fn tag(tag: V, problem: String) -> Self {
        Self::new(ErrorCode::Assertion, [Piece::Value(tag), text(problem)])
    }

    /// An `assert` that does not hold, with the variables in its condition.
    pub fn assertion(condition: &str, vars: impl IntoIterator<Item = (impl Display, V)>) -> Self {
        let mut message = vec![text(format!("assertion failed: {condition}"))];
        let mut before = ", where ";
        for (name, value) in vars {
            message.extend([text(format!("{before}{name} is ")), Piece::Value(value)]);
            before = " and ";
        }
        Self::new(ErrorCode::Assertion, message)
    }
}

const STEP_ZERO: &str = " has the step 0";

/// `[i, j]`.
fn vector<V>(components: Vec<V>) -> Vec<Piece<V>> {
    let mut pieces = vec![text("[")];
    for (at, component) in components.into_iter().enumerate() {
        if at > 0 {
            pieces.push(text(", "));
        }
        pieces.push(Piece::Value(component));
    }
    pieces.push(text("]"));
    pieces
}

fn text<V>(text: impl Into<String>) -> Piece<V> {
    Piece::text(text)
}
