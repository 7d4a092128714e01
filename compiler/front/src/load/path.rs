//! Paths of imports: with `/`, without `.arr`, relative to the file that imports.
//!
//! Invariant: all paths of one file become the same text, as far as that can be decided from the text alone.
//!
//! ```text
//! "../lib/./a" in src/main.arr   ⇒   lib/a.arr
//! ```

/// The error in the path of an import.
pub(super) fn problem(path: &str) -> Option<&'static str> {
    if path.is_empty() {
        Some("it is empty")
    } else if path.starts_with('/') || path.contains('\\') || path.contains(':') {
        Some("it must be relative to the file that imports, with `/` between folders")
    } else if path.ends_with(".arr") {
        Some("`.arr` is added by itself")
    } else if path.ends_with('/') {
        Some("it names a folder")
    } else {
        None
    }
}

/// The path of the file that `import` means in the file `from`.
pub(super) fn resolve_import(from: &str, import: &str) -> String {
    normalise(&format!("{}{import}.arr", folder(from)))
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
        assert_eq!(resolve_import("src/main.arr", "lib/a"), "src/lib/a.arr");
        assert_eq!(resolve_import("src/main.arr", "../lib/./a"), "lib/a.arr");
        assert_eq!(resolve_import("main.arr", "../a"), "../a.arr");
        assert_eq!(resolve_import("/tmp/x/main.arr", "../a"), "/tmp/a.arr");
    }
}
