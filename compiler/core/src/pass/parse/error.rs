//! Mistakes in the text, and how the user is told of them.
//!
//! Invariant: a message says what was found, in words; the help says what to do.
//!
//! ```text
//! def f (x: i64) x + 1   ⇒   error[A0108]: the `=` before the body of this definition is missing
//! ```

use super::expected::{Expected, What};
use super::number::NumberProblem;
use super::token::{Bracket, Keyword};
use crate::diagnostics::{Code, Diagnostic};
use crate::prim::Scalar;
use crate::source::Span;

/// A mistake in the text.
#[derive(Clone, Debug)]
pub(super) enum SyntaxError {
    /// Something that cannot stand there.
    Unexpected {
        /// Where.
        at: Span,
        /// The text of the token; none at the end of the declaration.
        found: Option<String>,
        /// What could stand there.
        expected: Expected,
    },
    /// A bracket that nothing closes.
    Unclosed {
        /// The opening bracket.
        open: Span,
        /// Its shape.
        bracket: Bracket,
        /// Where it was noticed: a closing bracket, the next declaration or the end.
        noticed: Span,
        /// The bracket that was met there, if it was one.
        instead: Option<Bracket>,
    },
    /// A bracket that closes nothing.
    Unopened {
        /// The closing bracket.
        at: Span,
        /// Its shape.
        bracket: Bracket,
    },
    /// A number that is none.
    Number {
        /// Where.
        at: Span,
        /// What is wrong with it.
        problem: NumberProblem,
    },
    /// A character that begins no token.
    Stray {
        /// Where.
        at: Span,
        /// The character.
        found: char,
    },
    /// A text that nothing closes in its line.
    OpenText {
        /// From the quote to the end of the line.
        at: Span,
    },
    /// A backslash in a text that means nothing.
    Escape {
        /// Where.
        at: Span,
        /// It, and what follows.
        escape: String,
    },
    /// A module with parameters, or a type of modules.
    ParametricModule {
        /// Where the word or the parameter stands.
        at: Span,
        /// What it is, in words.
        what: &'static str,
    },
    /// Brackets, operators or `let`s stand in one another more often than the compiler follows.
    TooDeep {
        /// Where the limit was reached.
        at: Span,
    },
    /// A `let` without `in`.
    LetWithoutBody {
        /// The word `let`.
        binding: Span,
        /// Where the body should begin.
        at: Span,
    },
    /// A definition or binding without `=`.
    MissingEquals {
        /// Where it should stand.
        at: Span,
        /// What stands there.
        found: Option<String>,
    },
    /// An `if` without `then` or `else`.
    IncompleteIf {
        /// The word `if`.
        condition: Span,
        /// Where the missing word should stand.
        at: Span,
        /// `then` or `else`.
        missing: &'static str,
    },
}

impl SyntaxError {
    /// The error for a token that cannot stand at `at`: the text of it, or none at the end of the
    /// declaration.
    pub(super) fn unexpected(at: Span, found: Option<&str>, expected: Expected) -> Self {
        let found = found.map(str::to_owned);
        let begins_body = found.as_ref().is_none_or(|text| {
            matches!(text.as_str(), "let" | "if" | "in" | "\\" | "->")
                || text.starts_with(super::lexer::is_operator_char)
        });
        let begins_body = expected.has(What::Equals) && expected.has(What::Colon) && begins_body;
        if expected == Expected::only(What::Equals) || begins_body {
            return Self::MissingEquals { at, found };
        }
        Self::Unexpected { at, found, expected }
    }

    /// The place the error is about.
    pub(super) fn place(&self) -> Span {
        match self {
            Self::Unexpected { at, .. }
            | Self::Unopened { at, .. }
            | Self::Number { at, .. }
            | Self::Stray { at, .. }
            | Self::OpenText { at }
            | Self::Escape { at, .. }
            | Self::ParametricModule { at, .. }
            | Self::TooDeep { at }
            | Self::LetWithoutBody { at, .. }
            | Self::MissingEquals { at, .. }
            | Self::IncompleteIf { at, .. } => *at,
            Self::Unclosed { open, .. } => *open,
        }
    }
}

