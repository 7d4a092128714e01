//! Updates: a value in which one part is replaced.
//!
//! Invariant: an updated array keeps its type. The new elements of a slice may have any size here, unless both sizes
//! are constants: the program checks at run time that there are as many new elements as old ones.
//!
//! ```text
//! r with x[i] = e      ⇒   Update(r, [Field x, At [i]], e)
//! xs with [1:3] = ys   ⇒   Update(xs, [At [1:3]], ys), ys: [k]t for any k
//! ```

use super::Checker;
use super::error::ConstraintSite;
use super::solve::{UnifyError, component};
use super::typed::{Accessor, Dim, Expr, ExprKind};
use crate::core::{Size, Type};
use arrc_syntax::ast;
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// The part that a path leads to.
struct UpdateTarget {
    /// Its type, without the dimensions of its slices.
    ty: Type,
    /// The sizes of its slices, outermost first.
    slices: Vec<Size>,
    /// The path's last word: the array, or the field.
    at: Span,
    /// The last step, for messages.
    last: LastAccessor,
}

/// The last step of a path.
enum LastAccessor {
    /// The fields up to here.
    Fields(Vec<Name>),
    /// An element of the array at `array`.
    Element { array: Span },
    /// A slice, between the brackets at this place.
    Slice(Span),
}

impl Checker<'_> {
    /// `whole with x[i].y = value`.
    pub(super) fn update(
        &mut self,
        whole: &ast::Expr,
        steps: &[ast::Accessor],
        value: &ast::Expr,
        span: Span,
    ) -> Expr {
        let whole = self.expr(whole);
        let last = LastAccessor::Fields(Vec::new());
        let mut part =
            UpdateTarget { ty: whole.ty.clone(), slices: Vec::new(), at: whole.span, last };
        let steps = steps.iter().map(|step| self.step(&mut part, step)).collect();
        let UpdateTarget { ty, slices, last, .. } = part;
        let loose: Vec<Size> =
            slices.iter().map(|_| self.u.fresh_size(Name::default(), value.span)).collect();
        let array_of = |element, size: &Size| Type::Array(size.clone(), Box::new(element));
        let expected = loose.iter().rev().fold(ty.clone(), array_of);
        let known = slices.iter().rev().fold(ty, array_of);
        let value = self.expr_hint(value, Some(&expected));
        self.u.at = value.span;
        let at = value.span;
        let place = || match &last {
            LastAccessor::Fields(path) => {
                let path: Vec<&str> = path.iter().map(Name::as_str).collect();
                ConstraintSite::Update { span: at, field: path.join(".").into() }
            }
            LastAccessor::Element { array } => ConstraintSite::Replace { span: at, array: *array },
            LastAccessor::Slice(slice) => ConstraintSite::ReplaceSlice { span: at, slice: *slice },
        };
        let fits = self.u.unify(&expected, &value.ty);
        if let Err(clash) = fits.and_then(|()| self.unify_lengths(&slices, &loose)) {
            self.clash(place(), &known, &value.ty, clash);
        }
        let ty = whole.ty.clone();
        Expr { kind: ExprKind::Update(Box::new(whole), steps, Box::new(value)), ty, span }
    }

    /// A step of a path, which leads from a part to a smaller part.
    fn step(&mut self, part: &mut UpdateTarget, step: &ast::Accessor) -> Accessor {
        let array_of = |element, size| Type::Array(size, Box::new(element));
        let whole = std::mem::take(&mut part.slices).into_iter().rev();
        let whole = whole.fold(part.ty.clone(), array_of);
        match step {
            ast::Accessor::Field(field) => {
                part.ty = self.field_type(&whole, field);
                part.at = field.span;
                match &mut part.last {
                    LastAccessor::Fields(path) => path.push(field.name.clone()),
                    last @ (LastAccessor::Element { .. } | LastAccessor::Slice(_)) => {
                        *last = LastAccessor::Fields(vec![field.name.clone()]);
                    }
                }
                match component(&field.name) {
                    Some(at) => Accessor::Item(at),
                    None => Accessor::Field(field.name.clone()),
                }
            }
            ast::Accessor::At(written) => {
                let place = written.iter().map(ast::Dim::span);
                let place = place.reduce(Span::to).unwrap_or(part.at);
                let dims: Vec<Dim> = written.iter().map(|dim| self.dim(dim)).collect();
                (part.slices, part.ty) = self.sliced(&whole, part.at, &dims, place);
                part.last = if part.slices.is_empty() {
                    LastAccessor::Element { array: part.at }
                } else {
                    LastAccessor::Slice(place)
                };
                Accessor::At(dims)
            }
        }
    }

    /// Unifies the sizes of a slice with those of its new elements, as far as they are known. A size that is still to
    /// be found becomes that of the slice, and different constants are a clash.
    fn unify_lengths(&mut self, slices: &[Size], found: &[Size]) -> Result<(), UnifyError> {
        for (slice, found) in slices.iter().zip(found) {
            let (slice, found) = (self.u.resolve_size(slice), self.u.resolve_size(found));
            let is_open = found.as_symbol().is_some_and(|id| self.u.is_free_size(id));
            let differ = slice.as_constant().zip(found.as_constant()).is_some_and(|(a, b)| a != b);
            if !is_open && !differ {
                continue;
            }
            self.u.unify_sizes(&slice, &found)?;
        }
        Ok(())
    }
}
