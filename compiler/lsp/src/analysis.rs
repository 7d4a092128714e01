//! What the front end makes of a text, for all questions about it.
//!
//! Invariant: an analysis never changes. A change of a text that it was made of makes it stale, and a new one is made.
//!
//! ```text
//! a.arr, which imports b.arr   ⇒   the trees, the places and the diagnostics of both
//! ```

use std::cell::OnceCell;
use std::collections::BTreeSet;

use arrc_front::load::Loader;
use arrc_front::places::Places;
use arrc_pipeline::typed::{self, Typed, Wish};
use arrc_syntax::ast;
use arrc_syntax::ast::visit::Node;
use arrc_syntax::ast::{
    Decl, Def, ModuleDef, ModuleExpr, ModuleType, ModuleTypeDef, Spec, TypeDef,
};
use arrc_syntax::ids::{EntityRef, FileId};
use arrc_syntax::source::{Sources, Span};
use gen_lsp_types::{Position, Range};

use crate::documents::{Overlay, Texts};
use crate::positions::{Lines, number};

/// What is known of a file and those that it imports.
pub(crate) struct Analysis {
    /// The path of the file.
    pub(crate) path: String,
    /// Tells it apart from analyses of other texts.
    pub(crate) stamp: u64,
    /// The texts.
    pub(crate) sources: Sources,
    /// The file itself.
    pub(crate) root: FileId,
    /// What the front end found.
    pub(crate) typed: Typed,
    /// The paths of imports that were tried. A file that is made or changed there makes the analysis stale.
    pub(crate) asked: BTreeSet<String>,
    lines: Vec<OnceCell<Lines>>,
}

/// A declaration as it is written.
#[derive(Clone, Copy)]
pub(crate) enum Written<'a> {
    /// A definition, or a value of a module type.
    Def(&'a Def),
    /// A type.
    Type(&'a TypeDef),
    /// A module.
    Module(&'a ModuleDef),
    /// A module type.
    ModuleType(&'a ModuleTypeDef),
    /// Another item of a module type.
    Spec(&'a Spec),
}

impl Analysis {
    /// Analyses a text.
    pub(crate) fn new(
        (path, text): (&str, &str),
        stamp: u64,
        texts: &Texts,
        files: &dyn Loader,
        wish: Wish,
    ) -> Self {
        let mut sources = Sources::default();
        let root = sources.add(path, text);
        let overlay = Overlay::new(texts, files);
        let typed = typed::typed(&mut sources, root, &overlay, wish);
        let lines = sources.iter().map(|_| OnceCell::new()).collect();
        Self { path: path.to_owned(), stamp, sources, root, typed, asked: overlay.asked(), lines }
    }

    /// What inference found at the places of the text.
    pub(crate) fn places(&self) -> &Places {
        &self.typed.places
    }

    /// The tree of the file.
    pub(crate) fn tree(&self) -> &ast::File {
        self.typed.ast.root()
    }

    /// The text of the file.
    pub(crate) fn text(&self) -> &str {
        &self.sources.get(self.root).text
    }

    /// The lines of a file.
    pub(crate) fn lines(&self, file: FileId) -> &Lines {
        self.lines[file.index()].get_or_init(|| Lines::new(&self.sources.get(file).text))
    }

    /// The range of a span.
    pub(crate) fn range(&self, span: Span) -> Range {
        let text = &self.sources.get(span.file).text;
        self.lines(span.file).range(text, span.start as usize, span.end as usize)
    }

    /// The byte of the file at a position.
    pub(crate) fn byte(&self, position: Position) -> u32 {
        number(self.lines(self.root).byte(self.text(), position))
    }

    /// The file of the program with this path.
    pub(crate) fn file(&self, path: &str) -> Option<FileId> {
        let mut own = self.sources.iter().filter(|(_, source)| !source.is_library);
        own.find(|(_, source)| source.path == path).map(|(id, _)| id)
    }

    /// The import at a byte of the file, with the file that it means.
    pub(crate) fn import_at(&self, byte: u32) -> Option<(Span, FileId)> {
        let imports = imports(&self.tree().decls);
        let import = imports
            .into_iter()
            .find(|import| (import.path_span.start..=import.path_span.end).contains(&byte))?;
        let target = self.typed.ast.imports.get(&(self.root, import.path.clone()))?;
        Some((import.path_span, *target))
    }

    /// The nodes of the tree of the file around a byte, from the outside in. A node that ends at the byte is around it,
    /// unless another one begins there.
    pub(crate) fn nodes_at(&self, byte: u32) -> Vec<Node<'_>> {
        let mut found = Vec::new();
        let mut inside: Vec<Node<'_>> = self.tree().decls.iter().map(Node::Decl).collect();
        let is_around = |node: &Node<'_>| {
            let span = node.span();
            span.file == self.root && span.start <= byte && byte <= span.end
        };
        while let Some(node) = inside.iter().rev().find(|node| is_around(node)).copied() {
            found.push(node);
            inside = node.children();
        }
        found
    }

    /// The declaration with the name at this place.
    pub(crate) fn written(&self, name: Span) -> Option<Written<'_>> {
        let prelude = std::iter::once(&self.typed.prelude);
        let mut files = prelude.chain(&self.typed.ast.files);
        let file = files.find(|file| file.id == name.file)?;
        in_decls(&file.decls, name)
    }

    /// The text from one place to another, without blanks around it.
    pub(crate) fn slice(&self, file: FileId, start: u32, end: u32) -> &str {
        self.sources.get(file).text.get(start as usize..end as usize).unwrap_or_default().trim()
    }
}

impl Written<'_> {
    /// The text of the `-- |` comment.
    pub(crate) fn doc(&self) -> Option<&str> {
        match self {
            Self::Def(def) => def.doc.as_deref(),
            Self::Type(def) => def.doc.as_deref(),
            Self::Module(def) => def.doc.as_deref(),
            Self::ModuleType(def) => def.doc.as_deref(),
            Self::Spec(_) => None,
        }
    }
}

