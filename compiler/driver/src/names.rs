//! Names that entries and externals cannot have, since they become C functions.
//!
//! Invariant: an object that is linked into a C program takes no name of C, of its headers or of its library. A
//! program that is only run takes no name that is a keyword of C, or that compiled code or the runtime calls.
//!
//! ```text
//! entry main' …   entry int …   entry sin …      refused with A0512
//! entry main …    entry read …  entry EOF …      entry gamma …   refused with A0512 by `arrc build`, without a prefix
//! ```

mod gnu;
mod table;

use std::collections::HashMap;

use arrc_loops::concrete::Program;
use arrc_syntax::diagnostics::{Code, Diagnostic};
use arrc_syntax::names::Name;

use table::Owner;

use crate::embed::python_name;

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

/// Functions of the C library that compiled code or the runtime calls; functions of floats are listed without the `f`
/// of `float`. An entry with such a name would be called instead of the library's function, wherever the program
/// runs.
const CALLED: &str = "\
    acos acosh asin asinh atan atan2 atanh bcmp calloc ceil copysign cos cosh erf erfc exp exp2 expm1 fabs floor \
    fma fmax fmin fmod free getrlimit hypot ldexp lgamma log log10 log1p log2 madvise malloc memcmp memcpy \
    memmove memset mmap mremap munmap nearbyint posix_memalign pow pthread_attr_destroy \
    pthread_attr_getguardsize pthread_attr_getstack pthread_getattr_np pthread_mutex_destroy \
    pthread_mutex_lock pthread_mutex_unlock pthread_self realloc rint round roundeven sin sincos sinh snprintf \
    sqrt strlen strtod sysconf tan tanh tgamma trunc";

/// The errors in the names of entries and externals that hold for every use of the program.
pub(crate) fn check(program: &Program) -> Vec<Diagnostic> {
    let mut found = wrong(program, problem);
    found.extend(check_externals(program));
    found
}

/// The errors in the names of externals.
pub(crate) fn check_externals(program: &Program) -> Vec<Diagnostic> {
    let wrong = program.c_functions().filter_map(|external| {
        let name = &external.name;
        let what = problem(name).or_else(|| linked_problem(name))?;
        let message = format!("an external cannot be called `{name}`");
        Some(
            Diagnostic::error(Code::EXTERNAL_NAME, external.span, message)
                .label(what)
                .note("an external is a C function of the same name, which takes a context and returns a code")
                .help("rename it; a function of C's library is called by a function of yours"),
        )
    });
    wrong.collect()
}

/// The errors in the names of entries, with their prefix, for an object that is linked into a C program.
pub(crate) fn check_linked(program: &Program) -> Vec<Diagnostic> {
    wrong(program, |name| problem(name).or_else(|| linked_problem(name)))
}

/// The errors in the names of entries for a package of Python, which has a function of each name.
pub(crate) fn check_package(program: &Program) -> Vec<Diagnostic> {
    let mut names: HashMap<String, &Name> = HashMap::new();
    let wrong = program.entries.iter().filter_map(|entry| {
        let name = python_name(&entry.name);
        let what = if name == "errors" {
            "the package has a module of this name, with the exceptions".to_owned()
        } else if name.starts_with("__") {
            "names with `__` in front belong to Python".to_owned()
        } else if let Some(other) = names.get(&name) {
            format!("in Python this is `{name}`, as the entry `{other}` is")
        } else {
            names.insert(name, &entry.name);
            return None;
        };
        let message = format!("an entry of a package cannot be called `{}`", entry.name);
        let found =
            Diagnostic::error(Code::ENTRY_NAME, program.functions[entry.function].span, message);
        let found =
            found.label(what).note("an entry is a function of the package of the same name");
        Some(found.help("rename it, or write `def` if only the program itself uses it"))
    });
    wrong.collect()
}

/// The reason for which a C function in a C program cannot have the name.
fn linked_problem(name: &str) -> Option<&'static str> {
    match table::owner(name) {
        _ if name == "main" => Some("a C program has its own `main`"),
        _ if is_namespace(name) => Some("this is a namespace of C++"),
        Some(Owner::Headers) => Some("C's headers define this name"),
        Some(Owner::Library) => Some("this name belongs to the C library"),
        None => None,
    }
}

/// Whether C++ programs have a namespace of that name: that of C++ itself, or that of the bindings.
fn is_namespace(name: &str) -> bool {
    matches!(name, "std" | "arr")
}

fn wrong(program: &Program, problem: fn(&str) -> Option<&'static str>) -> Vec<Diagnostic> {
    let problems = program.entries.iter().filter_map(|entry| {
        let what = problem(&entry.name)?;
        let span = program.functions[entry.function].span;
        let message = format!("an entry cannot be called `{}`", entry.name);
        let found = Diagnostic::error(Code::ENTRY_NAME, span, message).label(what);
        let found = found.note("an entry is a C function of the same name");
        Some(helps(&entry.name).iter().fold(found, |found, &help| found.help(help)))
    });
    problems.collect()
}

/// Help for a name.
fn helps(name: &str) -> &'static [&'static str] {
    const PREFIX: &str = "or let all names begin with a prefix: `--prefix=my_`";
    const RENAME: &str = "rename it, or write `def` if only the program itself uses it";
    match table::owner(name) {
        _ if name == "main" => &[
            "with `--prefix=NAME_` it is called `NAME_main`; with `--exe` it is run by a `main` of its own",
        ],
        _ if is_namespace(name) => &[RENAME, PREFIX],
        Some(_) if problem(name).is_none() => &[RENAME, PREFIX],
        Some(_) | None => &[RENAME],
    }
}

/// The reason for which no C function can have the name.
fn problem(name: &str) -> Option<&'static str> {
    let float = name.strip_suffix('f').unwrap_or(name);
    if !name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_') {
        Some("C has names of letters, digits and `_` only")
    } else if name.starts_with(|first: char| first.is_ascii_digit()) {
        Some("C has no names that begin with a digit")
    } else if WORDS.contains(&name) {
        Some("this is a word of C or C++")
    } else if is_called(name) || is_called(float) {
        Some("this is a function of the C library")
    } else if name.starts_with("arr_") {
        Some("names with `arr_` belong to the runtime")
    } else {
        None
    }
}

/// Whether compiled code or the runtime calls the function.
fn is_called(name: &str) -> bool {
    CALLED.split_ascii_whitespace().any(|called| called == name)
}

/// A parameter's name that C accepts: it is no keyword, and no header can have defined it as a macro or a type.
pub(crate) fn parameter(name: &str) -> String {
    let name = name.replace('\'', "_prime");
    let is_taken = WORDS.contains(&name.as_str())
        || ["ctx", "errno", "stdin", "stdout", "stderr"].contains(&name.as_str())
        || table::owner(&name) == Some(Owner::Headers);
    if is_taken { format!("{name}_") } else { name }
}
