//! Diagnostics as text: the only place that knows ariadne.
//!
//! Invariant: what is rendered depends on nothing but the diagnostic, the sources and the options,
//! and lines have no blanks at their ends. A span beyond its file is rendered at the file's end.
//!
//! ```text
//! error[A0102]: this `(` is never closed
//!    ╭─[ hull.arr:3:12 ]
//!    │
//!  3 │ def f x = g (x + 1
//!    │             ┬
//!    │             ╰── opened here
//!    │
//!    │ Help: add `)` where the bracket should end
//! ───╯
//! ```

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;
use std::ops::Range;

use ariadne::{Cache, Color, Config, Fmt as _, IndexType, LabelAttach, Report, ReportKind, Source};

use super::{Diagnostic, Label, Severity};
use crate::ids::FileId;
use crate::source::{Sources, Span};

/// How to render.
#[derive(Clone, Copy, Debug, Default)]
pub struct RenderOptions {
    /// Whether to colour with ANSI escapes.
    pub color: bool,
}

/// Renders one diagnostic as the user sees it, with a line break at its end.
#[must_use]
pub fn render(diagnostic: &Diagnostic, sources: &Sources, options: RenderOptions) -> String {
    let color = severity_color(diagnostic.severity);
    let kind = format!("{}[{}]:", severity_word(diagnostic.severity), diagnostic.code.0);
    let headline = format!("{} {}", paint(&kind, color, options), diagnostic.message);
    let body = match &diagnostic.primary {
        Some(primary) => report(diagnostic, primary, sources, options),
        None => remarks(diagnostic, options),
    };
    headline.lines().chain(body.lines()).flat_map(|line| [line.trim_end(), "\n"]).collect()
}

/// The snippets with their labels, and the remarks.
fn report(
    diagnostic: &Diagnostic,
    primary: &Label,
    sources: &Sources,
    options: RenderOptions,
) -> String {
    let color = severity_color(diagnostic.severity);
    let config = Config::default()
        .with_color(options.color)
        .with_index_type(IndexType::Char)
        .with_label_attach(LabelAttach::Start);
    let mut report =
        Report::build(ReportKind::Error, place(primary.span, sources)).with_config(config);
    let mut labels: Vec<(&Label, Color)> = diagnostic
        .secondary
        .iter()
        .map(|label| (label, Color::Blue))
        .chain([(primary, color)])
        .collect();
    // Ariadne repeats the file's name where labels do not ascend.
    labels.sort_by_key(|(label, _)| (label.span.file != primary.span.file, label.span));
    report.add_labels(labels.into_iter().map(|(label, color)| {
        // A label without a text would not be underlined.
        let text = if label.text.is_empty() { "here" } else { &label.text };
        ariadne::Label::new(place(label.span, sources)).with_message(text).with_color(color)
    }));
    report.with_notes(&diagnostic.notes);
    report.with_helps(&diagnostic.help);
    let mut out = Vec::new();
    let files = Files { sources, read: BTreeMap::new() };
    report.finish().write(files, &mut out).expect("writing to memory cannot fail");
    let report = String::from_utf8(out).expect("a report is made of strings");
    // The first line is ariadne's headline, which puts the code first.
    report.split_once('\n').map(|(_, body)| body.to_owned()).expect("a report has a headline")
}

/// Help and notes; ariadne leaves them out of a report without a place.
fn remarks(diagnostic: &Diagnostic, options: RenderOptions) -> String {
    let remark = |word: &str, text: &String| {
        let indented = text.replace('\n', "\n        ");
        format!("  {}: {indented}", paint(word, Color::Blue, options))
    };
    let help = diagnostic.help.iter().map(|help| remark("Help", help));
    let notes = diagnostic.notes.iter().map(|note| remark("Note", note));
    help.chain(notes).collect::<Vec<_>>().join("\n")
}

fn paint(text: &str, color: Color, options: RenderOptions) -> String {
    if options.color { text.fg(color).to_string() } else { text.to_owned() }
}

fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn severity_color(severity: Severity) -> Color {
    match severity {
        Severity::Error => Color::Red,
        Severity::Warning => Color::Yellow,
    }
}

/// The span in characters: counting bytes, ariadne can cut a character of another file in two.
fn place(span: Span, sources: &Sources) -> (FileId, Range<usize>) {
    let text = &sources.get(span.file).text;
    let chars_before = |byte: u32| {
        let byte = text.len().min(byte as usize);
        text.char_indices().take_while(|(at, _)| *at < byte).count()
    };
    let start = chars_before(span.start);
    (span.file, start..chars_before(span.end).max(start))
}

