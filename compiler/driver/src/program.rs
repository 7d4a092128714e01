//! The `main` of a program made by `arrc build --exe`: a table of the entries, given to the runtime,
//! which reads the arguments and prints the results as `arrc run` does.

use std::fmt::Write;

use arrc_fusion::cnf::{Entry, Type};
use arrc_loops::concrete::Program;

use crate::cli::Sanitizer;
use crate::header::input_types;

/// The prefix of the symbols of entries, so that an entry may have the name `main`. The runtime knows the prefix.
pub(crate) const PREFIX: &str = arr_runtime::program::PREFIX;

/// The C text of `main`.
pub(crate) fn main(program: &Program, sanitizer: Option<Sanitizer>) -> String {
    let begin = begin(sanitizer);
    let mut text = String::from(
        "#include <stddef.h>\n\
         #include <stdlib.h>\n\
         typedef struct arr_context arr_context;\n\
         typedef int arr_call(arr_context *, void *const *, const void *const *);\n\
         typedef struct { const char *name, *signature, *inputs, *outputs; arr_call *call; } arr_entry;\n\
         extern int arr_rt_main(int, char **, const arr_entry *, size_t);\n",
    );
    let mut table = String::new();
    for entry in &program.entries {
        writeln!(text, "extern arr_call {}__uniform;", entry.name)
            .expect("writing to a string succeeds");
        writeln!(table, "  {},", row(program, entry)).expect("writing to a string succeeds");
    }
    let count = program.entries.len();
    text + &format!(
        "static const arr_entry entries[] = {{\n{table}}};\n\
         int main(int argc, char **argv) {{ {begin}return arr_rt_main(argc, argv, entries, {count}); }}\n"
    )
}

/// The first statement of `main`. The runtime has no checks of sanitizers, so that ThreadSanitizer does not see how threads wait
/// for each other: a program with its checks uses one thread, unless it is told how many.
pub(crate) fn begin(sanitizer: Option<Sanitizer>) -> &'static str {
    match sanitizer {
        Some(Sanitizer::Thread) => "setenv(\"ARR_NUM_THREADS\", \"1\", 0); ",
        Some(Sanitizer::Address) | None => "",
    }
}

/// One entry's line of the table: the types as `name:f64:1`, with the rank, separated by spaces.
fn row(program: &Program, entry: &Entry) -> String {
    let function = &program.functions[entry.function];
    let inputs = components(&entry.inputs, input_types(function));
    let outputs = components(&entry.outputs, function.results.iter());
    format!(
        "{{\"{}\", \"{}\", \"{inputs}\", \"{outputs}\", {}__uniform}}",
        entry.name.strip_prefix(PREFIX).unwrap_or(&entry.name),
        escaped(&entry.signature),
        entry.name
    )
}

fn components<'a>(names: &[String], types: impl Iterator<Item = &'a Type>) -> String {
    let parts: Vec<String> = names
        .iter()
        .zip(types)
        .map(|(name, ty)| match ty {
            Type::Scalar(scalar) => format!("{name}:{scalar}:0"),
            Type::Array { elem, shape } => format!("{name}:{elem}:{}", shape.len()),
        })
        .collect();
    parts.join(" ")
}

/// A text inside of a literal of C.
pub(crate) fn escaped(text: &str) -> String {
    text.chars().flat_map(char::escape_default).collect()
}
