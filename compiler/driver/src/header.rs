//! The C header of a program. It needs no other header, and is valid in C99 and C++.
//!
//! Invariant: several headers can be included together, and each declares everything that its entries need. Only headers
//! with the same text have the same include guard. The compiler refuses two headers that declare an entry of one name.
//!
//! ```text
//! entry dot [n] (xs: [n]f64) (ys: [n]f64): f64
//! ⇒ int dot(arr_context *ctx, double *out, arr_f64_1d xs, arr_f64_1d ys)
//!       __asm__("arr_1f8a…_dot");
//! ```

use std::collections::BTreeSet;
use std::fmt::Write;

use arr_abi::layout::INTO;
use arr_runtime::header::{self, array_part, runtime_part};
use arrc_fusion::cnf::{Component, Entry, External, Type};
use arrc_loops::concrete::{Function, Program};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;

use crate::names::parameter;
use crate::unique::{Unique, fingerprint};

/// The comment before the prototypes of externals.
const EXTERNALS: &str = "
/* The program calls the functions below, which you define. Each returns ARR_OK,
 * or arr_context_fail(ctx, \"why\") or another code, and then the call of the
 * entry fails with ARR_ERROR_EXTERNAL. Inputs are lent: read them only. Array
 * outputs are made by arr_..._new, and become the program's; what lies in other
 * memory is copied, and stays yours. No entry can be called with this ctx. A
 * longjmp out of one leaves the call unfinished: see arr_context_free. */
";

/// The header of a program. `name` is the name of its source. Without unique names, the linker knows the functions by
/// the names of the entries.
pub(crate) fn header(name: &str, program: &Program, unique: Option<&Unique>) -> String {
    let text = declarations(program, unique);
    let guard = guard(name, &text);
    format!(
        "/* Made by arrc {} from {name}: do not edit.\n *\n\
         \x20* Each function returns ARR_OK (0) or an error's code; then its outputs hold no result,\n\
         \x20* and arr_context_error(ctx) has the message. Outputs come first and belong to the\n\
         \x20* caller; inputs are borrowed and not written.\n\
         \x20*\n\
         \x20* The function NAME_into writes each array to memory of yours: before the call, the\n\
         \x20* output is what arr_..._lend_mut gives. Sizes that the inputs determine must be right.\n\
         \x20* Otherwise there must be room; afterwards the output has the sizes of the result.\n */\n\
         #ifndef {guard}\n#define {guard}\n\n{text}#endif /* {guard} */\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// What the header declares.
fn declarations(program: &Program, unique: Option<&Unique>) -> String {
    let mut text = runtime_part();
    for (scalar, rank) in array_types(program) {
        text.push('\n');
        text.push_str(&array_part(scalar, rank));
    }
    text.push_str("\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for entry in &program.entries {
        text.push('\n');
        let Entry { doc, signature, tags, .. } = entry;
        text.push_str(&comment(doc.as_deref(), signature, tags));
        let function = &program.functions[entry.function];
        text.push_str(&prototypes(entry, function, unique));
    }
    if program.c_functions().next().is_some() {
        text.push_str(EXTERNALS);
    }
    for External { doc, signature, tags, name, inputs, outputs, .. } in program.c_functions() {
        text.push('\n');
        text.push_str(&comment(doc.as_deref(), &format!("external {signature}"), tags));
        text.push_str(&format!("{};\n", declaration(name, inputs, outputs)));
    }
    text.push_str("\n#ifdef __cplusplus\n}\n#endif\n\n");
    text
}

/// The prototypes of an entry's functions. Some names are unique for the linker.
fn prototypes(entry: &Entry, function: &Function, unique: Option<&Unique>) -> String {
    let (inputs, outputs) = signature(entry, function);
    let gives_arrays = outputs.iter().any(|output| output.rank > 0);
    let names = [entry.name.to_string(), format!("{}{INTO}", entry.name)];
    let prototypes = names.iter().take(if gives_arrays { 2 } else { 1 }).map(|name| {
        let prototype = declaration(name, &inputs, &outputs);
        match unique {
            Some(unique) => format!("{prototype}\n    __asm__(\"{}\");\n", unique.symbol(name)),
            None => format!("{prototype};\n"),
        }
    });
    let prototypes: String = prototypes.collect();
    if unique.is_none() {
        return prototypes;
    }
    let name = &entry.name;
    format!(
        "#ifdef ARR_ENTRY_{name}\n\
         #error \"two programs have an entry {name}: build one of them with --prefix, or include their headers in different files\"\n\
         #endif\n\
         #define ARR_ENTRY_{name}\n\
         {prototypes}"
    )
}

/// The include guard of a file with this text. It differs from the guards of other files.
pub(crate) fn guard(name: &str, text: &str) -> String {
    let mut word = String::new();
    for character in name.chars() {
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' => word.push(character.to_ascii_uppercase()),
            '_' | '.' => word.push('_'),
            other => word.push_str(&format!("_U{:X}_", u32::from(other))),
        }
    }
    format!("ARR_PROGRAM_{word}_{}_H", fingerprint(text))
}

/// Every array type that the entries and the externals pass, in a fixed order.
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
    for External { inputs, outputs, .. } in program.c_functions() {
        for component in inputs.iter().chain(outputs).filter(|component| component.rank > 0) {
            let rank = u32::try_from(component.rank).expect("ranks are small");
            found.insert((component.elem, rank));
        }
    }
    found
}

