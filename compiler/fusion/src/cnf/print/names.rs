//! The names of functions, variables and sizes in the text.
//!
//! Invariant: within a function, all variables and sizes have different names, and none is the name of a function or
//! a keyword.
//!
//! ```text
//! x (v0), x (v4), map (v5)   ⇒   x, x_4, map_5
//! ```

use std::collections::BTreeSet;

use crate::cnf::Program;
use arrc_syntax::ids::{EntityRef, FuncId, PrimaryMap, SecondaryMap};

/// Words that have a meaning in the text.
const RESERVED: &[&str] = &[
    "def",
    "entry",
    "let",
    "in",
    "if",
    "then",
    "else",
    "type",
    "with",
    "true",
    "false",
    "import",
    "external",
    "match",
    "case",
    "loop",
    "for",
    "while",
    "do",
    "module",
    "assert",
    "map",
    "map2",
    "map3",
    "map4",
    "map5",
    "zip",
    "zip2",
    "zip3",
    "zip4",
    "zip5",
    "unzip",
    "unzip2",
    "unzip3",
    "unzip4",
    "unzip5",
    "filter",
    "reduce",
    "reduce_comm",
    "fold",
    "scan",
    "exscan",
    "generate",
    "gather",
    "cross",
    "length",
    "iota",
    "replicate",
    "keeping",
    "flatmap",
    "reshape",
    "array",
    "head",
];

/// The words that no variable may be called, besides names of functions.
pub(super) fn reserved() -> BTreeSet<String> {
    RESERVED.iter().map(|&word| word.to_owned()).collect()
}

/// The names of the functions. An entry keeps its own name.
pub(super) fn functions(program: &Program) -> SecondaryMap<FuncId, String> {
    let is_entry = |id| program.entries.iter().any(|entry| entry.function == id);
    let mut taken = reserved();
    taken.extend(program.externals.values().map(|external| external.name.to_string()));
    let (entries, others): (Vec<_>, Vec<_>) =
        program.functions.iter().partition(|&(id, _)| is_entry(id));
    let mut names: SecondaryMap<FuncId, String> = SecondaryMap::new();
    for (id, entry) in entries {
        names[id] = entry.name.to_string();
        taken.insert(entry.name.to_string());
    }
    for (id, function) in others {
        names[id] = fresh(&function.name, id.index(), program.functions.len(), &mut taken);
    }
    names
}

/// Different names for all entries of a table. The first entry with a name keeps it; the next ones get their ids as
/// suffixes.
pub(super) fn unique<K: EntityRef + Copy, V>(
    map: &PrimaryMap<K, V>,
    name: impl Fn(&V) -> &str,
    taken: &mut BTreeSet<String>,
) -> SecondaryMap<K, String> {
    let mut names: SecondaryMap<K, String> = SecondaryMap::new();
    for (id, value) in map.iter() {
        names[id] = fresh(name(value), id.index(), map.len(), taken);
    }
    names
}

/// The name itself. If it is taken, a suffix follows: `number`, or the first of `number + step`, `number + 2 * step`
/// … that is free.
pub(super) fn fresh(
    written: &str,
    number: usize,
    step: usize,
    taken: &mut BTreeSet<String>,
) -> String {
    let valid = written.starts_with(|c: char| c.is_alphabetic() || c == '_') && written != "_";
    let base = if valid { written } else { "x" };
    let numbered = (0..).map(|round| format!("{base}_{}", number + round * step));
    let mut names = std::iter::once(base.to_owned()).chain(numbered);
    let free = names.find(|name| !taken.contains(name)).expect("there is no last number");
    taken.insert(free.clone());
    free
}
