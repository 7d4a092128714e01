//! The Rust module of a program.

use arr_abi::ErrorCode;
use arrc_fusion::cnf::Component;
use arrc_loops::concrete::Program;

use super::{Call, Results, made, rust_doc};
use crate::error::run_time_code;
use crate::unique::Unique;

/// Arrays, contexts and errors.
const SHARED: &str = include_str!("arr.rs.in");
/// The names that the generated functions use themselves, and values that no parameter can hide.
const RESERVED: [&str; 9] =
    ["self", "outputs", "inputs", "entry", "None", "Some", "Ok", "Err", "PhantomData"];
/// The keywords of Rust that may be names in Arr.
const WORDS: [&str; 51] = [
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
    "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "yield",
];
/// The functions of a context that are not entries.
const OWN: [&str; 9] =
    ["new", "with", "with_threads", "of_parts", "check", "drop", "canceller", "stats", "trim"];
/// What codes mean that C tells by its own names.
const MEANINGS: [(ErrorCode, &str); 4] = [
    (ErrorCode::Shape, "Two sizes that have to be equal differ, or there is no room for a result."),
    (
        ErrorCode::Memory,
        "Memory ran out, or the context's [`memory_limit`](Options::memory_limit) was reached.",
    ),
    (ErrorCode::Argument, "The memory for a result is not dense, or there are no threads to use."),
    (ErrorCode::Cancelled, "[`Canceller::cancel`] stopped the call."),
];
/// Lints that are about the choice of names, types and words, which the program makes.
const CHOICES: &str = "#[allow(
    dead_code,
    non_snake_case,
    rustdoc::all,
    clippy::should_implement_trait,
    clippy::too_many_arguments,
    clippy::type_complexity,
    clippy::wrong_self_convention,
    reason = \"names, types and texts are those of the program\"
)]";

/// The text of the module.
pub(super) fn text(source: &str, program: &Program, unique: &Unique) -> String {
    let each = |line: &dyn Fn(ErrorCode) -> Option<String>| {
        ErrorCode::ALL.into_iter().filter_map(line).collect::<Vec<_>>().join("\n")
    };
    let codes = each(&|code| Some(format!("    /// {}\n    {},", meaning(code), variant(code))));
    let numbers =
        each(&|code| Some(format!("            {} => Self::{},", code.number(), variant(code))));
    let pages = each(&|code| {
        page(code).map(|page| format!("            Self::{} => Some(\"{page}\"),", variant(code)))
    });
    let shared =
        SHARED.replace("@CODES@", &codes).replace("@NUMBERS@", &numbers).replace("@PAGES@", &pages);
    let calls = Call::all(program);
    let wanted: Vec<String> = calls
        .iter()
        .flat_map(|call| [Results::Own, Results::Into].map(|results| call.name(results)))
        .collect();
    let functions = calls.iter().flat_map(|call| {
        let kinds = call.uniform_symbols(unique).zip([Results::Own, Results::Into]);
        kinds.map(|(symbol, results)| {
            let name = function_name(&call.name(results), &wanted);
            function(program, call, results, &name, &symbol)
        })
    });
    let functions: Vec<String> = functions.collect();
    format!(
        "// {}\n\n{shared}\n{CHOICES}\nimpl Context {{\n{}}}\n",
        made(source),
        functions.join("\n")
    )
}

/// The name of a code in Rust.
pub(super) fn variant(code: ErrorCode) -> String {
    let name = code.name();
    name[..1].to_uppercase() + &name[1..]
}

/// The meaning of a code, in the words of Rust.
pub(super) fn meaning(code: ErrorCode) -> &'static str {
    let own = MEANINGS.iter().find(|(other, _)| *other == code);
    own.map_or_else(|| code.meaning().trim(), |(_, meaning)| meaning)
}

/// The page that explains failures with a code. An argument that cannot be passed is the mistake of the caller.
fn page(code: ErrorCode) -> Option<&'static str> {
    let page = run_time_code(code.number())?;
    (code != ErrorCode::Argument).then_some(page.0)
}

/// The name of an entry's function: its own, or if Rust or a context has that one, with `_` until no other entry wants it.
fn function_name(entry: &str, wanted: &[String]) -> String {
    let mut name = name(entry);
    while OWN.contains(&&*name) || (name != entry && wanted.contains(&name)) {
        name.push('_');
    }
    name
}

/// A name that Rust accepts.
fn name(name: &str) -> String {
    let name = name.replace('\'', "_prime");
    if WORDS.contains(&name.as_str()) { format!("{name}_") } else { name }
}