/// The sources as ariadne wants them, each split into lines once.
struct Files<'a> {
    sources: &'a Sources,
    read: BTreeMap<FileId, Source<Cow<'a, str>>>,
}

impl<'a> Cache<FileId> for Files<'a> {
    type Storage = Cow<'a, str>;

    fn fetch(&mut self, id: &FileId) -> Result<&Source<Cow<'a, str>>, impl fmt::Debug> {
        let source = || Source::from(printable(&self.sources.get(*id).text));
        Ok::<_, Infallible>(self.read.entry(*id).or_insert_with(source))
    }

    fn display<'b>(&self, id: &'b FileId) -> Option<impl fmt::Display + 'b> {
        Some(self.sources.get(*id).path.clone())
    }
}

/// The text without characters that steer a terminal; each is replaced by one character, so that
/// places stay the same.
fn printable(text: &str) -> Cow<'_, str> {
    let steers = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if text.contains(steers) {
        Cow::Owned(text.replace(steers, "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Code;

    fn sources() -> (Sources, FileId, FileId) {
        let mut sources = Sources::default();
        let one = sources.add("one.arr", "def é = 1\n\tdef ö = é + x\n");
        let two = sources.add("two.arr", "def x = \"ééééé\" + 2");
        (sources, one, two)
    }

    fn plain(diagnostic: &Diagnostic) -> String {
        render(diagnostic, &sources().0, RenderOptions { color: false })
    }

    #[test]
    fn labels_stand_under_their_text_in_each_file() {
        let (_, one, two) = sources();
        let diagnostic = Diagnostic::error(Code::SYNTAX, Span::new(one, 21, 23), "no such thing")
            .label("this")
            .also(Span::new(one, 4, 6), "and that")
            .also(Span::new(two, 23, 24), "and that elsewhere")
            .note("a note")
            .help("some help");
        let expected = "\
error[A0101]: no such thing
   ╭─[ one.arr:2:10 ]
   │
 1 │ def é = 1
   │     ┬
   │     ╰── and that
 2 │     def ö = é + x
   │             ┬
   │             ╰── this
   │
   ├─[ two.arr:1:19 ]
   │
 1 │ def x = \"ééééé\" + 2
   │                   ┬
   │                   ╰── and that elsewhere
   │
   │ Help: some help
   │
   │ Note: a note
───╯
";
        assert_eq!(plain(&diagnostic), expected);
    }

    #[test]
    fn without_a_place_there_is_a_headline() {
        let mut diagnostic =
            Diagnostic::global(Code::SYNTAX, "bad").help("try\nagain").note("so it is");
        diagnostic.severity = Severity::Warning;
        assert_eq!(
            plain(&diagnostic),
            "warning[A0101]: bad\n  Help: try\n        again\n  Note: so it is\n"
        );
    }

    #[test]
    fn colour_is_only_there_if_asked_for() {
        let (sources, one, _) = sources();
        for diagnostic in [
            Diagnostic::global(Code::SYNTAX, "bad").help("do"),
            Diagnostic::error(Code::SYNTAX, Span::new(one, 0, 3), "bad").label("here").help("do"),
        ] {
            assert!(!plain(&diagnostic).contains('\u{1b}'));
            assert!(
                render(&diagnostic, &sources, RenderOptions { color: true }).contains('\u{1b}')
            );
        }
    }

    #[test]
    fn any_span_is_rendered() {
        let (sources, one, two) = sources();
        let whole = u32::try_from(sources.get(one).text.len()).expect("the text is short");
        for (start, end) in
            [(0, 0), (0, whole), (whole, whole), (whole - 1, whole), (whole + 5, whole + 9), (5, 5)]
        {
            for file in [one, two] {
                let diagnostic =
                    Diagnostic::error(Code::SYNTAX, Span::new(file, start, end), "bad");
                assert!(plain(&diagnostic).starts_with("error[A0101]: bad\n"));
            }
        }
    }

    #[test]
    fn characters_that_steer_the_terminal_are_replaced() {
        let mut sources = Sources::default();
        let file = sources.add("a.arr", "def \u{1b}[31m = 1");
        let diagnostic = Diagnostic::error(Code::SYNTAX, Span::new(file, 4, 5), "bad");
        assert!(!render(&diagnostic, &sources, RenderOptions::default()).contains('\u{1b}'));
    }
}
