//! Usefulness against brute force: on small types, every value is tried.
//!
//! Invariant: the types here have few values. One value stands for all integers that no pattern names.
//!
//! ```text
//! (#a, _), (_, true)   ⇒   all values but (#b, false) fit: missing is (#b, false)
//! ```

use indexmap::IndexMap;
use proptest::collection::vec;
use proptest::prelude::*;

use super::{Constructor, PatternShape, is_useful, missing};
use crate::core::Type;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{Const, Scalar};

/// The integers that patterns name, and the value that stands for all others.
const NAMED: [i128; 2] = [0, -7];
const OTHER: i128 = 99;

fn ty() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![
        3 => Just(Type::Scalar(Scalar::Bool)),
        1 => Just(Type::Scalar(Scalar::I64)),
        1 => Just(Type::Tuple(Vec::new())),
    ];
    leaf.prop_recursive(2, 5, 2, |ty| {
        let payloads = || vec(ty.clone(), 0..3);
        prop_oneof![
            vec(ty.clone(), 0..3).prop_map(Type::Tuple),
            ty.clone().prop_map(|ty| Type::Record(IndexMap::from([("x".into(), ty)]))),
            vec(payloads(), 1..4).prop_map(|all| {
                let names = ["a", "b", "c"].into_iter().map(Name::from);
                Type::Sum(names.zip(all).collect())
            }),
        ]
    })
}

/// Every value of the type.
fn values(ty: &Type) -> Vec<PatternShape> {
    let node = |maker: Constructor| move |parts| PatternShape::Node(maker.clone(), parts);
    match ty {
        Type::Scalar(Scalar::Bool) => [false, true]
            .map(|value| PatternShape::Node(Constructor::Const(Const::bool(value)), vec![]))
            .into(),
        Type::Scalar(scalar) => [NAMED[0], NAMED[1], OTHER]
            .map(|value| PatternShape::Node(Constructor::Const(Const::int(*scalar, value)), vec![]))
            .into(),
        Type::Tuple(items) => rows(items).into_iter().map(node(Constructor::Tuple)).collect(),
        Type::Record(fields) => {
            let types: Vec<Type> = fields.values().cloned().collect();
            let maker = Constructor::Record(fields.keys().cloned().collect());
            rows(&types).into_iter().map(node(maker)).collect()
        }
        Type::Sum(constructors) => constructors
            .iter()
            .flat_map(|(name, types)| {
                rows(types).into_iter().map(node(Constructor::Named(name.clone())))
            })
            .collect(),
        Type::Array(..) | Type::Fun(..) | Type::Var(_) | Type::Exists(..) | Type::Hidden(_) => {
            Vec::new()
        }
    }
}

fn rows(types: &[Type]) -> Vec<Vec<PatternShape>> {
    let Some((first, rest)) = types.split_first() else { return vec![Vec::new()] };
    let rest = rows(rest);
    let with = |value: PatternShape| {
        rest.iter().map(move |row| [vec![value.clone()], row.clone()].concat())
    };
    values(first).into_iter().flat_map(with).collect()
}

/// A pattern that a value fits: the value with some parts left open, chosen by `choices`.
fn opened(value: &PatternShape, choices: &mut impl Iterator<Item = bool>) -> PatternShape {
    if choices.next().unwrap_or(true) {
        return PatternShape::Any;
    }
    match value {
        PatternShape::Node(Constructor::Const(constant), _) if is_other(*constant) => {
            PatternShape::Any
        }
        PatternShape::Node(maker, parts) => {
            let parts = parts.iter().map(|part| opened(part, choices)).collect();
            PatternShape::Node(maker.clone(), parts)
        }
        PatternShape::Any | PatternShape::Other(_) => PatternShape::Any,
    }
}

fn is_other(constant: Const) -> bool {
    constant.ty != Scalar::Bool && constant.as_i128() == OTHER
}

fn fits(pattern: &PatternShape, value: &PatternShape) -> bool {
    match (pattern, value) {
        (PatternShape::Any, _) => true,
        (PatternShape::Other(_), PatternShape::Node(Constructor::Const(constant), _)) => {
            is_other(*constant)
        }
        (PatternShape::Node(left, xs), PatternShape::Node(right, ys)) => {
            left == right && xs.iter().zip(ys).all(|(x, y)| fits(x, y))
        }
        (PatternShape::Other(_) | PatternShape::Node(..), _) => false,
    }
}

/// A type, and patterns for it.
fn cases() -> impl Strategy<Value = (Type, Vec<PatternShape>)> {
    let choices = vec(prop::bool::weighted(0.3), 12);
    (ty(), vec((any::<prop::sample::Index>(), choices), 0..6)).prop_map(|(ty, picks)| {
        let values = values(&ty);
        let pattern = |(at, choices): (prop::sample::Index, Vec<bool>)| {
            opened(at.get(&values), &mut choices.into_iter())
        };
        let patterns = picks.into_iter().map(pattern).collect();
        (ty, patterns)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_missing_is_what_no_pattern_fits((ty, patterns) in cases()) {
        let left: Vec<PatternShape> = values(&ty)
            .into_iter()
            .filter(|value| !patterns.iter().any(|pattern| fits(pattern, value)))
            .collect();
        match missing(&patterns, &ty) {
            None => prop_assert!(left.is_empty(), "{left:?} is left of {ty:?}"),
            Some(found) => {
                let fit = values(&ty).into_iter().filter(|value| fits(&found, value));
                let fit: Vec<PatternShape> = fit.collect();
                prop_assert!(!fit.is_empty());
                prop_assert!(fit.iter().all(|value| left.contains(value)), "{found:?} is covered");
            }
        }
    }

    #[test]
    fn a_pattern_is_useful_if_a_value_gets_to_it((ty, patterns) in cases()) {
        for (at, pattern) in patterns.iter().enumerate() {
            let before = &patterns[..at];
            let gets_there = values(&ty)
                .iter()
                .any(|value| fits(pattern, value) && !before.iter().any(|other| fits(other, value)));
            prop_assert_eq!(is_useful(before, pattern, &ty), gets_there, "{:?} after {:?}", pattern, before);
        }
    }
}

#[test]
fn both_zeros_of_a_float_are_one_number() {
    let float =
        |value| PatternShape::Node(Constructor::Const(Const::float(Scalar::F64, value)), vec![]);
    assert!(!is_useful(&[float(0.0)], &float(-0.0), &Type::Scalar(Scalar::F64)));
    assert!(is_useful(&[float(0.0)], &float(1.0), &Type::Scalar(Scalar::F64)));
}

#[test]
fn all_bytes_can_be_named() {
    let byte =
        |value| PatternShape::Node(Constructor::Const(Const::int(Scalar::U8, value)), vec![]);
    let all: Vec<PatternShape> = (0..256).map(byte).collect();
    assert_eq!(missing(&all, &Type::Scalar(Scalar::U8)), None);
    assert_eq!(
        missing(&all[1..], &Type::Scalar(Scalar::U8)),
        Some(PatternShape::Other(Scalar::U8))
    );
}
