//! The attributes of entries, as they stand in the text: `#[prop(size(10))]`. No form of the program keeps them.

use arrc_syntax::ast::{Attr, Decl};
use arrc_syntax::ids::FileId;
use arrc_syntax::parse::parse;
use arrc_syntax::source::Sources;

/// The attributes of the entry with this name in a file.
pub(crate) fn of(sources: &Sources, file: FileId, entry: &str) -> Vec<Attr> {
    let (tree, _) = parse(sources, file);
    let mut defs = tree.decls.iter().filter_map(Decl::as_def);
    defs.find(|def| def.name.name == entry).map_or_else(Vec::new, |def| def.attrs.clone())
}