/// A function of an entry, which calls one of its uniform functions.
fn function(
    program: &Program,
    call: &Call<'_>,
    results: Results,
    own: &str,
    linked: &str,
) -> String {
    let outs: Vec<String> = (0..call.outputs.len()).map(|at| format!("out{at}")).collect();
    let reserved: Vec<&str> = RESERVED.into_iter().chain(outs.iter().map(String::as_str)).collect();
    let names = call.names(&reserved, name);
    let doc = rust_doc::lines(program, call, results, [&names, &outs]);
    let doc: String = doc.iter().map(|line| format!("    #[doc = {line:?}]\n")).collect();
    let given = || call.outputs.iter().zip(&outs).filter(|(output, _)| results.are_given(output));
    let views = || call.inputs.iter().zip(&names).filter(|(input, _)| input.rank > 0);
    let params = given().map(|(output, name)| format!(", {name}: {}", destination(output)));
    let inputs = call.inputs.iter().zip(&names);
    let params = params.chain(inputs.map(|(input, name)| format!(", {name}: {}", view(input))));
    let life = if given().chain(views()).next().is_some() { "<'a>" } else { "" };
    let types = call.outputs.iter().map(|output| result_type(output, results));
    let (params, result) = (params.collect::<String>(), tuple(types));
    let mut text = format!(
        "{doc}    pub fn {own}{life}(&mut self{params}) -> Result<{result}, Error> {{\n        \
         unsafe extern \"C\" {{\n            #[link_name = \"{linked}\"]\n            \
         fn entry(context: *mut c_void, outputs: *const *mut c_void, inputs: *const *const c_void) -> c_int;\n        }}\n"
    );
    for (input, name) in views() {
        text.push_str(&format!(
            "        let {name}: View<'_, {}, {}> = {name}.into();\n",
            input.elem, input.rank
        ));
    }
    for (output, name) in call.outputs.iter().zip(&outs) {
        let (elem, rank) = (output.elem, output.rank);
        text.push_str(&if results.are_given(output) {
            format!("        let mut {name}: Destination<'_, {elem}, {rank}> = {name}.into();\n")
        } else {
            format!(
                "        let mut {name} = MaybeUninit::<{}>::uninit();\n",
                result_type(output, results)
            )
        });
    }
    let outputs: Vec<String> =
        outs.iter().map(|name| format!("(&raw mut {name}).cast()")).collect();
    let inputs: Vec<String> =
        names.iter().map(|name| format!("(&raw const {name}).cast()")).collect();
    text.push_str(&format!(
        "        let outputs: [*mut c_void; {}] = [{}];\n        let inputs: [*const c_void; {}] = [{}];\n",
        outputs.len(), outputs.join(", "), inputs.len(), inputs.join(", ")
    ));
    text.push_str(
        "        // SAFETY: the entry takes these inputs and writes these outputs; all live until it returns.\n        \
         let code = unsafe { entry(self.raw.raw, outputs.as_ptr(), inputs.as_ptr()) };\n        self.check(code)?;\n",
    );
    if outs.is_empty() {
        return text + "        Ok(())\n    }\n";
    }
    let values = tuple(call.outputs.iter().zip(&outs).map(|(output, name)| {
        let value = if results.are_given(output) { "shape" } else { "assume_init" };
        format!("{name}.{value}()")
    }));
    if call.outputs.iter().all(|output| results.are_given(output)) {
        return text + &format!("        Ok({values})\n    }}\n");
    }
    text + &format!(
        "        // SAFETY: a call that does not fail writes its outputs.\n        Ok(unsafe {{ {values} }})\n    }}\n"
    )
}

fn view(input: &Component) -> String {
    match input.rank {
        0 => input.elem.to_string(),
        rank => format!("impl Into<View<'a, {}, {rank}>>", input.elem),
    }
}

fn destination(output: &Component) -> String {
    format!("impl Into<Destination<'a, {}, {}>>", output.elem, output.rank)
}

fn result_type(output: &Component, results: Results) -> String {
    match (output.rank, results) {
        (0, _) => output.elem.to_string(),
        (rank, Results::Own) => format!("Array<{}, {rank}>", output.elem),
        (rank, Results::Into) => format!("[usize; {rank}]"),
    }
}

/// A single part as it is, and several parts as a tuple.
fn tuple(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    match parts.as_slice() {
        [part] => part.clone(),
        parts => format!("({})", parts.join(", ")),
    }
}
