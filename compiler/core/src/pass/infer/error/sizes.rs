//! Messages about sizes that differ, or that nothing tells.
//!
//! Invariant: a change of the program is proposed only if it can be written where it stands.
//!
//! ```text
//! map2 (+) xs ys   ⇒   … have it checked when the program runs: `(ys :> [n]i64)`
//! ```

use super::{Place, Remedy};
use crate::diagnostics::{Code, Diagnostic};
use crate::ir::core::{MOST_FACTORS, MOST_TERMS};
use crate::names::Name;
use crate::source::Span;

/// Tells the whole types, and the function's.
pub(super) fn size_note(
    error: Diagnostic,
    place: &Place,
    (expected, found): (&str, &str),
) -> Diagnostic {
    if let Place::Argument { callee, others, .. } = place
        && !others.is_empty()
    {
        return match &callee.ty {
            Some(ty) => error.note(format!("{} is `{ty}`", callee.words())),
            None => error,
        };
    }
    if matches!(place, Place::Later { .. }) {
        return error;
    }
    error.note(format!("expected `{expected}`, found `{found}`"))
}

/// What to do about the size that `filter` makes.
pub(super) const FILTER_PAIRS: &str = "how many elements `filter` keeps is only known when it has run; to keep \
    arrays in step, filter their pairs: `filter (\\(x, y) -> …) (zip xs ys)`";

/// The change of the program that sizes which differ may call for.
pub(super) fn remedied(error: Diagnostic, place: &Place, remedy: &Remedy) -> Diagnostic {
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
        }
        Remedy::Result { at, ty } => {
            error.fix(format!("let the result have a size of its own: `{ty}`"), [(*at, ty.clone())])
        }
    }
}

/// A size that has too many terms or factors when it is multiplied out.
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
            "multiplied out, it has more than {MOST_TERMS} terms or {MOST_FACTORS} factors"
        ))
        .help(help)
}

/// The longest size, in bytes, that a headline repeats.
const LONGEST_SIZE: usize = 60;

/// Sizes with a known product and unknown factors.
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

/// A size parameter that no argument tells.
pub(super) fn undetermined(span: Span, name: &Name, calls: Option<&str>) -> Diagnostic {
    let error = Diagnostic::error(Code::UNDETERMINED_SIZE, span, format!("no argument tells the size `{name}`"))
        .label("declared here")
        .note(format!("a size parameter is told by a parameter that has it as a dimension, such as `(xs: [{name}]f64)`"));
    let error = match calls {
        Some(kind) => error.note(format!("its result alone has the size, and {kind} does not learn what the place of a call asks for")),
        None => error,
    };
    error.help(format!("for a result whose size is computed write `?[{name}].[{name}]t`; for a size that is given, add a parameter `({name}: i64)`"))
}

/// An unknown size of a call's result.
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

/// A size whose value is needed, and that nothing tells.
pub(super) fn untold_size(span: Span, name: &Name, declared: Span) -> Diagnostic {
    let message = format!("nothing says what the size `{name}` is");
    Diagnostic::error(Code::UNDETERMINED_SIZE, span, message)
        .label("its value is needed here")
        .also(declared, "the size is named here")
        .help(
            "write the size of the array that it is of, such as `[]: [0][3]t` of one without rows",
        )
}

/// A size behind `?` that no array of the result tells.
pub(super) fn untold_result(span: Span, name: &Name) -> Diagnostic {
    let message = format!("no array of this result tells the size `{name}`");
    Diagnostic::error(Code::UNDETERMINED_SIZE, span, message)
        .label("declared here")
        .note("a size is told by an array that has it as a dimension, alone or besides sizes that are told before")
        .help(format!("let an array of the result have the size, as in `?[{name}].[{name}]t`"))
}

/// What to do about a size below zero, which a slice has that counts from the end.
pub(super) const BELOW_ZERO: &str = "no size is below zero; positions count from the beginning: `xs[:length xs - 1]` ends before \
    the last element, as `init xs` does";

/// What else to do about it.
pub(super) const FILTER_SHORTER: &str =
    "to go as far as the shorter one goes, use `zip_with_min f xs ys`";

/// What to do about sizes that differ, by what computed them.
pub(super) fn size_help(
    error: Diagnostic,
    place: &Place,
    is_fixed: bool,
    computed: &[Name],
) -> Diagnostic {
    match computed.first().map(Name::as_str) {
        Some("filter") if matches!(place, Place::Result { .. }) => error,
        Some("filter") => error.help(FILTER_PAIRS).help(FILTER_SHORTER),
        Some("if") => error.help(
            "the branches of the `if` have different sizes; use its result where any size will do, or give \
             the branches the same size",
        ),
        Some("match") => error.help(
            "the cases of the `match` have different sizes; use its result where any size will do, or give \
             the cases the same size",
        ),
        Some(maker) => error.help(format!(
            "each call of `{maker}` gives an array of a size of its own; call it once and use its result twice, or \
             take the sizes from the same array"
        )),
        None if matches!(place, Place::Element { .. }) => {
            error.help("all rows of an array have the same size")
        }
        None if is_fixed && !matches!(place, Place::Later { .. }) => {
            error.help("give it as many elements as the type says, or change the type")
        }
        None => error.help(
            "make both from the same array, or declare them with the same size parameter",
        ),
    }
}
