//! The messages about mistakes in the text.
//!
//! Invariant: a message says what was found, in words; the help says what to do.
//!
//! ```text
//! MissingEquals   ⇒   error[A0108]: the `=` between a name and its meaning is missing
//! ```

use super::error::{SyntaxError, UnclosedEvidence};
use super::expected::{Expected, ExpectedItem};
use super::number::NumberProblem;
use super::pending_keywords::AwaitedKeyword;
use super::text;
use super::token::{Bracket, Keyword};
use crate::diagnostics::{Code, Diagnostic, Help};
use crate::prim::Scalar;
use crate::source::Span;

impl From<SyntaxError> for Diagnostic {
    fn from(error: SyntaxError) -> Self {
        match error {
            SyntaxError::Unexpected { at, found, expected } => {
                unexpected(at, found.as_deref(), expected)
            }
            SyntaxError::BodyAlone { at } => body_alone(at),
            SyntaxError::DefinitionWithoutWord { at } => definition_without_word(at),
            SyntaxError::Unclosed { open, bracket, noticed, by, close } => {
                unclosed(open, bracket, (noticed, by), close)
            }
            SyntaxError::MissingWord { word, begin, at, next } => {
                missing_word(word, begin, at, next)
            }
            SyntaxError::Conflict { first, between, last } => conflict(first, between, last),
            SyntaxError::Unopened { at, bracket, more } => unopened(at, bracket, &more),
            SyntaxError::Number { at, problem } => number(at, &problem),
            SyntaxError::Stray { at, found } => stray(at, found),
            SyntaxError::OpenText { at } => open_text(at),
            SyntaxError::ThreeQuotes { at, is_comment, edits } => {
                three_quotes(at, is_comment, edits)
            }
            SyntaxError::Escape { at, escape } => bad_escape(at, &escape),
            SyntaxError::TooDeep { at } => too_deep(at),
            SyntaxError::LetWithoutBody { binding, at } => let_without_body(binding, at),
            SyntaxError::MissingEquals { at, found } => missing_equals(at, found.as_deref()),
            SyntaxError::IncompleteIf { condition, at, missing } => {
                incomplete_if(condition, at, missing)
            }
        }
    }
}

fn unexpected(at: Span, found: Option<&str>, expected: Expected) -> Diagnostic {
    if found == Some("let") && expected == Expected::only(ExpectedItem::Declaration) {
        return body_alone(at);
    }
    let found_words = found_words(found);
    let message = match expected.words() {
        Some(words) => format!("expected {words}, found {found_words}"),
        None => format!("{found_words} cannot stand here"),
    };
    let label = match found {
        Some(_) => "this cannot stand here",
        None => "something is missing here",
    };
    let diagnostic = Diagnostic::error(Code::SYNTAX, at, message).label(label);
    match found.and_then(|found| advice(found, expected)) {
        Some(advice) => diagnostic.help(advice),
        None => diagnostic,
    }
}

fn definition_without_word(at: Span) -> Diagnostic {
    Diagnostic::error(Code::SYNTAX, at, "this definition has no `def` before it")
        .label("a definition seems to begin here")
        .fix("put `def` before its name", [(at.before(), "def ")])
}

fn body_alone(at: Span) -> Diagnostic {
    Diagnostic::error(Code::SYNTAX, at, "this `let … in …` belongs to no definition")
        .label("an expression begins here, where a declaration is expected")
        .help("write before it what it defines, such as `def f (x: i64): i64 =`")
}

/// The token that was found, in words.
fn found_words(found: Option<&str>) -> String {
    match found {
        None => "the end of the declaration".to_owned(),
        Some(text) if Keyword::from_word(text).is_some() => {
            format!("the keyword `{text}`")
        }
        Some(text) => format!("`{text}`"),
    }
}

