//! Diagnostics as text: the only place that knows ariadne.
//!
//! Invariant: what is rendered depends on nothing but the diagnostic, the sources and the options,
//! and lines have no blanks at their ends. A span beyond its file is rendered at the file's end. The
//! work is in proportion to what is shown, and to the lines between.
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

use std::convert::Infallible;
use std::fmt;

use ariadne::{Cache, Color, Config, Fmt as _, IndexType, LabelAttach, Report, ReportKind, Source};

use super::excerpt::Excerpt;
use super::patch::{self, Mark};
use super::{Diagnostic, Help, Label, Severity};
use crate::ids::FileId;
use crate::source::Sources;

/// The colour of margins, as ariadne has it.
const MARGIN: Color = Color::Fixed(240);

/// Stands for a file's path in ariadne's output, until the place after it is put right.
const PATH: char = '\u{1}';

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
    let kind = format!("{}[{}]:", diagnostic.severity.word(), diagnostic.code.0);
    let headline = format!("{} {}", paint(&kind, color, options), diagnostic.message);
    let remarks = remarks(diagnostic, sources, options);
    let body = match &diagnostic.primary {
        Some(primary) => {
            let snippets = report(primary, &diagnostic.secondary, color, sources, options);
            framed(&snippets, &remarks, options)
        }
        None => remarks.iter().flatten().map(|line| format!("  {line}\n")).collect(),
    };
    headline.lines().chain(body.lines()).flat_map(|line| [line.trim_end(), "\n"]).collect()
}

/// Renders a remark about some places, which is no diagnostic: the first is what it is about.
///
/// # Panics
/// If there is no place.
#[must_use]
pub fn render_remark(
    message: &str,
    places: &[Label],
    sources: &Sources,
    options: RenderOptions,
) -> String {
    let (primary, secondary) = places.split_first().expect("a remark is about a place");
    let body = report(primary, secondary, Color::Cyan, sources, options);
    let headline = format!("{} {message}", paint("note:", Color::Cyan, options));
    headline.lines().chain(body.lines()).flat_map(|line| [line.trim_end(), "\n"]).collect()
}

/// The snippets with their labels.
fn report(
    primary: &Label,
    secondary: &[Label],
    color: Color,
    sources: &Sources,
    options: RenderOptions,
) -> String {
    let config = Config::default()
        .with_color(options.color)
        .with_index_type(IndexType::Char)
        .with_label_attach(LabelAttach::Start);
    let mut labels: Vec<(&Label, Color)> =
        secondary.iter().map(|label| (label, Color::Blue)).chain([(primary, color)]).collect();
    // Ariadne repeats the file's name where labels do not ascend.
    labels.sort_by_key(|(label, _)| (label.span.file != primary.span.file, label.span));
    let files = Files::new(&labels, sources);
    let place = |label: &Label| (label.span.file, files.of(label.span.file).range(label.span));
    let mut report = Report::build(ReportKind::Error, place(primary)).with_config(config);
    report.add_labels(labels.iter().map(|(label, color)| {
        // A label without a text would not be underlined.
        let text = if label.text.is_empty() { "here" } else { &label.text };
        ariadne::Label::new(place(label)).with_message(text).with_color(*color)
    }));
    let report = report.finish();
    let places = files.files.iter().map(|(file, _, _)| {
        let first = labels.iter().map(|(label, _)| label.span).find(|span| span.file == *file);
        let shown = if *file == primary.span.file { Some(primary.span) } else { first };
        let span = shown.expect("each file has a label");
        let at = sources.line_col(span);
        format!("{}:{}:{}", sources.get(*file).path, at.line, at.column)
    });
    let places: Vec<String> = places.collect();
    let mut out = Vec::new();
    report.write(files, &mut out).expect("writing to memory cannot fail");
    let report = String::from_utf8(out).expect("a report is made of strings");
    // The first line is ariadne's headline, which puts the code first.
    let body = report.split_once('\n').map(|(_, body)| body).expect("a report has a headline");
    with_places(body, places)
}

/// The snippets with the true places in the place of those of the excerpts.
fn with_places(body: &str, places: Vec<String>) -> String {
    let mut pieces = body.split(PATH);
    let mut out = pieces.next().map(ToOwned::to_owned).unwrap_or_default();
    for (piece, place) in pieces.zip(places) {
        out.push_str(&place);
        out.push_str(piece.trim_start_matches(|c: char| matches!(c, '0'..='9' | ':' | '?')));
    }
    out
}

