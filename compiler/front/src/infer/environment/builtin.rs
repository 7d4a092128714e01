//! The names that the compiler knows: the intrinsics of the prelude, and the members of the scalar types' modules.
//!
//! Invariant: a module has exactly the operations that `prim` defines on its type, and its type's
//! constants.
//!
//! ```text
//! f64.sqrt: f64 -> f64     f64.i64: i64 -> f64     i32.highest: i32     f64.sum: [n]f64 -> f64
//! ```

use crate::core::Intrinsic;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar, UnOp};

/// The meaning of a name in a scalar type's module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Member {
    /// A constant of the type.
    Const(Const),
    /// An operation on one value, and the type of its operand.
    Un(UnOp, Scalar),
    /// An operation on two values of the type.
    Bin(BinOp),
    /// `fma`.
    Fma,
    /// `reduce op ne`: `sum`, `product`, `minimum`, `maximum`.
    Reduce(BinOp),
}

/// The names of the functions that [`reduction`] knows.
pub(crate) fn reductions() -> impl Iterator<Item = &'static str> {
    BinOp::ALL.iter().filter_map(|op| op.row().reduction)
}

/// The meaning of `module.name`.
pub(crate) fn member(module: Scalar, name: &str) -> Option<Member> {
    constant(module, name)
        .map(Member::Const)
        .or_else(|| Scalar::from_name(name).map(|from| Member::Un(UnOp::To(module), from)))
        .or_else(|| unary(module, name))
        .or_else(|| binary(module, name).map(Member::Bin))
        .or_else(|| (name == "fma" && module.is_float()).then_some(Member::Fma))
        .or_else(|| reduction(name).filter(|_| module.is_numeric()).map(Member::Reduce))
}

/// The names in a scalar type's module.
pub(crate) fn members(module: Scalar) -> Vec<Name> {
    let constants = ["pi", "e", "inf", "nan", "epsilon", "highest", "lowest", "num_bits"];
    let others = constants.into_iter().chain(reductions());
    let operations = UnOp::ALL.iter().map(|op| op.name());
    let others = others.chain(["fma", "to_i32", "to_i64", "to_f64"]);
    let names = others.chain(operations).chain(BinOp::ALL.iter().map(|op| op.name()));
    let names = names.chain(Scalar::ALL.into_iter().map(Scalar::name));
    names.filter(|name| member(module, name).is_some()).map(Name::from).collect()
}

/// The intrinsic that the prelude declares by that name.
pub(crate) fn intrinsic(name: &str) -> Option<Intrinsic> {
    Some(match name {
        "map" => Intrinsic::Map(1),
        "map2" => Intrinsic::Map(2),
        "map3" => Intrinsic::Map(3),
        "map4" => Intrinsic::Map(4),
        "map5" => Intrinsic::Map(5),
        "zip" | "zip2" => Intrinsic::Zip(2),
        "zip3" => Intrinsic::Zip(3),
        "zip4" => Intrinsic::Zip(4),
        "zip5" => Intrinsic::Zip(5),
        "unzip" | "unzip2" => Intrinsic::Unzip(2),
        "unzip3" => Intrinsic::Unzip(3),
        "unzip4" => Intrinsic::Unzip(4),
        "unzip5" => Intrinsic::Unzip(5),
        "filter" => Intrinsic::Filter,
        "flatmap" => Intrinsic::FlatMap,
        "partition" => Intrinsic::Partition(1),
        "partition2" => Intrinsic::Partition(2),
        "reduce" => Intrinsic::Reduce,
        "reduce_comm" => Intrinsic::ReduceComm,
        "scan" => Intrinsic::Scan,
        "exscan" => Intrinsic::Exscan,
        "fold" | "foldl" => Intrinsic::Fold,
        "iota" => Intrinsic::Iota,
        "replicate" => Intrinsic::Replicate,
        "generate" | "tabulate" => Intrinsic::Generate,
        "gather" => Intrinsic::Gather,
        "cross" => Intrinsic::Cross,
        "++" => Intrinsic::Append,
        "length" => Intrinsic::Length,
        "flatten" => Intrinsic::Flatten,
        "unflatten" => Intrinsic::Unflatten,
        "order_bits" => Intrinsic::OrderBits,
        "is_few" => Intrinsic::IsFew,
        "is_numbers" => Intrinsic::IsNumbers,
        "between" => Intrinsic::Between,
        "positions" => Intrinsic::Positions,
        "is_constant" => Intrinsic::IsConstant,
        "exchanged" => Intrinsic::Exchanged,
        "order_key" => Intrinsic::OrderKey,
        "nan_place" => Intrinsic::NanPlace,
        "trace_as" => Intrinsic::Trace,
        _ => return None,
    })
}