/// What to do about `found`, where mistakes of that kind are common.
fn advice(found: &str, expected: Expected) -> Option<&'static str> {
    let operand = expected.has(ExpectedItem::Expression) || expected.has(ExpectedItem::Argument);
    let name =
        [ExpectedItem::Name, ExpectedItem::Field, ExpectedItem::Pattern, ExpectedItem::Parameter]
            .into_iter()
            .any(|what| expected.has(what));
    Some(match found {
        "for" | "while" if expected.has(ExpectedItem::Pattern) => {
            "a loop carries a value: `loop x = 0 for i < n do …`"
        }
        _ if name && !expected.has(ExpectedItem::Arrow) && Keyword::from_word(found).is_some() => {
            "a keyword cannot be a name; take another one"
        }
        _ if expected.has(ExpectedItem::Generator) || expected.has(ExpectedItem::Below) => {
            "a with-loop is `with { (lower <= i < upper) : element; … } : operation`"
        }
        _ if expected.has(ExpectedItem::OpenRound) => {
            "an operation is `genarray (shape, default)`, `modarray a` or `fold (op, neutral)`"
        }
        "step" if expected.has(ExpectedItem::CloseRound) => "`step` stands before `width`",
        "//" | "/*" | "#" => "a comment begins with `--`",
        _ if expected.has(ExpectedItem::Declaration) && found.starts_with('#') => {
            "a comment begins with `--`"
        }
        _ if expected.has(ExpectedItem::Declaration) => {
            "a file is a list of definitions, such as `def inc (x: i64): i64 = x + 1`"
        }
        "\\" if expected.has(ExpectedItem::Argument) => {
            "put the function in parentheses: `(\\x -> …)`"
        }
        "if" | "let" | "match" if expected.has(ExpectedItem::Argument) => {
            "put this argument in parentheses"
        }
        "_" if operand => "`_` is a pattern; an expression needs a name",
        _ if operand && found.starts_with('\'') => {
            "a text stands in double quotes, `\"abc\"`; in single quotes stands one character, `'a'`"
        }
        "=" if expected.has(ExpectedItem::Argument) => {
            "`=` defines a name; `==` compares two values"
        }
        "->" if expected.has(ExpectedItem::Argument) => {
            "a function without a name begins with `\\`: `\\x -> …`"
        }
        "," if expected.has(ExpectedItem::Argument) => "a tuple stands in parentheses: `(a, b)`",
        "," if operand => "something is missing before the comma",
        _ if operand && found.starts_with(super::lexer::is_operator_char) => {
            "an operator stands between two values; the one before it is missing"
        }
        "in" if expected.has(ExpectedItem::Argument) => {
            "there is no `let` that this `in` belongs to"
        }
        "then" | "else" if expected.has(ExpectedItem::Argument) => {
            "there is no `if` that this belongs to"
        }
        "case" if expected.has(ExpectedItem::Argument) => {
            "there is no `match` that this `case` belongs to"
        }
        "[" if expected.has(ExpectedItem::Parameter) => {
            "size parameters such as `[n]` come before the other parameters"
        }
        _ if expected.has(ExpectedItem::Parameter) || expected.has(ExpectedItem::Pattern) => {
            "a parameter is a name, `_`, or in brackets: `(x: i64)`, `(a, b)`, `{x, y}`"
        }
        _ => return None,
    })
}

fn unclosed(
    open: Span,
    bracket: Bracket,
    (noticed, by): (Span, UnclosedEvidence),
    close: Option<Span>,
) -> Diagnostic {
    let noticed_text = match by {
        UnclosedEvidence::Bracket(other) => format!("`{}` cannot close it", other.close()),
        UnclosedEvidence::Word(word) if word == "let" => "here the next binding begins".to_owned(),
        UnclosedEvidence::Word(word) => format!("`{word}` cannot stand inside it"),
        UnclosedEvidence::Declaration => "here the next declaration begins".to_owned(),
        UnclosedEvidence::End => "here the declaration ends".to_owned(),
        UnclosedEvidence::FileEnd => "here the file ends".to_owned(),
    };
    let sign = bracket.close();
    let message = format!("this `{}` is never closed", bracket.open());
    let error = Diagnostic::error(Code::UNCLOSED_BRACKET, open, message)
        .label("opened here")
        .also(noticed, noticed_text);
    match close {
        Some(at) => error.fix("close it where it probably ends", [(at, sign.to_string())]),
        None => error.help(match bracket {
            Bracket::Round => "add `)` where it should end",
            Bracket::Square => "add `]` where it should end",
            Bracket::Curly => "add `}` where it should end",
        }),
    }
}

