//! Diagnostics as text. This is the only module that uses ariadne.
//!
//! Invariant: the rendered text depends on nothing but the diagnostic, the sources and the options. It has
//! no control characters but line breaks and, if it is coloured, the escapes of the colours; lines have
//! no blanks at their ends. A span beyond the end of its file is rendered at the file's end. The work is proportional
//! to the number of shown lines and of the lines between them.
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

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::{fmt, io, iter};

use anstream::adapter::strip_str;
use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use ariadne::{Cache, Color, Config, Fmt as _, IndexType, LabelAttach, Report, ReportKind, Source};
use arr_printable as printable;

use super::excerpt;
use super::excerpt::Excerpt;
use super::patch;
use super::patch::DiffSide;
use super::wrap::wrapped;
use super::{Diagnostic, Edit, Help, Label, Severity};
use crate::ids::FileId;
use crate::source::{Sources, Span};

/// How to render.
#[derive(Clone, Copy, Debug, Default)]
pub struct RenderOptions {
    /// Whether to colour with ANSI escapes.
    pub color: bool,
    /// The number of columns, if lines must fit into them.
    pub width: Option<usize>,
}

/// Whether text on a stream is coloured, as the terminal and the variables of its user say: `TERM`, `NO_COLOR`,
/// `CLICOLOR` and `CLICOLOR_FORCE`.
#[must_use]
pub fn shows_colors(stream: &impl RawStream) -> bool {
    AutoStream::choice(stream) != ColorChoice::Never
}

/// The colours of errors, warnings, hints and other places. They can be read on white and on black.
const RED: Color = Color::Fixed(160);
const ORANGE: Color = Color::Fixed(130);
const TEAL: Color = Color::Fixed(29);
const GREEN: Color = Color::Fixed(28);
const BLUE: Color = Color::Fixed(27);

/// Renders one diagnostic as the user sees it, with a line break at its end.
#[must_use]
pub fn render(diagnostic: &Diagnostic, sources: &Sources, options: RenderOptions) -> String {
    let notes = diagnostic.facts().map(|note| filled(&printable::paragraph(&note), options));
    let message = Message {
        kind: format!("{}[{}]", diagnostic.severity.word(), diagnostic.code.0),
        color: severity_color(diagnostic.severity),
        text: printable::line(&diagnostic.message).into_owned(),
        labels: diagnostic.primary.iter().chain(&diagnostic.secondary).collect(),
        helps: diagnostic.shown_helps().map(|help| advice(help, sources, options)).collect(),
        notes: notes.collect(),
    };
    message.render(sources, options)
}

/// Renders a remark about some places, which is no diagnostic. The first label is its subject.
#[must_use]
pub fn render_remark(
    message: &str,
    places: &[Label],
    sources: &Sources,
    options: RenderOptions,
) -> String {
    let message = Message {
        kind: "note".to_owned(),
        color: TEAL,
        text: printable::line(message).into_owned(),
        labels: places.iter().collect(),
        helps: Vec::new(),
        notes: Vec::new(),
    };
    message.render(sources, options)
}

/// The report as ariadne takes it. Everything in it is printable, except the texts of the labels.
struct Message<'a> {
    kind: String,
    /// The colour of the kind and of the first label.
    color: Color,
    text: String,
    /// The labels. The first one is the subject.
    labels: Vec<&'a Label>,
    helps: Vec<String>,
    notes: Vec<String>,
}

