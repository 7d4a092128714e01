//! Golden files: a test compares its output with a file. `scripts/bless` writes the output into the file instead.
//!
//! The golden file of a form has four parts. Its first line is a comment with the name of the pass. Then come the input
//! form, a line of dashes, and the expected output.
//!
//! ```text
//! -- simplify.fold
//! entry f (x: i64): i64 = let t = 2i64 + 3i64 in t
//! ---
//! entry f (x: i64): i64 = 5i64
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::{Failed, Trial};

/// The line between the input and the expected output.
const BETWEEN: &str = "---\n";

/// One trial for each golden file in a folder. `run` takes the text of the first line and the input form, and returns
/// the output.
///
/// # Panics
/// If there is no such folder.
#[must_use]
pub fn forms(folder: &Path, run: fn(&str, &str) -> Result<String, Failed>) -> Vec<Trial> {
    let entries = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{} has forms: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    files.into_iter().map(|path| Trial::test(name(&path), move || form(&path, run))).collect()
}

fn form(path: &Path, run: fn(&str, &str) -> Result<String, Failed>) -> Result<(), Failed> {
    let text = read(path)?;
    let (first, _) = text.split_once('\n').ok_or("the first line names what is done")?;
    let done = first.strip_prefix("-- ").ok_or("the first line is a comment")?;
    let input = text.split_once(BETWEEN).map_or(text.as_str(), |(input, _)| input);
    compare(&format!("{input}{BETWEEN}{}", run(done, input)?), path)
}

/// Whether expectations are to be written instead of compared.
#[must_use]
pub fn blessing() -> bool {
    std::env::var_os("BLESS").is_some_and(|value| value == "1")
}

/// Compares a text with the one in a file, or writes it there when blessing.
///
/// # Errors
/// If they differ, with the difference, or if the file cannot be read or written.
pub fn compare(found: &str, file: &Path) -> Result<(), Failed> {
    if blessing() {
        return fs::write(file, found)
            .map_err(|error| format!("{}: {error}", file.display()).into());
    }
    let expected = read(file)?;
    if expected == found {
        return Ok(());
    }
    let difference = similar::TextDiff::from_lines(expected.as_str(), found);
    let text = difference.unified_diff().header("expected", "found").to_string();
    Err(format!("{} differs (`scripts/bless` accepts it):\n{text}", file.display()).into())
}

fn read(file: &Path) -> Result<String, Failed> {
    Ok(fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?)
}
