//! The `main` of a program made by `arrc build --server`: a description of its types and entries, given to the runtime,
//! which answers the commands of clients.
//!
//! Invariant: the description has each type before those that are made of it, and has the form that
//! [`arr_runtime::server`] reads.

use std::fmt::Write;

use arr_runtime::server::array_name;
use arrc_front::core::{Def, Type};
use arrc_pipeline::Compiled;
use arrc_syntax::source::Sources;

use crate::attributes;
use crate::cli::Sanitizer;
use crate::embed::Shape;
use crate::program::{PREFIX, begin, escaped};

/// The C text of `main`.
pub(crate) fn main(compiled: &Compiled, sources: &Sources, sanitizer: Option<Sanitizer>) -> String {
    let mut text = String::from(
        "#include <stdlib.h>\nextern int arr_rt_server(int, char **, const char *, const void *const *);\n",
    );
    let mut table = String::new();
    for entry in &compiled.program.entries {
        let name = &entry.name;
        writeln!(text, "extern int {name}__uniform(void *, void *const *, const void *const *);")
            .expect("writing to a string succeeds");
        writeln!(table, "  {name}__uniform,").expect("writing to a string succeeds");
    }
    let interface = interface(compiled, sources);
    let lines: Vec<String> =
        interface.lines().map(|line| format!("  \"{}\\n\"\n", escaped(line))).collect();
    text + &format!(
        "static const char interface[] =\n{};\n\
         static const void *const entries[] = {{\n{table}}};\n\
         int main(int argc, char **argv) {{ {}return arr_rt_server(argc, argv, interface, entries); }}\n",
        lines.concat(),
        begin(sanitizer)
    )
}

/// The types and the entries of a program, each on a line.
fn interface(compiled: &Compiled, sources: &Sources) -> String {
    let core = &compiled.core;
    let mut types = Types::default();
    let mut entries = String::new();
    for entry in &compiled.program.entries {
        let name = entry.name.strip_prefix(PREFIX).unwrap_or(&entry.name);
        let def = core.entries.iter().map(|&id| &core.defs[id]).find(|def| def.name == name);
        let def: &Def = def.expect("an entry of the loop nests is one of the typed program");
        let mut words = vec![types.add(&def.result, 0)];
        words.extend(def.params.iter().map(|param| types.add(&param.ty, 0)));
        writeln!(entries, "entry\t{name}\t{}", words.join("\t"))
            .expect("writing to a string succeeds");
        let file = compiled.program.functions[entry.function].span.file;
        for attribute in attributes::of(sources, file, name) {
            let text = sources.text(attribute.span);
            writeln!(entries, "attribute\t{name}\t{text}").expect("writing to a string succeeds");
        }
    }
    types.text + &entries
}

/// The types of a program by their names, which have no sizes.
#[derive(Default)]
struct Types {
    names: Vec<String>,
    text: String,
}

impl Types {
    /// The name of a type inside arrays with `rank` dimensions. It is described if it was not yet.
    fn add(&mut self, ty: &Type, rank: usize) -> String {
        match ty {
            Type::Array(_, ty) => return self.add(ty, rank + 1),
            Type::Exists(_, ty) => return self.add(ty, rank),
            Type::Scalar(_) | Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => {}
            Type::Fun(..) | Type::Var(_) | Type::Hidden(_) => {
                panic!("an entry takes and gives data, not {ty:?}")
            }
        }
        let (name, kind) = if rank > 0 { self.array(ty, rank) } else { self.plain(ty) };
        if !self.names.contains(&name) {
            self.names.push(name.clone());
            let leaves = Shape::of(ty, rank).leaves();
            let leaves: Vec<String> =
                leaves.iter().map(|(scalar, rank)| format!("{scalar}:{rank}")).collect();
            let (kind, words) = kind.split_first().expect("there is a word for the kind");
            let words: String = words.iter().map(|word| format!("\t{word}")).collect();
            writeln!(self.text, "type\t{name}\t{kind}\t{}{words}", leaves.join(" "))
                .expect("writing to a string succeeds");
        }
        name
    }

    /// An array: its name, and the words for its kind and its elements.
    fn array(&mut self, elem: &Type, rank: usize) -> (String, Vec<String>) {
        let name = self.add(elem, 0);
        // The arrays that an array of records is made of are types too.
        match elem {
            Type::Tuple(types) => types.iter().for_each(|ty| drop(self.add(ty, rank))),
            Type::Record(types) => types.values().for_each(|ty| drop(self.add(ty, rank))),
            Type::Scalar(_)
            | Type::Sum(_)
            | Type::Array(..)
            | Type::Exists(..)
            | Type::Fun(..)
            | Type::Hidden(_)
            | Type::Var(_) => {}
        }
        (array_name(&name, rank), vec!["array".to_owned(), name, rank.to_string()])
    }

    /// A type that is no array: its name, and the words for its kind and its parts.
    fn plain(&mut self, ty: &Type) -> (String, Vec<String>) {
        let record = |name: String, fields: Vec<(String, String)>| {
            let words = fields.into_iter().flat_map(|(field, ty)| [field, ty]);
            (name, std::iter::once("record".to_owned()).chain(words).collect())
        };
        match ty {
            Type::Tuple(types) => {
                let names: Vec<String> = types.iter().map(|ty| self.add(ty, 0)).collect();
                let name = format!("({})", names.join(", "));
                record(name, (0..names.len()).map(|at| at.to_string()).zip(names).collect())
            }
            Type::Record(types) => {
                let fields: Vec<(String, String)> =
                    types.iter().map(|(field, ty)| (field.to_string(), self.add(ty, 0))).collect();
                let texts: Vec<String> =
                    fields.iter().map(|(field, ty)| format!("{field}: {ty}")).collect();
                record(format!("{{{}}}", texts.join(", ")), fields)
            }
            Type::Sum(types) => {
                let mut cases: Vec<_> = types.iter().collect();
                // A constructor's number is its place among the names.
                cases.sort_by_key(|(name, _)| name.to_string());
                let (mut texts, mut words) = (Vec::new(), vec!["sum".to_owned()]);
                for (name, types) in cases {
                    let payload: Vec<String> = types.iter().map(|ty| self.add(ty, 0)).collect();
                    texts.push(format!(
                        "#{}",
                        [&[name.to_string()], &payload[..]].concat().join(" ")
                    ));
                    words.push(format!("={name}"));
                    words.extend(payload);
                }
                (texts.join(" | "), words)
            }
            Type::Scalar(scalar) => (scalar.to_string(), vec!["primitive".to_owned()]),
            Type::Array(..) | Type::Exists(..) | Type::Fun(..) | Type::Hidden(_) | Type::Var(_) => {
                unreachable!("`add` takes these apart")
            }
        }
    }
}
