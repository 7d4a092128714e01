//! Imports: from a file to all the files of its program.
//!
//! Invariant: each file is read and parsed once, and comes after the files that it imports. The last file has an
//! entry if it declares an entry or defines `main`. The texts come from a [`Loader`], so that nothing here touches
//! the disk.
//!
//! ```text
//! main.arr: import "lib/a"   lib/a.arr: import "b"   ⇒   lib/b.arr, lib/a.arr, main.arr
//! ```

mod load_error;
mod path;

use std::borrow::Borrow;
use std::collections::BTreeMap;

use indexmap::IndexMap;

use self::load_error::ImportError;
use arrc_syntax::ast;
use arrc_syntax::ast::{Decl, Def, DefKind, Import, ModuleExpr};
use arrc_syntax::diagnostics;
use arrc_syntax::diagnostics::Diagnostic;
use arrc_syntax::ids::FileId;
use arrc_syntax::names::Name;
use arrc_syntax::parse;
use arrc_syntax::source::{Sources, Span};
use arrc_syntax::stdlib;

/// Whether a file is a program, as its name says.
#[must_use]
pub fn is_program(path: &str) -> bool {
    path::without_ending(path).is_some()
}

/// Where the texts of imported files come from.
pub trait Loader {
    /// The text of the file at `path`.
    ///
    /// # Errors
    /// The reason why the text cannot be loaded.
    fn load(&self, path: &str) -> Result<String, LoadError>;

    /// The names of the files in a folder, for suggestions. The list is empty if they are not known.
    fn files(&self, folder: &str) -> Vec<String>;
}

/// Why a file cannot be loaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoadError {
    /// There is no such file.
    NotFound,
    /// The file exists, but cannot be read: the reason in words.
    Unreadable(String),
}

/// The loader for programs of one file. It finds no imports.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Loader for NoFiles {
    fn load(&self, _path: &str) -> Result<String, LoadError> {
        Err(LoadError::NotFound)
    }

    fn files(&self, _folder: &str) -> Vec<String> {
        Vec::new()
    }
}

/// Files in memory, by path.
impl<P: Borrow<str> + Ord, S: AsRef<str>> Loader for BTreeMap<P, S> {
    fn load(&self, path: &str) -> Result<String, LoadError> {
        self.get(path).map(|text| text.as_ref().to_owned()).ok_or(LoadError::NotFound)
    }

    fn files(&self, folder: &str) -> Vec<String> {
        let names = self.keys().filter_map(|path| path.borrow().strip_prefix(folder));
        names.filter(|name| !name.contains('/')).map(str::to_owned).collect()
    }
}

/// The program whose entries are in `root`, and the mistakes in its texts and imports.
#[must_use]
pub fn load(
    sources: &mut Sources,
    root: FileId,
    loader: &dyn Loader,
) -> (ast::Program, Vec<Diagnostic>) {
    let mut reader = ImportResolver {
        sources,
        loader,
        known: IndexMap::new(),
        open: Vec::new(),
        program: ast::Program { files: Vec::new(), imports: IndexMap::new() },
        found: Vec::new(),
    };
    let path = path::normalise(&reader.sources.get(root).path);
    reader.known.insert(path, FileState::Opened(root));
    reader.file(root);
    if let Some(root) = reader.program.files.last_mut() {
        main_as_entry(&mut root.decls);
    }
    diagnostics::sort(&mut reader.found);
    (reader.program, reader.found)
}

/// Makes `main` an entry where a file has none.
fn main_as_entry(decls: &mut [Decl]) {
    if decls.iter().filter_map(Decl::as_def).any(|def| def.kind == DefKind::Entry) {
        return;
    }
    let is_main = |def: &&mut Def| def.kind == DefKind::Def && def.name.name == "main";
    if let Some(main) = decls.iter_mut().filter_map(Decl::as_def_mut).filter(is_main).last() {
        main.kind = DefKind::Entry;
    }
}

/// How far a file is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FileState {
    /// Its imports are being read.
    Opened(FileId),
    /// It is in the program.
    Read(FileId),
}

/// The walk over the files.
struct ImportResolver<'a> {
    sources: &'a mut Sources,
    loader: &'a dyn Loader,
    /// The files by their path.
    known: IndexMap<String, FileState>,
    /// The imports that led to the file that is being read, outermost first.
    open: Vec<Import>,
    program: ast::Program,
    found: Vec<Diagnostic>,
}

/// The length of the longest chain of files that import one another.
const DEEPEST: usize = 200;

