//! A core program as Arr text: as the tree that a user could have written, with all its types.
//!
//! Invariant: the text parses, and inference gives the same program again, except for names. A computed size, which
//! has no name in Arr, prints as `[]`. Marks of uniqueness do not print: those of the prelude's functions are
//! trusted, and those of other functions were checked.
//!
//! ```text
//! Def f: n; x: [n]i64 → ?[k].[k]i64; App(filter @i64, [Lambda …, x])
//! ⇒ def f [n] (x: [n]i64): ?[k].[k]i64 = filter (\(y: i64) -> y > 0i64) x
//! ```

mod exprs;
mod print_equations;
mod print_names;
mod print_types;
mod print_withs;

use std::fmt;

use indexmap::IndexSet;

use self::exprs::ExprPrinter;
use self::print_names::DefNames;
use super::{Body, Def, Program, SizeOrigin, Type};
use crate::effect::Effect;
use arrc_syntax::ast;
use arrc_syntax::ids::{EntityRef, FileId, SizeVar};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// The definitions with a body, in order.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(|_| true))
    }
}

impl Program {
    /// The definitions of one file, without those of the prelude and of imported files.
    #[must_use]
    pub fn text_of_file(&self, file: FileId) -> String {
        self.text(|def| def.span.file == file)
    }

    fn text(&self, is_printed: impl Fn(&Def) -> bool) -> String {
        let mut text = String::new();
        let (file, notes) = self.to_ast(is_printed);
        for (decl, notes) in file.decls.into_iter().zip(notes) {
            if !text.is_empty() {
                text.push('\n');
            }
            for note in notes {
                text.push_str(&format!("-- {note}\n"));
            }
            let (id, gaps) = (file.id, ast::UnparsedRegions::default());
            let decl =
                ast::File { id, decls: vec![decl], gaps, is_library: false, is_in_order: false };
            text.push_str(&decl.to_string());
        }
        text
    }

    /// Some definitions as a tree, and the lines above each of them.
    fn to_ast(&self, is_printed: impl Fn(&Def) -> bool) -> (ast::File, Vec<Vec<String>>) {
        let globals = print_names::globals(self);
        let declared = self.defs.iter().filter(|(_, def)| match def.body {
            Body::Expr(_) | Body::External(_) => true,
            Body::Intrinsic(_) => false,
        });
        let declared = declared.filter(|(_, def)| is_printed(def));
        let mut notes = Vec::new();
        let decls = declared.map(|(id, def)| {
            let mut printer = ExprPrinter::new(&globals, DefNames::new(self, &globals), &def.body);
            let name = globals[&id].clone();
            let kind = match def.body {
                Body::External(_) => ast::DefKind::External,
                Body::Expr(_) | Body::Intrinsic(_) if self.entries.contains(&id) => {
                    ast::DefKind::Entry
                }
                Body::Expr(_) | Body::Intrinsic(_) => ast::DefKind::Def,
            };
            let is_entry = kind == ast::DefKind::Entry;
            let definition = definition(&mut printer, def, name, kind);
            notes.push(if is_entry {
                print_equations::lines(self, def, &printer)
            } else {
                Vec::new()
            });
            ast::Decl::Def(definition)
        });
        let (id, decls, gaps) = (FileId::new(0), decls.collect(), ast::UnparsedRegions::default());
        (ast::File { id, decls, gaps, is_library: false, is_in_order: false }, notes)
    }
}

fn definition(
    printer: &mut ExprPrinter<'_>,
    def: &Def,
    name: Name,
    kind: ast::DefKind,
) -> ast::Def {
    let types = def.types.iter().map(|&var| ident(printer.names.type_param(var))).collect();
    let sizes = def.sizes.iter().map(|&size| ident(printer.names.declare_size(size))).collect();
    let params = def.params.iter().map(|param| printer.typed_pat(&param.pat, &param.ty)).collect();
    let result = Some(printer.ty(&def.result));
    let body = match &def.body {
        Body::Expr(body) => Some(printer.expr(body)),
        Body::Intrinsic(_) | Body::External(_) => None,
    };
    ast::Def {
        kind,
        doc: def.doc.clone(),
        attrs: attributes(def),
        name: ident(name),
        sizes,
        shapes: Vec::new(),
        types,
        params,
        result,
        body,
        span: nowhere(),
    }
}

/// The attributes in front of a definition.
fn attributes(def: &Def) -> Vec<ast::Attr> {
    let attr = |name: &str, args| ast::Attr { name: ident(name.into()), args, span: nowhere() };
    match def.body {
        Body::External(Effect::Io) => vec![attr("effect", vec![attr("io", Vec::new())])],
        Body::Expr(_) if def.noinline => vec![attr("noinline", Vec::new())],
        Body::External(Effect::Pure) | Body::Expr(_) | Body::Intrinsic(_) => Vec::new(),
    }
}

/// The sizes in the dimensions of data of some types, in order of writing.
fn sizes_of<'t>(types: impl IntoIterator<Item = &'t Type>) -> Vec<SizeVar> {
    let mut dimensions = Vec::new();
    types.into_iter().for_each(|ty| ty.dimensions(&mut dimensions));
    let found: IndexSet<SizeVar> = dimensions.iter().flat_map(|size| size.symbols()).collect();
    found.into_iter().collect()
}

/// Whether a size is a size parameter.
fn is_param(program: &Program, size: SizeVar) -> bool {
    matches!(program.sizes[size].origin, SizeOrigin::Param)
}

/// The span of names that are made here.
fn nowhere() -> Span {
    Span::new(FileId::new(0), 0, 0)
}

fn ident(name: Name) -> ast::Ident {
    ast::Ident { name, span: nowhere() }
}
