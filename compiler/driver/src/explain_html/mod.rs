//! The page of `arrc explain --html`: one file with everything inside, for a browser without a network.
//!
//! `page.html` has the elements that every page has. `page.css` has the style sheet. `model.js` derives rows and positions
//! from the JSON data, and `page.js` renders these as elements.
//!
//! Invariant: a text of the user stands in the data and in the title only, escaped in both, so it cannot become markup.
//!
//! ```text
//! {"file":"a.arr",…}   ⇒   <!doctype html>…<script id="data" type="application/json">{"file":"a.arr",…}</script>…
//! ```

use std::path::{Path, PathBuf};
use std::thread;

use arrc_fusion::clusters::{Method, Strategy};
use arrc_pipeline as pipeline;
use arrc_syntax::diagnostics::Diagnostic;
use arrc_syntax::json::{Value, json};
use arrc_syntax::source::Sources;

use crate::STACK;
use crate::cli::Explain;
use crate::error::Failure;
use crate::explain::{back_end_of, outlines, wanted};
use crate::link;
use crate::report::{Reporter, output};
use crate::source;

const FRAME: &str = include_str!("page.html");
const LOOK: &str = include_str!("page.css");
const SCRIPTS: [&str; 2] = [include_str!("model.js"), include_str!("page.js")];

/// Writes the page of a program to the file that is asked for, or to standard output.
pub(crate) fn write(options: &Explain, reporter: &Reporter) -> Result<(), Failure> {
    let asked = options.options.method();
    let (mut strategies, mut shown) = (Vec::new(), None);
    for (method, explained) in explained(options, asked) {
        let Explained { sources, warnings, functions } = explained?;
        strategies.push((method.strategy, functions));
        if method.strategy == asked.strategy {
            shown = Some((sources, warnings));
        }
    }
    let (sources, warnings) = shown.expect("the strategy that is asked for is one of all");
    reporter.warn(&sources, &warnings)?;
    let file = &options.subject;
    let text = Page { file, chosen: asked.strategy, strategies, sources: &sources }.text();
    let path = options.output.clone().unwrap_or_else(|| default_output(file));
    if path.as_os_str() == "-" {
        output(&text);
    } else {
        link::write(&path, text.as_bytes())?;
    }
    Ok(())
}

/// The file in the current folder with the name of the program.
fn default_output(program: &str) -> PathBuf {
    let name = Path::new(program).file_name().unwrap_or_else(|| "program".as_ref());
    PathBuf::from(name).with_extension("html")
}

/// What a program runs under one strategy.
struct Explained {
    sources: Sources,
    warnings: Vec<Diagnostic>,
    functions: Vec<Value>,
}

impl Explained {
    /// LLVM's passes take longest. They run for the strategy that is asked for only; of the others is known which passes
    /// arrc itself runs in vectors.
    fn new(options: &Explain, method: Method, is_asked: bool) -> Result<Self, Failure> {
        let compiling = pipeline::Options { method, hints: true, ..pipeline::Options::default() };
        let (sources, compiled) = source::compile(Path::new(&options.subject), &compiling)?;
        let plans = wanted(options.entry.as_deref(), &compiled)?;
        let blocks = pipeline::explain::explain(plans, &compiled.program, &sources);
        let llvm = arrc_llvm::Options { only_lowered: !is_asked, ..back_end_of(options) };
        let outlines = outlines(&sources, &compiled, &blocks, &llvm)?;
        let functions = outlines.iter().map(|outline| outline.json(&sources)).collect();
        Ok(Self { functions, warnings: compiled.warnings, sources })
    }
}

/// What a program runs under each strategy. Each is compiled by a thread of its own, since they need nothing of each other.
fn explained(
    options: &Explain,
    asked: Method,
) -> impl Iterator<Item = (Method, Result<Explained, Failure>)> {
    let methods = Strategy::ALL.map(|strategy| Method { strategy, ..asked });
    let results = thread::scope(|scope| {
        let threads = methods.map(|method| {
            let thread = thread::Builder::new().stack_size(STACK);
            let is_asked = method.strategy == asked.strategy;
            let work = move || Explained::new(options, method, is_asked);
            let thread = thread.spawn_scoped(scope, work);
            thread.expect("the system gives a thread")
        });
        threads.map(|thread| thread.join().expect("a panic ends the program"))
    });
    methods.into_iter().zip(results)
}

/// What the page shows of a program.
struct Page<'a> {
    /// The program, as the user named it.
    file: &'a str,
    /// The strategy that is shown first.
    chosen: Strategy,
    /// For each strategy, what each function runs.
    strategies: Vec<(Strategy, Vec<Value>)>,
    /// The files of the program. Those of the library are left out.
    sources: &'a Sources,
}

impl Page<'_> {
    /// The whole file.
    fn text(&self) -> String {
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