/// The snippets with the remarks inside their frame.
fn framed(report: &str, remarks: &[Vec<String>], options: RenderOptions) -> String {
    let last = report.trim_end().lines().next_back().expect("a report has a frame");
    let snippets = report.trim_end().strip_suffix(last).expect("its last line ends it");
    let width = last.chars().filter(|&c| c == '─').count();
    let margin = format!("{:width$}{}", "", paint("│", MARGIN, options));
    let mut out = snippets.to_owned();
    for remark in remarks {
        out.push_str(&format!("{margin}\n"));
        out.extend(remark.iter().map(|line| format!("{margin} {line}\n")));
    }
    out + last
}

/// Notes and helps, each as its lines.
fn remarks(diagnostic: &Diagnostic, sources: &Sources, options: RenderOptions) -> Vec<Vec<String>> {
    let remark = |word: &str, text: &str| -> Vec<String> {
        let mut lines = text.lines();
        let first =
            format!("{}: {}", paint(word, Color::Blue, options), lines.next().unwrap_or(""));
        let rest = lines.map(|line| format!("      {line}"));
        [first].into_iter().chain(rest).collect()
    };
    let notes = diagnostic.notes.iter().map(|note| remark("Note", note));
    let helps = diagnostic.helps.iter().map(|help| {
        let mut lines = remark("Help", &help.text);
        lines.extend(patch_lines(help, sources, options));
        lines
    });
    notes.chain(helps).collect()
}

/// The change that a help proposes, unless the help's words say it all.
fn patch_lines(help: &Help, sources: &Sources, options: RenderOptions) -> Vec<String> {
    let spoken = |text: &str| help.text.contains(&format!("`{}`", text.trim()));
    if help.edits.iter().all(|edit| spoken(&edit.replacement)) {
        return Vec::new();
    }
    let lines = patch::patch(&help.edits, sources);
    let line = |(mark, line): (Mark, String)| match mark {
        Mark::Old => paint(&format!("- {line}"), Color::Red, options),
        Mark::New => paint(&format!("+ {line}"), Color::Green, options),
    };
    lines.into_iter().map(|marked| format!("      {}", line(marked))).collect()
}

fn paint(text: &str, color: Color, options: RenderOptions) -> String {
    if options.color { text.fg(color).to_string() } else { text.to_owned() }
}

fn severity_color(severity: Severity) -> Color {
    match severity {
        Severity::Error => Color::Red,
        Severity::Warning => Color::Yellow,
        Severity::Hint => Color::Cyan,
    }
}

/// Of each file that has a label the part that is shown, in the order of the report.
struct Files {
    files: Vec<(FileId, Excerpt, Source<String>)>,
}

impl Files {
    fn new(labels: &[(&Label, Color)], sources: &Sources) -> Self {
        let mut ids: Vec<FileId> = labels.iter().map(|(label, _)| label.span.file).collect();
        ids.dedup();
        let file = |id: FileId| {
            let spans = labels.iter().map(|(label, _)| label.span).filter(|span| span.file == id);
            let excerpt = Excerpt::new(sources, id, spans);
            let source = Source::from(excerpt.text().to_owned());
            (id, excerpt, source)
        };
        Self { files: ids.into_iter().map(file).collect() }
    }

    fn of(&self, id: FileId) -> &Excerpt {
        let found = self.files.iter().find(|(file, _, _)| *file == id);
        found.map(|(_, excerpt, _)| excerpt).expect("every label's file has an excerpt")
    }
}

impl Cache<FileId> for Files {
    type Storage = String;

    fn fetch(&mut self, id: &FileId) -> Result<&Source<String>, impl fmt::Debug> {
        let found = self.files.iter().find(|(file, _, _)| file == id);
        Ok::<_, Infallible>(found.map(|(_, _, source)| source).expect("only labels' files"))
    }

    fn display<'b>(&self, _: &'b FileId) -> Option<impl fmt::Display + 'b> {
        Some(PATH)
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
   │ Note: a note
   │
   │ Help: some help
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
            "warning[A0101]: bad\n  Note: so it is\n  Help: try\n        again\n"
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

    /// How many columns a terminal gives these characters.
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
    fn a_change_is_shown_unless_the_words_say_it() {
        let (_, one, _) = sources();
        let place = Span::new(one, 4, 6);
        let error = || Diagnostic::error(Code::SYNTAX, place, "bad").label("this");
        let said = error().fix("write `e`", [(place, "e")]);
        assert!(plain(&said).ends_with("   │ Help: write `e`\n───╯\n"));
        let shown = error().fix("write it plainly", [(place, "e")]);
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
    fn characters_that_steer_the_terminal_are_replaced() {
        let mut sources = Sources::default();
        let file = sources.add("a.arr", "def \u{1b}[31m = 1");
        let diagnostic = Diagnostic::error(Code::SYNTAX, Span::new(file, 4, 5), "bad");
        assert!(!render(&diagnostic, &sources, RenderOptions::default()).contains('\u{1b}'));
    }
}