impl From<SyntaxError> for Diagnostic {
    fn from(error: SyntaxError) -> Self {
        match error {
            SyntaxError::Unexpected { at, found, expected } => {
                unexpected(at, found.as_deref(), expected)
            }
            SyntaxError::Unclosed { open, bracket, noticed, instead } => {
                unclosed(open, bracket, noticed, instead)
            }
            SyntaxError::Unopened { at, bracket } => unopened(at, bracket),
            SyntaxError::Number { at, problem } => number(at, &problem),
            SyntaxError::Stray { at, found } => stray(at, found),
            SyntaxError::OpenText { at } => open_text(at),
            SyntaxError::Escape { at, escape } => bad_escape(at, &escape),
            SyntaxError::ParametricModule { at, what } => parametric_module(at, what),
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

/// What was found, in words.
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
    let operand = expected.has(What::Expression) || expected.has(What::Argument);
    let name = [What::Name, What::Field, What::Pattern, What::Parameter]
        .into_iter()
        .any(|what| expected.has(what));
    Some(match found {
        _ if name && Keyword::from_word(found).is_some() => {
            "a keyword cannot be a name; take another one"
        }
        "let" if expected.has(What::Declaration) => {
            "at the top of a file, write `def` instead of `let`; as an argument, put it in parentheses"
        }
        _ if expected.has(What::Declaration) => {
            "a file is a list of definitions, such as `def inc (x: i64): i64 = x + 1`"
        }
        "\\" if expected.has(What::Argument) => "put the function in parentheses: `(\\x -> …)`",
        "if" | "let" | "match" if expected.has(What::Argument) => {
            "put this argument in parentheses"
        }
        "_" if operand => "`_` is a pattern; an expression needs a name",
        "=" if expected.has(What::Argument) => "`=` defines a name; `==` compares two values",
        "->" if expected.has(What::Argument) => {
            "a function without a name begins with `\\`: `\\x -> …`"
        }
        "," if operand => "a tuple stands in parentheses: `(a, b)`",
        "in" if expected.has(What::Argument) => "there is no `let` that this `in` belongs to",
        "then" | "else" if expected.has(What::Argument) => "there is no `if` that this belongs to",
        "case" if expected.has(What::Argument) => "there is no `match` that this `case` belongs to",
        "[" if expected.has(What::Parameter) => {
            "size parameters such as `[n]` come before the other parameters"
        }
        _ if expected.has(What::Parameter) || expected.has(What::Pattern) => {
            "a parameter is a name, `_`, or in brackets: `(x: i64)`, `(a, b)`, `{x, y}`"
        }
        "case" | "do" | "for" | "while" if operand => {
            "the language keeps this word for itself; take another name"
        }
        _ => return None,
    })
}

fn unclosed(open: Span, bracket: Bracket, noticed: Span, instead: Option<Bracket>) -> Diagnostic {
    let close = bracket.close();
    let noticed_text = match instead {
        Some(other) => format!("`{}` cannot close it", other.close()),
        None if noticed.start == noticed.end => "here the declaration ends".to_owned(),
        None => "here the next declaration begins".to_owned(),
    };
    Diagnostic::error(
        Code::UNCLOSED_BRACKET,
        open,
        format!("this `{}` is never closed", bracket.open()),
    )
    .label("opened here")
    .also(noticed, noticed_text)
    .help(format!("add `{close}` where the bracket should end"))
}

fn unopened(at: Span, bracket: Bracket) -> Diagnostic {
    let (open, close) = (bracket.open(), bracket.close());
    Diagnostic::error(Code::UNOPENED_BRACKET, at, format!("this `{close}` closes nothing"))
        .label(format!("no `{open}` is open here"))
        .help(format!("remove it, or add the `{open}` that it should close"))
}

fn number(at: Span, problem: &NumberProblem) -> Diagnostic {
    const SUFFIXES: &str = "a number can end in i8, i16, i32, i64, u8, u16, u32, u64, f32 or f64";
    let (message, help) = match problem {
        NumberProblem::Suffix { suffix } => {
            (format!("`{suffix}` is no type of numbers"), SUFFIXES.to_owned())
        }
        NumberProblem::IntegerSuffix { suffix } => (
            format!("a number with a fraction or an exponent cannot be of type {suffix}"),
            format!("write the number without them, or convert it: `{suffix}.f64 …`"),
        ),
        NumberProblem::Digit { digit, radix } => {
            (format!("`{digit}` is no {radix} digit"), format!("{radix} digits are 0 and 1"))
        }
        NumberProblem::NoDigits { prefix } => (
            format!("`{prefix}` without digits is no number"),
            format!("add digits after `{prefix}`"),
        ),
        NumberProblem::NoExponent => (
            "a hexadecimal fraction has digits, and an exponent after a `p`".to_owned(),
            "12 is written `0x1.8p3`: 1 and 8 sixteenths, times 2 to the power 3".to_owned(),
        ),
        NumberProblem::TooLarge => (
            "no type of numbers can hold this value".to_owned(),
            "the largest integer type is u64; a float has a fraction or an exponent: `1e30`"
                .to_owned(),
        ),
        NumberProblem::FloatTooLarge { ty } => (
            format!("this number is too large for `{ty}`"),
            format!("{}; infinity is written `{ty}.inf`", largest_float(*ty)),
        ),
    };
    Diagnostic::error(Code::INVALID_NUMBER, at, message).label("in this number").help(help)
}

/// How far the floats of a type go.
fn largest_float(ty: Scalar) -> String {
    let largest = if ty == Scalar::F32 { "3.4e38" } else { "1.8e308" };
    format!("the largest `{ty}` is about {largest}")
}

fn stray(at: Span, found: char) -> Diagnostic {
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

fn parametric_module(at: Span, what: &str) -> Diagnostic {
    Diagnostic::error(Code::PARAMETRIC_MODULE, at, format!("modules have no {what} here"))
        .label("only `module name = …` can be declared")
        .help("pass functions as parameters instead: `def f 'a (less: a -> a -> bool) …`")
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

fn missing_equals(at: Span, found: Option<&str>) -> Diagnostic {
    Diagnostic::error(Code::MISSING_EQUALS, at, "the `=` between a name and its meaning is missing")
        .label(format!("expected `=`, found {}", found_words(found)))
        .help("a definition is `def name parameters: type = expression`, and a binding `let name = expression`")
}

fn incomplete_if(condition: Span, at: Span, missing: &str) -> Diagnostic {
    Diagnostic::error(Code::INCOMPLETE_IF, at, format!("this `if` has no `{missing}`"))
        .label(format!("`{missing}` is missing here"))
        .also(condition, "the `if` begins here")
        .help("every `if` has a value on both sides: `if … then … else …`")
}
