//! The attributes of entries, as they stand in the text: `#[prop(size(10))]`. No form of the program keeps them.

use arrc_syntax::ast::{Attr, Decl, Def};
use arrc_syntax::ids::FileId;
use arrc_syntax::parse::parse;
use arrc_syntax::source::Sources;

/// The attributes of the entry with this name in a file.
pub(crate) fn of(sources: &Sources, file: FileId, entry: &str) -> Vec<Attr> {
    let (tree, _) = parse(sources, file);
    let def = tree.decls.into_iter().find_map(|decl| match decl {
        Decl::Def(def) if def.name.name == entry => Some(def),
        Decl::Def(_)
        | Decl::Type(_)
        | Decl::Module(_)
        | Decl::ModuleType(_)
        | Decl::Open(_)
        | Decl::Import(_)
        | Decl::Local(_) => None,
    });
    def.map_or_else(Vec::new, |Def { attrs, .. }| attrs)
}