/// The infix operator with this sign.
pub(crate) fn operator(sign: &str) -> Option<BinOp> {
    BinOp::ALL.iter().copied().find(|op| op.is_infix() && op.name() == sign)
}

fn constant(module: Scalar, name: &str) -> Option<Const> {
    if module.is_float() {
        let epsilon = if module == Scalar::F32 { f64::from(f32::EPSILON) } else { f64::EPSILON };
        let value = match name {
            "highest" => return Some(Const::highest(module)),
            "lowest" => return Some(Const::lowest(module)),
            "pi" => std::f64::consts::PI,
            "e" => std::f64::consts::E,
            "inf" => f64::INFINITY,
            "nan" => f64::NAN,
            "epsilon" => epsilon,
            _ => return bits(module, name),
        };
        return Some(Const::float(module, value));
    }
    if !module.is_integer() {
        return None;
    }
    match name {
        "highest" => Some(Const::highest(module)),
        "lowest" => Some(Const::lowest(module)),
        _ => bits(module, name),
    }
}

/// `num_bits`: the width of the type.
fn bits(module: Scalar, name: &str) -> Option<Const> {
    (name == "num_bits").then(|| Const::int(Scalar::I32, i128::from(module.bytes()) * 8))
}

fn unary(module: Scalar, name: &str) -> Option<Member> {
    let to = match name {
        "to_i32" if module.is_integer() => Some(Scalar::I32),
        "to_i64" if module.is_numeric() => Some(Scalar::I64),
        "to_f64" if module.is_float() => Some(Scalar::F64),
        _ => None,
    };
    if let Some(to) = to {
        return Some(Member::Un(UnOp::To(to), module));
    }
    UnOp::ALL.iter().filter(|op| op.name() == name).find_map(|&op| {
        let is_here = |&operand: &Scalar| op.accepts(operand) && op.module(operand) == module;
        Scalar::ALL.into_iter().find(is_here).map(|operand| Member::Un(op, operand))
    })
}

fn binary(module: Scalar, name: &str) -> Option<BinOp> {
    BinOp::ALL.iter().copied().find(|op| op.accepts(module) && op.name() == name)
}

/// The operator by which a function combines all numbers of an array: `sum` for numbers of any type, and `f64.sum`
/// for those of `f64`.
pub(crate) fn reduction(name: &str) -> Option<BinOp> {
    BinOp::ALL.iter().copied().find(|op| op.row().reduction == Some(name))
}

/// The neutral element of an operator of [`reduction`].
pub(crate) fn neutral(op: BinOp, ty: Scalar) -> Const {
    op.row().neutral.expect("a reduction of no numbers has a result").of(ty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_of_the_type() {
        let limits = |ty: Scalar| (Const::lowest(ty).as_i128(), Const::highest(ty).as_i128());
        assert_eq!(limits(Scalar::I8), (-128, 127));
        assert_eq!(limits(Scalar::U64), (0, i128::from(u64::MAX)));
    }

    #[test]
    fn reductions_of_no_numbers() {
        let neutral = |name: &str, ty| neutral(reduction(name).expect("it is one"), ty);
        assert_eq!(neutral("sum", Scalar::U8), Const::int(Scalar::U8, 0));
        assert_eq!(neutral("product", Scalar::F32), Const::float(Scalar::F32, 1.0));
        assert_eq!(neutral("minimum", Scalar::I8), Const::int(Scalar::I8, 127));
        assert_eq!(neutral("maximum", Scalar::F64), Const::float(Scalar::F64, f64::NEG_INFINITY));
    }

    #[test]
    fn modules_have_what_the_type_can_do() {
        assert!(matches!(member(Scalar::F64, "sqrt"), Some(Member::Un(UnOp::Sqrt, Scalar::F64))));
        assert!(matches!(
            member(Scalar::F64, "i64"),
            Some(Member::Un(UnOp::To(Scalar::F64), Scalar::I64))
        ));
        assert!(matches!(
            member(Scalar::F32, "from_bits"),
            Some(Member::Un(UnOp::FromBits, Scalar::U32))
        ));
        assert!(member(Scalar::I64, "sqrt").is_none());
        assert!(member(Scalar::Bool, "highest").is_none());
        assert!(member(Scalar::Bool, "sum").is_none());
        assert!(members(Scalar::I32).contains(&Name::from("max")));
    }
}
