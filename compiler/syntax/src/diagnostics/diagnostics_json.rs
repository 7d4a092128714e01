//! Diagnostics as JSON, one object a line, for editors and other tools.
//!
//! Invariant: `docs/src/diagnostics-json.md` describes every field, and a field is always there. An
//! object has no line break in it.
//!
//! ```text
//! {"code":"A0201","name":"undefined-name","severity":"error","message":"`y` is not defined","labels":[
//!  {"primary":true,"file":"a.arr","start":{"byte":8,"line":1,"column":9},"end":{…},"text":"unknown here"}
//! ],"notes":[],"helps":[]}
//! ```

use super::{Diagnostic, Edit, Help, Label};
use crate::json::{Value, json, place};
use crate::source::Sources;

/// One diagnostic in one line.
#[must_use]
pub fn json(diagnostic: &Diagnostic, sources: &Sources) -> String {
    object(diagnostic, sources).to_string()
}

/// The object of one diagnostic.
#[must_use]
pub fn object(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    let primary = diagnostic.primary.iter().map(|found| label(found, true, sources));
    let secondary = diagnostic.secondary.iter().map(|found| label(found, false, sources));
    json!({
        "code": diagnostic.code.0,
        "name": diagnostic.code.name(),
        "severity": diagnostic.severity.word(),
        "message": diagnostic.message,
        "labels": primary.chain(secondary).collect::<Vec<_>>(),
        "notes": diagnostic.facts().collect::<Vec<_>>(),
        "helps": diagnostic.shown_helps().map(|found| help(found, sources)).collect::<Vec<_>>(),
    })
}

fn label(label: &Label, primary: bool, sources: &Sources) -> Value {
    let (file, start, end) = place(label.span, sources);
    json!({"primary": primary, "file": file, "start": start, "end": end, "text": label.text})
}

fn help(help: &Help, sources: &Sources) -> Value {
    let edits: Vec<Value> = help.edits().iter().map(|found| edit(found, sources)).collect();
    json!({"text": help.text(), "edits": edits})
}

fn edit(edit: &Edit, sources: &Sources) -> Value {
    let (file, start, end) = place(edit.span, sources);
    json!({"file": file, "start": start, "end": end, "replacement": edit.replacement})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Code;
    use crate::source::Span;

    #[test]
    fn every_field_is_there_in_one_line() {
        let mut sources = Sources::default();
        let file = sources.add("a \"b\".arr", "é = 1\nüx = 2\n");
        let diagnostic = Diagnostic::warning(Code::SYNTAX, Span::new(file, 9, 10), "not\tso\\")
            .label("x")
            .also(Span::new(file, 0, 7), "é")
            .note("one\ntwo")
            .fix("do", [(Span::new(file, 7, 9), "u")])
            .with_proposals();
        let expected = r#"{"code":"A0101","name":"syntax","severity":"warning","message":"not\tso\\","labels":[{"primary":true,"file":"a \"b\".arr","start":{"byte":9,"line":2,"column":2},"end":{"byte":10,"line":2,"column":3},"text":"x"},{"primary":false,"file":"a \"b\".arr","start":{"byte":0,"line":1,"column":1},"end":{"byte":7,"line":2,"column":1},"text":"é"}],"notes":["one\ntwo"],"helps":[{"text":"do","edits":[{"file":"a \"b\".arr","start":{"byte":7,"line":2,"column":1},"end":{"byte":9,"line":2,"column":2},"replacement":"u"}]}]}"#;
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
