//! Values of the sum type `choice`, and matches of them.
//!
//! Invariant: that of [`Writer`]; every match has a case for each constructor.

use arrc_syntax::prim::Scalar;

use super::{Writer, int};
use crate::random::types::Ty;

impl Writer<'_> {
    /// A value of the sum type.
    pub(super) fn choice(&mut self, depth: u32) -> String {
        let known: Vec<String> = self
            .scope
            .iter()
            .filter(|(_, own)| *own == Ty::Choice)
            .map(|(name, _)| name.clone())
            .collect();
        match self.choose(6) {
            0 => "(#none: choice)".to_string(),
            1 => format!("(#one {}: choice)", self.scalar(Scalar::I64, depth)),
            2 => {
                let (x, y) = (self.scalar(Scalar::I64, depth), self.scalar(Scalar::F64, depth));
                format!("(#both {x} {y}: choice)")
            }
            3 => format!("(#flag {}: choice)", self.scalar(Scalar::Bool, depth)),
            4 if depth > 0 => format!("(other {})", self.choice(depth - 1)),
            _ => known.last().cloned().unwrap_or_else(|| "(#none: choice)".to_string()),
        }
    }

    /// A scalar that a match of a sum gives.
    pub(super) fn matched(&mut self, ty: Scalar, depth: u32) -> String {
        let value = self.value(&Ty::Choice, depth);
        let none = self.scalar(ty, depth);
        let mut case = |payload: &[Ty]| {
            let before = self.scope.len();
            let names: Vec<String> = payload.iter().map(|ty| self.bind("p", ty.clone())).collect();
            let body = self.scalar(ty, depth);
            self.scope.truncate(before);
            (names.join(" "), body)
        };
        let (one, first) = case(&[int()]);
        let (both, second) = case(&[int(), Ty::Scalar(Scalar::F64)]);
        let (flag, third) = case(&[Ty::Scalar(Scalar::Bool)]);
        if self.choose(3) == 2 {
            return format!(
                "(match {value} case #one 3 -> {none} case #one {one} -> {first} case _ -> {none})"
            );
        }
        format!(
            "(match {value} case #none -> {none} case #one {one} -> {first} \
             case #both {both} -> {second} case #flag {flag} -> {third})"
        )
    }
}