impl Message<'_> {
    fn render(mut self, sources: &Sources, options: RenderOptions) -> String {
        self.hidden_labels_to_notes(sources, longest(options));
        let mut out = Vec::new();
        self.write(sources, options, &mut out).expect("writing to memory cannot fail");
        let out = String::from_utf8(out).expect("a report is made of strings");
        // Ariadne colours a custom kind whatever its configuration says.
        let out = if options.color { out } else { strip_str(&out).to_string() };
        out.lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
    }

    /// Turns labels into notes if they are in other files and their lines are cut. A report has one location, which
    /// is in the file of the first label. In another file ariadne would print the column in the excerpt instead of
    /// the column in the file.
    fn hidden_labels_to_notes(&mut self, sources: &Sources, longest: usize) {
        let Some(file) = self.labels.first().map(|primary| primary.span.file) else { return };
        let (hidden, shown): (Vec<&Label>, Vec<&Label>) =
            self.labels.drain(..).partition(|label| {
                label.span.file != file && excerpt::is_cut(sources, label.span, longest)
            });
        self.labels = shown;
        self.notes.extend(hidden.into_iter().map(|label| {
            let (source, at) = (sources.get(label.span.file), sources.line_col(label.span));
            let note = format!("{}:{}:{}: {}", source.path, at.line, at.column, label.text);
            printable::line(&note).into_owned()
        }));
    }

    fn write(
        &self,
        sources: &Sources,
        options: RenderOptions,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let kind = ReportKind::Custom(&self.kind, self.color);
        let Some(primary) = self.labels.first() else {
            // Ariadne writes helps and notes only below an excerpt, so a report without one has them in its headline.
            let report = Report::build(kind, 0..0).with_message(self.headline()).finish();
            return report.write(Source::from(""), out);
        };
        // Its own colours are for black terminals only. Labels keep theirs.
        let config = Config::default()
            .with_color(false)
            .with_index_type(IndexType::Char)
            .with_label_attach(LabelAttach::Start);
        let excerpts = Excerpts::new(&self.labels, sources, options);
        let about = (primary.span.file, excerpts.of(primary.span.file).location());
        let mut report = Report::build(kind, about).with_config(config).with_message(&self.text);
        report.add_labels(self.ordered().into_iter().map(|(label, color)| {
            // Ariadne does not underline a label without a text.
            let text = if label.text.is_empty() { "here" } else { &label.text };
            let place = (label.span.file, excerpts.of(label.span.file).range(label.span));
            ariadne::Label::new(place).with_message(printable::line(text)).with_color(color)
        }));
        report.with_helps(&self.helps);
        report.with_notes(&self.notes);
        report.finish().write(excerpts, out)
    }

    /// The labels with their colours, in the order of their ends. Otherwise ariadne begins a new excerpt for a label
    /// that ends on an earlier line than the label before.
    fn ordered(&self) -> Vec<(&Label, Color)> {
        let colors = [self.color].into_iter().chain(iter::repeat(BLUE));
        let mut labels: Vec<(&Label, Color)> = self.labels.iter().copied().zip(colors).collect();
        let first = self.labels.first().map(|label| label.span.file);
        labels.sort_by_key(|(Label { span, .. }, _)| {
            (Some(span.file) != first, span.file, span.end, span.start)
        });
        labels
    }

    /// The message with its helps and notes.
    fn headline(&self) -> String {
        let helps = self.helps.iter().map(|help| ("Help", help));
        let remarks = helps.chain(self.notes.iter().map(|note| ("Note", note)));
        let remarks = remarks.map(|(word, text)| {
            format!("\n  {}: {}", word.fg(BLUE), text.replace('\n', "\n        "))
        });
        self.text.clone() + &remarks.collect::<String>()
    }
}

/// The text of a help. The lines that its edits change follow, unless the text quotes all replacements.
fn advice(help: &Help, sources: &Sources, options: RenderOptions) -> String {
    let text = filled(&printable::paragraph(help.text()), options);
    let spoken = |edit: &Edit| help.text().contains(&format!("`{}`", edit.replacement.trim()));
    if help.edits().iter().all(spoken) {
        return text;
    }
    let lines = patch::patch(help.edits(), sources);
    let lines = lines.into_iter().map(|(mark, line)| match mark {
        DiffSide::Old => format!("\n{}", format!("- {line}").fg(RED)),
        DiffSide::New => format!("\n{}", format!("+ {line}").fg(GREEN)),
    });
    text + &lines.collect::<String>()
}

/// A help or a note in lines that fit beside the margin and its word.
fn filled(text: &str, options: RenderOptions) -> String {
    let Some(width) = options.width else { return text.to_owned() };
    let lines = text.lines().map(|line| wrapped(line, width.saturating_sub(MARGIN), ""));
    lines.collect::<Vec<_>>().join("\n")
}

/// The columns that a help does not have: those of a line's number, and those of `Help 1: `.
const MARGIN: usize = 15;

fn severity_color(severity: Severity) -> Color {
    match severity {
        Severity::Error => RED,
        Severity::Warning => ORANGE,
        Severity::Hint => TEAL,
    }
}

/// The longest line of a program that is shown whole, in characters.
fn longest(options: RenderOptions) -> usize {
    options.width.map_or(excerpt::LONGEST, |width| width.saturating_sub(MARGIN).max(MARGIN))
}

/// The path and the shown part of each file that has a label.
struct Excerpts(BTreeMap<FileId, (String, Excerpt, Source<String>)>);

impl Excerpts {
    fn new(labels: &[&Label], sources: &Sources, options: RenderOptions) -> Self {
        let mut spans: BTreeMap<FileId, Vec<Span>> = BTreeMap::new();
        for label in labels {
            spans.entry(label.span.file).or_default().push(label.span);
        }
        let excerpt = |(file, spans): (FileId, Vec<Span>)| {
            let excerpt = Excerpt::new(sources, file, &spans, longest(options));
            let source = Source::from(excerpt.text().to_owned());
            (file, (printable::line(&sources.get(file).path).into_owned(), excerpt, source))
        };
        Self(spans.into_iter().map(excerpt).collect())
    }

