//! Errors in types, as diagnostics.
//!
//! Invariant: the first label is at the found expression, and the others say where its type comes from.
//!
//! ```text
//! Mismatch { place: Argument 1 of f, expected: "f64", found: "i32", … }
//! ⇒ error[A0302]: argument 1 of `f` should be `f64`, but is `i32`
//! ```

use super::definition::type_too_large;
use super::{AnnotationPlace, Callee, ConstraintSite, Error, ShownType, defaulted};
use arrc_syntax::diagnostics::{Code, Diagnostic, Help};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// Types that do not fit.
#[derive(Clone, Debug)]
pub(crate) enum TypeError {
    /// Two types that must be equal are not.
    Mismatch {
        place: ConstraintSite,
        expected: ShownType,
        found: ShownType,
        part: Option<(String, String)>,
        hint: Option<Help>,
    },
    /// A type of a definition that was chosen by default, and the other types that its uses need.
    Defaulted {
        name: Name,
        span: Span,
        default: Scalar,
        place: AnnotationPlace,
        uses: Vec<(Scalar, Span)>,
    },
    /// An operator that the type does not have.
    Operator {
        sign: Name,
        operator: Span,
        ty: ShownType,
        span: Span,
        whole: String,
        hint: Option<Help>,
    },
    /// A comparison of values that have no order or equality.
    NotComparable {
        sign: Name,
        operator: Span,
        ty: ShownType,
        span: Span,
        part: Option<String>,
        hint: &'static str,
    },
    /// More arguments than parameters, or no function at all.
    NotAFunction {
        callee: Callee,
        ty: String,
        function: Span,
        extra: Span,
        given: usize,
        takes: usize,
    },
    /// A local type parameter that is needed outside its function.
    TypeEscape { span: Span, name: Name },
    /// A pattern that does not fit.
    Pattern { span: Span, pattern: String, ty: String },
    /// A number that its type cannot hold.
    Literal { span: Span, value: String, ty: Name, range: (String, String) },
    /// A float without a suffix whose value is out of the range of `f32`, the type that was found for it.
    FloatLiteral { span: Span, value: String },
    /// A type that would contain itself.
    Infinite { span: Span, var: String, ty: String },
    /// A type with too many parts, or too deep, to work with.
    TypeTooLarge { span: Span, deep: bool },
    /// A field of something whose type is not known.
    UnknownFieldType { name: Name, span: Span, all: Vec<Name> },
    /// An expression that is indexed, but is not an array.
    NotAnArray { span: Span, ty: String, depth: usize },
}

impl From<TypeError> for Error {
    fn from(error: TypeError) -> Self {
        Self::Type(error)
    }
}

impl From<TypeError> for Diagnostic {
    fn from(error: TypeError) -> Self {
        match error {
            TypeError::Mismatch { place, expected, found, part, hint } => {
                mismatch(place.types([&expected, &found]), part, hint)
            }
            TypeError::Defaulted { name, span, default, place, uses } => {
                defaulted::defaulted((&name, span), default, place, &uses)
            }
            TypeError::Operator { sign, operator, ty, span, whole, hint } => {
                let (shown, ty) = (&ty, &ty.text);
                let message = format!("`{sign}` is not defined on `{ty}`");
                let error = Self::error(Code::OPERAND_TYPE, operator, message);
                let error = operand(error.label(format!("used on `{ty}`")), operator, span, &whole);
                shown.marks(hint.into_iter().fold(error, Diagnostic::advise))
            }
            TypeError::NotComparable { sign, operator, ty, span, part, hint } => {
                let place = (ty.text.as_str(), span);
                ty.marks(not_comparable((&sign, operator), place, part.as_deref()).help(hint))
            }
            TypeError::NotAFunction { callee, ty, function, extra, given, takes } => {
                not_a_function(&callee, &ty, function, extra, (takes, given))
            }
            TypeError::TypeEscape { span, name } => Self::error(
                Code::TYPE_MISMATCH,
                span,
                format!("the type parameter `{name}` is needed outside its function"),
            )
            .label(format!("this is of type `{name}`"))
            .advise(Help::naming(
                "write the type that is meant, in place of the type parameter {}",
                [format!("'{name}")],
            )),
            TypeError::Pattern { span, pattern, ty } => Self::error(
                Code::PATTERN_MISMATCH,
                span,
                format!("this pattern is for {pattern}, but the value is `{ty}`"),
            )
            .label(format!("matched with `{ty}`"))
            .help("write a pattern of the value's type, or a name"),
            TypeError::Literal { span, value, ty, range: (low, high) } => {
                Self::error(Code::LITERAL_RANGE, span, format!("`{value}` does not fit in `{ty}`"))
                    .label(format!("this is `{ty}`"))
                    .note(format!("`{ty}` holds whole numbers from {low} to {high}"))
                    .help("give the literal a wider type, by a suffix or an annotation")
            }
            TypeError::FloatLiteral { span, value } => {
                Self::error(Code::LITERAL_RANGE, span, format!("`{value}` does not fit in `f32`"))
                    .label("this is `f32`")
                    .note("the largest `f32` is about 3.4e38")
                    .help("make it an `f64`; infinity is written `f32.inf`")
            }
            TypeError::Infinite { span, var, ty } => Self::error(
                Code::INFINITE_TYPE,
                span,
                "this would have a type that contains itself",
            )
            .label(format!("`{var}` would be `{ty}`"))
            .help("is the function applied to itself, or to too few arguments?"),
            TypeError::TypeTooLarge { span, deep } => type_too_large(span, deep),
            TypeError::UnknownFieldType { name, span, all } => {
                unknown_field_type(&name, span, &all)
            }
            TypeError::NotAnArray { span, ty, depth } => not_an_array(span, &ty, depth),
        }
    }
}

