//! Errors in test blocks, each with its diagnostic.

use arrc_fusion::clusters::Strategy;
use arrc_syntax::diagnostics::{Code, Diagnostic, nearest};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

use super::parse::DIRECTIVES;
use super::{Count, Word};

/// An error in a test block.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum TestError {
    /// A brace is opened and not closed before the block ends, or before a second one is opened.
    Unclosed { open: Span, second: Option<Span> },
    /// A brace must stand here.
    NoBrace { at: Span, found: Option<Word> },
    /// A word that cannot begin a line.
    Directive { word: Word },
    /// A word that is not the name of a counter.
    Count { word: Word },
    /// A word that is not a number.
    Number { word: Word },
    /// Something is missing.
    Missing { after: Word, what: &'static str },
    /// A certain word is missing.
    Keyword { after: Word, keyword: &'static str },
    /// An output without an input.
    NoInput { word: Word },
    /// A program that must not compile has other tests as well.
    NotAlone { error: Span, other: Span },
    /// An invalid regular expression.
    Regex { pattern: Word, problem: String },
    /// An entry that the program does not have.
    Entry { entry: Word, entries: Vec<Name> },
    /// A block that the program does not have.
    Block { block: Word, blocks: Vec<Name> },
    /// A test has too many or too few values.
    Arity { span: Span, entry: String, what: Arity, wanted: Vec<String>, found: usize },
    /// An expression of a script that cannot be read.
    Script { span: Span, problem: String },
    /// An entry that is no property.
    Property { span: Span, problem: String },
    /// A value does not fit its type.
    Value { span: Span, ty: String, name: String, problem: String },
}

/// The kind of values of which there are too many or too few.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arity {
    /// The arguments.
    Inputs,
    /// The results.
    Outputs,
}

impl TestError {
    /// The diagnostic that the user sees.
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        match self {
            Self::Unclosed { open, second } => unclosed(*open, *second),
            Self::NoBrace { at, found } => no_brace(*at, found.as_ref()),
            Self::Directive { word } => directive(word),
            Self::Count { word } => {
                let message = format!("`{}` is nothing that can be counted", word.text);
                let known = Count::ALL.map(Count::name);
                let help = near_or(&word.text, &known, "what can be counted:");
                Diagnostic::error(Code::TEST_WORD, word.span, message).label("here").instruct(help)
            }
            Self::Number { word } => {
                let message = format!("`{}` is no number", word.text);
                Diagnostic::error(Code::TEST_WORD, word.span, message)
                    .label("a number was expected here")
                    .help("say how many there are, as in `structure { clusters 2 }`")
            }
            Self::Missing { after, what } => {
                let message = format!("{what} is missing after `{}`", after.text);
                Diagnostic::error(Code::TEST_ORDER, after.span, message).instruct(example(&after.text))
            }
            Self::Keyword { after, keyword } => {
                let message = format!("`{keyword}` is missing after `{}`", after.text);
                Diagnostic::error(Code::TEST_ORDER, after.span, message)
                    .instruct(format!("write `{} {keyword}`", after.text))
            }
            Self::NoInput { word } => {
                let message = format!("`{}` without an input", word.text);
                Diagnostic::error(Code::TEST_ORDER, word.span, message)
                    .label("there is no call before it whose results these could be")
                    .help("write `input { … }` before it, with one value for each argument; `input { }` for none")
            }
            Self::NotAlone { error, other } => Diagnostic::error(
                Code::TEST_ORDER,
                *error,
                "a program that must not compile cannot have other tests",
            )
            .label("the program has to be rejected")
            .also(*other, "this test needs the program")
            .help("write `input { … }` before `error:` if the error is one at run time, or move the other tests to a file of their own"),
            Self::Regex { pattern, problem } => {
                let reason = problem.lines().last().unwrap_or_default().trim_start_matches("error: ");
                Diagnostic::error(Code::TEST_REGEX, pattern.span, "this is no regular expression")
                    .label(reason)
                    .help("write a backslash before characters that are meant as they stand, such as `\\(`")
            }
            Self::Entry { entry, entries } => subject("entry", "entries", entry, entries),
            Self::Block { block, blocks } => {
                subject("block with combinators", "blocks", block, blocks)
            }
            Self::Arity { span, entry, what, wanted, found } => {
                arity(*span, entry, *what, wanted, *found)
            }
            Self::Script { span, problem } => {
                Diagnostic::error(Code::TEST_VALUE, *span, "this script cannot be read")
                    .label(problem.clone())
                    .help("a script is a call of entries, such as `script input { iota_of (half 10i64) }`, a literal, a tuple, a record, or `let x = … in …`")
            }
            Self::Property { span, problem } => {
                Diagnostic::error(Code::TEST_SUBJECT, *span, "this is no property")
                    .label(problem.clone())
                    .help("a property is an entry such as `#[prop] entry p (x: []i64): bool = …`; `#[prop(gen(f), shrink(g), size(10))]` names the entries that make values and smaller ones, and their size")
            }
            Self::Value { span, ty, name, problem } => {
                Diagnostic::error(Code::TEST_VALUE, *span, format!("a value does not fit `{name}: {ty}`"))
                    .label(problem.clone())
                    .help("values are literals such as `2.5`, `[1, 2]`, `empty([0]f64)`, or files such as `@data.npy` and `@data.csv:column`")
            }
        }
    }
}

