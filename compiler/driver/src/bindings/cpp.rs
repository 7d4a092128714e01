//! The C++ header of a program.

use arrc_fusion::cnf::Component;
use arrc_loops::concrete::Program;

use super::{Call, Results, made};
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
        for symbol in call.uniform_symbols(unique) {
            text.push_str(&format!(
                "int {symbol}(arr_context *ctx, void *const *outputs, const void *const *inputs);\n"
            ));
        }
    }
    text.push_str(&format!(
        "}}\n\nnamespace arr {{\nnamespace call {{\ninline namespace {namespace} {{\n"
    ));
    for call in &calls {
        for (symbol, results) in call.uniform_symbols(unique).zip([Results::Own, Results::Into]) {
            text.push('\n');
            text.push_str(&function(call, &symbol, results));
        }
    }
    text + &format!("\n}} // namespace {namespace}\n}} // namespace call\n}} // namespace arr\n")
}

/// A function of an entry, which calls one of its uniform functions.
fn function(call: &Call<'_>, symbol: &str, results: Results) -> String {
    let outs: Vec<String> = (0..call.outputs.len()).map(|at| format!("out{at}")).collect();
    let reserved: Vec<&str> = RESERVED.into_iter().chain(outs.iter().map(String::as_str)).collect();
    let names = call.names(&reserved, parameter);
    let doc: Vec<String> = call.doc(results).iter().map(|line| safe(line)).collect();
    let mut text = format!("/* {} */\n", doc.join("\n * ").replace(" * \n", " *\n"));
    let places = call.outputs.iter().zip(&outs).filter(|(output, _)| results.are_given(output));
    let params = places.map(|(output, name)| format!(", {} {name}", destination(output)));
    let inputs = call.inputs.iter().zip(&names);
    let params = params.chain(inputs.map(|(input, name)| format!(", {} {name}", view(input))));
    let (name, params) = (call.name(results), params.collect::<String>());
    let types: Vec<String> =
        call.outputs.iter().map(|output| result_type(output, results)).collect();
    text.push_str(&format!("inline {} {name}(context &ctx{params}) {{\n", result(&types)));
    for (output, name) in call.outputs.iter().zip(&outs) {
        if !results.are_given(output) {
            text.push_str(&format!("    {} {name}{{}};\n", raw(output)));
        }
    }
    let addresses = call.outputs.iter().zip(&outs).map(|(output, name)| {
        if results.are_given(output) { format!("{name}.words()") } else { format!("&{name}") }
    });
    text.push_str(&list("void *const", "outputs", addresses));
    let addresses = call.inputs.iter().zip(&names).map(|(input, name)| {
        if input.rank == 0 { format!("&{name}") } else { format!("{name}.words()") }
    });
    text.push_str(&list("const void *const", "inputs", addresses));
    text.push_str(&format!("    ctx.check({symbol}(ctx.get(), outputs, inputs));\n"));
    let values: Vec<String> =
        call.outputs.iter().zip(&outs).map(|(output, name)| value(output, name, results)).collect();
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

fn destination(output: &Component) -> String {
    format!("destination<{}, {}>", output.elem.c_name(), output.rank)
}

fn result_type(output: &Component, results: Results) -> String {
    match (output.rank, results) {
        (0, _) => output.elem.c_name().to_owned(),
        (rank, Results::Own) => format!("array<{}, {rank}>", output.elem.c_name()),
        (rank, Results::Into) => format!("std::array<std::size_t, {rank}>"),
    }
}

fn value(output: &Component, name: &str, results: Results) -> String {
    match (output.rank, results) {
        (0, _) => name.to_owned(),
        (_, Results::Own) => format!("{}({name})", result_type(output, results)),
        (_, Results::Into) => format!("{name}.shape()"),
    }
}

fn result(types: &[String]) -> String {
    match types {
        [] => "void".to_owned(),
        [ty] => ty.clone(),
        types => format!("std::tuple<{}>", types.join(", ")),
    }
}
