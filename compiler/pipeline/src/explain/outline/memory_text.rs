//! What the text of an outline says of memory.
//!
//! Invariant: an array is told once: in the loop that allocates it, or in the line on memory. Arrays with equal facts are
//! told together.
//!
//! ```text
//! memory: a call allocates at most 3 arrays; allocated: at_{x,y} (8 * n bytes each); ys in place of xs
//! ```

use indexmap::IndexMap;

use super::{ArrayUse, Item, LoopItem, Outline, Storage};
use crate::explain::text::{count, grouped_names, stem};

/// The facts on the arrays that are in memory, by where they are.
pub(super) fn memory(outline: &Outline<'_>, all_code: bool) -> Vec<String> {
    let bound = outline.allocated.as_ref();
    let bound = bound.map(|bound| format!("a call allocates {}", bound.arrays()));
    let mut parts: Vec<String> = bound.into_iter().collect();
    let of_library = |array: &&ArrayUse| array.is_of_library && !all_code;
    let arrays = outline.arrays.iter().filter(|array| has_label(array) && !of_library(array));
    let arrays: Vec<&ArrayUse> = arrays.collect();
    let loops = loops(&outline.items);
    let is_told = |array: &ArrayUse| loops.iter().any(|of| is_allocated_in_steps(of, array));
    for storage in [Storage::Allocated, Storage::Scratch, Storage::DoubleBuffer] {
        let names = arrays.iter().filter(|array| array.storage == storage && !is_told(array));
        let names = sized(names.copied());
        if !names.is_empty() {
            parts.push(format!("{storage}: {names}"));
        }
    }
    parts.extend(in_place(&arrays));
    let allocated = |array: &&ArrayUse| array.storage == Storage::Allocated;
    let of_library = outline.arrays.iter().filter(of_library).filter(allocated).count();
    if of_library > 0 {
        parts.push(format!("the library allocates {}", count(of_library, "array", "arrays")));
    }
    if let [strided @ .., last] = &grouped_names(&outline.copied_if_strided)[..] {
        let names = match strided {
            [] => last.clone(),
            _ => format!("{} and {last}", strided.join(", ")),
        };
        parts.push(format!("{names} copied at the call if not dense"));
    }
    parts
}

/// The arrays that each step of a loop allocates.
pub(super) fn allocated_in_steps(of: &LoopItem, arrays: &[ArrayUse]) -> String {
    sized(arrays.iter().filter(|array| is_allocated_in_steps(of, array)))
}

fn is_allocated_in_steps(of: &LoopItem, array: &ArrayUse) -> bool {
    array.storage == Storage::Allocated && (of.stamp + 1..of.end).contains(&array.alive[0])
}

/// The loops of the program among items, those inside items included.
fn loops(items: &[Item]) -> Vec<&LoopItem> {
    let all = items.iter().flat_map(|item| {
        let own = if let Item::Loop(of) = item { Some(of) } else { None };
        own.into_iter().chain(item.inside().flat_map(loops))
    });
    all.collect()
}

/// The names of arrays with their sizes in bytes, and why they are not in place of arrays that end with their passes.
fn sized<'a>(arrays: impl Iterator<Item = &'a ArrayUse>) -> String {
    let mut groups: IndexMap<(Option<&str>, Option<String>), Vec<String>> = IndexMap::new();
    for array in arrays {
        let why = array.not_in_place.as_ref();
        let why = why.map(|(of, why)| format!("not in place of {}, since {why}", plain(of)));
        groups.entry((array.bytes.as_deref(), why)).or_default().push(array.name.clone());
    }
    let text = |((bytes, why), names): ((Option<&str>, Option<String>), Vec<String>)| {
        let names = shown(&names);
        let is_one = matches!(&names[..], [name] if !name.contains('{') && !is_of_parts(name));
        let each = if is_one { "" } else { " each" };
        let bytes = bytes.map(|bytes| format!("{bytes} bytes{each}"));
        let facts: Vec<String> = bytes.into_iter().chain(why).collect();
        let names = names.join(", ");
        if facts.is_empty() { names } else { format!("{names} ({})", facts.join(", ")) }
    };
    groups.into_iter().map(text).collect::<Vec<_>>().join(", ")
}

/// Whether a name stands for several results of one node.
fn is_of_parts(name: &str) -> bool {
    name.contains(" parts of ")
}

/// The arrays that are in the memory of others. Parts of records are told together.
fn in_place(arrays: &[&ArrayUse]) -> Vec<String> {
    let mut pairs: Vec<[&str; 2]> = Vec::new();
    for array in arrays {
        if let Storage::InPlace(of) = &array.storage {
            let pair = [plain(&array.name), plain(of)];
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
    }
    let groups = pairs.chunk_by(|left, right| left.map(stem) == right.map(stem));
    let text = |group: &[[&str; 2]]| {
        let side = |of: usize| {
            let names: Vec<String> = group.iter().map(|pair| pair[of].to_owned()).collect();
            shown(&names).join(", ")
        };
        let [names, of] = [side(0), side(1)];
        if names == of { format!("{names} in place") } else { format!("{names} in place of {of}") }
    };
    groups.map(text).collect()
}

/// Whether an array has a label of its own, and so has the array whose memory it is in.
fn has_label(array: &ArrayUse) -> bool {
    let is_label = |label: &str| label != "an array" && label != "an input";
    is_label(plain(&array.name)) && array.storage.of().is_none_or(|of| is_label(plain(of)))
}

/// The names of arrays, without their numbers, each once.
pub(super) fn shown(arrays: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for array in arrays {
        let name = plain(array);
        if !names.iter().any(|other| other == name) {
            names.push(name.to_owned());
        }
    }
    grouped_names(&names)
}

/// A label without the number that tells it apart from equal ones. The page is short enough to do without.
pub(super) fn plain(label: &str) -> &str {
    label.rsplit_once(" #").map_or(label, |(name, _)| name)
}

/// A sentence without the numbers of labels.
pub(super) fn without_numbers(sentence: &str) -> String {
    let mut parts = sentence.split(" #");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + part.trim_start_matches(|sign: char| sign.is_ascii_digit())
    })
}
