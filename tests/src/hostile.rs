//! Foreign texts that would control a terminal: file names, import paths, arguments, CSV headers, names of entries and
//! of tests, and the texts of assertions.
//!
//! Invariant: the output of a case has no control characters except line breaks, and none that change the direction of
//! text. It has the escaped text, which shows that the text was printed.

use std::fs;
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use crate::tools::{arrc, output, succeed};

/// A text that would colour the following text and turn its direction.
const EVIL: &str = "\u{1b}[31m\u{202e}";
/// The same text, as messages show it.
const ESCAPED: &str = r"\u{1b}[31m\u{202e}";

/// Command lines, with what the message is about. `EVIL` stands for the text.
const CASES: [(&str, &[&str]); 21] = [
    ("file_in_a_diagnostic", &["check", "wrong EVIL.arr"]),
    ("file_that_is_missing", &["check", "no EVIL"]),
    ("import_path", &["check", "imports.arr"]),
    ("option", &["check", "--EVIL"]),
    ("command", &["EVIL"]),
    ("value_of_an_option", &["check", "--fusion=EVIL", "a.arr"]),
    ("entry_to_explain", &["explain", "asserts.arr", "EVIL"]),
    ("argument", &["run", "good EVIL.arr", "half", "EVIL"]),
    ("file_of_an_argument", &["run", "good EVIL.arr", "half", "@EVIL.npy"]),
    ("csv_column_to_read", &["run", "good EVIL.arr", "all", "@table.csv:zEVIL"]),
    ("csv_header", &["run", "good EVIL.arr", "all", "@table.csv:y"]),
    ("file_in_a_runtime_error", &["run", "good EVIL.arr", "half", "1"]),
    ("assertion", &["run", "asserts.arr", "true"]),
    ("file_in_an_error_of_the_interpreter", &["run", "--interpret", "good EVIL.arr", "half", "1"]),
    ("failed_test", &["test", "good EVIL.arr"]),
    ("entry_to_test", &["test", "--entry=EVIL", "good EVIL.arr"]),
    ("list_of_tests", &["test", "--list", "good EVIL.arr"]),
    ("argument_of_bench", &["bench", "good EVIL.arr", "half", "EVIL"]),
    ("label_of_bench", &["bench", "--rounds=1", "good EVIL.arr"]),
    ("file_to_explain", &["explain", "EVIL"]),
    ("file_of_a_hint", &["explain", "--verbose", "hints EVIL.arr"]),
];

/// One trial for each case, and the trials of a program that is built.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let trial = |(name, words): (&str, &'static [&str])| {
        Trial::test(format!("hostile::{name}"), move || case(words))
    };
    CASES.into_iter().map(trial).chain([Trial::test("hostile::executable", executable)]).collect()
}

/// A folder with the programs.
fn folder() -> Result<tempfile::TempDir, Failed> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let good = format!(
        "-- ==\n-- entry: half\n-- \"{EVIL}\"\n-- input {{ 4 }} output {{ 3 }}\n\
         entry half (x: i64): i64 = assert (x % 2 == 0) x / 2\n\
         entry all [n] (xs: [n]i64): i64 = i64.sum xs\n"
    );
    let files = [
        (format!("wrong {EVIL}.arr"), "entry demo (x: i64): i64 = y".to_owned()),
        ("imports.arr".to_owned(), format!("import \"{EVIL}\"")),
        (format!("good {EVIL}.arr"), good),
        ("table.csv".to_owned(), format!("x,{EVIL}\n1,2\n")),
        (
            "asserts.arr".to_owned(),
            format!("entry all (x: bool): i64 = assert (length \"{EVIL}\" == 0) 1"),
        ),
        (
            format!("hints {EVIL}.arr"),
            "entry energy [n] (vs: [n]f64): f64 = fold (\\sum v -> sum + v * v) 0 vs".to_owned(),
        ),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).map_err(|error| error.to_string())?;
    }
    Ok(folder)
}

fn case(words: &[&str]) -> Result<(), Failed> {
    let words = words.iter().map(|word| word.replace("EVIL", EVIL));
    harmless(Command::new(arrc()).args(words), folder()?.path())
}

/// A program made by `arrc build --exe`, whose run-time errors are the texts that C programs get.
fn executable() -> Result<(), Failed> {
    let folder = folder()?;
    let build = ["build", "--exe", "-o", "halve"].map(str::to_owned);
    let file = format!("good {EVIL}.arr");
    succeed(Command::new(arrc()).args(build).arg(&file).current_dir(folder.path()))?;
    for arguments in
        [vec!["half", "1"], vec!["half", EVIL], vec![EVIL], vec!["all", "@table.csv:y"]]
    {
        harmless(Command::new(folder.path().join("halve")).args(arguments), folder.path())?;
    }
    Ok(())
}

/// Runs a command, and checks its output.
fn harmless(command: &mut Command, folder: &Path) -> Result<(), Failed> {
    let result = output(command.current_dir(folder))?;
    let text = [result.stdout, result.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    if let Some(found) = text.chars().find(|&c| c != '\n' && arr_printable::steers(c)) {
        return Err(format!("{found:?} in {text:?}").into());
    }
    if !text.contains(ESCAPED) {
        return Err(format!("no {ESCAPED} in\n{text}").into());
    }
    Ok(())
}
