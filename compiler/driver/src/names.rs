//! Names that entries and externals cannot have, because they are functions of C.
//!
//! ```text
//! entry main' …   entry int …   entry sin …      refused with A0512
//! ```

use arrc_core::diagnostics::{Code, Diagnostic};
use arrc_core::ir::procedure::concrete::Program;

/// Words of C and C++.
const WORDS: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "compl",
    "concept",
    "const",
    "consteval",
    "constexpr",
    "constinit",
    "const_cast",
    "continue",
    "co_await",
    "co_return",
    "co_yield",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
    "NULL",
];

/// Functions of the C library that compiled code or the runtime calls: an entry of that name would be
/// called instead.
const LIBRARY: &[&str] = &[
    "acos",
    "asin",
    "atan",
    "atan2",
    "calloc",
    "ceil",
    "cos",
    "exp",
    "floor",
    "fmod",
    "free",
    "getrlimit",
    "log",
    "log10",
    "log2",
    "madvise",
    "malloc",
    "memcmp",
    "memcpy",
    "memmove",
    "memset",
    "mmap",
    "munmap",
    "pow",
    "posix_memalign",
    "realloc",
    "rint",
    "round",
    "roundeven",
    "sin",
    "sqrt",
    "strlen",
    "tan",
    "tanh",
    "trunc",
];

/// What is wrong with the names of entries and externals, wherever they are used.
pub(crate) fn check(program: &Program) -> Vec<Diagnostic> {
    let mut found = wrong(program, problem);
    found.extend(program.externals.values().filter_map(|external| {
        let name = &external.name;
        let what = problem(name).or_else(|| (&**name == "main").then_some(MAIN))?;
        let message = format!("an external cannot be called `{name}`");
        Some(
            Diagnostic::error(Code::EXTERNAL_NAME, external.span, message)
                .label(what)
                .note("an external is a C function of the same name, which takes a context and returns a code")
                .help("rename it; a function of C's library is called by a function of yours"),
        )
    }));
    found
}

/// Why nothing that is linked into a C program can be called `main`.
const MAIN: &str = "a C program has its own `main`";

/// What is wrong with the entries' names, with their prefix, in something that is linked into a C
/// program.
pub(crate) fn check_linked(program: &Program) -> Vec<Diagnostic> {
    wrong(program, |name| match name {
        "main" => Some(MAIN),
        name => problem(name),
    })
}

fn wrong(program: &Program, problem: fn(&str) -> Option<&'static str>) -> Vec<Diagnostic> {
    let problems = program.entries.iter().filter_map(|entry| {
        let what = problem(&entry.name)?;
        let span = program.functions[entry.function].span;
        let message = format!("an entry cannot be called `{}`", entry.name);
        let found = Diagnostic::error(Code::ENTRY_NAME, span, message).label(what);
        let help = if &*entry.name == "main" {
            "with `--prefix=NAME_` it is called `NAME_main`; with `--exe` it is run by a `main` of its own"
        } else {
            "rename it, or write `def` if only the program itself uses it"
        };
        Some(found.note("an entry is a C function of the same name").help(help))
    });
    problems.collect()
}

/// Why a C function cannot have the name.
fn problem(name: &str) -> Option<&'static str> {
    let float = name.strip_suffix('f').unwrap_or(name);
    if !name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_') {
        Some("C has names of letters, digits and `_` only")
    } else if name.starts_with(|first: char| first.is_ascii_digit()) {
        Some("C has no names that begin with a digit")
    } else if WORDS.contains(&name) {
        Some("this is a word of C or C++")
    } else if LIBRARY.contains(&name) || LIBRARY.contains(&float) {
        Some("this is a function of the C library")
    } else if name.starts_with("arr_") {
        Some("names with `arr_` belong to the runtime")
    } else {
        None
    }
}

/// A parameter's name that C accepts.
pub(crate) fn parameter(name: &str) -> String {
    let name = name.replace('\'', "_prime");
    if WORDS.contains(&name.as_str()) || name == "ctx" { format!("{name}_") } else { name }
}
