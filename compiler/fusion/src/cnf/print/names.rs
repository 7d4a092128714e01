//! The names of functions, variables and sizes in the text.
//!
//! Invariant: within a function, all variables and sizes have different names, and none is the name of a function or
//! a keyword.
//!
//! ```text
//! x (v0), x (v4), map (v5)   ⇒   x, x_4, map_5
//! ```

use std::collections::BTreeSet;

use crate::cnf::{FoldOrder, Program, ScanKind};
use arrc_front::sorting::Sorting;
use arrc_syntax::ids::{EntityRef, FuncId, PrimaryMap, SecondaryMap};
use arrc_syntax::parse::token::Keyword;

/// The operations whose words are no names of Arr's keywords, folds, scans or sorts, and the words inside of operations.
const WORDS: [&str; 16] = [
    "array", "cross", "false", "filter", "flatmap", "gather", "generate", "head", "inside",
    "keeping", "length", "map", "reshape", "true", "unzip", "zip",
];

/// Whether the text means an operation by the word, which may count its operands, as `map2` does.
fn is_reserved(word: &str) -> bool {
    let operation = word.trim_end_matches(|c: char| c.is_ascii_digit());
    Keyword::from_word(word).is_some()
        || WORDS.contains(&operation)
        || FoldOrder::ALL.into_iter().any(|order| order.name() == operation)
        || ScanKind::ALL.into_iter().any(|kind| kind.name() == operation)
        || Sorting::ALL.into_iter().any(|sorting| sorting.name() == operation)
}

/// The names of the functions. An entry keeps its own name.
pub(super) fn functions(program: &Program) -> SecondaryMap<FuncId, String> {
    let is_entry = |id| program.entries.iter().any(|entry| entry.function == id);
    let mut taken = BTreeSet::new();
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
    let free = names
        .find(|name| !taken.contains(name) && !is_reserved(name))
        .expect("there is no last number");
    taken.insert(free.clone());
    free
}
