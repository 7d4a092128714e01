//! Messages about sizes that differ, and about sizes that nothing determines.
//!
//! Invariant: a change of the program is proposed only if it can be written at the place of the error.
//!
//! ```text
//! map2 (+) xs ys   ⇒   … have it checked when the program runs: `(ys :> [n]i64)`
//! ```

use super::{Callee, ConstraintSite, Error, Origin};
use crate::core::{MAX_FACTORS, MAX_TERMS};
use crate::infer::error::name_errors::suggest;
use arrc_syntax::diagnostics::{Code, Diagnostic, Help, Subject};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// Something wrong with a size.
#[derive(Clone, Debug)]
pub(crate) enum SizeError {
    /// The name of no size.
    UnknownSize { name: Name, span: Span, near: Vec<Name> },
    /// Two sizes that must be equal are not.
    SizeMismatch {
        place: ConstraintSite,
        expected: String,
        found: String,
        expected_type: String,
        found_type: String,
        origins: Vec<Origin>,
        computed: Vec<Name>,
        remedy: Remedy,
    },
    /// Sizes with a known product and unknown factors, such as the sizes of the result of `unflatten`.
    OpenShape { span: Span, sizes: Vec<Name>, whole: String, given: String, maker: Option<Span> },
    /// A size whose value is needed, but not determined.
    UntoldSize { span: Span, name: Name, declared: Span },
    /// A size behind `?` that no array of the result determines.
    UntoldResult { name: Name, span: Span },
    /// A size of a call's result that nothing determines.
    OpenSize { span: Span, size: Name, name: Name, declared: Option<Span> },
    /// A size that is needed before, or outside, the expression that computes it.
    SizeEscape { span: Span, size: String, maker: Option<Name>, made: Span, of: EscapingUse },
    /// The type of the parameter at `span` needs a size that is the value of the variable at `declared`, which is no
    /// whole parameter before it. `call` is the place that calls the entry `name`; without it, `name` is no entry.
    LateSize { span: Span, size: Name, declared: Span, name: Name, call: Option<Span> },
    /// A size with too many terms or factors, or too large a number, and its text if it is written.
    SizeTooLarge { span: Span, written: Option<String> },
    /// A size parameter that no argument determines.
    Undetermined { name: Name, span: Span, calls: Option<&'static str> },
    /// A size behind `let` that no type of its pattern mentions as a whole dimension.
    UnboundSize { name: Name, span: Span, pattern: Span },
    /// A size parameter of a type abbreviation that it does not use.
    UnusedSize { name: Name, span: Span, of: Name, body: Span },
    /// An expression that is no size.
    BadSize { span: Span, found: &'static str },
    /// A size made of a variable that is not of type `i64`.
    SizeType { span: Span, name: Name, ty: String, declared: Span },
    /// `?[k]` at a place where no result stands.
    MisplacedExists { span: Span },
    /// Elements of a type with a `?[k]` of its own.
    IrregularElement { span: Span, name: Name, declared: Span },
}

/// A change of the program that may make two different sizes equal.
#[derive(Clone, Debug)]
pub(crate) enum Remedy {
    /// No likely change.
    None,
    /// A check when the program runs, against this type.
    Coerce { ty: String },
    /// Another type of the result, which names its size.
    Result { at: Span, ty: String },
}

/// The use of a size where it is not known.
#[derive(Clone, Debug)]
pub(crate) enum EscapingUse {
    /// A function returns an array of another size at each call, but is used as if it was one size.
    EachCall { callee: Callee },
    /// A value that is known earlier, such as these arguments, would have the size.
    Early(Vec<Origin>),
}

impl From<SizeError> for Error {
    fn from(error: SizeError) -> Self {
        Self::Size(error)
    }
}

impl From<SizeError> for Diagnostic {
    fn from(error: SizeError) -> Self {
        match error {
            SizeError::UnknownSize { name, span, near } => unknown_size(&name, span, &near),
            SizeError::SizeMismatch { place, expected, found, expected_type, found_type, origins, computed, remedy } => {
                let error = origins.into_iter().fold(place.sizes(&expected, &found), with_origin);
                let error = size_note(error, &place, (&expected_type, &found_type));
                size_mismatch(error, &place, [&expected, &found], (&computed, &remedy))
            }
            SizeError::OpenShape { span, sizes, whole, given, maker } => {
                open_shape(span, &sizes, (&whole, &given), maker)
            }
            SizeError::UntoldSize { span, name, declared } => undetermined_size(span, &name, declared),
            SizeError::UntoldResult { name, span } => undetermined_result_size(span, &name),
            SizeError::OpenSize { span, size, name, declared } => {
                open_size(span, &size, &name, declared)
            }
            SizeError::SizeEscape { span, size, maker, made, of } => {
                size_escape(span, &size, maker.as_ref(), made, of)
            }
            SizeError::LateSize { span, size, declared, name, call } => {
                late_size(span, (&size, declared), &name, call)
            }
            SizeError::SizeTooLarge { span, written } => too_large(span, written.as_deref()),
            SizeError::Undetermined { name, span, calls } => undetermined(span, &name, calls),
            SizeError::UnboundSize { name, span, pattern } => {
                Self::error(Code::UNBOUND_SIZE, span, format!("`{name}` is the size of nothing in this pattern"))
                    .label("named here")
                    .also(pattern, format!("no type here has the size `{name}`"))
                    .help("write the type that has it, such as `let [n] xs: [n]i64 = …`")
            }
            SizeError::UnusedSize { name, span, of, body } => {
                Self::error(Code::UNUSED_SIZE, span, format!("the type `{of}` does not use its size `{name}`"))
                    .label("declared here")
                    .also(body, format!("nothing in this has the size `{name}`"))
                    .help("leave the size out, or let an array have it: `[n]t`")
            }
            SizeError::BadSize { span, found } => {
                Self::error(Code::BAD_SIZE, span, format!("{found} cannot stand in a size"))
                    .label("not a size")
                    .help("sizes are made of names, whole numbers, `+`, `-` and `*`; bind anything else by `let` first")
            }
            SizeError::SizeType { span, name, ty, declared } => {
                Self::error(Code::BAD_SIZE, span, format!("a size is `i64`, but `{name}` is `{ty}`"))
                    .label("used as a size")
                    .also(declared, format!("`{name}` is bound here"))
                    .help("make it `i64` where it is declared, or bind the number as an `i64` by `let` first")
            }
            SizeError::MisplacedExists { span } => {
                Self::error(Code::MISPLACED_EXISTS, span, "`?[k]` can only stand before the result of a function")
                    .label("not a result")
                    .help("for a parameter, declare a size parameter: `def f [k] (xs: [k]f64)`; elsewhere write `[]` for a size to be found")
            }
            SizeError::IrregularElement { span, name, declared } => {
                Self::error(Code::MISPLACED_EXISTS, span, format!("an array cannot have elements of type `{name}`"))
                    .label("all elements of an array are of one size")
                    .also(declared, format!("each `{name}` may be of another size"))
                    .help("hold all of them in one array, and where each begins in another")
            }
        }
    }
}

fn unknown_size(name: &Name, span: Span, near: &[Name]) -> Diagnostic {
    let message = format!("there is no size `{name}` here");
    let error = Diagnostic::error(Code::UNDEFINED_SIZE, span, message).label("unknown here");
    if near.is_empty() {
        return error.help("a size parameter is declared in brackets: `def f [n] …`");
    }
    suggest(error, near)
}

/// Adds a change that makes two sizes equal, if there may be one.
fn size_mismatch(
    error: Diagnostic,
    place: &ConstraintSite,
    sizes: [&str; 2],
    (computed, remedy): (&[Name], &Remedy),
) -> Diagnostic {
    let is_fixed = sizes.iter().all(|size| size.parse::<i64>().is_ok());
    if sizes.iter().any(|size| size.parse::<i64>().is_ok_and(|size| size < 0)) {
        return error.help(BELOW_ZERO);
    }
    size_help(remedied(error, place, remedy), place, is_fixed, computed)
}

/// Adds the whole types, or the type of the called function.
pub(super) fn size_note(
    error: Diagnostic,
    place: &ConstraintSite,
    (expected, found): (&str, &str),
) -> Diagnostic {
    if let ConstraintSite::Argument { callee, others, .. } = place
        && !others.is_empty()
    {
        return match &callee.ty {
            Some(ty) => error.note(format!("{} is `{ty}`", callee.words())),
            None => error,
        };
    }
    if matches!(place, ConstraintSite::Later { .. }) {
        return error;
    }
    error.note(format!("expected `{expected}`, found `{found}`"))
}

/// Advice about the size that `filter` makes.
pub(super) const FILTER_PAIRS: &str = "how many elements `filter` keeps is only known when it has run; to keep \
    arrays in step, filter their pairs: `filter (\\(x, y) -> …) (zip xs ys)`";

/// Adds the change of the program that may make the sizes equal.
pub(super) fn remedied(error: Diagnostic, place: &ConstraintSite, remedy: &Remedy) -> Diagnostic {
    match remedy {
        Remedy::None => error,
        Remedy::Coerce { ty } => {
            let span = place.span();
            let end = Span { start: span.end, ..span };
            error.fix(
                format!(
                    "if the sizes are equal, have it checked when the program runs: `(… :> {ty})`"
                ),
                [(span.before(), "(".to_owned()), (end, format!(" :> {ty})"))],
            )
            .about(Subject::ArgumentSize)
        }
        Remedy::Result { at, ty } => {
            error.fix(format!("let the result have a size of its own: `{ty}`"), [(*at, ty.clone())])
        }
    }
}

/// The diagnostic of a size that has too many terms or factors, or too large a number, when it is multiplied out.
pub(super) fn too_large(span: Span, written: Option<&str>) -> Diagnostic {
    let what = match written {
        Some(written) if written.len() <= LONGEST_SIZE => format!("the size `{written}`"),
        Some(_) => "this size".to_owned(),
        None => "the size of this array".to_owned(),
    };
    let help = match written {
        Some(_) => {
            "write a size of its own, such as `[k]`, and check what it has to be: `assert (k == …) …`"
        }
        None => {
            "let a function forget how the size is made: with `def forget [n] 't (xs: [n]t): ?[k].[k]t = xs` \
             the size of `forget xs` is a single name"
        }
    };
    Diagnostic::error(Code::SIZE_TOO_LARGE, span, format!("{what} is too large to calculate with"))
        .label(format!(
            "multiplied out, it has more than {MAX_TERMS} terms or {MAX_FACTORS} factors, or a number beyond `i64`"
        ))
        .help(help)
}

/// The longest text of a size, in bytes, that a headline repeats.
const LONGEST_SIZE: usize = 60;

/// The diagnostic of sizes with a known product and unknown factors.
pub(super) fn open_shape(
    span: Span,
    sizes: &[Name],
    (whole, given): (&str, &str),
    maker: Option<Span>,
) -> Diagnostic {
    let names: Vec<String> = sizes.iter().map(|size| format!("`{size}`")).collect();
    let (last, first) = names.split_last().expect("several sizes are open");
    let message = format!("nothing says what the sizes {} and {last} are", first.join(", "));
    let error = Diagnostic::error(Code::UNDETERMINED_SIZE, span, message)
        .label(format!("of this size, `{given}`, it is only known that it is `{whole}`"));
    let error = match maker {
        Some(maker) => error.also(maker, "the sizes are those of this function's result"),
        None => error,
    };
    error.help("write the type of the result behind it, with its sizes: `(… : [3][4]t)`")
}

/// The diagnostic of a size parameter that no argument determines.
pub(super) fn undetermined(span: Span, name: &Name, calls: Option<&str>) -> Diagnostic {
    let error = Diagnostic::error(Code::UNDETERMINED_SIZE, span, format!("no argument tells the size `{name}`"))
        .label("declared here")
        .note(format!("a size parameter is told by a parameter that has it as a dimension, such as `(xs: [{name}]f64)`"));
    let error = match calls {
        Some(kind) => error.note(format!("its result alone has the size, and {kind} does not learn what the place of a call asks for")),
        None => error,
    };
    error.help("for a result whose size is computed write `?[k].[k]t`; for a size that is given, add a parameter `(n: i64)`")
}

/// The diagnostic of an unknown size of a call's result.
pub(super) fn open_size(
    span: Span,
    size: &Name,
    name: &Name,
    declared: Option<Span>,
) -> Diagnostic {
    let message = format!("nothing says what the size `{size}` of `{name}` is");
    let error = Diagnostic::error(Code::UNDETERMINED_SIZE, span, message)
        .label("no argument tells it, and nothing that is done with it");
    let error = match declared {
        Some(declared) => error.also(declared, format!("`{name}` is declared here")),
        None => error,
    };
    error.help("write the type behind it, with its size: `(… : [3]t)`")
}

/// The diagnostic of a size whose value is needed, but not determined.
pub(super) fn undetermined_size(span: Span, name: &Name, declared: Span) -> Diagnostic {
    let message = format!("nothing says what the size `{name}` is");
    Diagnostic::error(Code::UNDETERMINED_SIZE, span, message)
        .label("its value is needed here")
        .also(declared, "the size is named here")
        .help(
            "write the size of the array that it is of, such as `[]: [0][3]t` of one without rows",
        )
}

/// The diagnostic of a size behind `?` that no array of the result determines.
pub(super) fn undetermined_result_size(span: Span, name: &Name) -> Diagnostic {
    let message = format!("no array of this result tells the size `{name}`");
    Diagnostic::error(Code::UNDETERMINED_SIZE, span, message)
        .label("declared here")
        .note("a size is told by an array that has it as a dimension, alone or besides sizes that are told before")
        .help("let an array of the result have the size, as in `?[k].[k]t`")
}

/// Advice about a size below zero, which comes from a slice that counts from the end.
pub(super) const BELOW_ZERO: &str = "no size is below zero; positions count from the beginning: `xs[:length xs - 1]` ends before \
    the last element, as `init xs` does";

/// More advice about the size that `filter` makes.
pub(super) const FILTER_SHORTER: &str =
    "to go as far as the shorter one goes, use `zip_with_min f xs ys`";

/// Adds advice about sizes that differ, according to the functions that computed them.
pub(super) fn size_help(
    error: Diagnostic,
    place: &ConstraintSite,
    is_fixed: bool,
    computed: &[Name],
) -> Diagnostic {
    match computed.first().map(Name::as_str) {
        Some("filter") if matches!(place, ConstraintSite::Result { .. }) => error,
        Some("filter") => error.help(FILTER_PAIRS).help(FILTER_SHORTER),
        Some("if") => error.help(
            "the branches of the `if` have different sizes; use its result where any size will do, or give \
             the branches the same size",
        ),
        Some("match") => error.help(
            "the cases of the `match` have different sizes; use its result where any size will do, or give \
             the cases the same size",
        ),
        Some(maker) => error.advise(Help::naming(
            "each call of {} gives an array of a size of its own; call it once and use its result twice, or \
             take the sizes from the same array",
            [maker],
        )),
        None if matches!(place, ConstraintSite::Element { .. }) => {
            error.help("all rows of an array have the same size")
        }
        None if is_fixed && !matches!(place, ConstraintSite::Later { .. }) => {
            error.help("give it as many elements as the type says, or change the type")
        }
        None => error.help(
            "make both from the same array, or declare them with the same size parameter",
        ),
    }
}

/// Adds the origin of a size. It replaces a label at the same place.
fn with_origin(mut error: Diagnostic, (span, text): Origin) -> Diagnostic {
    match &mut error.primary {
        Some(primary) if primary.span == span => {
            primary.text = text;
            return error;
        }
        Some(_) | None => {}
    }
    match error.secondary.iter_mut().find(|label| label.span == span) {
        Some(label) => {
            label.text = text;
            error
        }
        None => error.also(span, text),
    }
}

/// A parameter whose size a call could not compare.
fn late_size(
    param: Span,
    (size, declared): (&Name, Span),
    name: &Name,
    call: Option<Span>,
) -> Diagnostic {
    let needs = format!("the type of this parameter needs the size `{size}`");
    let error = match call {
        Some(call) => {
            let message = format!("the entry `{name}` can only be called from outside");
            Diagnostic::error(Code::SIZE_ESCAPES, call, message)
                .label(format!("a call here cannot compare the size `{size}`"))
                .also(param, needs)
        }
        None => {
            let message = format!("`{name}` needs the size `{size}` before it is known");
            Diagnostic::error(Code::SIZE_ESCAPES, param, message).label(needs)
        }
    };
    error.also(declared, format!("`{size}` is bound here")).advise(Help::naming(
        "make {} a parameter of its own before this one, or compare the sizes in the body: `(… :> [n]t)`",
        [size],
    ))
}

fn size_escape(
    span: Span,
    size: &str,
    maker: Option<&Name>,
    made: Span,
    of: EscapingUse,
) -> Diagnostic {
    let maker_label = match maker {
        Some(maker) => format!("`{maker}` makes the size `{size}` here"),
        None => format!("the size `{size}` is made here"),
    };
    let others = match of {
        EscapingUse::EachCall { callee } => {
            let message = "this function gives an array of another size at each call";
            let error = Diagnostic::error(Code::SIZE_ESCAPES, span, message)
                .label("used where every call must give the same size");
            let error = if made == span { error } else { error.also(made, maker_label) };
            // These functions make an array of the results, so all results must be of one size.
            const MAPS: [&str; 9] = [
                "map",
                "map2",
                "map3",
                "map4",
                "map5",
                "generate",
                "tabulate",
                "scan",
                "map_index",
            ];
            return match &callee.name {
                Some(name) if !MAPS.contains(&name.as_str()) => error.advise(Help::naming(
                    "{} asks for a function whose results all have one size; give it one, or declare \
                     the parameter with a result of any size: `-> ?[k].[k]t`",
                    [name],
                )),
                Some(_) | None => error.help(
                    "the elements of an array all have one size; reduce each row to a scalar, or give all \
                     rows the same size",
                ),
            };
        }
        EscapingUse::Early(others) => others,
    };
    let message = format!("the size `{size}` is needed where it is not known yet");
    let error = Diagnostic::error(Code::SIZE_ESCAPES, span, message);
    let error = if made == span {
        error.label(maker_label)
    } else {
        error.label("needed here").also(made, maker_label)
    };
    let error = others.into_iter().fold(error, |error, (span, _)| {
        error.also(span, "this would have the same size, but is there before")
    });
    match maker.map(Name::as_str) {
        Some("filter") => error.help(FILTER_PAIRS),
        Some(_) | None => error.help("bind what makes the size by `let` before it is needed, or write the types of the parameters"),
    }
}
