//! Errors as diagnostics: what was found, where each side came from, one hint.
//!
//! Invariant: names, types and code stand in backquotes.

use super::definition::{entry, type_arguments, type_too_large, unannotated};
use super::sizes::{
    BELOW_ZERO, FILTER_PAIRS, open_shape, open_size, remedied, size_help, size_note, undetermined,
    untold_result, untold_size,
};
use super::{Error, Escaping, defaulted, external, sizes, sums};
use crate::diagnostics::{Code, Diagnostic};
use crate::ir::ast::operators::is_word;
use crate::names::Name;
use crate::source::Span;

impl From<Error> for Diagnostic {
    fn from(error: Error) -> Self {
        match error {
            Error::UnknownName { name, span, near, hint } => {
                let error = Self::error(Code::UNDEFINED_NAME, span, format!("`{name}` is not defined"));
                let error = error.label("unknown here");
                match hint {
                    Some(hint) => error.help(hint),
                    None if near.is_empty() && !is_word(&name) => {
                        error.help(format!("an operator is defined by `def ({name}) x y = …`"))
                    }
                    None => suggest(error, &near),
                }
            }
            Error::UnknownMember { module, name, span, near } => {
                let message = format!("the module `{module}` has no `{name}`");
                suggest(Self::error(Code::UNDEFINED_NAME, span, message).label("unknown here"), &near)
            }
            Error::UnknownModule { name, span, of, declared, near } => {
                unknown_module(&name, span, of, declared, &near)
            }
            Error::ModuleAsValue { name, span, members } => {
                let message = format!("`{name}` is a module, not a value");
                let error = Self::error(Code::MODULE_AS_VALUE, span, message);
                let error = error.label("a value is needed here");
                match members.first() {
                    Some(member) => error.help(format!("take a value of it, such as `{name}.{member}`")),
                    None => error.help("take a value of it by its name, behind a dot"),
                }
            }
            Error::Hole { span, ty, fits } => hole(span, &ty, &fits),
            Error::UnknownType { name, span, near } => {
                let message = format!("there is no type `{name}`");
                let error = Self::error(Code::UNDEFINED_TYPE, span, message).label("unknown here");
                if near.is_empty() && name.len() == 1 {
                    let help = format!("a type parameter is declared with a quote: `def f '{name} …`");
                    return error.help(help);
                }
                match scalar_elsewhere(&name) {
                    Some(help) if near.is_empty() => error.help(help),
                    Some(_) | None => suggest(error, &near),
                }
            }
            Error::UnknownSize { name, span, near } => {
                let message = format!("there is no size `{name}` here");
                let error = Self::error(Code::UNDEFINED_SIZE, span, message).label("unknown here");
                if near.is_empty() {
                    let help = format!("a size parameter is declared in brackets: `def f [{name}] …`");
                    return error.help(help);
                }
                suggest(error, &near)
            }
            Error::DuplicateDefinition { name, span, first } => {
                Self::error(Code::DUPLICATE_DEFINITION, span, format!("`{name}` is defined twice"))
                    .label("defined again here")
                    .also(first, "first defined here")
                    .help("rename one of them")
            }
            Error::DuplicateName { what, name, span, first } => {
                Self::error(Code::DUPLICATE_NAME, span, format!("two {what} are named `{name}`"))
                    .label("named again here")
                    .also(first, "first named here")
                    .help("rename one of them, or write `_` for what is not used")
            }
            Error::UnknownField { name, span, ty, near, fields } => {
                unknown_field(&name, span, &ty, &near, &fields)
            }
            Error::Intrinsic { name, span } => {
                Self::error(Code::MISPLACED_INTRINSIC, span, format!("the compiler knows no intrinsic `{name}` here"))
                    .label("declared here")
                    .help("only the prelude declares intrinsics; write a `def` with a body")
            }
            Error::External { name, span, part, problem } => external::problem(&name, span, part, problem),
            Error::SameSymbol { name, span, first, is_entry } => external::same(&name, span, first, is_entry),
            Error::SizeMismatch { place, expected, found, expected_type, found_type, origins, computed, remedy } => {
                let is_fixed = [&expected, &found].iter().all(|size| size.parse::<i64>().is_ok());
                let is_below_zero = [&expected, &found]
                    .iter()
                    .any(|size| size.parse::<i64>().is_ok_and(|size| size < 0));
                let error = origins.into_iter().fold(place.sizes(&expected, &found), with_origin);
                let error = size_note(error, &place, (&expected_type, &found_type));
                if is_below_zero {
                    return error.help(BELOW_ZERO);
                }
                size_help(remedied(error, &place, &remedy), &place, is_fixed, &computed)
            }
            Error::OpenShape { span, sizes, whole, given, maker } => {
                open_shape(span, &sizes, (&whole, &given), maker)
            }
            Error::UntoldSize { span, name, declared } => untold_size(span, &name, declared),
            Error::UntoldResult { name, span } => untold_result(span, &name),
            Error::OpenSize { span, size, name, declared } => {
                open_size(span, &size, &name, declared)
            }
            Error::Mismatch { place, expected, found, part, hint } => {
                let mut error = place.types(&expected, &found);
                if let Some((expected, found)) = part {
                    error = error.note(format!("`{found}` is found where `{expected}` should be"));
                }
                match hint {
                    Some(hint) => error.fix(hint.text, hint.edits),
                    None => error,
                }
            }
            Error::Defaulted { name, span, default, place, uses } => {
                defaulted::defaulted((&name, span), default, place, &uses)
            }
            Error::Operator { sign, operator, ty, span, whole, hint } => {
                let message = format!("`{sign}` is not defined on `{ty}`");
                let error = Self::error(Code::OPERAND_TYPE, operator, message);
                let error = operand(error.label(format!("used on `{ty}`")), operator, span, &whole);
                match hint {
                    Some(hint) => error.help(hint),
                    None => error,
                }
            }
            Error::NotComparable { sign, operator, ty, span, part, hint } => {
                let message = format!("`{sign}` cannot compare values of type `{ty}`");
                let error = Self::error(Code::NOT_COMPARABLE, operator, message);
                let error = operand(error.label("compared here"), operator, span, &ty);
                let error = match part {
                    Some(part) => error.note(format!("`{part}` in it cannot be compared")),
                    None => error,
                };
                error.help(hint)
            }
            Error::NotAFunction { callee, ty, function, extra, given, takes } => {
                not_a_function(&callee, &ty, function, extra, (takes, given))
            }
            Error::SizeEscape { span, size, maker, made, of } => {
                size_escape(span, &size, maker.as_ref(), made, of)
            }
            Error::TypeEscape { span, name } => {
                Self::error(Code::TYPE_MISMATCH, span, format!("the type parameter `{name}` is needed outside its function"))
                    .label(format!("this is of type `{name}`"))
                    .help(format!("write the type that is meant, in place of the type parameter `'{name}`"))
            }
            Error::Pattern { span, pattern, ty } => {
                Self::error(Code::PATTERN_MISMATCH, span, format!("this pattern is for {pattern}, but the value is `{ty}`"))
                    .label(format!("matched with `{ty}`"))
                    .help("write a pattern of the value's type, or a name")
            }
            Error::Literal { span, value, ty, range: (low, high) } => {
                Self::error(Code::LITERAL_RANGE, span, format!("`{value}` does not fit in `{ty}`"))
                    .label(format!("this is `{ty}`"))
                    .note(format!("`{ty}` holds whole numbers from {low} to {high}"))
                    .help("give the literal a wider type, by a suffix or an annotation")
            }
            Error::FloatLiteral { span, value } => {
                Self::error(Code::LITERAL_RANGE, span, format!("`{value}` does not fit in `f32`"))
                    .label("this is `f32`")
                    .note("the largest `f32` is about 3.4e38")
                    .help("make it an `f64`; infinity is written `f32.inf`")
            }
            Error::Unannotated { name, span, missing, result, cycle } => {
                unannotated(&name, span, missing, result, &cycle)
            }
            Error::RecursiveValue { name, span } => {
                Self::error(Code::RECURSION, span, format!("the value `{name}` is defined by itself"))
                    .label("has no parameters, so it could never be computed")
                    .help("give it a parameter that gets smaller at each call")
            }
            Error::Entry { name, span, part, problem } => entry(&name, span, part, problem),
            Error::TypeTooLarge { span, deep } => type_too_large(span, deep),
            Error::SizeTooLarge { span, written } => sizes::too_large(span, written.as_deref()),
            Error::Infinite { span, var, ty } => {
                Self::error(Code::INFINITE_TYPE, span, "this would have a type that contains itself")
                    .label(format!("`{var}` would be `{ty}`"))
                    .help("is the function applied to itself, or to too few arguments?")
            }
            Error::StoredFunction { span, holder, ty } => {
                Self::error(Code::FUNCTION_IN_DATA, span, format!("{holder} cannot hold functions"))
                    .label(format!("this is `{ty}`"))
                    .help("is an argument missing? Functions can be passed as arguments, but not stored")
            }
            Error::ChosenFunction { span, word, ty } => {
                Self::error(Code::FUNCTION_IN_DATA, span, format!("{word} cannot choose between functions"))
                    .label(format!("this is `{ty}`"))
                    .help(if word == "an `if`" {
                        "choose inside the function: `\\x -> if c then f x else g x`"
                    } else {
                        "choose inside the function: `\\x -> match e case p -> f x case _ -> g x`"
                    })
            }
            Error::FunctionFromLoop { span, ty } => {
                Self::error(Code::FUNCTION_IN_DATA, span, "a loop cannot carry functions")
                    .label(format!("this is `{ty}`"))
                    .help("carry what the function is made of, and make the function in the body")
            }
            Error::LoopBound { span, ty } => {
                Self::error(Code::LOOP_BOUND, span, "a loop counts to an integer")
                    .label(format!("this is `{ty}`"))
                    .help("to go through the elements of an array, write `for x in xs do`")
            }
            Error::NoInitialValue { span, part, what } => {
                let message = "this loop has no initial value";
                Self::error(Code::LOOP_INIT, part, message)
                    .label(format!("{what} stands for no value"))
                    .also(span, "what is carried starts with the values of these names")
                    .help("write the initial value: `loop p = e for …`")
            }
            Error::LoopSize { init, body, needed, first, next } => {
                let message = format!(
                    "the body of this loop needs size `{needed}` in each step, which is not kept"
                );
                Self::error(Code::LOOP_SIZE, body, message)
                    .label(format!("after a step, the size is `{next}`"))
                    .also(init, format!("before the first step, the size is `{first}`"))
                    .help(format!("if the size is always `{needed}`, write `e :> [{needed}]t` in the body"))
            }
            Error::TypeArguments { name, span, declared, takes, given } => {
                type_arguments(&name, span, declared, takes, given)
            }
            Error::UnknownFieldType { name, span, all } => {
                let all: Vec<String> = all.iter().map(|name| format!("`.{name}`")).collect();
                Self::error(Code::UNKNOWN_SUBJECT, span, format!("`.{name}` is used on something whose type is not known"))
                    .label(format!("no annotation and no other use tells the type of what stands before {}", all.join(", ")))
                    .help(if name.starts_with(|c: char| c.is_ascii_digit()) {
                        "write its type where it is bound: `(p: (f64, f64))`"
                    } else {
                        "write its type where it is bound: `(p: {x: f64, y: f64})`"
                    })
            }
            Error::Undetermined { name, span, calls } => undetermined(span, &name, calls),
            Error::UnboundSize { name, span, pattern } => {
                Self::error(Code::UNBOUND_SIZE, span, format!("`{name}` is the size of nothing in this pattern"))
                    .label("named here")
                    .also(pattern, format!("no type here has the size `{name}`"))
                    .help(format!("write the type that has it, such as `let [{name}] xs: [{name}]i64 = …`"))
            }
            Error::UnusedSize { name, span, of, body } => {
                Self::error(Code::UNUSED_SIZE, span, format!("the type `{of}` does not use its size `{name}`"))
                    .label("declared here")
                    .also(body, format!("nothing in this has the size `{name}`"))
                    .help(format!("leave `[{name}]` out, or let an array have the size: `[{name}]t`"))
            }
            Error::BadSize { span, found } => {
                Self::error(Code::BAD_SIZE, span, format!("{found} cannot stand in a size"))
                    .label("not a size")
                    .help("sizes are made of names, whole numbers, `+`, `-` and `*`; bind anything else by `let` first")
            }
            Error::SizeType { span, name, ty, declared } => {
                Self::error(Code::BAD_SIZE, span, format!("a size is `i64`, but `{name}` is `{ty}`"))
                    .label("used as a size")
                    .also(declared, format!("`{name}` is bound here"))
                    .help(format!("make it `i64`, for example by `i64.{ty} {name}`"))
            }
            Error::MisplacedExists { span } => {
                Self::error(Code::MISPLACED_EXISTS, span, "`?[k]` can only stand before the result of a function")
                    .label("not a result")
                    .help("for a parameter, declare a size parameter: `def f [k] (xs: [k]f64)`; elsewhere write `[]` for a size to be found")
            }
            Error::IrregularElement { span, name, declared } => {
                Self::error(Code::MISPLACED_EXISTS, span, format!("an array cannot have elements of type `{name}`"))
                    .label("all elements of an array are of one size")
                    .also(declared, format!("each `{name}` may be of another size"))
                    .help("hold all of them in one array, and where each begins in another")
            }
            Error::MisplacedMark { span } => {
                Self::error(Code::MISPLACED_MARK, span, "`*` means nothing here")
                    .label("not the type of a whole parameter, result or name")
                    .note("`*` says of a parameter, of a result, or of what `let` or `loop` names that nobody else uses its arrays")
                    .fix("remove it", [(span, "")])
            }
            Error::RecursiveType { name, span } => {
                Self::error(Code::RECURSIVE_TYPE, span, format!("the type `{name}` is made of itself"))
                    .label("refers back to itself")
                    .help("hold a tree in flat arrays, with positions in the place of the parts")
            }
            Error::With(error) => error.into(),
            Error::UnknownSum { name, span, all } => sums::unknown_sum(&name, span, &all),
            Error::UnknownConstructor { name, span, sum, near } => {
                sums::unknown_constructor(&name, span, &sum, &near)
            }
            Error::Payloads { name, span, sum, takes, given } => {
                sums::payloads(&name, span, &sum, (takes, given))
            }
            Error::NotExhaustive { span, value, ty, missing } => {
                sums::not_exhaustive(span, value, &ty, missing)
            }
            Error::Unreachable { span, before } => sums::unreachable(span, &before),
            Error::Refutable { span, what, ty, missing } => {
                sums::refutable(span, what, &ty, missing)
            }
            Error::NotAnArray { span, ty, depth } => {
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
                Self::error(Code::TYPE_MISMATCH, span, message)
                    .label(label)
                    .help("only arrays have indices; a tuple's component is `t.0`, a record's field `r.x`")
            }
        }
    }
}