/// The imports in declarations.
pub(crate) fn imports(decls: &[Decl]) -> Vec<&ast::Import> {
    let mut found = Vec::new();
    for decl in decls {
        match decl {
            Decl::Import(import) => found.push(import),
            Decl::Open(open) => in_module_expr(&open.module, &mut found),
            Decl::Module(def) => in_module_expr(&def.body, &mut found),
            Decl::Local(local) => found.extend(imports(std::slice::from_ref(&*local.decl))),
            Decl::Def(_) | Decl::Type(_) | Decl::ModuleType(_) => {}
        }
    }
    found
}

fn in_module_expr<'a>(module: &'a ModuleExpr, found: &mut Vec<&'a ast::Import>) {
    match module {
        ModuleExpr::Import(import) => found.push(import),
        ModuleExpr::Body(decls, _) => found.extend(imports(decls)),
        ModuleExpr::Apply(function, given, _) => {
            in_module_expr(function, found);
            in_module_expr(given, found);
        }
        ModuleExpr::Ascribe(module, ..) | ModuleExpr::Function(_, _, module, _) => {
            in_module_expr(module, found);
        }
        ModuleExpr::Name(_) | ModuleExpr::Error(_) => {}
    }
}

fn in_decls(decls: &[Decl], name: Span) -> Option<Written<'_>> {
    let is_around = |span: Span| span.start <= name.start && name.end <= span.end;
    decls.iter().filter(|decl| is_around(decl.span())).find_map(|decl| match decl {
        Decl::Def(def) => (def.name.span == name).then_some(Written::Def(def)),
        Decl::Type(def) => (def.name.span == name).then_some(Written::Type(def)),
        Decl::ModuleType(def) if def.name.span == name => Some(Written::ModuleType(def)),
        Decl::ModuleType(def) => in_type(&def.body, name),
        Decl::Module(def) if def.name.span == name => Some(Written::Module(def)),
        Decl::Module(def) => {
            let in_params = def.params.iter().find_map(|param| in_type(&param.ty, name));
            let in_type = def.ascription.as_ref().and_then(|ty| in_type(ty, name));
            in_params.or(in_type).or_else(|| in_module(&def.body, name))
        }
        Decl::Open(open) => in_module(&open.module, name),
        Decl::Import(_) => None,
        Decl::Local(local) => in_decls(std::slice::from_ref(&*local.decl), name),
    })
}

fn in_module(module: &ModuleExpr, name: Span) -> Option<Written<'_>> {
    match module {
        ModuleExpr::Body(decls, _) => in_decls(decls, name),
        ModuleExpr::Apply(function, given, _) => {
            in_module(function, name).or_else(|| in_module(given, name))
        }
        ModuleExpr::Ascribe(module, ty, _) => in_module(module, name).or_else(|| in_type(ty, name)),
        ModuleExpr::Function(_, _, body, _) => in_module(body, name),
        ModuleExpr::Name(_) | ModuleExpr::Import(_) | ModuleExpr::Error(_) => None,
    }
}

fn in_type(ty: &ModuleType, name: Span) -> Option<Written<'_>> {
    match ty {
        ModuleType::Specs(specs, _) => specs.iter().find_map(|spec| match spec {
            Spec::Value(def) => (def.name.span == name).then_some(Written::Def(def)),
            Spec::Type(of) => (of.name.span == name).then_some(Written::Spec(spec)),
            Spec::Module(of) if of.name.span == name => Some(Written::Spec(spec)),
            Spec::Module(of) => in_type(&of.ty, name),
            Spec::Include(include) => in_type(&include.ty, name),
        }),
        ModuleType::With(ty, ..) => in_type(ty, name),
        ModuleType::Function(_, from, to, _) => in_type(from, name).or_else(|| in_type(to, name)),
        ModuleType::Name(_) | ModuleType::Error(_) => None,
    }
}
