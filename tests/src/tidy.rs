//! The order of the project: every file states its purpose, every code has its page and its test, and examples are
//! complete.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use arrc_syntax::diagnostics::REGISTRY;
use arrc_syntax::prim::{BinOp, UnOp};
use libtest_mimic::{Failed, Trial};

use crate::golden;
use crate::tools::{files, project, read};

/// The most lines of a file.
const LONGEST: usize = 700;

/// The trials.
#[must_use]
pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("tidy::every_file_says_its_purpose", purposes),
        Trial::test("tidy::files_are_short", lengths),
        Trial::test("tidy::the_top_level_has_only_what_belongs_there", top_level),
        Trial::test("tidy::every_code_has_a_page_and_a_test", codes),
        Trial::test("tidy::every_expectation_belongs_to_a_case", golden::no_orphans),
        Trial::test("tidy::one_home_for_each_library", homes),
        Trial::test("tidy::advice_about_programs_is_constant_or_tried", tried_advice),
        Trial::test("tidy::comments_are_plain", plain_comments),
        Trial::test("tidy::every_name_of_the_prelude_is_run_and_told", prelude),
        Trial::test("tidy::pages_for_contributors_name_what_is_there", named_paths),
    ]
}

fn purposes() -> Result<(), Failed> {
    fail_for(rust_files(), |_, text| !text.starts_with("//!"), "does not begin with `//!`")
}

fn lengths() -> Result<(), Failed> {
    fail_for(rust_files(), |_, text| text.lines().count() > LONGEST, "is too long")
}

/// Few of 1,000 lines of comments have phrases that stand in the place of a noun of the field.
fn plain_comments() -> Result<(), Failed> {
    const MOST: usize = 8;
    const PHRASES: [&str; 4] = ["what is", "of which", "so many", "nobody"];
    let is_odd = |line: &&str| {
        let line = line.to_lowercase();
        PHRASES.iter().any(|phrase| line.contains(phrase))
    };
    let (mut comments, mut found) = (0, Vec::new());
    for path in rust_files() {
        let text = read(&path)?;
        let lines = text.lines().filter(|line| line.trim_start().starts_with("//"));
        for line in lines.inspect(|_| comments += 1).filter(is_odd) {
            found.push(format!("{}: {}", path.display(), line.trim()));
        }
    }
    if found.len() * 1000 > comments * MOST {
        return Err(found.join("\n").into());
    }
    Ok(())
}

/// The top level has only these files and folders. Hidden ones do not count.
fn top_level() -> Result<(), Failed> {
    let belongs = [
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "Cargo.lock",
        "Cargo.toml",
        "LICENSE",
        "README.md",
        "bench",
        "compiler",
        "docs",
        "examples",
        "runtime",
        "scripts",
        "stdlib",
        "target",
        "tests",
    ];
    for entry in fs::read_dir(project())? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') && !belongs.contains(&name.as_str()) {
            return Err(format!("`{name}` does not belong to the top level").into());
        }
    }
    Ok(())
}

/// Each library is used in one place.
fn homes() -> Result<(), Failed> {
    let homes = [
        ("chumsky", "compiler/syntax/src/parse/"),
        ("ariadne", "compiler/syntax/src/diagnostics/render.rs"),
        ("good_lp", "compiler/fusion/src/cluster/"),
        ("microlp", "compiler/fusion/src/cluster/solver.rs"),
        ("serde_json", "compiler/syntax/src/json.rs"),
        ("inkwell", "compiler/llvm/"),
        ("clap", "compiler/driver/src/cli"),
        ("pretty", "compiler/format/src/"),
        ("tree_sitter", "tests/grammar/"),
        ("rustix", "compiler/driver/src/report.rs"),
        ("ctrlc", "compiler/driver/src/interrupt.rs"),
        ("plotters", "compiler/driver/src/plot/"),
        ("numpy", "compiler/python/src/ndarray.rs"),
        ("arrow", "runtime/src/text/columns.rs"),
        ("parquet", "runtime/src/text/columns.rs"),
        ("pyo3", "compiler/python/"),
    ];
    for (library, home) in homes {
        let uses = |path: &Path, text: &str| {
            let used = text.lines().any(|line| line.starts_with(&format!("use {library}")));
            used && !path.display().to_string().contains(home)
                && !path.ends_with("driver/src/lib.rs")
        };
        fail_for(rust_files(), uses, &format!("uses {library}, whose home is {home}"))?;
    }
    Ok(())
}

/// What finds errors in programs has constant advice, or changes that are tried.
fn tried_advice() -> Result<(), Failed> {
    let makes_up = |path: &Path, text: &str| {
        let finds = ["compiler/front", "compiler/fusion", "compiler/syntax/src/parse"];
        let path = path.display().to_string();
        finds.iter().any(|folder| path.contains(folder)) && text.contains(".instruct(")
    };
    fail_for(rust_files(), makes_up, "gives advice that is made up")
}

fn fail_for(
    paths: Vec<PathBuf>,
    wrong: impl Fn(&Path, &str) -> bool,
    what: &str,
) -> Result<(), Failed> {
    let mut found = Vec::new();
    for path in paths {
        if wrong(&path, &read(&path)?) {
            found.push(format!("{} {what}", path.display()));
        }
    }
    if found.is_empty() { Ok(()) } else { Err(found.join("\n").into()) }
}

