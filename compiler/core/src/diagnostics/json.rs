//! Diagnostics as JSON, one object a line: what editors and other tools read.
//!
//! Invariant: `docs/src/diagnostics-json.md` describes every field, and a field is always there. An
//! object has no line break in it.
//!
//! ```text
//! {"code":"A0201","name":"undefined-name","severity":"error","message":"`y` is not defined","labels":[
//!  {"primary":true,"file":"a.arr","start":{"byte":8,"line":1,"column":9},"end":{…},"text":"unknown here"}
//! ],"notes":[],"helps":[]}
//! ```

use std::fmt::Write as _;

use super::{Diagnostic, Edit, Help, Label};
use crate::source::{Sources, Span};

/// The object of one diagnostic, without a line break.
#[must_use]
pub fn json(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let primary = diagnostic.primary.iter().map(|found| label(found, true, sources));
    let secondary = diagnostic.secondary.iter().map(|found| label(found, false, sources));
    object(&[
        ("code", string(diagnostic.code.0)),
        ("name", string(diagnostic.code.name())),
        ("severity", string(diagnostic.severity.word())),
        ("message", string(&diagnostic.message)),
        ("labels", array(primary.chain(secondary))),
        ("notes", array(diagnostic.notes.iter().map(|note| string(note)))),
        ("helps", array(diagnostic.helps.iter().map(|found| help(found, sources)))),
    ])
}

fn label(label: &Label, primary: bool, sources: &Sources) -> String {
    let [file, start, end] = place(label.span, sources);
    object(&[("primary", primary.to_string()), file, start, end, ("text", string(&label.text))])
}

fn help(help: &Help, sources: &Sources) -> String {
    let edits = help.edits.iter().map(|found| edit(found, sources));
    object(&[("text", string(&help.text)), ("edits", array(edits))])
}

fn edit(edit: &Edit, sources: &Sources) -> String {
    let [file, start, end] = place(edit.span, sources);
    object(&[file, start, end, ("replacement", string(&edit.replacement))])
}

/// The file of a span, and its two ends.
fn place(span: Span, sources: &Sources) -> [(&'static str, String); 3] {
    let end = |byte: u32| {
        let at = sources.line_col(Span::new(span.file, byte, byte));
        object(&[
            ("byte", byte.to_string()),
            ("line", at.line.to_string()),
            ("column", at.column.to_string()),
        ])
    };
    let file = string(&sources.get(span.file).path);
    [("file", file), ("start", end(span.start)), ("end", end(span.end))]
}

fn object(fields: &[(&str, String)]) -> String {
    let fields: Vec<String> =
        fields.iter().map(|(name, value)| format!("{}:{value}", string(name))).collect();
    format!("{{{}}}", fields.join(","))
}

fn array(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

/// A string of JSON: quotes, backslashes and what steers a terminal are written as escapes.
fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => {
                write!(out, "\\u{:04x}", u32::from(c)).expect("writing to memory cannot fail");
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Code;

    #[test]
    fn every_field_is_there_in_one_line() {
        let mut sources = Sources::default();
        let file = sources.add("a \"b\".arr", "é = 1\nüx = 2\n");
        let diagnostic = Diagnostic::warning(Code::SYNTAX, Span::new(file, 9, 10), "not\tso\\")
            .label("x")
            .also(Span::new(file, 0, 7), "é")
            .note("one\ntwo")
            .fix("do", [(Span::new(file, 7, 9), "u")]);
        let expected = r#"{"code":"A0101","name":"syntax","severity":"warning","message":"not\u0009so\\","labels":[{"primary":true,"file":"a \"b\".arr","start":{"byte":9,"line":2,"column":2},"end":{"byte":10,"line":2,"column":3},"text":"x"},{"primary":false,"file":"a \"b\".arr","start":{"byte":0,"line":1,"column":1},"end":{"byte":7,"line":2,"column":1},"text":"é"}],"notes":["one\ntwo"],"helps":[{"text":"do","edits":[{"file":"a \"b\".arr","start":{"byte":7,"line":2,"column":1},"end":{"byte":9,"line":2,"column":2},"replacement":"u"}]}]}"#;
        assert_eq!(json(&diagnostic, &sources), expected);
    }

    #[test]
    fn what_has_no_place_has_no_labels() {
        let found = json(&Diagnostic::global(Code::SYNTAX, "bad"), &Sources::default());
        assert_eq!(
            found,
            r#"{"code":"A0101","name":"syntax","severity":"error","message":"bad","labels":[],"notes":[],"helps":[]}"#
        );
    }
}
