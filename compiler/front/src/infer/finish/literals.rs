//! Literals as constants of their types.
//!
//! Invariant: a literal that its type cannot hold is reported.
//!
//! ```text
//! 300 : u8   ⇒   error[A0309]: `300` does not fit in `u8`
//! ```

use crate::core::Type;
use crate::infer::Checker;
use crate::infer::environment::builtin::neutral;
use crate::infer::error::TypeError;
use crate::infer::typed::Literal;
use arrc_syntax::ast;
use arrc_syntax::prim::{Const, Scalar};
use arrc_syntax::source::Span;

impl Checker<'_> {
    /// A literal of a finished type.
    pub(super) fn finish_constant(&mut self, literal: Literal, ty: &Type, span: Span) -> Const {
        // If the type is no scalar, a mismatch was reported.
        let Type::Scalar(scalar) = ty else { return Const::bool(false) };
        self.finish_literal(literal, *scalar, span)
    }

    /// Reports a float out of the range of `f32`, if that is the type that was found for it.
    pub(super) fn float_fits(
        &mut self,
        value: ast::FloatLiteral,
        negative: bool,
        ty: Scalar,
        span: Span,
    ) {
        if ty == Scalar::F32 && value.single.is_infinite() {
            let sign = if negative { "-" } else { "" };
            self.report(TypeError::FloatLiteral {
                span,
                value: format!("{sign}{:e}", value.double),
            });
        }
    }

    /// The constant that a literal stands for. A literal that does not fit its type is reported.
    pub(crate) fn finish_literal(&mut self, literal: Literal, ty: Scalar, span: Span) -> Const {
        if let Literal::Float(value, negative) = literal {
            self.float_fits(value, negative, ty, span);
        }
        constant_of(literal, ty).unwrap_or_else(|value| {
            let range = [Const::lowest(ty), Const::highest(ty)]
                .map(|limit| limit.as_i128().to_string())
                .into();
            self.report(TypeError::Literal { span, value, ty: ty.name().into(), range });
            Const::int(ty, 0)
        })
    }
}

/// The constant that a literal stands for. If its type cannot hold it, the error has the literal's digits.
pub(crate) fn constant_of(literal: Literal, ty: Scalar) -> Result<Const, String> {
    Ok(match literal {
        Literal::Const(constant) => constant,
        Literal::Neutral(op) => neutral(op, ty),
        // The wrong type of the literal was reported.
        Literal::Int(..) | Literal::Float(..) if ty == Scalar::Bool => Const::bool(false),
        Literal::Float(..) if !ty.is_float() => Const::int(ty, 0),
        Literal::Float(value, negative) => {
            let value = value.value(ty);
            Const::float(ty, if negative { -value } else { value })
        }
        Literal::Int(value, negative) if ty.is_float() => {
            #[allow(clippy::cast_precision_loss)]
            let value = if ty == Scalar::F32 { f64::from(value as f32) } else { value as f64 };
            Const::float(ty, if negative { -value } else { value })
        }
        Literal::Int(value, negative) => {
            let limit = if negative && ty.is_signed() {
                -Const::lowest(ty).as_i128()
            } else {
                Const::highest(ty).as_i128()
            };
            match i128::try_from(value) {
                Ok(value) if value <= limit => {
                    Const::int(ty, if negative { -value } else { value })
                }
                _ => return Err(format!("{}{value}", if negative { "-" } else { "" })),
            }
        }
    })
}
