//! The page of `arrc explain --html`.
//!
//! Invariant: the page has what `arrc explain --json` tells, for the chosen strategy in full. A program and its name stay data.
//! The tests in `tests/explorer` look at pages in headless Chromium, at night.

use std::fs;
use std::path::Path;
use std::process::Command;

use arrc_syntax::json::{Value, json};
use libtest_mimic::{Failed, Trial};

use crate::python::environment;
use crate::run::all;
use crate::tools::{arrc, output, project, read, succeed};

/// The examples whose pages are looked at in a browser: one with loops and several functions, and two short ones.
const EXAMPLES: [&str; 3] = ["kmeans", "paths", "filter_max"];

/// A program of two files whose name and text look like markup, with a call of the library that takes several passes.
const HOSTILE: [(&str, &str); 2] = [
    (
        "a\"<b>&'.arr",
        "import \"half\"\nimport \"statistics\"\n\
         -- </script><script>document.title = 'changed'</script><!-- @title@ \u{2028}ünï 𝔘\n\
         entry spread [n] (xs: [n]f64): f64 = median (halves xs)\n\
         entry twice [n] (xs: [n]i64): ?[k].([k]i64, i64) =\n  \
         let ys = filter (> 0) xs\n  \
         let most = reduce i64.max 0 ys\n  \
         in (map (/ most) ys, most)\n",
    ),
    ("half.arr", "def halves [n] (xs: [n]f64): [n]f64 =\n  map (/ 2) xs\n"),
];

/// The trials.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let quick = vec![
        Trial::test("explorer::the_page_has_the_data", has_the_data),
        Trial::test("explorer::a_program_cannot_change_the_page", hostile),
        Trial::test("explorer::the_page_goes_where_it_is_asked_to", outputs),
    ];
    let browser = all().then(|| Trial::test("explorer::in_a_browser", in_a_browser));
    quick.into_iter().chain(browser).collect()
}

/// The page of a program, from standard output.
fn page(folder: &Path, arguments: &[&str]) -> Result<String, Failed> {
    let mut command = Command::new(arrc());
    command.args(["explain", "--html", "-o", "-"]).args(arguments).current_dir(folder);
    succeed(&mut command)
}

/// The data in a page.
fn data(page: &str) -> Result<Value, Failed> {
    const START: &str = "<script id=\"data\" type=\"application/json\">";
    let (_, rest) = page.split_once(START).ok_or("the page has no data")?;
    let (text, _) = rest.split_once("</script>").ok_or("the data have no end")?;
    value(text)
}

fn value(text: &str) -> Result<Value, Failed> {
    text.parse().map_err(|error| format!("this is no JSON: {error}").into())
}

fn has_the_data() -> Result<(), Failed> {
    let file = "examples/paths.arr";
    let text = page(&project(), &["--fusion=megiddo", file])?;
    if text != page(&project(), &["--fusion=megiddo", file])? {
        return Err("the same program gives two pages".into());
    }
    let data = data(&text)?;
    let source = read(&project().join(file))?;
    if data["sources"] != json!([{"file": file, "text": source}]) {
        return Err(format!("the sources are {}", data["sources"]).into());
    }
    if data["strategy"] != "megiddo" || data["file"] != file {
        return Err("another program or strategy is shown".into());
    }
    for strategy in ["none", "stream", "megiddo", "greedy", "ilp"] {
        let fusion = format!("--fusion={strategy}");
        let mut command = Command::new(arrc());
        let told =
            succeed(command.args(["explain", "--json", &fusion, file]).current_dir(project()))?;
        let told = value(&told)?;
        let all = data["strategies"].as_array().ok_or("there are no strategies")?;
        let shown = all.iter().find(|shown| shown["strategy"] == strategy);
        let shown = shown.ok_or_else(|| format!("{strategy} is missing"))?;
        let (mut shown, mut told) = (shown["functions"].clone(), told["functions"].clone());
        if strategy != "megiddo" {
            // LLVM is asked under the chosen strategy only.
            [&mut shown, &mut told].into_iter().for_each(forget_llvm);
        }
        if shown != told {
            return Err(format!("the page and --json differ under {strategy}").into());
        }
    }
    Ok(())
}

/// Removes the vector state of the passes that LLVM vectorises or leaves scalar.
fn forget_llvm(value: &mut Value) {
    if let Some(vectors) = value.get_mut("vectors").filter(|of| of["lanes"].is_null()) {
        *vectors = Value::Null;
    }
    match value {
        Value::Array(values) => values.iter_mut().for_each(forget_llvm),
        Value::Object(fields) => fields.iter_mut().for_each(|(_, value)| forget_llvm(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The page of the program that looks like markup, whose files are written into a folder.
fn hostile_page(folder: &Path) -> Result<String, Failed> {
    for (name, text) in HOSTILE {
        fs::write(folder.join(name), text)?;
    }
    page(folder, &[HOSTILE[0].0])
}

fn hostile() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let text = hostile_page(folder.path())?;
    for (mark, times) in [("<script", 2), ("</script>", 2), ("<!--", 0), ("<b>", 0)] {
        let found = text.matches(mark).count();
        if found != times {
            return Err(format!("`{mark}` is {found} times in the page").into());
        }
    }
    for address in ["http:", "https:", "src=", "@import", "url("] {
        if text.contains(address) {
            return Err(format!("the page has `{address}`, so it may need a network").into());
        }
    }
    let data = data(&text)?;
    let sources = HOSTILE.map(|(name, text)| json!({"file": name, "text": text}));
    if data["file"] != HOSTILE[0].0 || data["sources"] != json!(sources) {
        return Err(format!("a name or a text has changed: {}", data["sources"]).into());
    }
    Ok(())
}

fn outputs() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("programs"))?;
    fs::write(at("programs/twice.arr"), "entry twice [n] (xs: [n]i64): [n]i64 = map (* 2) xs\n")?;
    let run = |arguments: &[&str]| {
        let mut command = Command::new(arrc());
        output(command.args(["explain", "--html"]).args(arguments).current_dir(folder.path()))
    };
    let printed = run(&["programs/twice.arr", "-o", "-"])?.stdout;
    for (arguments, file) in [
        (&["programs/twice.arr"][..], "twice.html"),
        (&["programs/twice.arr", "--output", "programs/page"], "programs/page"),
    ] {
        let result = run(arguments)?;
        if !result.status.success() || !result.stdout.is_empty() {
            return Err(format!("{arguments:?} ended with {result:?}").into());
        }
        if fs::read(at(file))? != printed || printed.is_empty() {
            return Err(format!("{file} differs from standard output").into());
        }
    }
    let unwritable = run(&["programs/twice.arr", "-o", "missing/page.html"])?;
    if unwritable.status.code() != Some(1) {
        return Err("a page in no folder is no error".into());
    }
    Ok(())
}

/// Pages in headless Chromium: what they show, clicks, keys, zoom, light and dark.
fn in_a_browser() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("source");
    fs::create_dir(&source)?;
    fs::write(folder.path().join("hostile.html"), hostile_page(&source)?)?;
    for example in EXAMPLES {
        let text = page(&project(), &[&format!("examples/{example}.arr")])?;
        fs::write(folder.path().join(format!("{example}.html")), text)?;
    }
    let mut python = Command::new(environment("all", true)?);
    python.args(["-m", "unittest", "test_page"]).current_dir(project().join("tests/explorer"));
    succeed(python.env("PAGES", folder.path()).env("PYTHONDONTWRITEBYTECODE", "1"))?;
    Ok(())
}
