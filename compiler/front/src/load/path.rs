//! Paths of imports: with `/`, without `.arr` or `.fut`, relative to the file that imports.
//!
//! Invariant: all paths of one file become the same text, as far as that can be decided from the text alone.
//!
//! ```text
//! "../lib/./a" in src/main.arr   ⇒   lib/a.arr, then lib/a.fut
//! ```

/// The error in the path of an import.
pub(super) fn problem(path: &str) -> Option<&'static str> {
    if path.is_empty() {
        Some("it is empty")
    } else if path.starts_with('/') || path.contains('\\') || path.contains(':') {
        Some("it must be relative to the file that imports, with `/` between folders")
    } else if ENDINGS.iter().any(|ending| path.ends_with(ending)) {
        Some("`.arr` or `.fut` is added by itself")
    } else if path.ends_with('/') {
        Some("it names a folder")
    } else {
        None
    }
}

/// How the names of files end: those of Arr, and those of Futhark, which are read as Arr.
pub(super) const ENDINGS: [&str; 2] = [".arr", ".fut"];

/// The paths of the files that `import` may mean in the file `from`, the likeliest first: a file that ends as `from`
/// does.
pub(super) fn resolve_import(from: &str, import: &str) -> [String; 2] {
    let [arr, fut] = ENDINGS.map(|ending| normalise(&format!("{}{import}{ending}", folder(from))));
    if from.ends_with(".fut") { [fut, arr] } else { [arr, fut] }
}

/// The name of a file without its ending; none if it is no file of ours.
pub(super) fn without_ending(file: &str) -> Option<&str> {
    ENDINGS.iter().find_map(|ending| file.strip_suffix(ending))
}

/// The folder of a path, with its `/`; empty if it has none.
pub(super) fn folder(path: &str) -> &str {
    split(path).0
}

/// A path's folder, with its `/`, and the name behind it.
pub(super) fn split(path: &str) -> (&str, &str) {
    path.split_at(path.rfind('/').map_or(0, |slash| slash + 1))
}

/// The path without `.` and with as few `..` as possible.
pub(super) fn normalise(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| !matches!(*last, ".." | "")) => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_importing_file() {
        let first = |from: &str, import: &str| resolve_import(from, import)[0].clone();
        assert_eq!(first("src/main.arr", "lib/a"), "src/lib/a.arr");
        assert_eq!(first("src/main.arr", "../lib/./a"), "lib/a.arr");
        assert_eq!(first("main.arr", "../a"), "../a.arr");
        assert_eq!(first("/tmp/x/main.arr", "../a"), "/tmp/a.arr");
        assert_eq!(resolve_import("main.fut", "a"), ["a.fut", "a.arr"]);
    }
}