/// Adds the origin of a size; it replaces a label at the same place.
fn with_origin(mut error: Diagnostic, (span, text): super::Origin) -> Diagnostic {
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

/// Adds the names that were probably meant.
pub(super) fn suggest(error: Diagnostic, near: &[Name]) -> Diagnostic {
    let names: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => error,
        [one] => {
            let place = error.primary.as_ref().map(|label| label.span);
            let edit = place.map(|span| (span, near[0].to_string()));
            error.fix(format!("is {one} meant?"), edit)
        }
        [front @ .., last] => error.help(format!("is {} or {last} meant?", front.join(", "))),
    }
}

/// What the scalar types are called here, for their names in other languages.
pub(in crate::pass::infer) fn scalar_elsewhere(name: &str) -> Option<&'static str> {
    let whole = "whole numbers are `i8`, `i16`, `i32` and `i64`, or without a sign `u8` to `u64`";
    let floats = "floats are `f32` and `f64`";
    let is_sized = |letters: [char; 2]| {
        let bits = name.strip_prefix(letters).unwrap_or_default();
        !bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_digit())
    };
    match name {
        "int" | "Int" | "integer" | "Integer" | "long" | "short" | "uint" | "isize" | "usize"
        | "size_t" => Some(whole),
        "float" | "Float" | "double" | "Double" | "real" | "Real" => Some(floats),
        "boolean" | "Boolean" => Some("truth values are `bool`"),
        _ if is_sized(['i', 'u']) => Some(whole),
        _ if is_sized(['f', 'F']) => Some(floats),
        _ => None,
    }
}

