//! The tree as text that reads back as the same tree.
//!
//! Invariant: parsing the text gives the tree again, except for spans, if the tree came from a text
//! without mistakes. Parentheses stand only where the tree needs them.
//!
//! ```text
//! Infix(Infix(a, +, b), *, Neg(c))   ⇒   (a + b) * -c
//! ```
//!
//! A node that stands for a mistake prints as `_`.

mod exprs;
mod print_modules;
mod print_types;
mod print_withs;

use std::fmt;

use super::{
    Attr, Decl, Def, DefKind, Expr, File, Ident, Import, Pat, PatKind, Sign, TypeDef, operators,
};
use crate::parse::text::escaped;

/// The longest line on which a definition and its body stand together.
const WIDTH: usize = 80;

/// The declarations, with an empty line between them.
impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, decl) in self.decls.iter().enumerate() {
            let mut printer = Printer::default();
            printer.decl(decl, false);
            writeln!(f, "{}{}", if number > 0 { "\n" } else { "" }, printer.out)?;
        }
        Ok(())
    }
}

/// The expression as text, where nothing follows it.
impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut printer = Printer::default();
        printer.expr(self);
        f.write_str(&printer.out)
    }
}

/// The text so far, and the indentation of its lines.
#[derive(Default)]
struct Printer {
    out: String,
    indent: usize,
}

impl Printer {
    fn decl(&mut self, decl: &Decl, is_local: bool) {
        match decl {
            Decl::Def(def) => {
                self.doc(def.doc.as_deref());
                for attr in &def.attrs {
                    self.attr(attr);
                    self.line();
                }
                self.text(if is_local { "local " } else { "" });
                self.text(match def.kind {
                    DefKind::Def => "def ",
                    DefKind::Entry => "entry ",
                    DefKind::Intrinsic => "intrinsic ",
                    DefKind::External => "external ",
                    DefKind::Value => "val ",
                });
                self.def(def);
            }
            Decl::Type(def) => self.type_def(def, is_local),
            Decl::Module(def) => {
                self.text_doc_local(def.doc.as_deref(), is_local);
                self.module_def(def);
            }
            Decl::ModuleType(def) => {
                self.text_doc_local(def.doc.as_deref(), is_local);
                self.text(&format!("module type {} = ", def.name.name));
                self.module_type(&def.body);
            }
            Decl::Open(open) => {
                self.text(if is_local { "local open " } else { "open " });
                self.module(&open.module);
            }
            Decl::Import(import) => {
                self.text(if is_local { "local " } else { "" });
                self.import(import);
            }
            Decl::Local(local) => self.decl(&local.decl, true),
        }
    }

    fn text_doc_local(&mut self, doc: Option<&str>, is_local: bool) {
        self.doc(doc);
        self.text(if is_local { "local " } else { "" });
    }

    fn import(&mut self, import: &Import) {
        self.text(&format!("import \"{}\"", escaped(&import.path)));
    }

    /// `#[a(b)]`.
    fn attr(&mut self, attr: &Attr) {
        self.between("#[", attr, "]", Self::attr_content);
    }

    fn attr_content(&mut self, attr: &Attr) {
        self.text(&attr.name.name);
        if !attr.args.is_empty() {
            self.between("(", &attr.args, ")", |printer, args| {
                printer.list(args, Self::attr_content);
            });
        }
    }

    /// A doc comment. Its first line begins with a bar.
    fn doc(&mut self, doc: Option<&str>) {
        let Some(doc) = doc else { return };
        for (number, line) in doc.split('\n').enumerate() {
            let mark = if number == 0 { "-- |" } else { "--" };
            let space = if line.is_empty() { "" } else { " " };
            self.text(mark);
            self.text(space);
            self.text(line);
            self.line();
        }
    }

    /// A definition without its first word.
    fn def(&mut self, def: &Def) {
        self.binder(&def.name);
        def.shapes.iter().for_each(|shape| self.text(&format!(" [..{}]", shape.name)));
        self.binders(&def.sizes, &def.types);
        for param in &def.params {
            self.text(" ");
            self.param(param);
        }
        if let Some(result) = &def.result {
            self.text(": ");
            self.ty(result);
        }
        if let Some(body) = &def.body {
            self.text(" =");
            self.body(body);
        }
    }