fn missing_word(word: AwaitedKeyword, begin: Span, at: Span, next: Span) -> Diagnostic {
    match word {
        AwaitedKeyword::Then => {
            Diagnostic::error(Code::INCOMPLETE_IF, next, "this `if` has no `then`")
                .label("the value if the condition holds seems to begin here")
                .also(begin, "the `if` begins here")
                .fix("put `then` before it", [(next.before(), "then ")])
        }
        AwaitedKeyword::Equals => missing_equals_at(at)
            .label("`=` is missing here")
            .also(next, "the definition's body seems to begin here")
            .fix("put `=` between them", [(at, " =")]),
        AwaitedKeyword::In
        | AwaitedKeyword::Each
        | AwaitedKeyword::Else
        | AwaitedKeyword::Do
        | AwaitedKeyword::Update => {
            Diagnostic::error(Code::LET_WITHOUT_BODY, next, "the `in` of this `let` is missing")
                .label("what is computed with the name seems to begin here")
                .also(begin, "the binding begins here")
                .fix("put `in` before it", [(next.before(), "in ")])
        }
    }
}

fn conflict(first: Span, between: Span, last: Span) -> Diagnostic {
    Diagnostic::error(Code::CONFLICT, first, "there are two versions of these lines")
        .label("the first version is between this mark …")
        .also(between, "… and this one; the second one begins here …")
        .also(last, "… and ends here")
        .note("the marks are those of a version control system that could not merge two changes")
        .help("keep the lines that are wanted, and remove the marks")
}

fn unopened(at: Span, bracket: Bracket, more: &[(Span, Bracket)]) -> Diagnostic {
    let (open, close) = (bracket.open(), bracket.close());
    let all_same = more.iter().all(|(_, other)| *other == bracket);
    let count = more.len() + 1;
    let (message, help) = match (count, all_same) {
        (1, _) => (
            format!("this `{close}` closes nothing"),
            format!("remove it, or add the `{open}` that it should close"),
        ),
        (_, true) => (
            format!("these {count} `{close}` close nothing"),
            format!("remove them, or add each `{open}` that they should close"),
        ),
        (_, false) => (
            format!("these {count} brackets close nothing"),
            "remove them, or add those that they should close".to_owned(),
        ),
    };
    let edits = std::iter::once(at).chain(more.iter().map(|(span, _)| *span));
    let last = more.last().map_or(at, |(last, _)| *last);
    let label = if all_same {
        format!("no `{open}` is open here")
    } else {
        "nothing is open here".to_owned()
    };
    Diagnostic::error(Code::UNOPENED_BRACKET, at.to(last), message)
        .label(label)
        .fix(help, edits.map(|span| (span, "")))
}

fn number(at: Span, problem: &NumberProblem) -> Diagnostic {
    const SUFFIXES: &str = "a number can end in i8, i16, i32, i64, u8, u16, u32, u64, f32 or f64";
    let (message, help) = match problem {
        NumberProblem::Suffix { suffix } => {
            (format!("`{suffix}` is no type of numbers"), Help::words(SUFFIXES))
        }
        NumberProblem::IntegerSuffix { suffix } => (
            format!("a number with a fraction or an exponent cannot be of type {suffix}"),
            Help::words("write the number without them, or convert it: `i64.f64 …`"),
        ),
        NumberProblem::Digit { digit, radix } => {
            (format!("`{digit}` is no {radix} digit"), Help::words("binary digits are 0 and 1"))
        }
        NumberProblem::NoDigits { prefix } => (
            format!("`{prefix}` without digits is no number"),
            Help::naming("add digits after {}", [prefix]),
        ),
        NumberProblem::NoExponent => (
            "a hexadecimal fraction has digits, and an exponent after a `p`".to_owned(),
            Help::words("12 is written `0x1.8p3`: 1 and 8 sixteenths, times 2 to the power 3"),
        ),
        NumberProblem::TooLarge => (
            "no type of numbers can hold this value".to_owned(),
            Help::words(
                "the largest integer type is u64; a float has a fraction or an exponent: `1e30`",
            ),
        ),
        NumberProblem::FloatTooLarge { ty } => (
            format!("this number is too large for `{ty}`"),
            Help::words(if *ty == Scalar::F32 {
                "the largest `f32` is about 3.4e38; infinity is written `f32.inf`"
            } else {
                "the largest `f64` is about 1.8e308; infinity is written `f64.inf`"
            }),
        ),
    };
    Diagnostic::error(Code::INVALID_NUMBER, at, message).label("in this number").advise(help)
}

