//! The page of `arrc explain --html`: one file with everything inside, for a browser without a network.
//!
//! `page.html` is the frame, `page.css` the look, `model.js` computes what is shown, and `page.js` draws it from the data.
//!
//! Invariant: a text of the user stands in the data and in the title only, escaped in both, so it cannot become markup.
//!
//! ```text
//! {"file":"a.arr",…}   ⇒   <!doctype html>…<script id="data" type="application/json">{"file":"a.arr",…}</script>…
//! ```

use arrc_fusion::clusters::Strategy;
use arrc_syntax::json::{Value, json};
use arrc_syntax::source::Sources;

const FRAME: &str = include_str!("page.html");
const LOOK: &str = include_str!("page.css");
const SCRIPTS: [&str; 2] = [include_str!("model.js"), include_str!("page.js")];

/// What the page shows of a program.
pub(crate) struct Page<'a> {
    /// The program, as the user named it.
    pub(crate) file: &'a str,
    /// The strategy that is shown first.
    pub(crate) chosen: Strategy,
    /// For each strategy, what each function runs.
    pub(crate) strategies: Vec<(Strategy, Vec<Value>)>,
    /// The files of the program. Those of the library are left out.
    pub(crate) sources: &'a Sources,
}

impl Page<'_> {
    /// The whole file.
    pub(crate) fn text(&self) -> String {
        let title = escaped_markup(self.file);
        let data = escaped_json(&self.data());
        let scripts = SCRIPTS.concat();
        // Each text is put in once, so what looks like a mark in one of them stays as it is.
        let parts = FRAME.split('@').enumerate().map(|(place, part)| match part {
            part if place % 2 == 0 => part,
            "title" => title.as_str(),
            "style" => LOOK.trim_end(),
            "data" => data.as_str(),
            "script" => scripts.trim_end(),
            other => unreachable!("the frame has no mark @{other}@"),
        });
        parts.collect()
    }

    fn data(&self) -> Value {
        let strategies = self.strategies.iter().map(
            |(strategy, functions)| json!({"strategy": strategy.name(), "functions": functions}),
        );
        let sources = self.sources.iter().filter(|(_, source)| !source.is_library);
        let sources = sources.map(|(_, source)| json!({"file": source.path, "text": source.text}));
        json!({
            "file": self.file,
            "strategy": self.chosen.name(),
            "strategies": strategies.collect::<Vec<_>>(),
            "sources": sources.collect::<Vec<_>>(),
        })
    }
}

/// A text as the content of an element.
fn escaped_markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// JSON as the content of a `script`. An angle bracket can only be in a string of JSON, and neither `</script>` nor
/// `<!--` can do without it.
fn escaped_json(data: &Value) -> String {
    data.to_string().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(file: &str, text: &str) -> String {
        let mut sources = Sources::default();
        sources.add(file, text);
        sources.add_library("prelude.arr", "def hidden = 1");
        let strategies = vec![(Strategy::Ilp, Vec::new())];
        Page { file, chosen: Strategy::Ilp, strategies, sources: &sources }.text()
    }

    #[test]
    fn a_text_cannot_end_its_element() {
        let text = page("a<b>&\".arr", "-- </script><!-- @title@ @script@");
        assert!(text.contains("<title>a&lt;b&gt;&amp;\".arr</title>"));
        assert!(text.contains(r#""text":"-- \u003c/script>\u003c!-- @title@ @script@""#));
        assert_eq!(text.matches("<script").count(), 2);
        assert_eq!(text.matches("</script>").count(), 2);
        assert_eq!(text.matches("<!--").count(), 0);
    }

    #[test]
    fn the_library_is_left_out() {
        let text = page("a.arr", "def shown = 1");
        assert!(text.contains("def shown = 1"));
        assert!(!text.contains("def hidden = 1"));
    }
}