fn unclosed(open: Span, second: Option<Span>) -> Diagnostic {
    let error = Diagnostic::error(Code::TEST_BRACE, open, "this `{` is never closed")
        .label("opened here")
        .help("add `}` where the values end");
    match second {
        Some(second) => error.also(second, "another one is opened before it is closed"),
        None => error.note("a test block ends with the comment that it stands in"),
    }
}

fn no_brace(at: Span, found: Option<&Word>) -> Diagnostic {
    let message = match found {
        Some(word) => format!("`{{` was expected, but `{}` was found", word.text),
        None => "`{` was expected, but the test block ends".to_string(),
    };
    Diagnostic::error(Code::TEST_BRACE, found.map_or(at, |word| word.span), message)
        .label("here")
        .help("values stand in braces, as in `input { [1, 2] 3 }`; a file stands behind `@`, as in `input @ data.npy`")
}

fn directive(word: &Word) -> Diagnostic {
    let message = format!("`{}` begins nothing in a test block", word.text);
    let error = Diagnostic::error(Code::TEST_WORD, word.span, message).label("here");
    match word.text.as_str() {
        "{" => error.help("write `input` or `output` before the brace"),
        text => error
            .instruct(near_or(text, &DIRECTIVES, "what can stand here:"))
            .note("the block goes on up to the first line that is no comment"),
    }
}

/// The names that are probably meant, or all names.
fn near_or(word: &str, known: &[&'static str], all: &str) -> String {
    let names: Vec<Name> = known.iter().map(|&name| Name::from(name)).collect();
    let near = nearest(word, &names);
    match near.as_slice() {
        [] => format!("{all} {}", quoted(known.iter())),
        near => format!("did you mean {}?", alternatives(near)),
    }
}

fn quoted(names: impl Iterator<Item = impl std::fmt::Display>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn alternatives(names: &[Name]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
}

/// An example of how to complete a line that begins with this word.
fn example(word: &str) -> String {
    match word {
        "entry:" => "name one or several entries, as in `entry: total`".to_string(),
        "link:" => "name the file that defines the externals, as in `link: median.c`".to_string(),
        "@" => "name the file on the same line, as in `input @ data.npy`".to_string(),
        _ => {
            let strategies: Vec<_> = Strategy::ALL.into_iter().map(Strategy::name).collect();
            format!(
                "say how many there are, as in `structure {{ {word} 2 }}`, or for one strategy of {}",
                quoted(strategies.iter())
            )
        }
    }
}

fn subject(what: &str, plural: &str, word: &Word, known: &[Name]) -> Diagnostic {
    let error = Diagnostic::error(
        Code::TEST_SUBJECT,
        word.span,
        format!("the program has no {what} `{}`", word.text),
    )
    .label("it is tested here");
    let near = nearest(&word.text, known);
    if !near.is_empty() {
        return error.instruct(format!("did you mean {}?", alternatives(&near)));
    }
    if known.is_empty() {
        return error.help("write `entry` instead of `def` before the functions that are tested");
    }
    let error = error.note(format!("its {plural} are {}", quoted(known.iter())));
    if what == "entry" {
        error.help("name the tested entry in the test block, as in `-- entry: total`; without a name, it is `main`")
    } else {
        error.help("name one of them, or an entry, as in `-- structure total { clusters 1 }`")
    }
}

fn arity(span: Span, entry: &str, what: Arity, wanted: &[String], found: usize) -> Diagnostic {
    let (verb, noun) = match what {
        Arity::Inputs => ("takes", "argument"),
        Arity::Outputs => ("gives", "result"),
    };
    let plural = if wanted.len() == 1 { "" } else { "s" };
    let are = if found == 1 { "value is" } else { "values are" };
    let error = Diagnostic::error(
        Code::TEST_COUNT,
        span,
        format!("`{entry}` {verb} {} {noun}{plural}, but {found} {are} given", wanted.len()),
    );
    match wanted {
        [] => error.help("write `{ }`"),
        wanted => error
            .note("values are separated by blanks; tuples and records are written as their components, one after the other")
            .instruct(format!("write one for each of {}", quoted(wanted.iter()))),
    }
}
