//! The C++ header of a program.

use arrc_fusion::cnf::Component;
use arrc_loops::concrete::Program;

use super::{Call, made};
use crate::header::{guard, safe};
use crate::names::parameter;
use crate::unique::Unique;

/// Arrays, contexts and errors.
const SHARED: &str = include_str!("arr.hpp.in");
/// The names that the generated functions use themselves.
const RESERVED: [&str; 3] = ["ctx", "outputs", "inputs"];

/// The text of the C++ header. It includes the C header.
pub(super) fn text(source: &str, header: &str, program: &Program, unique: &Unique) -> String {
    let text = functions(program, unique);
    let guard = format!("{}PP", guard(source, &text));
    format!(
        "/* {} */\n#ifndef {guard}\n#define {guard}\n\n#include \"{header}\"\n\n{SHARED}\n{text}#endif /* {guard} */\n",
        made(source)
    )
}

/// The functions of the entries. Those of two programs differ in their namespace, even if their names and types are the
/// same: a linker keeps one of several inline functions with one name.
fn functions(program: &Program, unique: &Unique) -> String {
    let namespace = unique.before().trim_end_matches('_');
    let calls = Call::all(program);
    let mut text = String::from("extern \"C\" {\n");
    for call in &calls {
        text.push_str(&format!(
            "int {}__uniform(arr_context *ctx, void *const *outputs, const void *const *inputs);\n",
            unique.symbol(&call.entry.name)
        ));
    }
    text.push_str(&format!(
        "}}\n\nnamespace arr {{\nnamespace call {{\ninline namespace {namespace} {{\n"
    ));
    for call in &calls {
        text.push('\n');
        text.push_str(&function(call, unique));
    }
    text + &format!("\n}} // namespace {namespace}\n}} // namespace call\n}} // namespace arr\n")
}

fn function(call: &Call<'_>, unique: &Unique) -> String {
    let results: Vec<String> = (0..call.outputs.len()).map(|at| format!("out{at}")).collect();
    let reserved: Vec<&str> =
        RESERVED.into_iter().chain(results.iter().map(String::as_str)).collect();
    let names = call.names(&reserved, parameter);
    let doc: Vec<String> = call.doc().iter().map(|line| safe(line)).collect();
    let mut text = format!("/* {} */\n", doc.join("\n * ").replace(" * \n", " *\n"));
    let params =
        call.inputs.iter().zip(&names).map(|(input, name)| format!(", {} {name}", view(input)));
    let (name, params) = (&call.entry.name, params.collect::<String>());
    text.push_str(&format!("inline {} {name}(context &ctx{params}) {{\n", result(&call.outputs)));
    for (output, name) in call.outputs.iter().zip(&results) {
        text.push_str(&format!("    {} {name}{{}};\n", raw(output)));
    }
    let addresses = results.iter().map(|name| format!("&{name}"));
    text.push_str(&list("void *const", "outputs", addresses));
    let addresses = call.inputs.iter().zip(&names).map(|(input, name)| {
        if input.rank == 0 { format!("&{name}") } else { format!("{name}.words()") }
    });
    text.push_str(&list("const void *const", "inputs", addresses));
    let symbol = unique.symbol(name);
    text.push_str(&format!("    ctx.check({symbol}__uniform(ctx.get(), outputs, inputs));\n"));
    let values: Vec<String> =
        call.outputs.iter().zip(&results).map(|(output, name)| value(output, name)).collect();
    match values.as_slice() {
        [] => {}
        [value] => text.push_str(&format!("    return {value};\n")),
        values => text.push_str(&format!("    return {{{}}};\n", values.join(", "))),
    }
    text + "}\n"
}

/// A list of addresses, which may be empty.
fn list(ty: &str, name: &str, addresses: impl Iterator<Item = String>) -> String {
    let addresses: Vec<String> = addresses.collect();
    if addresses.is_empty() {
        return format!("    {ty} *const {name} = nullptr;\n");
    }
    format!("    {ty} {name}[] = {{{}}};\n", addresses.join(", "))
}

fn view(input: &Component) -> String {
    match input.rank {
        0 => input.elem.c_name().to_owned(),
        rank => format!("view<{}, {rank}>", input.elem.c_name()),
    }
}

fn raw(output: &Component) -> String {
    match output.rank {
        0 => output.elem.c_name().to_owned(),
        rank => format!("raw<{}, {rank}>", output.elem.c_name()),
    }
}

fn owned(output: &Component) -> String {
    match output.rank {
        0 => output.elem.c_name().to_owned(),
        rank => format!("array<{}, {rank}>", output.elem.c_name()),
    }
}

fn value(output: &Component, name: &str) -> String {
    if output.rank == 0 { name.to_owned() } else { format!("{}({name})", owned(output)) }
}

fn result(outputs: &[Component]) -> String {
    let types: Vec<String> = outputs.iter().map(owned).collect();
    match types.as_slice() {
        [] => "void".to_owned(),
        [ty] => ty.clone(),
        types => format!("std::tuple<{}>", types.join(", ")),
    }
}
