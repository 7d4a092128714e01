//! Operations on scalars as text, in combinator normal form and in the later forms.
//!
//! Invariant: the text determines the operation, given the types of its operands, which are variables or constants.
//!
//! ```text
//! Un(To(F64), n), n: i64   ⇒   f64.i64 n
//! ```

use crate::cnf::{Atom, Operation, Type};
use arrc_syntax::prim::{BinOp, Scalar, UnOp};

/// The operation as text; `atom` gives the type and the text of an operand.
pub(crate) fn show(operation: Operation, mut atom: impl FnMut(Atom) -> (Type, String)) -> String {
    match operation {
        Operation::Un(op, x) => {
            let (ty, text) = atom(x);
            let arg = argument(text);
            // A sign before a constant would be read as a part of the constant.
            if let (Some(sign), Atom::Var(_)) = (op.row().sign, x) {
                return format!("{sign}{arg}");
            }
            let operand = ty.as_scalar().filter(|&operand| op.accepts(operand));
            let name = operand.map(|operand| unary(op, operand));
            format!("{} {arg}", name.unwrap_or_else(|| format!("array.{}", op.name())))
        }
        Operation::Bin(op, [x, y]) => {
            let (ty, left) = atom(x);
            let (left, right) = (argument(left), argument(atom(y).1));
            let name = binary(op, &ty);
            if op.is_infix() {
                return format!("{left} {name} {right}");
            }
            format!("{name} {left} {right}")
        }
        Operation::MulAdd(rounding, args) => {
            let module = module(&atom(args[0]).0);
            let [a, b, c] = args.map(|arg| argument(atom(arg).1));
            format!("{module}.{} {a} {b} {c}", rounding.name())
        }
    }
}

/// The name of an operation on one operand of this type.
fn unary(op: UnOp, operand: Scalar) -> String {
    format!("{}.{}", op.module(operand), op.name_on(operand))
}

/// The operation on one operand of this type that has this sign or name.
pub(crate) fn find_unary(text: &str, operand: Scalar) -> Option<UnOp> {
    let conversions = Scalar::ALL.into_iter().map(UnOp::To);
    let is_it = |op: &UnOp| {
        op.accepts(operand) && (op.row().sign == Some(text) || unary(*op, operand) == text)
    };
    UnOp::ALL.iter().copied().chain(conversions).find(is_it)
}

/// The operation on two operands of this type that has this sign or name.
pub fn find_binary(text: &str, operand: Scalar) -> Option<BinOp> {
    let ty = Type::Scalar(operand);
    BinOp::ALL.iter().copied().find(|&op| op.accepts(operand) && binary(op, &ty) == text)
}

/// The sign or the name of an operation on two operands of this type.
pub(crate) fn binary(op: BinOp, ty: &Type) -> String {
    // In Arr, `&` and `|` take integers; on truth values these operations are written like this.
    match (op, ty.as_scalar()) {
        (BinOp::And, Some(Scalar::Bool)) => "&&".to_owned(),
        (BinOp::Or, Some(Scalar::Bool)) => "||".to_owned(),
        (op, _) if op.is_infix() => op.name().to_owned(),
        (op, _) => format!("{}.{}", module(ty), op.name()),
    }
}

/// The operand in brackets where it needs them.
pub(crate) fn argument(text: String) -> String {
    if text.starts_with('-') { format!("({text})") } else { text }
}

fn module(ty: &Type) -> &'static str {
    ty.as_scalar().map_or("array", Scalar::name)
}