/// Adds what an operator is used on.
fn operand(error: Diagnostic, operator: Span, span: Span, ty: &str) -> Diagnostic {
    if span == operator { error } else { error.also(span, format!("this is `{ty}`")) }
}

fn unknown_field(name: &Name, span: Span, ty: &str, near: &[Name], fields: &[Name]) -> Diagnostic {
    let error =
        Diagnostic::error(Code::UNDEFINED_FIELD, span, format!("`{ty}` has no field `{name}`"))
            .label("no such field");
    if !near.is_empty() {
        return suggest(error, near);
    }
    if fields.is_empty() {
        return error.help("only records and tuples have fields");
    }
    let fields: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
    error.help(format!("it has {}", fields.join(", ")))
}

fn unknown_module(
    name: &Name,
    span: Span,
    of: Option<Name>,
    declared: Option<Span>,
    near: &[Name],
) -> Diagnostic {
    let message = match (&of, declared) {
        (Some(module), _) => format!("the module `{module}` has no module `{name}`"),
        (None, Some(_)) => format!("`{name}` is a value, not a module"),
        (None, None) => format!("there is no module `{name}` here"),
    };
    let error = Diagnostic::error(Code::UNDEFINED_MODULE, span, message);
    match declared {
        Some(declared) => error
            .label("a module is needed here")
            .also(declared, "declared here")
            .help("a module is declared by `module m = { … }`"),
        None if near.is_empty() => error.label("unknown here").help(scalar_elsewhere(name).unwrap_or(
            "a module is declared by `module m = { … }` or `module m = import \"file\"`, before it is used",
        )),
        None => suggest(error.label("unknown here"), near),
    }
}