/// Adds the parts of the types that differ, and a change that makes them equal.
fn mismatch(
    mut error: Diagnostic,
    part: Option<(String, String)>,
    hint: Option<Help>,
) -> Diagnostic {
    if let Some((expected, found)) = part {
        error = error.note(format!("`{found}` is found where `{expected}` should be"));
    }
    hint.into_iter().fold(error, Diagnostic::advise)
}

fn not_comparable(
    (sign, operator): (&Name, Span),
    (ty, span): (&str, Span),
    part: Option<&str>,
) -> Diagnostic {
    let message = format!("`{sign}` cannot compare values of type `{ty}`");
    let error = Diagnostic::error(Code::NOT_COMPARABLE, operator, message);
    let error = operand(error.label("compared here"), operator, span, ty);
    match part {
        Some(part) => error.note(format!("`{part}` in it cannot be compared")),
        None => error,
    }
}

fn unknown_field_type(name: &Name, span: Span, all: &[Name]) -> Diagnostic {
    let all: Vec<String> = all.iter().map(|name| format!("`.{name}`")).collect();
    let message = format!("`.{name}` is used on something whose type is not known");
    Diagnostic::error(Code::UNKNOWN_SUBJECT, span, message)
        .label(format!(
            "no annotation and no other use tells the type of what stands before {}",
            all.join(", ")
        ))
        .help(if name.starts_with(|c: char| c.is_ascii_digit()) {
            "write its type where it is bound: `(p: (f64, f64))`"
        } else {
            "write its type where it is bound: `(p: {x: f64, y: f64})`"
        })
}

fn not_an_array(span: Span, ty: &str, depth: usize) -> Diagnostic {
    let message = match depth {
        0 => format!("`{ty}` cannot be indexed"),
        1 => format!("there is one index too many: `{ty}` cannot be indexed"),
        _ => format!("there are too many indices: `{ty}` cannot be indexed"),
    };
    let label = match depth {
        0 => format!("this is `{ty}`"),
        1 => format!("with one index, this is `{ty}`"),
        _ => format!("with {depth} indices, this is `{ty}`"),
    };
    Diagnostic::error(Code::TYPE_MISMATCH, span, message)
        .label(label)
        .help("only arrays have indices; a tuple's component is `t.0`, a record's field `r.x`")
}

/// Adds the operand that an operator is used on.
fn operand(error: Diagnostic, operator: Span, span: Span, ty: &str) -> Diagnostic {
    if span == operator { error } else { error.also(span, format!("this is `{ty}`")) }
}

fn not_a_function(
    callee: &Callee,
    ty: &str,
    function: Span,
    extra: Span,
    (takes, given): (usize, usize),
) -> Diagnostic {
    if takes == 0 {
        let message = match &callee.name {
            Some(name) => format!("`{name}` is {ty}, not a function"),
            None => format!("this is {ty}, not a function"),
        };
        return Diagnostic::error(Code::NOT_A_FUNCTION, function, message)
            .label(format!("this is {ty}"))
            .also(extra, "so it cannot be applied to this")
            .help("is an operator or a comma missing between the two?");
    }
    let arguments = if takes == 1 { "argument" } else { "arguments" };
    let message = format!("{} takes {takes} {arguments}, but is given {given}", callee.words());
    let error = Diagnostic::error(Code::NOT_A_FUNCTION, extra, message)
        .label(format!("without this, the call is already {ty}"));
    let error = match callee.declared {
        Some(declared) => error.also(declared, format!("{} is defined here", callee.words())),
        None => error,
    };
    let error = match &callee.ty {
        Some(ty) => error.note(format!("{} is `{ty}`", callee.words())),
        None => error,
    };
    error
        .help("leave the argument out, or put parentheses around a call that is itself an argument")
}