fn rust_files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in ["compiler", "runtime", "tests", "bench"] {
        collect(&project().join(folder), &mut found);
    }
    found
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The folders from which the pages for contributors name paths.
const ROOTS: [&str; 5] =
    ["", "compiler", "compiler/llvm/src", "compiler/llvm/src/loops", "compiler/python"];

/// Every path in a code span, and every page that is linked, is there in the pages for contributors.
fn named_paths() -> Result<(), Failed> {
    let pages = ["ARCHITECTURE.md", "CONTRIBUTING.md"].map(|page| project().join(page));
    let mut wrong = Vec::new();
    for page in pages.into_iter().chain(files(&project().join("docs/dev"), "md")) {
        let text = read(&page)?;
        // Every second piece is a fenced block.
        for text in text.split("\n```").step_by(2) {
            let spans = text.split('`').skip(1).step_by(2).filter(|span| is_path(span));
            wrong.extend(spans.filter(|path| !is_there(path)).map(str::to_owned));
            let folder = page.parent().expect("a page is in a folder");
            let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
            let links = links.map(|(link, _)| link).filter(|link| !link.starts_with("http"));
            wrong.extend(links.filter(|link| !folder.join(link).exists()).map(str::to_owned));
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("pages for contributors name what is not there: {}", wrong.join(", ")).into())
}

/// Whether a code span is a path, and no pattern of one such as `tests/run/NAME.arr`.
fn is_path(span: &str) -> bool {
    let is_sign = |sign: char| sign.is_ascii_alphanumeric() || "/._-".contains(sign);
    span.contains('/')
        && span.chars().all(is_sign)
        && !["NAME", "XXXX"].iter().any(|part| span.contains(part))
}

/// Whether there is a file or a folder with this path, which may lack `.rs`.
fn is_there(path: &str) -> bool {
    let roots = ROOTS.map(|root| project().join(root));
    roots.iter().any(|root| root.join(path).exists() || root.join(format!("{path}.rs")).exists())
}

/// The code of a call that Ctrl-C stopped: `endless::interrupted_call` shows it, since it takes a signal.
const INTERRUPTED: &str = "A0617";

/// Every code has a page that begins with it, and a rendered test in `ui/`.
fn codes() -> Result<(), Failed> {
    let rendered: Vec<String> = files(&project().join("tests/ui"), "out")
        .iter()
        .map(|path| read(path))
        .collect::<Result<_, _>>()?;
    let mut wrong = Vec::new();
    for entry in REGISTRY {
        let code = entry.code.0;
        if !entry.page.starts_with(&format!("# {code} {}\n", entry.name)) {
            wrong.push(format!(
                "docs/errors/{code}.md does not begin with `# {code} {}`",
                entry.name
            ));
        }
        let shown = [format!("[{code}]"), format!("{{\"code\":\"{code}\"")];
        let is_rendered = rendered.iter().any(|text| shown.iter().any(|one| text.contains(one)));
        if !is_rendered && code != INTERRUPTED {
            wrong.push(format!("no test in tests/ui shows {code}"));
        }
    }
    let registered = |path: &PathBuf| {
        REGISTRY.iter().any(|entry| path.ends_with(format!("{}.md", entry.code.0)))
    };
    for page in files(&project().join("docs/errors"), "md").iter().filter(|path| !registered(path))
    {
        wrong.push(format!("{} belongs to no code", page.display()));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// Every name of the prelude and every function of scalars is used by a program in `run/`, and is in a table of
/// the language reference.
fn prelude() -> Result<(), Failed> {
    let mut used = BTreeSet::new();
    for path in files(&project().join("tests/run"), "arr") {
        let text = read(&path)?;
        let code = text.lines().filter_map(|line| line.split("--").next());
        used.extend(code.flat_map(words).map(str::to_string));
    }
    let reference = read(&project().join("docs/src/reference.md"))?;
    let tables = reference.lines().filter(|line| line.starts_with("| `"));
    let told: BTreeSet<&str> = tables.flat_map(words).collect();
    let mut wrong = Vec::new();
    let library = read(&project().join("stdlib/prelude.arr"))?;
    for name in library.lines().filter_map(defined).chain(operations()) {
        if !used.contains(name) {
            wrong.push(format!("no program in tests/run uses `{name}`"));
        }
        if !told.contains(name) {
            wrong.push(format!("docs/src/reference.md does not tell of `{name}`"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// The name that a line of the prelude defines for everybody; none for operators.
fn defined(line: &str) -> Option<&str> {
    let mut parts = line.split([' ', '(', ')']).filter(|part| !part.is_empty());
    let (Some("def" | "intrinsic"), Some(name)) = (parts.next(), parts.next()) else {
        return None;
    };
    let hidden =
        line.starts_with(' ') || name.starts_with(|sign: char| sign.is_ascii_punctuation());
    (!hidden).then_some(name)
}

/// The functions that the tables of operations describe.
fn operations<'a>() -> impl Iterator<Item = &'a str> {
    let unary = UnOp::ALL.iter().filter(|op| op.row().sign.is_none()).map(|op| op.name());
    let binary = BinOp::ALL.iter().filter(|op| !op.is_infix()).map(|op| op.name());
    unary.chain(binary)
}

/// The words of a text of Arr.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|sign: char| !(sign.is_alphanumeric() || sign == '_' || sign == '\''))
}
