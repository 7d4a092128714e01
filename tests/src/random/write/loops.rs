//! Loops, and arrays with another element at a place.
//!
//! Invariant: that of [`Writer`]; a loop takes few steps.

use arrc_syntax::prim::Scalar;

use super::{Array, Writer, int};
use crate::random::types::Ty;

impl Writer<'_> {
    /// A loop that carries a scalar.
    pub(super) fn repeated(&mut self, ty: Scalar, depth: u32) -> String {
        let init = self.scalar(ty, depth);
        let before = self.scope.len();
        let text = match self.choose(3) {
            0 => {
                let count = self.scalar(Scalar::I64, depth);
                let (acc, at) = (self.bind("w", Ty::Scalar(ty)), self.bind("at", int()));
                let body = self.scalar(ty, depth);
                format!("(loop {acc} = {init} for {at} < {count} % 4 do {body})")
            }
            1 => {
                let (array, _, elem) = self.array(depth);
                let (acc, x) = (self.bind("w", Ty::Scalar(ty)), self.pattern(&elem));
                let body = self.scalar(ty, depth);
                format!("(loop {acc} = {init} for {x} in {array} do {body})")
            }
            _ => {
                let (acc, left) = (self.bind("w", Ty::Scalar(ty)), self.bind("k", int()));
                let (holds, body) = (self.scalar(Scalar::Bool, depth), self.scalar(ty, depth));
                format!(
                    "((loop ({acc}, {left}) = ({init}, 3i64) while {left} > 0 && {holds} \
                     do ({body}, {left} - 1)).0)"
                )
            }
        };
        self.scope.truncate(before);
        text
    }

    /// A loop that carries an array, and changes its elements.
    pub(super) fn repeated_array(&mut self, depth: u32) -> Array {
        let (array, size, elem) = self.known_array();
        let before = self.scope.len();
        let name = self.bind("v", Ty::array(size, elem.clone()));
        let at = self.bind("at", int());
        let (steps, body) = if self.choose(2) == 0 {
            let value = self.value(&elem, depth);
            (format!("length {array}"), format!("{name} with [{at}] = {value}"))
        } else {
            let each = self.lambda(&[&elem], |this| this.value(&elem, depth));
            ("3".to_string(), format!("map {each} {name}"))
        };
        self.scope.truncate(before);
        (format!("(loop {name} = {array} for {at} < {steps} do {body})"), size, elem)
    }

    /// An array with another element at a place.
    pub(super) fn updated(&mut self, depth: u32) -> Array {
        let (array, size, elem) = self.known_array();
        let (place, value) = (self.scalar(Scalar::I64, depth), self.value(&elem, depth));
        if self.risky() {
            return (format!("({array} with [{place}] = {value})"), size, elem);
        }
        let text = format!(
            "(if length {array} > 0 then {array} with [{place} % length {array}] = {value} \
             else {array})"
        );
        (text, size, elem)
    }
}
