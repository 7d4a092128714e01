//! What the tests share: the programs of the project, and what must hold of each formatted text.
#![allow(dead_code, reason = "each test program uses a part")]

use std::fs;
use std::path::{Path, PathBuf};

use arrc_syntax::ids::{EntityRef, FileId};
use arrc_syntax::parse;

/// The columns of a line with more than one token.
pub(crate) const WIDTH: usize = 100;

/// The folders with programs.
const FOLDERS: [&str; 6] = ["bench", "compiler", "docs", "examples", "stdlib", "tests"];

/// The project's top folder.
pub(crate) fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("a crate").to_path_buf()
}

/// The programs of the project that are text, each with its path in the project, in the order of the paths.
pub(crate) fn all() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for folder in FOLDERS {
        collect(&project().join(folder), &mut found);
    }
    found.sort();
    found
}

fn collect(folder: &Path, found: &mut Vec<(String, String)>) {
    for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path())
    {
        if path.is_dir() {
            let name = path.file_name().unwrap_or_default();
            if name != "target" && name != "node_modules" {
                collect(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "arr" || extension == "fut")
            && let Ok(text) = fs::read_to_string(&path)
        {
            let name = path.strip_prefix(project()).expect("below the project").display();
            found.push((name.to_string(), text));
        }
    }
}

fn file() -> FileId {
    FileId::new(0)
}

/// The formatted text, if there are no mistakes.
pub(crate) fn format(text: &str) -> Option<String> {
    arrc_format::format(text, file()).ok()
}

/// The tree of a text as text, which says everything but places; none if there are mistakes.
pub(crate) fn tree(text: &str) -> Option<String> {
    let (tree, mistakes) = parse::parse_text(text, file());
    mistakes.is_empty().then(|| tree.to_string())
}

/// Checks that formatting keeps a program, and formats what is formatted to itself. Gives whether it has no mistakes.
pub(crate) fn check(text: &str) -> Result<bool, String> {
    let Some(before) = tree(text) else { return Ok(false) };
    let formatted = format(text).ok_or("it is read, but not formatted")?;
    let after = tree(&formatted).ok_or_else(|| format!("it has mistakes then:\n{formatted}"))?;
    if before != after {
        return Err(format!("it has another tree then:\n{formatted}"));
    }
    let again = format(&formatted).ok_or("it is formatted once only")?;
    if again != formatted {
        return Err(format!("formatted twice, it changes:\n{}", difference(&formatted, &again)));
    }
    Ok(true)
}

/// The first line of a formatted text that has more columns than fit, without its comment, and more than one token.
pub(crate) fn too_long(formatted: &str) -> Option<&str> {
    formatted.lines().find(|line| is_too_long(line))
}

fn is_too_long(line: &str) -> bool {
    let tokens = parse::lexemes(line, file());
    let end = tokens.last().map_or(0, |last| last.span.end as usize);
    tokens.len() > 1 && line[..end].chars().count() > WIDTH
}

/// The lines in which two texts differ.
pub(crate) fn difference(one: &str, other: &str) -> String {
    similar::TextDiff::from_lines(one, other).unified_diff().to_string()
}