fn hole(span: Span, ty: &str, fits: &[Name]) -> Diagnostic {
    let message = format!("something of type `{ty}` is still to be written here");
    let error = Diagnostic::error(Code::HOLE, span, message).label(format!("should be `{ty}`"));
    let names: Vec<String> = fits.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => error.help("write an expression of this type"),
        [one] => error.help(format!("{one} has this type")),
        [first @ .., last] => {
            error.help(format!("of this type are {} and {last}", first.join(", ")))
        }
    }
}

fn not_a_function(
    callee: &super::Callee,
    ty: &str,
    function: Span,
    extra: Span,
    (takes, given): (usize, usize),
) -> Diagnostic {
    if takes == 0 {
        let message = match &callee.name {
            Some(name) => format!("`{name}` is {ty}, not a function"),
            None if ty.starts_with('`') => format!("a value of the type {ty} is not a function"),
            None => format!("{ty} is not a function"),
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

fn size_escape(
    span: Span,
    size: &str,
    maker: Option<&Name>,
    made: Span,
    of: Escaping,
) -> Diagnostic {
    let maker_label = match maker {
        Some(maker) => format!("`{maker}` makes the size `{size}` here"),
        None => format!("the size `{size}` is made here"),
    };
    let others = match of {
        Escaping::EachCall { callee } => {
            let message = "this function gives an array of another size at each call";
            let error = Diagnostic::error(Code::SIZE_ESCAPES, span, message)
                .label("used where every call must give the same size");
            let error = if made == span { error } else { error.also(made, maker_label) };
            // These make an array of the results, which is why they must be of one size.
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
                Some(name) if !MAPS.contains(&name.as_str()) => error.help(format!(
                    "`{name}` asks for a function whose results all have one size; give it one, or declare \
                     the parameter with a result of any size: `-> ?[k].[k]t`"
                )),
                Some(_) | None => error.help(
                    "the elements of an array all have one size; reduce each row to a scalar, or give all \
                     rows the same size",
                ),
            };
        }
        Escaping::Early(others) => others,
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
