//! What the library runs for one call of the user, as one item.
//!
//! Invariant: items are folded only if all of them come from one call, and there are at least two.
//!
//! ```text
//! pass 1: sort_keys (line 5); pass 2: sort_keys (line 5)   ⇒   sort (line 5): passes 1 and 2
//! ```

use super::{Item, PassItem};
use arrc_syntax::source::Span;

/// A call of a library function by the user.
pub(super) type LibraryCall = (String, Span);

/// A part of the short form of an outline.
pub(super) enum Folded<'a> {
    /// One item.
    Item(&'a Item),
    /// The items of a call of the library.
    Library(LibraryCall, &'a [Item]),
}

/// The items, with those of each call of the library as one.
pub(super) fn folded(items: &[Item]) -> Vec<Folded<'_>> {
    let same = |left: &Item, right: &Item| {
        let call = library_call(left);
        call.is_some() && call == library_call(right)
    };
    let groups = items.chunk_by(same);
    let folded = groups.flat_map(|group| match library_call(&group[0]) {
        Some(call) if count(group) > 1 => vec![Folded::Library(call, group)],
        _ => group.iter().map(Folded::Item).collect(),
    });
    folded.collect()
}

/// The number of items, those inside items included.
fn count(items: &[Item]) -> usize {
    items.iter().map(|item| 1 + item.inside().map(count).sum::<usize>()).sum()
}

/// The passes of items, those inside items included.
pub(super) fn passes(items: &[Item]) -> Vec<&PassItem> {
    let all = items.iter().flat_map(|item| {
        let own = if let Item::Pass(pass) = item { Some(&**pass) } else { None };
        own.into_iter().chain(item.inside().flat_map(passes))
    });
    all.collect()
}

/// The call of the library from which all of an item comes.
fn library_call(item: &Item) -> Option<LibraryCall> {
    let mut calls = own_calls(item);
    let inner = item.inside().flatten().map(library_call);
    calls.extend(inner);
    let first = calls.first()?.clone()?;
    calls.iter().all(|call| call.as_ref() == Some(&first)).then_some(first)
}

/// The calls of the parts of an item itself; none for a part that is the user's code.
fn own_calls(item: &Item) -> Vec<Option<LibraryCall>> {
    let call = |library: &Option<String>, span| library.clone().map(|name| (name, span));
    match item {
        Item::Pass(pass) => pass.nodes.iter().map(|node| call(&node.library, node.span)).collect(),
        Item::Loop(of) => vec![call(&of.library, of.span)],
        Item::Whole(of) => vec![call(&of.library, of.span)],
        Item::If(..) => Vec::new(),
    }
}
