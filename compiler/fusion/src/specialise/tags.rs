//! Tags of sums that a caller passes: each must stand for a constructor.
//!
//! Invariant: inside a program every tag stands for a constructor, so only an entry's arguments are checked, once,
//! before its body.
//!
//! ```text
//! entry f (s: #a | #b) = …
//! ⇒ t = s_tag >= 0; u = s_tag < 2; c = t & u; assert c s_tag " is no tag of `#a | #b`: these are 0 to 1"; …
//! ```

use indexmap::IndexMap;

use super::Specialiser;
use super::error::Eval;
use super::value::{Callable, Column, Elem, Leaf, Value};
use crate::cnf::{Atom, Extent, FoldOrder, Type};
use crate::specialise::value_tree::Tree;
use arrc_front::core;
use arrc_front::core::tag_problem;
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, UnOp};
use arrc_syntax::source::Span;

/// The constructors of a sum, with what they hold.
type Constructors = IndexMap<Name, Vec<core::Type>>;

impl<'a> Specialiser<'a> {
    /// Checks the tags in an argument of an entry. With `chosen`, only if that holds.
    pub(super) fn check_tags(
        &mut self,
        ty: &core::Type,
        value: &Value<'a>,
        chosen: Option<Atom>,
        span: Span,
    ) -> Eval<()> {
        match (ty, value) {
            (core::Type::Tuple(types), Tree::Tuple(items)) => {
                let mut pairs = types.iter().zip(items);
                pairs.try_for_each(|(ty, item)| self.check_tags(ty, item, chosen, span))
            }
            (core::Type::Record(types), Tree::Record(fields)) => {
                let mut fields = fields.iter();
                fields.try_for_each(|(name, field)| {
                    self.check_tags(&types[name], field, chosen, span)
                })
            }
            (core::Type::Sum(types), Tree::Sum(sum)) => {
                let Leaf::Scalar(tag) = sum.tag else { panic!("a tag is a scalar") };
                self.check_tag((tag, tag), types, chosen, span);
                for (place, (name, payloads)) in (0..).zip(&sum.cases) {
                    let this = self.build.bin(BinOp::Eq, tag, Const::i64(place).into(), span);
                    let both =
                        chosen.map_or(this, |chosen| self.and_conditions(chosen, this, span));
                    for (ty, payload) in types[name].iter().zip(payloads) {
                        self.check_tags(ty, payload, Some(both), span)?;
                    }
                }
                Ok(())
            }
            (core::Type::Array(_, elem), Tree::Leaf(Leaf::Array(array))) => {
                self.check_elements(elem, &array.elem, chosen, span)
            }
            (core::Type::Exists(_, ty), value) => self.check_tags(ty, value, chosen, span),
            (_, _) => Ok(()),
        }
    }

    /// Checks the tags of the elements of an array, but not the tags in their payloads: an element also has blank
    /// payloads of the constructors that did not make it.
    fn check_elements(
        &mut self,
        ty: &core::Type,
        elem: &Elem,
        chosen: Option<Atom>,
        span: Span,
    ) -> Eval<()> {
        match (ty, elem) {
            (core::Type::Tuple(types), Tree::Tuple(items)) => {
                let mut pairs = types.iter().zip(items);
                pairs.try_for_each(|(ty, item)| self.check_elements(ty, item, chosen, span))
            }
            (core::Type::Record(types), Tree::Record(fields)) => {
                fields.iter().try_for_each(|(name, field)| {
                    self.check_elements(&types[name], field, chosen, span)
                })
            }
            (core::Type::Sum(types), Tree::Sum(sum)) => {
                let Column::Scalar(tags) = sum.tag else { panic!("a tag is a scalar") };
                let lowest = self.min_or_max_tag(BinOp::Min, tags, span)?;
                let highest = self.min_or_max_tag(BinOp::Max, tags, span)?;
                self.check_tag((lowest, highest), types, chosen, span);
                Ok(())
            }
            (core::Type::Array(_, ty), Tree::Leaf(Column::Rows(rows))) => {
                self.check_elements(ty, &rows.elem, chosen, span)
            }
            (_, _) => Ok(()),
        }
    }

    /// Checks that there is a constructor for each tag from the lowest to the highest.
    fn check_tag(
        &mut self,
        (lowest, highest): (Atom, Atom),
        types: &Constructors,
        chosen: Option<Atom>,
        span: Span,
    ) {
        let count = i64::try_from(types.len()).expect("a type has fewer constructors than that");
        let checks = [(lowest, BinOp::Ge, 0), (highest, BinOp::Lt, count)];
        for (tag, op, limit) in checks {
            let mut holds = self.build.bin(op, tag, Const::i64(limit).into(), span);
            if let Some(chosen) = chosen {
                let other = self.build.un(UnOp::Not, chosen, span);
                holds = self.or_conditions(other, holds, span);
            }
            self.check(holds, Failure::tag(tag, tag_problem(types)), span);
        }
    }

    /// The least or the greatest tag of an array of any dimensions; 0 if there is none.
    fn min_or_max_tag(&mut self, op: BinOp, tags: VarId, span: Span) -> Eval<Atom> {
        let Type::Array { shape, .. } = self.build.type_of(tags.into()) else {
            panic!("the tags of an array are an array");
        };
        let (first, rest) = shape.split_first().expect("an array has a dimension");
        let size =
            rest.iter().fold(*first, |size: Extent, &extent| self.build.product(size, extent));
        let flat = self.build.reshaped(tags, &[size], span);
        let array = Value::array(size, Tree::Leaf(Column::Scalar(flat)));
        let args = [Value::code(Callable::Bin(op)), Value::scalar(Const::i64(0)), array];
        Ok(self.fold(FoldOrder::Commutative, &args, span)?.expect_scalar())
    }
}
