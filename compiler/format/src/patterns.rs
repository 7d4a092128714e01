//! Patterns.
//!
//! Invariant: a pattern is broken at its commas only.
//!
//! ```text
//! (x:i64,{y,z=_})   ⇒   (x: i64, {y, z = _})
//! ```

use arrc_syntax::ast::{Ident, Pat, PatKind, operators};
use arrc_syntax::stack::with_enough_stack;

use crate::layout::{Commas, Doc, Gap, Layout};

impl<'a> Layout<'a> {
    /// A pattern.
    pub(crate) fn pat(&mut self, pat: &Pat) -> Doc<'a> {
        with_enough_stack(|| {
            let (first, last) = self.ends(pat.span);
            let own = match &pat.kind {
                PatKind::Tuple(_) => 1,
                // The parentheses of an operator are part of it.
                PatKind::Name(name) => usize::from(!operators::is_word(&name.name)),
                PatKind::Wild
                | PatKind::Record(_)
                | PatKind::Constructor(..)
                | PatKind::Literal(..)
                | PatKind::Typed(..)
                | PatKind::Sized(..)
                | PatKind::Error => 0,
            };
            let around = self.layers_around(first, last, own);
            self.in_parentheses(around, |layout| layout.pat_kind(pat).align())
        })
    }

    fn pat_kind(&mut self, pat: &Pat) -> Doc<'a> {
        match &pat.kind {
            PatKind::Wild => self.token(),
            PatKind::Name(_) => self.binder(),
            PatKind::Tuple(pats) if self.next() == "{" => {
                self.brackets(pats, Commas::Flow, Self::pat_given)
            }
            PatKind::Tuple(pats) => self.brackets(pats, Commas::Flow, Self::pat),
            PatKind::Record(fields) => {
                self.brackets(fields, Commas::Flow, |layout, (name, pat)| {
                    layout.pat_field(name, pat)
                })
            }
            PatKind::Constructor(_, pats) => {
                let name = self.token();
                pats.iter().fold(name, |doc, pat| {
                    doc.append(self.gap(Gap::Line).append(self.pat(pat)).group().nest(2))
                })
            }
            PatKind::Literal(..) => {
                let is_signed = self.next() == "-";
                let doc = self.token();
                if is_signed { doc.append(self.then(Gap::Tight)) } else { doc }
            }
            PatKind::Typed(inner, ty) => {
                let inner = self.pat(inner).append(self.then(Gap::Tight));
                inner.append(self.gap(Gap::Space)).append(self.ty(ty))
            }
            PatKind::Sized(sizes, inner) => {
                let mut doc = self.nil();
                for _ in sizes {
                    doc = doc.append(self.tight_brackets()).append(self.gap(Gap::Space));
                }
                doc.append(self.pat(inner))
            }
            PatKind::Error => unreachable!("a text with mistakes is not formatted"),
        }
    }

    /// `x`, `x = p`, `x: t`.
    fn pat_field(&mut self, name: &Ident, pat: &Pat) -> Doc<'a> {
        if pat.span.start == name.span.start {
            return self.pat(pat);
        }
        self.pat_given(pat)
    }

    /// A name or a number of a field, and its pattern.
    fn pat_given(&mut self, pat: &Pat) -> Doc<'a> {
        let name = self.token().append(self.then(Gap::Space));
        name.append(self.gap(Gap::Space)).append(self.pat(pat))
    }
}