/// The types of the input components.
pub(crate) fn input_types(function: &Function) -> impl Iterator<Item = &Type> {
    function.params.iter().map(|&param| &function.tables.vars[param].ty)
}

/// The documentation without the tests, and the type in Arr.
fn comment(doc: Option<&str>, signature: &str, tags: &[(String, Vec<Name>)]) -> String {
    let mut text = String::from("/* ");
    if let Some(doc) = doc {
        // A line `==` begins a test block, see `arrc test`.
        for line in doc.trim().lines().map(str::trim).take_while(|&line| line != "==") {
            writeln!(text, "{}", safe(line)).expect("writing to a string succeeds");
            text.push_str(" * ");
        }
        text.push_str("\n * ");
    }
    write!(text, "{}", safe(signature)).expect("writing to a string succeeds");
    for (name, constructors) in tags {
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

/// The text, changed so that it cannot end a comment.
pub(crate) fn safe(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *")
}

/// The parameters and results of an entry's C function.
pub(crate) fn signature(entry: &Entry, function: &Function) -> (Vec<Component>, Vec<Component>) {
    let components = |names: &[String], types: &mut dyn Iterator<Item = &Type>| {
        let component = |(name, ty): (&String, &Type)| Component {
            name: name.clone(),
            elem: ty.scalars(),
            rank: rank(ty),
        };
        names.iter().zip(types).map(component).collect::<Vec<_>>()
    };
    let inputs = components(&entry.inputs, &mut input_types(function));
    (inputs, components(&entry.outputs, &mut function.results.iter()))
}

/// The prototype of an external, on one line.
pub(crate) fn external_prototype(external: &External) -> String {
    declaration(&external.name, &external.inputs, &external.outputs)
}

/// The declaration of a C function with this name, without a semicolon.
fn declaration(name: &str, inputs: &[Component], outputs: &[Component]) -> String {
    let mut taken = vec!["ctx".to_string()];
    // The inputs get their names first, since the names of outputs are made up.
    let inputs = parameters(inputs, " ", &mut taken);
    let outputs = parameters(outputs, " *", &mut taken);
    let context = std::iter::once("arr_context *ctx".to_string());
    let params: Vec<String> = context.chain(outputs).chain(inputs).collect();
    format!("int {name}({})", params.join(", "))
}

/// The parameters of a C function. Their names differ from those in `taken`.
fn parameters(components: &[Component], between: &str, taken: &mut Vec<String>) -> Vec<String> {
    let mut declare = |component: &Component| {
        let mut name = parameter(&component.name);
        while taken.contains(&name) {
            name.push('_');
        }
        taken.push(name.clone());
        format!("{}{between}{name}", c_type(component))
    };
    components.iter().map(&mut declare).collect()
}

fn c_type(component: &Component) -> String {
    match component.rank {
        0 => component.elem.c_name().to_owned(),
        rank => {
            let rank = u32::try_from(rank).expect("ranks are small");
            header::array_type(component.elem, rank)
        }
    }
}

fn rank(ty: &Type) -> usize {
    match ty {
        Type::Scalar(_) => 0,
        Type::Array { shape, .. } => shape.len(),
    }
}
