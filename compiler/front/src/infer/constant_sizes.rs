//! Definitions that are sizes: their values are known before they are walked, since types are read first.
//!
//! Invariant: a `val n: i64` of a module type is an opaque size: it equals itself, and no other size.
//!
//! ```text
//! module f (P: {val n: i64}) = {def m = P.n + 1 type t = [m]f64}   ⇒   m: P.n + 1; in f {def n = 3i64}, 4
//! ```

use super::Checker;
use super::environment::globals::{GlobalMeaning, ResolvedPath, SpecValue};
use super::solve::{Level, SizeEntry, SizeState};
use crate::core;
use crate::core::{Body, Size, SizeInfo, SizeOrigin};
use arrc_syntax::ast;
use arrc_syntax::ast::{ExprKind, Literal};
use arrc_syntax::ids::DefId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{Const, Scalar};
use arrc_syntax::stack::with_enough_stack;

impl Checker<'_> {
    /// The size that a definition is the value of, if it is a constant.
    pub(super) fn size_of_def(&mut self, def: DefId) -> Option<Size> {
        let known = self.names.interface(def).and_then(|known| known.constant.clone());
        known.or_else(|| self.written_size(def))
    }

    /// The size that a definition is the value of, as its text says.
    pub(super) fn written_size(&mut self, id: DefId) -> Option<Size> {
        if let Some(known) = self.constants.get(&id) {
            return known.clone();
        }
        // A definition that leads to itself has no value.
        self.constants.insert(id, None);
        let def = self.names.def(id);
        let size = match (&self.names.globals.values.get(&id).copied(), &def.body) {
            (Some(SpecValue { given: Some(GlobalMeaning::Def(given)), .. }), _) => {
                self.size_of_def(*given)
            }
            (Some(SpecValue { given: None, .. }), _) if is_i64(def) => Some(self.unknown_size(def)),
            (None, Some(body)) if def.params.is_empty() => {
                let size = self.size_of_text(id, body);
                size.filter(|(_, is_certain)| *is_certain || is_i64(def)).map(|(size, _)| size)
            }
            (Some(_), _) | (None, _) => None,
        };
        self.constants.insert(id, size.clone());
        size
    }

    /// A new rigid size: it equals itself only.
    fn unknown_size(&mut self, def: &ast::Def) -> Size {
        let (name, span) = (def.name.name.clone(), def.name.span);
        let info = SizeInfo { name, origin: SizeOrigin::Param, span };
        Size::symbol(self.u.sizes.push(SizeEntry::new(info, SizeState::Rigid(Level::default()))))
    }

    /// The size that an expression is, in the text of a definition, and whether it is certainly an `i64`: a number
    /// without a suffix is one only beside others, or where its type is written.
    fn size_of_text(&mut self, id: DefId, expr: &ast::Expr) -> Option<(Size, bool)> {
        let path = |name: &ast::QualName| -> Vec<Name> {
            name.quals.iter().chain([&name.name]).map(|part| part.name.clone()).collect()
        };
        #[allow(clippy::wildcard_enum_match_arm, reason = "all other expressions are computed")]
        let names = match &expr.kind {
            ExprKind::Literal(Literal::Int(value, suffix)) => {
                let value = i64::try_from(*value).ok()?;
                let fits = suffix.is_none_or(|suffix| suffix == Scalar::I64);
                return fits.then(|| (Size::constant(value), suffix.is_some()));
            }
            ExprKind::Infix(left, op, right) if op.quals.is_empty() => {
                let left = with_enough_stack(|| self.size_of_text(id, left));
                let ((left, is_left), (right, is_right)) = (left?, self.size_of_text(id, right)?);
                let [left, right] = [left, right].map(|size| self.u.resolve_size(&size));
                let size = match op.name.name.as_str() {
                    "+" => left.plus(&right),
                    "-" => left.minus(&right),
                    "*" => left.times(&right),
                    _ => return None,
                };
                return (!size.is_too_large()).then_some((size, is_left || is_right));
            }
            ExprKind::Name(name) => path(name),
            ExprKind::Field(record, field) => match &record.kind {
                ExprKind::Name(name) => [path(name), vec![field.name.clone()]].concat(),
                _ => return None,
            },
            _ => return None,
        };
        let place = self.names.globals.places[id];
        if let ResolvedPath::Def(def, used) = self.names.globals.path(place, &names)
            && used == names.len()
        {
            return Some((self.size_of_def(def)?, true));
        }
        None
    }
}

/// Whether the result of a definition is written as `i64`.
fn is_i64(def: &ast::Def) -> bool {
    let Some(ast::Type { kind: ast::TypeKind::Name(name, args), .. }) = &def.result else {
        return false;
    };
    name.quals.is_empty() && args.is_empty() && name.name.name == Scalar::I64.name()
}

/// The size that a definition is the value of: a number, or the size that its text says. A number that is computed from
/// others takes the place of the body, so that the definition is that number in core, too.
pub(super) fn folded_constant(def: &mut core::Def, written: Option<Size>) -> Option<Size> {
    let Body::Expr(body) = &mut def.body else { return None };
    if let core::ExprKind::Const(constant) = &body.kind {
        let is_size = def.params.is_empty() && constant.ty == Scalar::I64;
        return i64::try_from(constant.as_i128()).ok().filter(|_| is_size).map(Size::constant);
    }
    if let Some(value) = written.as_ref().and_then(Size::as_constant) {
        body.kind = core::ExprKind::Const(Const::i64(value));
    }
    written
}