    fn of(&self, file: FileId) -> &Excerpt {
        &self.0[&file].1
    }
}

impl Cache<FileId> for Excerpts {
    type Storage = String;

    fn fetch(&mut self, file: &FileId) -> Result<&Source<String>, impl fmt::Debug> {
        Ok::<_, Infallible>(&self.0[file].2)
    }

    fn display<'a>(&self, file: &'a FileId) -> Option<impl fmt::Display + 'a> {
        self.0.get(file).map(|(path, _, _)| path.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Code;
    use crate::source::Span;

    fn sources() -> (Sources, FileId, FileId) {
        let mut sources = Sources::default();
        let one = sources.add("one.arr", "def é = 1\n\tdef ö = é + x\n");
        let two = sources.add("two.arr", "def x = \"ééééé\" + 2");
        (sources, one, two)
    }

    fn colored() -> RenderOptions {
        RenderOptions { color: true, width: None }
    }

    fn plain(diagnostic: &Diagnostic) -> String {
        render(diagnostic, &sources().0, RenderOptions::default())
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
            assert!(render(&diagnostic, &sources, colored()).contains('\u{1b}'));
        }
    }

    /// The luminance of a colour of the cube of 6 by 6 by 6, as the guidelines for accessible content define it.
    fn luminance(color: Color) -> f64 {
        let Color::Fixed(number @ 16..=231) = color else { panic!("{color:?} is not in the cube") };
        let light = |step: u8| {
            let level = if step == 0 { 0.0 } else { (55.0 + 40.0 * f64::from(step)) / 255.0 };
            if level <= 0.03928 { level / 12.92 } else { ((level + 0.055_f64) / 1.055).powf(2.4) }
        };
        let at = number - 16;
        0.2126 * light(at / 36) + 0.7152 * light(at / 6 % 6) + 0.0722 * light(at % 6)
    }

    #[test]
    fn colours_can_be_read_on_white_and_on_black() {
        for color in [RED, ORANGE, TEAL, GREEN, BLUE] {
            let light = luminance(color) + 0.05;
            assert!(1.05 / light >= 4.5, "{color:?} on white: {}", 1.05 / light);
            assert!(light / 0.05 >= 3.5, "{color:?} on black: {}", light / 0.05);
        }
    }

    #[test]
    fn only_the_tested_colours_are_used() {
        let (sources, one, _) = sources();
        let place = Span::new(one, 4, 6);
        let error = Diagnostic::error(Code::SYNTAX, place, "bad").also(place, "there").note("so");
        let shown = render(&error.fix("do", [(place, "e")]).with_proposals(), &sources, colored());
        let tested = [RED, ORANGE, TEAL, GREEN, BLUE].map(|color| {
            let Color::Fixed(number) = color else { panic!("{color:?} is not in the cube") };
            format!("38;5;{number}m")
        });
        for escape in shown.split("\u{1b}[").skip(1) {
            let is_known = tested.iter().any(|one| escape.starts_with(&**one));
            assert!(is_known || escape.starts_with("0m"), "{escape:?}");
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
    fn carets_stand_right_after_wide_combining_and_tab_characters() {
        for before in ["日本語", "e\u{301}e\u{301}", "\t\t", "🦀", "ab", "\u{200b}x"] {
            let mut sources = Sources::default();
            let text = format!("{before} x\n");
            let file = sources.add("a.arr", text);
            let at = u32::try_from(before.len() + 1).expect("short");
            let span = Span::new(file, at, at + 1);
            let diagnostic = Diagnostic::error(Code::SYNTAX, span, "bad").label("this");
            let shown = render(&diagnostic, &sources, RenderOptions::default());
            let line = |start: &str| {
                let line = shown.lines().find(|line| line.starts_with(start));
                line.and_then(|line| line.split_once("│ ")).expect("the line is there").1
            };
            let caret = shown.lines().nth(4).and_then(|line| line.find('┬').map(|at| &line[..at]));
            let caret = caret.and_then(|line| line.split_once("│ ")).expect("a caret").1;
            let width = |text: &str| -> usize { text.chars().map(columns).sum() };
            let (text, _) = line(" 1 │").split_once('x').expect("it is shown");
            let text = if before.contains('x') {
                line(" 1 │").rsplit_once('x').expect("x").0
            } else {
                text
            };
            assert_eq!(width(caret), width(text), "{before:?}\n{shown}");
        }
    }

    /// The number of columns of a terminal that these characters take.
    fn columns(c: char) -> usize {
        match c {
            '日' | '本' | '語' | '🦀' => 2,
            '\u{301}' | '\u{200b}' => 0,
            _ => 1,
        }
    }

    #[test]
    fn a_long_line_is_shown_around_its_label_with_its_true_place() {
        let mut sources = Sources::default();
        let text = format!("-- one\ndef xs = [{}y]", "123, ".repeat(2000));
        let at = u32::try_from(text.find('y').expect("it has one")).expect("short");
        let file = sources.add("a.arr", text);
        let span = Span::new(file, at, at + 1);
        let diagnostic = Diagnostic::error(Code::SYNTAX, span, "bad").label("this");
        let expected = "\
error[A0101]: bad
   ╭─[ a.arr:2:10011 ]
   │
 2 │ …123, 123, 123, 123, 123, 123, 123, 123, y]
   │                                          ┬
   │                                          ╰── this
───╯
";
        assert_eq!(render(&diagnostic, &sources, RenderOptions::default()), expected);
    }

    #[test]
    fn a_label_in_a_long_line_of_another_file_is_told_with_its_true_place() {
        let mut sources = Sources::default();
        let file = sources.add("a.arr", "def x = y");
        let other = sources.add("b.arr", format!("def xs = [{}y]", "123, ".repeat(2000)));
        let diagnostic = Diagnostic::error(Code::SYNTAX, Span::new(file, 8, 9), "bad")
            .label("this")
            .also(Span::new(other, 10010, 10011), "and that");
        let expected = "\
error[A0101]: bad
   ╭─[ a.arr:1:9 ]
   │
 1 │ def x = y
   │         ┬
   │         ╰── this
   │
   │ Note: b.arr:1:10011: and that
───╯
";
        assert_eq!(plain_of(&diagnostic, &sources), expected);
    }

    #[test]
    fn a_label_inside_one_of_more_lines_is_in_the_same_excerpt() {
        let mut sources = Sources::default();
        let file = sources.add("a.arr", "def f x =\n  x\n  + y\n");
        let diagnostic = Diagnostic::error(Code::SYNTAX, Span::new(file, 4, 19), "bad")
            .label("all of it")
            .also(Span::new(file, 12, 13), "a part");
        let expected = "\
error[A0101]: bad
   ╭─[ a.arr:1:5 ]
   │
 1 │ ╭─▶ def f x =
 2 │ │     x
   │ │     ┬
   │ │     ╰── a part
 3 │ ├─▶   + y
   │ │
   │ ╰─────────── all of it
───╯
";
        assert_eq!(plain_of(&diagnostic, &sources), expected);
    }

    #[test]
    fn a_change_is_shown_unless_the_words_say_it() {
        let (_, one, _) = sources();
        let place = Span::new(one, 4, 6);
        let error = || Diagnostic::error(Code::SYNTAX, place, "bad").label("this");
        let said = error().fix("write `e`", [(place, "e")]).with_proposals();
        assert!(plain(&said).ends_with("   │ Help: write `e`\n───╯\n"));
        let shown = error().fix("write it plainly", [(place, "e")]).with_proposals();
        let end =
            "   │ Help: write it plainly\n   │       - def é = 1\n   │       + def e = 1\n───╯\n";
        assert!(plain(&shown).ends_with(end), "{}", plain(&shown));
    }

    #[test]
    fn lines_far_down_have_their_numbers() {
        let mut sources = Sources::default();
        let file = sources.add("a.arr", "\n".repeat(9998) + "bad\n\nthing\n");
        let diagnostic = Diagnostic::error(Code::SYNTAX, Span::new(file, 10000, 10005), "bad")
            .label("this")
            .also(Span::new(file, 9998, 10001), "that");
        let shown = plain_of(&diagnostic, &sources);
        assert!(
            shown.contains("a.arr:9999:3 ]\n") && shown.contains("\n  9999 │ ╭─▶ bad\n"),
            "{shown}"
        );
    }

    fn plain_of(diagnostic: &Diagnostic, sources: &Sources) -> String {
        render(diagnostic, sources, RenderOptions::default())
    }

    #[test]
    fn nothing_of_others_steers_the_terminal() {
        let evil = "\u{1b}[31m\u{202e}\u{7}";
        let mut sources = Sources::default();
        let text = format!("def {evil} = 1");
        let length = u32::try_from(text.len()).expect("short");
        let file = sources.add(format!("{evil}.arr"), &text);
        let span = Span::new(file, 4, length - 4);
        let placed = Diagnostic::error(Code::SYNTAX, span, evil).label(evil).also(span, evil);
        for diagnostic in [placed, Diagnostic::global(Code::SYNTAX, evil)] {
            let diagnostic = diagnostic.note(evil).help(evil).fix("write", [(span, evil)]);
            let diagnostic = diagnostic.with_proposals();
            let shown = plain_of(&diagnostic, &sources);
            let steers = |c: char| c != '\n' && c.is_control() || c == '\u{202e}';
            assert!(!shown.contains(steers), "{shown:?}");
            let colored = render(&diagnostic, &sources, colored());
            assert_eq!(strip_str(&colored).to_string(), shown);
        }
    }
}