impl ImportResolver<'_> {
    /// Reads a file and those that it imports.
    fn file(&mut self, id: FileId) {
        let (file, errors) = parse::parse(self.sources, id);
        self.found.extend(errors);
        for import in imports(&file.decls) {
            if let Some(target) = self.import(id, import) {
                self.program.imports.insert((id, import.path.clone()), target);
            }
        }
        self.program.files.push(file);
    }

    /// The file that an import means. If there is none, that is reported.
    fn import(&mut self, from: FileId, import: &Import) -> Option<FileId> {
        let span = import.path_span;
        if let Some(problem) = path::problem(&import.path) {
            let name = import.path.clone();
            self.report(ImportError::BadPath { name, span, problem });
            return None;
        }
        let paths = path::resolve_import(&self.sources.get(from).path, &import.path);
        for path in &paths {
            match self.known.get(path).copied() {
                Some(FileState::Read(file)) => return Some(file),
                Some(FileState::Opened(file)) => {
                    self.cycle(file, import);
                    return None;
                }
                None => {}
            }
            match self.loader.load(path) {
                Ok(text) => {
                    let id = self.sources.add(path.clone(), text);
                    return self.read(id, path.clone(), import);
                }
                Err(LoadError::NotFound) => {}
                Err(LoadError::Unreadable(reason)) => {
                    self.report(ImportError::Unreadable { path: path.clone(), reason, span });
                    return None;
                }
            }
        }
        let [tried, _] = paths;
        self.library(import, tried)
    }

    /// A file of the standard library.
    fn library(&mut self, import: &Import, tried: String) -> Option<FileId> {
        let path = format!("{}{}.arr", stdlib::FOLDER, import.path);
        match (self.known.get(&path).copied(), stdlib::file(&import.path)) {
            (Some(FileState::Read(file)), _) => Some(file),
            (Some(FileState::Opened(file)), _) => {
                self.cycle(file, import);
                None
            }
            (None, Some(text)) => {
                let id = self.sources.add_library(path.clone(), text);
                self.read(id, path, import)
            }
            (None, None) => {
                self.missing(import, tried);
                None
            }
        }
    }

    /// Reads a file that is met for the first time.
    fn read(&mut self, id: FileId, path: String, import: &Import) -> Option<FileId> {
        if self.open.len() >= DEEPEST {
            self.report(ImportError::TooDeep { span: import.path_span });
            return None;
        }
        self.known.insert(path.clone(), FileState::Opened(id));
        self.open.push(import.clone());
        self.file(id);
        self.open.pop();
        self.known.insert(path, FileState::Read(id));
        Some(id)
    }

    /// Reports that a file imports itself, by way of others.
    fn cycle(&mut self, file: FileId, import: &Import) {
        let path = |id: FileId| Name::from(self.sources.get(id).path.as_str());
        let way = self.open.iter().skip_while(|step| step.span.file != file);
        let steps: Vec<(Name, Span)> =
            way.map(|step| (path(step.span.file), step.path_span)).collect();
        let (name, span) = (path(file), import.path_span);
        let last = path(import.span.file);
        self.report(ImportError::Cycle { name, span, last, steps });
    }

    fn missing(&mut self, import: &Import, tried: String) {
        let folder = path::folder(&tried).to_owned();
        let files = self.loader.files(&folder);
        let here = files.iter().filter_map(|file| path::without_ending(file)).map(Name::from);
        let known: Vec<Name> = here.chain(stdlib::names().map(Name::from)).collect();
        let (before, name) = path::split(&import.path);
        let near = diagnostics::nearest(name, &known);
        let near = near.into_iter().map(|name| Name::from(format!("{before}{name}"))).collect();
        let is_found = !files.is_empty();
        let (name, span) = (import.path.clone(), import.path_span);
        self.report(ImportError::Missing { name, span, tried, near, is_found });
    }

    fn report(&mut self, error: ImportError) {
        self.found.push(error.into());
    }
}

/// The imports in declarations, in their order.
pub(crate) fn imports(decls: &[Decl]) -> Vec<&Import> {
    let mut imports = Vec::new();
    collect(decls, &mut imports);
    imports
}

fn collect<'d>(decls: &'d [Decl], imports: &mut Vec<&'d Import>) {
    for decl in decls {
        match decl {
            Decl::Def(_) | Decl::Type(_) | Decl::ModuleType(_) => {}
            Decl::Module(def) => collect_module(&def.body, imports),
            Decl::Open(open) => collect_module(&open.module, imports),
            Decl::Import(import) => imports.push(import),
            Decl::Local(local) => collect(std::slice::from_ref(&*local.decl), imports),
        }
    }
}