fn stray(at: Span, found: char) -> Diagnostic {
    if let Some(sign) = text::lookalike(found) {
        let message = format!("`{found}` is not a sign of the language");
        return Diagnostic::error(Code::STRAY_CHARACTER, at, message)
            .label("here")
            .fix(format!("write `{sign}`"), [(at, sign)]);
    }
    let (message, help) = match found {
        '#' => ("`#` without a name has no meaning".to_owned(), "a constructor is written `#some`"),
        ';' => ("`;` has no meaning".to_owned(), "lines and bindings need no mark at their end"),
        '`' => (
            "a single quote mark `` ` `` has no meaning".to_owned(),
            "between operands, write `` a `f` b ``",
        ),
        '\'' => {
            ("`'` without a name has no meaning".to_owned(), "a type parameter is written `'a`")
        }
        '$' => (
            "`$` has no meaning".to_owned(),
            "to apply a function to all that follows, write `f <| e`",
        ),
        found if found.is_alphabetic() => (
            format!("`{found}` cannot be in a name"),
            "names are made of the letters a to z and A to Z, digits, `_` and `'`",
        ),
        found if found.is_control() || is_unseen(found) => {
            (format!("the character U+{:04X} has no meaning", u32::from(found)), "remove it")
        }
        found => (format!("`{found}` has no meaning"), "remove it"),
    };
    Diagnostic::error(Code::STRAY_CHARACTER, at, message).help(help)
}

/// Whether a character shows nothing, and may turn the direction of the text around it.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
        || matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}')
}

fn three_quotes(at: Span, is_comment: bool, edits: Vec<(Span, &str)>) -> Diagnostic {
    let (message, help) = if is_comment {
        ("a comment begins with `--`, and ends with its line", "begin each line of it with `--`")
    } else {
        (
            "a text stands between single quotation marks, in one line",
            "write `\"…\"`, with `\\n` for the end of a line in it",
        )
    };
    Diagnostic::error(Code::SYNTAX, at, message).label("begins here").fix(help, edits)
}

fn open_text(at: Span) -> Diagnostic {
    Diagnostic::error(Code::SYNTAX, at, "this text is never closed")
        .label("begins here, and its line has no other `\"`")
        .help("add `\"` where the text should end; write `\\n` for the end of a line in it")
}

fn bad_escape(at: Span, escape: &str) -> Diagnostic {
    Diagnostic::error(Code::SYNTAX, at, format!("`{escape}` means nothing in a text"))
        .label("no escape of the language")
        .help("escapes are `\\n`, `\\t`, `\\r`, `\\0`, `\\\\`, `\\\"`, `\\'`, `\\x41` and `\\u{e9}`; a backslash itself is `\\\\`")
}

fn too_deep(at: Span) -> Diagnostic {
    Diagnostic::error(Code::TOO_DEEP, at, "this declaration is nested too deeply")
        .label("this is the phrase that goes too far")
        .note(format!(
            "at most {} brackets and {} operators, bindings and branches may stand in one another",
            super::brackets::MAX_BRACKETS,
            super::brackets::MAX_DEPTH
        ))
        .help("give parts of it a name of their own with `def`")
}

fn let_without_body(binding: Span, at: Span) -> Diagnostic {
    Diagnostic::error(Code::LET_WITHOUT_BODY, at, "this `let` has no body")
        .label("`in` and an expression are missing here")
        .also(binding, "the binding begins here")
        .help("say what to compute with the name: `let x = … in …`")
}

fn missing_equals_at(at: Span) -> Diagnostic {
    Diagnostic::error(Code::MISSING_EQUALS, at, "the `=` between a name and its meaning is missing")
}

fn missing_equals(at: Span, found: Option<&str>) -> Diagnostic {
    let help = match found {
        Some("->") => "the type of the result stands behind a colon: `def f (x: i64): i64 = …`",
        Some(",") => "each parameter with a type has parentheses of its own: `(x: i64) (y: i64)`",
        _ => {
            "a definition is `def name parameters: type = expression`, and a binding `let name = expression`"
        }
    };
    missing_equals_at(at).label(format!("expected `=`, found {}", found_words(found))).help(help)
}

fn incomplete_if(condition: Span, at: Span, missing: &str) -> Diagnostic {
    Diagnostic::error(Code::INCOMPLETE_IF, at, format!("this `if` has no `{missing}`"))
        .label(format!("`{missing}` is missing here"))
        .also(condition, "the `if` begins here")
        .help("every `if` has a value on both sides: `if … then … else …`")
}
