//! The C header of a program: it stands alone, for C99 and C++.
//!
//! Invariant: several headers can be included together; each says what its file's entries need.
//!
//! ```text
//! entry dot [n] (xs: [n]f64) (ys: [n]f64): f64
//! ⇒ int dot(arr_context *ctx, double *out, arr_f64_1d xs, arr_f64_1d ys);
//! ```

use std::collections::BTreeSet;
use std::fmt::Write;

use arr_runtime::header::{array_part, runtime_part};
use arrc_core::ir::cnf::{Entry, Type};
use arrc_core::ir::procedure::concrete::{Function, Program};
use arrc_core::prim::Scalar;

use crate::names::parameter;

/// The header of a program whose source is called `name`.
pub(crate) fn header(name: &str, program: &Program) -> String {
    let guard = guard(name);
    let mut text = format!(
        "/* Made by arrc {} from {name}: do not edit.\n *\n\
         \x20* Each function returns ARR_OK (0) or an error's code; then its outputs hold no result,\n\
         \x20* and arr_context_error(ctx) has the message. Outputs come first and belong to the\n\
         \x20* caller; inputs are borrowed and not written.\n */\n\
         #ifndef {guard}\n#define {guard}\n\n",
        env!("CARGO_PKG_VERSION")
    );
    text.push_str(&runtime_part());
    for (scalar, rank) in array_types(program) {
        text.push('\n');
        text.push_str(&array_part(scalar.name(), c_name(scalar), rank));
    }
    text.push_str("\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for entry in &program.entries {
        text.push('\n');
        text.push_str(&comment(entry));
        text.push_str(&prototype(entry, &program.functions[entry.function]));
    }
    text.push_str("\n#ifdef __cplusplus\n}\n#endif\n\n");
    writeln!(text, "#endif /* {guard} */").expect("writing to a string succeeds");
    text
}

/// The include guard of a file, which differs from those of other files.
fn guard(name: &str) -> String {
    let mut word = String::new();
    for character in name.chars() {
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' => word.push(character.to_ascii_uppercase()),
            '_' | '.' => word.push('_'),
            other => word.push_str(&format!("_U{:X}_", u32::from(other))),
        }
    }
    format!("ARR_PROGRAM_{word}_H")
}

/// Every array type that the entries pass, in a fixed order.
fn array_types(program: &Program) -> BTreeSet<(Scalar, u32)> {
    let mut found = BTreeSet::new();
    for entry in &program.entries {
        let function = &program.functions[entry.function];
        for ty in input_types(function).chain(&function.results) {
            if let Type::Array { elem, shape } = ty {
                found.insert((*elem, u32::try_from(shape.len()).expect("ranks are small")));
            }
        }
    }
    found
}

/// The types of the input components.
pub(crate) fn input_types(function: &Function) -> impl Iterator<Item = &Type> {
    function.params.iter().map(|&param| &function.vars[param].ty)
}

/// The entry's documentation up to its tests, with its type in Arr.
fn comment(entry: &Entry) -> String {
    let mut text = String::from("/* ");
    if let Some(doc) = &entry.doc {
        // A line `==` begins a test block, see `arrc test`.
        for line in doc.trim().lines().map(str::trim).take_while(|&line| line != "==") {
            writeln!(text, "{}", safe(line)).expect("writing to a string succeeds");
            text.push_str(" * ");
        }
        text.push_str("\n * ");
    }
    write!(text, "{}", safe(&entry.signature)).expect("writing to a string succeeds");
    for (name, constructors) in &entry.tags {
        let values: Vec<String> = constructors
            .iter()
            .enumerate()
            .map(|(tag, constructor)| format!("{tag} is #{constructor}"))
            .collect();
        write!(text, "\n * {}: {}", parameter(name), values.join(", "))
            .expect("writing to a string succeeds");
    }
    text.push_str(" */\n");
    text.lines().map(str::trim_end).fold(String::new(), |text, line| text + line + "\n")
}

/// Text that cannot end a comment.
fn safe(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *")
}

fn prototype(entry: &Entry, function: &Function) -> String {
    let mut taken = vec!["ctx".to_string()];
    // Inputs choose first: the outputs' names are made up.
    let inputs = parameters(&entry.inputs, input_types(function), " ", &mut taken);
    let outputs = parameters(&entry.outputs, function.results.iter(), " *", &mut taken);
    let context = std::iter::once("arr_context *ctx".to_string());
    let params: Vec<String> = context.chain(outputs).chain(inputs).collect();
    format!("int {}({});\n", entry.name, params.join(", "))
}

/// Parameters of C, whose names are not yet taken.
fn parameters<'a>(
    names: &[String],
    types: impl Iterator<Item = &'a Type>,
    between: &str,
    taken: &mut Vec<String>,
) -> Vec<String> {
    let mut declare = |name: &String, ty: &Type| {
        let mut name = parameter(name);
        while taken.contains(&name) {
            name.push('_');
        }
        taken.push(name.clone());
        format!("{}{between}{name}", c_type(ty))
    };
    names.iter().zip(types).map(|(name, ty)| declare(name, ty)).collect()
}

fn c_type(ty: &Type) -> String {
    match ty {
        Type::Scalar(scalar) => c_name(*scalar).to_string(),
        Type::Array { elem, shape } => format!("arr_{}_{}d", elem.name(), shape.len()),
    }
}

fn c_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::I8 => "int8_t",
        Scalar::I16 => "int16_t",
        Scalar::I32 => "int32_t",
        Scalar::I64 => "int64_t",
        Scalar::U8 => "uint8_t",
        Scalar::U16 => "uint16_t",
        Scalar::U32 => "uint32_t",
        Scalar::U64 => "uint64_t",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}