fn collect_module<'d>(module: &'d ModuleExpr, imports: &mut Vec<&'d Import>) {
    match module {
        ModuleExpr::Name(_) | ModuleExpr::Error(_) => {}
        ModuleExpr::Import(import) => imports.push(import),
        ModuleExpr::Apply(function, given, _) => {
            collect_module(function, imports);
            collect_module(given, imports);
        }
        ModuleExpr::Ascribe(module, ..) | ModuleExpr::Function(_, _, module, _) => {
            collect_module(module, imports);
        }
        ModuleExpr::Body(decls, _) => collect(decls, imports),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paths of the files in the program's order, or the messages.
    fn paths(files: &[(&'static str, &str)]) -> Result<Vec<String>, Vec<String>> {
        let loader: BTreeMap<&str, &str> = files.iter().copied().collect();
        let mut sources = Sources::default();
        let root = sources.add(files[0].0, files[0].1);
        let (program, found) = load(&mut sources, root, &loader);
        if found.is_empty() {
            Ok(program.files.iter().map(|file| sources.get(file.id).path.clone()).collect())
        } else {
            Err(found.into_iter().map(|diagnostic| diagnostic.message).collect())
        }
    }

    #[test]
    fn files_come_after_those_that_they_import() {
        let order = paths(&[
            ("src/main.arr", "import \"lib/a\"\nmodule b = import \"lib/b\""),
            ("src/lib/a.arr", "local open import \"b\"\nimport \"../c\""),
            ("src/lib/b.arr", "def b: i64 = 1"),
            ("src/c.arr", "import \"./lib/b\""),
        ]);
        let expected = ["src/lib/b.arr", "src/c.arr", "src/lib/a.arr", "src/main.arr"];
        assert_eq!(order.expect("every file is there"), expected);
    }

    #[test]
    fn files_of_both_languages_import_each_other() {
        let order = paths(&[
            ("main.arr", "import \"lib/github.com/user/name/a\""),
            ("lib/github.com/user/name/a.fut", "import \"../other/b\"  import \"c\""),
            ("lib/github.com/user/other/b.arr", ""),
            ("lib/github.com/user/name/c.fut", ""),
            ("lib/github.com/user/name/c.arr", "the other ending comes first"),
        ]);
        let expected = ["other/b.arr", "name/c.fut", "name/a.fut"];
        let expected: Vec<String> =
            expected.iter().map(|path| format!("lib/github.com/user/{path}")).collect();
        assert_eq!(
            order.expect("every file is there"),
            [expected, vec!["main.arr".into()]].concat()
        );
    }

    #[test]
    fn main_is_an_entry_where_the_file_has_none() {
        let kinds = |text: &str| {
            let mut sources = Sources::default();
            let root = sources.add("a.arr", text);
            let loader = BTreeMap::from([("b.arr", "def main = 1")]);
            let (program, found) = load(&mut sources, root, &loader);
            assert_eq!(found, []);
            let decls = program.files.into_iter().flat_map(|file| file.decls);
            let kind = |decl| if let Decl::Def(def) = decl { Some(def.kind) } else { None };
            decls.filter_map(kind).collect::<Vec<_>>()
        };
        let (def, entry) = (DefKind::Def, DefKind::Entry);
        assert_eq!(kinds("def f = 1 def main = f"), [def, entry]);
        assert_eq!(kinds("entry f = 1 def main = f"), [entry, def]);
        assert_eq!(kinds("local def main = 1"), []);
        assert_eq!(kinds("import \"b\" def f = main"), [def, def], "only of the file itself");
        assert_eq!(kinds("import \"b\" def main = 2"), [def, entry]);
        assert_eq!(kinds("module m = { entry f = 1 } def main = 2"), [entry], "modules have none");
    }

    #[test]
    fn a_cycle_is_an_error() {
        let files =
            [("a.arr", "import \"b\""), ("b.arr", "import \"c\""), ("c.arr", "import \"a\"")];
        let errors = paths(&files).expect_err("a imports itself");
        assert_eq!(errors, ["`a.arr` imports itself"]);
    }

    #[test]
    fn a_missing_file_is_an_error() {
        let errors = paths(&[("a.arr", "import \"geometri\""), ("geometry.arr", "")]);
        assert_eq!(errors.expect_err("it is not there"), ["there is no file `geometri.arr`"]);
    }
}
