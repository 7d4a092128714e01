//! The standard library: the files of `stdlib/`, which are part of the compiler.
//!
//! Invariant: every file of the folder is here; the tidy tests look.
//!
//! ```text
//! import "complex"   ⇒   stdlib/complex.arr, if there is no complex.arr beside the importing file
//! ```

/// What every program can use without an import.
pub const PRELUDE: &str = include_str!("../../../stdlib/prelude.arr");

/// The name of the prelude in messages.
pub const PRELUDE_FILE: &str = "prelude.arr";

/// What stands before the names of library files in messages.
pub const FOLDER: &str = "stdlib/";

/// The files that can be imported, by name.
const FILES: &[(&str, &str)] = &[
    ("complex", include_str!("../../../stdlib/complex.arr")),
    ("groups", include_str!("../../../stdlib/groups.arr")),
    ("linalg", include_str!("../../../stdlib/linalg.arr")),
    ("random", include_str!("../../../stdlib/random.arr")),
    ("sparse", include_str!("../../../stdlib/sparse.arr")),
    ("stencil", include_str!("../../../stdlib/stencil.arr")),
    ("statistics", include_str!("../../../stdlib/statistics.arr")),
];

/// The text of a file of the library.
#[must_use]
pub fn file(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The name of the first file that defines a name. Names of one letter are not looked for.
#[must_use]
pub fn file_with(name: &str) -> Option<&'static str> {
    let begins = |line: &str| {
        line.strip_prefix("def ")
            .and_then(|rest| rest.strip_prefix(name))
            .is_some_and(|rest| rest.starts_with(' '))
    };
    let defines = |(_, text): &&(&str, &str)| name.len() > 1 && text.lines().any(begins);
    FILES.iter().find(defines).map(|(file, _)| *file)
}

/// The names of the files that can be imported.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}