    /// A body stands on the line of the `=` if it fits there, and on the lines below otherwise.
    fn body(&mut self, body: &super::Expr) {
        let mut below = Self { out: String::new(), indent: self.indent + 2 };
        below.expr(body);
        let line = self.out.len() - self.out.rfind('\n').map_or(0, |newline| newline + 1);
        if !below.out.contains('\n') && line + 1 + below.out.len() <= WIDTH {
            self.text(" ");
        } else {
            self.indent += 2;
            self.line();
            self.indent -= 2;
        }
        self.text(&below.out);
    }

    fn type_def(&mut self, def: &TypeDef, is_local: bool) {
        self.doc(def.doc.as_deref());
        self.text(if is_local { "local type " } else { "type " });
        self.binder(&def.name);
        self.binders(&def.sizes, &def.types);
        self.text(" = ");
        self.ty(&def.body);
    }

    fn binders(&mut self, sizes: &[Ident], types: &[Ident]) {
        for size in sizes {
            self.text(&format!(" [{}]", size.name));
        }
        for ty in types {
            self.text(&format!(" '{}", ty.name));
        }
    }

    /// Names for sizes, before a pattern.
    fn sizes(&mut self, sizes: &[Ident]) {
        for size in sizes {
            self.text(&format!("[{}] ", size.name));
        }
    }

    /// A pattern among parameters.
    fn param(&mut self, pat: &Pat) {
        match &pat.kind {
            PatKind::Typed(..) | PatKind::Sized(..) | PatKind::Literal(_, Sign::Minus) => {
                self.between("(", pat, ")", Self::pat);
            }
            PatKind::Constructor(_, pats) if !pats.is_empty() => {
                self.between("(", pat, ")", Self::pat);
            }
            PatKind::Wild
            | PatKind::Name(_)
            | PatKind::Constructor(..)
            | PatKind::Literal(..)
            | PatKind::Tuple(_)
            | PatKind::Record(_)
            | PatKind::Error => {
                self.pat(pat);
            }
        }
    }

    /// The pattern of a case. It needs parentheses only if it has a type.
    fn case_pat(&mut self, pat: &Pat) {
        if matches!(pat.kind, PatKind::Typed(..)) { self.param(pat) } else { self.pat(pat) }
    }

    /// A pattern that needs no parentheses if it has a type.
    fn pat(&mut self, pat: &Pat) {
        match &pat.kind {
            PatKind::Wild | PatKind::Error => self.text("_"),
            PatKind::Name(name) => self.binder(name),
            PatKind::Tuple(pats) => {
                self.text("(");
                self.list(pats, Self::pat);
                self.text(")");
            }
            PatKind::Record(fields) => {
                self.text("{");
                self.list(fields, |printer, (name, pat)| {
                    if !binds(pat, name) {
                        printer.text(&name.name);
                        printer.text(" = ");
                    }
                    printer.pat(pat);
                });
                self.text("}");
            }
            PatKind::Sized(sizes, inner) => {
                self.sizes(sizes);
                self.pat(inner);
            }
            PatKind::Constructor(name, pats) => {
                self.text("#");
                self.text(&name.name);
                for pat in pats {
                    self.text(" ");
                    self.param(pat);
                }
            }
            PatKind::Literal(literal, sign) => {
                self.text(if *sign == Sign::Minus { "-" } else { "" });
                self.literal(*literal);
            }
            PatKind::Typed(inner, ty) => {
                self.param(inner);
                self.text(": ");
                self.ty(ty);
            }
        }
    }

    /// A name where it is bound, or where it is a value by itself.
    fn binder(&mut self, name: &Ident) {
        if operators::is_word(&name.name) {
            self.text(&name.name);
        } else {
            self.text(&format!("({})", name.name));
        }
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Begins a new line.
    fn line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', self.indent));
    }

    fn list<T>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (number, item) in items.iter().enumerate() {
            if number > 0 {
                self.text(", ");
            }
            print(self, item);
        }
    }

    fn between<T>(&mut self, open: &str, item: &T, close: &str, print: impl FnOnce(&mut Self, &T)) {
        self.text(open);
        print(self, item);
        self.text(close);
    }
}

/// Whether a field `name` that is written without a pattern has this pattern.
fn binds(pat: &Pat, name: &Ident) -> bool {
    match &pat.kind {
        PatKind::Name(bound) => bound.name == name.name,
        PatKind::Typed(inner, _) => {
            matches!(&inner.kind, PatKind::Name(bound) if bound.name == name.name)
        }
        PatKind::Wild
        | PatKind::Tuple(_)
        | PatKind::Record(_)
        | PatKind::Sized(..)
        | PatKind::Constructor(..)
        | PatKind::Literal(..)
        | PatKind::Error => false,
    }
}
