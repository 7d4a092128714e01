//! The messages of a child that runs tests to its parent, one line for each event.
//!
//! Invariant: [`Event::parse`] reads back what [`Event::line`] writes. A line that is no event was printed by the
//! program under test, and is ignored.

/// An event in a child.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Event {
    /// A test begins.
    Begin(usize),
    /// A test passed.
    Passed(usize),
    /// A test failed.
    Failed(usize, Mismatch),
    /// The program has warnings.
    Warned(String),
    /// No test can be run, because of these diagnostics.
    Broken(String),
}

/// The expected outcome and the actual one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Mismatch {
    /// The expected outcome.
    pub(super) expected: String,
    /// The actual outcome.
    pub(super) got: String,
    /// The place where they first differ; empty if it is obvious.
    pub(super) differs: String,
}

const PREFIX: &str = "arrc-test";

impl Event {
    /// The event as a line.
    pub(super) fn line(&self) -> String {
        let (word, fields) = match self {
            Self::Begin(test) => ("begin", vec![test.to_string()]),
            Self::Passed(test) => ("passed", vec![test.to_string()]),
            Self::Failed(test, Mismatch { expected, got, differs }) => {
                ("failed", vec![test.to_string(), escape(expected), escape(got), escape(differs)])
            }
            Self::Warned(text) => ("warned", vec![escape(text)]),
            Self::Broken(text) => ("broken", vec![escape(text)]),
        };
        format!("{PREFIX}\t{word}\t{}", fields.join("\t"))
    }

    /// Reads a line.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split('\t');
        if fields.next()? != PREFIX {
            return None;
        }
        let word = fields.next()?;
        let mut text = || fields.next().map(unescape);
        let number = |text: Option<String>| text?.parse().ok();
        Some(match word {
            "begin" => Self::Begin(number(text())?),
            "passed" => Self::Passed(number(text())?),
            "failed" => Self::Failed(
                number(text())?,
                Mismatch { expected: text()?, got: text()?, differs: text()? },
            ),
            "warned" => Self::Warned(text()?),
            "broken" => Self::Broken(text()?),
            _ => return None,
        })
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r")
}

/// A field without its escapes.
pub(super) fn unescape(text: &str) -> String {
    let mut result = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (character, if character == '\\' { characters.next() } else { None }) {
            ('\\', Some('n')) => result.push('\n'),
            ('\\', Some('t')) => result.push('\t'),
            ('\\', Some('r')) => result.push('\r'),
            ('\\', Some(other)) => result.push(other),
            (other, _) => result.push(other),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_survive_lines() {
        let mismatch = Mismatch {
            expected: "a\tb\\n".to_string(),
            got: "c\nd\r".to_string(),
            differs: String::new(),
        };
        for event in [
            Event::Begin(3),
            Event::Passed(0),
            Event::Failed(7, mismatch),
            Event::Warned("warning\n│ \\n".to_string()),
            Event::Broken("error\n\tthere \\".to_string()),
        ] {
            let line = event.line();
            assert!(!line.contains('\n'));
            assert_eq!(Event::parse(&line), Some(event));
        }
        assert_eq!(Event::parse("hello"), None);
        assert_eq!(Event::parse("arrc-test\tfailed\t1"), None);
    }
}
