//! Declarations, and what they share with local functions.
//!
//! Invariant: attributes stand on lines of their own. A head that is too long goes on four columns further to the
//! right, and a body that stands below its head begins two columns further to the right.
//!
//! ```text
//! def f (x: i64)
//!     (y: i64): i64 =
//!   x + y
//! ```

use arrc_syntax::ast::{Decl, Def, Lift, Type};

use crate::expressions::is_operator_char;
use crate::layout::{Doc, Gap, Layout};

/// The maximum number of columns of a result type that does not begin a line.
pub(crate) const SHORT_RESULT: usize = 30;

impl<'a> Layout<'a> {
    /// Declarations, each on a line of its own. The gap before the first is written.
    pub(crate) fn decls(&mut self, decls: &[Decl]) -> Doc<'a> {
        let mut doc = self.nil();
        for (number, decl) in decls.iter().enumerate() {
            if number > 0 {
                doc = doc.append(self.gap(Gap::Break));
            }
            doc = doc.append(self.decl(decl));
        }
        doc
    }

    /// A declaration, with its attributes.
    pub(crate) fn decl(&mut self, decl: &Decl) -> Doc<'a> {
        let mut doc = self.attributes();
        let inner = if let Decl::Local(local) = decl { local.decl.as_ref() } else { decl };
        if self.next() == "local" {
            doc = doc.append(self.token()).append(self.gap(Gap::Space));
        }
        doc.append(match inner {
            Decl::Def(def) => {
                self.token().append(self.gap(Gap::Space)).append(self.definition(def))
            }
            Decl::Type(def) => {
                let binders = def.sizes.len() + def.types.len();
                self.type_item(binders, Some(&def.body))
            }
            Decl::Module(def) => self.module_definition(def),
            Decl::ModuleType(def) => self.module_type_definition(def),
            Decl::Open(open) => {
                self.token().append(self.gap(Gap::Space)).append(self.module(&open.module))
            }
            Decl::Import(_) => self.token().append(self.then(Gap::Space)),
            Decl::Local(_) => unreachable!("the word `local` stands once before a declaration"),
        })
    }

    /// `#[…]` before a declaration, each on a line of its own.
    pub(crate) fn attributes(&mut self) -> Doc<'a> {
        let mut doc = self.nil();
        while self.next() == "#[" {
            doc = doc.append(self.tight_brackets()).append(self.gap(Gap::Break));
        }
        doc
    }

    /// A definition behind its keyword.
    pub(crate) fn definition(&mut self, def: &Def) -> Doc<'a> {
        let mut parts = Vec::new();
        if let [left, right] = &def.params[..]
            && left.span.start < def.name.span.start
        {
            let left = self.pat(left).append(self.then(Gap::Space));
            parts.extend([left, self.gap(Gap::Line).append(self.pat(right))]);
        } else {
            parts.push(self.binder());
            self.binders(def.sizes.len() + def.shapes.len() + def.types.len(), &mut parts);
            for param in &def.params {
                parts.push(self.gap(Gap::Line).append(self.pat(param)));
            }
        }
        if let Some(result) = &def.result {
            self.result(result, &mut parts);
        }
        let doc = parts.into_iter().fold(self.nil(), |doc, part| doc.append(part.group().nest(4)));
        match &def.body {
            Some(body) => doc.append(self.then(Gap::Space)).append(self.value(body)),
            None => doc,
        }
    }

    /// The result type behind a head. A short one stays on the line of the last parameter.
    fn result(&mut self, result: &Type, parts: &mut Vec<Doc<'a>>) {
        let is_broken = self.begins_line();
        // Behind `val <=`, a colon would look like a part of the operator.
        let is_sign = self.tokens().text(self.at() - 1).ends_with(is_operator_char);
        let colon = self.then(if is_sign { Gap::Space } else { Gap::Tight });
        let last = parts.pop().expect("a head has a name").append(colon);
        let (first, end) = self.ends(result.span);
        if self.tokens().width(first, end) <= SHORT_RESULT {
            let gap = self.gap(Gap::Space);
            parts.push(last.append(gap).append(self.ty(result)));
        } else {
            let gap = self.gap_broken(Gap::Line, is_broken);
            parts.extend([last, gap.append(self.ty(result))]);
        }
    }

    /// `[n]`, `[..s]` and `'a`: so many of them.
    fn binders(&mut self, count: usize, parts: &mut Vec<Doc<'a>>) {
        for _ in 0..count {
            let gap = self.gap(Gap::Line);
            let binder = if self.next() == "[" { self.tight_brackets() } else { self.token() };
            parts.push(gap.append(binder));
        }
    }

    /// A name, or an operator in parentheses.
    pub(crate) fn binder(&mut self) -> Doc<'a> {
        if self.next() == "(" { self.tight_brackets() } else { self.token() }
    }

    /// `type t 'a = (a, a)`, `type^ t [n]`.
    pub(crate) fn type_item(&mut self, binders: usize, body: Option<&Type>) -> Doc<'a> {
        let mut word = self.token();
        if [Lift::Any.mark(), Lift::Sized.mark()].contains(&self.next()) {
            word = word.append(self.then(Gap::Tight));
        }
        let head = word.append(self.then(Gap::Space));
        self.type_body(head, binders, body)
    }

    /// What stands behind the name of a type.
    pub(crate) fn type_body(
        &mut self,
        name: Doc<'a>,
        binders: usize,
        body: Option<&Type>,
    ) -> Doc<'a> {
        let mut parts = vec![name];
        self.binders(binders, &mut parts);
        let head = parts.into_iter().fold(self.nil(), |doc, part| doc.append(part.group().nest(4)));
        let Some(body) = body else { return head };
        let head = head.append(self.then(Gap::Space));
        let body = self.gap(Gap::Line).append(self.ty(body));
        head.append(body.nest(2).group())
    }
}
