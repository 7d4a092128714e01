//! Names of the library that the program does not import yet.
//!
//! Invariant: a name of the prelude, or of the file itself, is no name of the library.
//!
//! ```text
//! stddev xs   ⇒   stddev xs, with `import "statistics"`
//!                 s.stddev xs, where the file has `module s = import "statistics"`
//! ```

use arrc_syntax::ast;
use arrc_syntax::ast::{Decl, ModuleExpr};
use arrc_syntax::diagnostics::Edit;
use arrc_syntax::ids::FileId;
use arrc_syntax::source::Span;
use arrc_syntax::stdlib;

/// The library, as a program sees it.
pub(super) struct Library<'a> {
    pub(super) prelude: &'a ast::File,
    pub(super) program: &'a ast::Program,
}

/// A text that begins with a name, which may be one of the library.
pub(super) struct LibraryName {
    /// The text, with the module that the name needs.
    pub(super) text: String,
    /// The import that it needs.
    pub(super) import: Option<String>,
}

/// How a file imports another one.
enum Imported<'a> {
    /// With its names.
    Opened,
    /// As a module.
    Named(&'a str),
}

impl Library<'_> {
    /// A text that is written in a file, with what its first name needs.
    pub(super) fn named(&self, file: FileId, text: String) -> LibraryName {
        let own = self.program.files.iter().find(|one| one.id == file);
        let decls = own.map_or(&[][..], |own| &own.decls);
        let is_in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '.');
        let name = text.split(|c| !is_in_name(c)).next().unwrap_or_default();
        let is_known = [decls, &self.prelude.decls].iter().any(|decls| defines(decls, name));
        let Some(library) = stdlib::file_with(name).filter(|_| !is_known) else {
            return LibraryName { text, import: None };
        };
        match decls.iter().find_map(|decl| imported(decl, library)) {
            Some(Imported::Opened) => LibraryName { text, import: None },
            Some(Imported::Named(module)) => {
                LibraryName { text: format!("{module}.{text}"), import: None }
            }
            None => LibraryName { text, import: Some(format!("import \"{library}\"")) },
        }
    }
}

/// The edit that puts an import at the beginning of a file.
pub(super) fn insert(file: FileId, import: &str) -> Edit {
    Edit { span: Span::new(file, 0, 0), replacement: format!("{import}\n") }
}

fn defines(decls: &[Decl], name: &str) -> bool {
    let is_it = |decl: &Decl| matches!(decl, Decl::Def(def) if *def.name.name == *name);
    decls.iter().any(is_it)
}

/// How a declaration imports a file.
fn imported<'d>(decl: &'d Decl, file: &str) -> Option<Imported<'d>> {
    let is_it = |import: &ast::Import| *import.path == *file;
    match decl {
        Decl::Import(import) if is_it(import) => Some(Imported::Opened),
        Decl::Module(def) => match &def.body {
            ModuleExpr::Import(import) if is_it(import) => Some(Imported::Named(&def.name.name)),
            ModuleExpr::Import(_)
            | ModuleExpr::Name(_)
            | ModuleExpr::Body(..)
            | ModuleExpr::Apply(..)
            | ModuleExpr::Ascribe(..)
            | ModuleExpr::Function(..)
            | ModuleExpr::Error(_) => None,
        },
        Decl::Open(open) => match &open.module {
            ModuleExpr::Import(import) if is_it(import) => Some(Imported::Opened),
            ModuleExpr::Import(_)
            | ModuleExpr::Name(_)
            | ModuleExpr::Body(..)
            | ModuleExpr::Apply(..)
            | ModuleExpr::Ascribe(..)
            | ModuleExpr::Function(..)
            | ModuleExpr::Error(_) => None,
        },
        Decl::Local(local) => imported(&local.decl, file),
        Decl::Def(_) | Decl::Type(_) | Decl::ModuleType(_) | Decl::Import(_) => None,
    }
}
