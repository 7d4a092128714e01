//! One case: a text is compiled up to the loop nests, under supervision.
//!
//! Invariant: the outcome reports every failure; nothing is printed.

use std::panic;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use arrc_front::load::NoFiles;
use arrc_pipeline as pipeline;
use arrc_pipeline::Options;
use arrc_syntax::diagnostics;
use arrc_syntax::diagnostics::{Diagnostic, Help, RenderOptions};
use arrc_syntax::source::Sources;

/// The stack that `arrc` gives the passes.
const STACK: usize = 1 << 28;
/// How long a case may take, in a debug build on a busy machine.
const LONGEST: Duration = Duration::from_secs(60);

/// How a case ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// With loop nests or diagnostics.
    Fine,
    /// With a panic: its message and place.
    Panic(String),
    /// Not in time.
    Endless,
}

/// Takes a text to loop nests, and renders every diagnostic in both ways.
///
/// # Panics
/// If the system gives no thread.
#[must_use]
pub fn run(text: &str) -> Outcome {
    let (sender, receiver) = mpsc::channel();
    let hook = panic::take_hook();
    let told = sender.clone();
    panic::set_hook(Box::new(move |info| {
        let place = info.location().map_or_else(String::new, ToString::to_string);
        let what = info.payload_as_str().unwrap_or("no message");
        let what: String = what.chars().take(300).collect();
        // If the receiver is gone, it has already got a message.
        let _ = told.send(Outcome::Panic(format!("{place}: {what}")));
    }));
    let text = text.to_owned();
    let case = move || {
        compile(text);
        let _ = sender.send(Outcome::Fine);
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(case);
    let thread = thread.expect("the system gives a thread");
    let outcome = receiver.recv_timeout(LONGEST).unwrap_or(Outcome::Endless);
    if outcome != Outcome::Endless {
        // A panic has already been reported.
        let _ = thread.join();
    }
    panic::set_hook(hook);
    outcome
}

fn compile(text: String) {
    let mut sources = Sources::default();
    let file = sources.add("case.arr", text);
    let found = match pipeline::compile(&mut sources, file, &NoFiles, &Options::default()) {
        Ok(compiled) => compiled.warnings,
        Err(errors) => {
            assert!(!errors.is_empty(), "a program that is not compiled has an error");
            errors
        }
    };
    found.iter().for_each(|diagnostic| shown(diagnostic, &sources));
}

/// A diagnostic is complete and can be rendered, and its edits can be made.
fn shown(diagnostic: &Diagnostic, sources: &Sources) {
    let text = diagnostics::render(diagnostic, sources, RenderOptions::default());
    assert!(text.contains(diagnostic.code.0), "{text}");
    let json = diagnostics::json(diagnostic, sources);
    assert!(json.starts_with('{') && json.ends_with('}') && !json.contains('\n'), "{json}");
    let labels = diagnostic.primary.iter().chain(&diagnostic.secondary).map(|label| label.span);
    let edits = diagnostic.helps.iter().flat_map(Help::edits).map(|edit| edit.span);
    for span in labels.chain(edits) {
        let text = &sources.get(span.file).text;
        let range = span.start as usize..span.end as usize;
        assert!(text.get(range).is_some(), "{} has a span that is no text", diagnostic.code.0);
    }
}

/// The text with as much removed as possible, while the panic stays the same.
#[must_use]
pub fn smaller(text: String, what: &str) -> String {
    let place = |what: &str| what.split(": ").next().unwrap_or_default().to_owned();
    let fails = |text: &str| match run(text) {
        Outcome::Panic(found) => place(&found) == place(what),
        Outcome::Fine | Outcome::Endless => false,
    };
    let mut pieces: Vec<String> = text.split_inclusive([' ', '\n']).map(str::to_owned).collect();
    let mut size = pieces.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < pieces.len() {
            let mut fewer = pieces.clone();
            fewer.drain(at..fewer.len().min(at + size));
            if fails(&fewer.concat()) {
                pieces = fewer;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    pieces.concat()
}
