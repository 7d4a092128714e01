//! Whether the cases of a `match` cover all values, and whether each case is useful: Maranget, "Warnings for pattern
//! matching", Journal of Functional Programming 17 (2007).
//!
//! Invariant: a row of patterns is useful after others if and only if some row of values fits it and none of the
//! others. Such values are returned as patterns.
//!
//! ```text
//! rows (#none), (#some (#leaf _))   ⇒   (_) is useful: #some #empty
//! ```

#[cfg(test)]
mod tests;

use crate::core::Type;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{Const, Scalar};

/// A pattern, reduced to the distinctions that it makes between values.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum PatternShape {
    /// Every value.
    Any,
    /// Every value of a scalar type that no case names.
    Other(Scalar),
    /// Values that are made in this way, from parts of these shapes.
    Node(Constructor, Vec<PatternShape>),
}

/// The head constructor of a value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Constructor {
    /// As a tuple.
    Tuple,
    /// As a record with these fields.
    Record(Vec<Name>),
    /// By a constructor.
    Named(Name),
    /// As this scalar.
    Const(Const),
}

/// Values that fit none of `rows`, as a pattern, or none if there are no such values.
pub(super) fn missing(rows: &[PatternShape], ty: &Type) -> Option<PatternShape> {
    let rows: Vec<Vec<PatternShape>> = rows.iter().map(|row| vec![row.clone()]).collect();
    let mut found = useful(&rows, &[PatternShape::Any], std::slice::from_ref(ty))?;
    found.pop()
}

/// Whether some value fits `row` and none of `before`.
pub(super) fn is_useful(before: &[PatternShape], row: &PatternShape, ty: &Type) -> bool {
    let before = before.iter().filter(|other| may_overlap(other, row));
    let before: Vec<Vec<PatternShape>> = before.map(|row| vec![row.clone()]).collect();
    useful(&before, std::slice::from_ref(row), std::slice::from_ref(ty)).is_some()
}

/// Whether some value may fit both patterns, which come from cases.
fn may_overlap(left: &PatternShape, right: &PatternShape) -> bool {
    match (left, right) {
        (PatternShape::Node(left, parts), PatternShape::Node(right, others)) => {
            is_same(left, right) && parts.iter().zip(others).all(|(a, b)| may_overlap(a, b))
        }
        (PatternShape::Any | PatternShape::Other(_), _)
        | (_, PatternShape::Any | PatternShape::Other(_)) => true,
    }
}

/// Values for the columns that fit `query` and none of `rows`, as patterns.
fn useful(
    rows: &[Vec<PatternShape>],
    query: &[PatternShape],
    types: &[Type],
) -> Option<Vec<PatternShape>> {
    let (Some((head, rest)), Some((ty, more))) = (query.split_first(), types.split_first()) else {
        return rows.is_empty().then(Vec::new);
    };
    if let PatternShape::Node(maker, parts) = head {
        return useful_for_constructor(rows, (maker, parts), rest, types);
    }
    let used = makers(rows);
    let all = all_makers(ty);
    if let Some(all) = all.as_ref().filter(|all| is_covered(all, &used)) {
        return all.iter().find_map(|(maker, arity)| {
            useful_for_constructor(rows, (maker, &vec![PatternShape::Any; *arity]), rest, types)
        });
    }
    let left: Vec<Vec<PatternShape>> =
        rows.iter().filter(|row| !is_node(&row[0])).map(|row| row[1..].to_vec()).collect();
    if let Some(mut found) = useful(&left, rest, more) {
        found.insert(0, unused(all, &used, ty));
        return Some(found);
    }
    // A named value can be left only if some row covers just the values that no case names.
    let has_others = rows.iter().any(|row| matches!(row[0], PatternShape::Other(_)));
    let mut named = used.iter().filter(|_| has_others);
    named.find_map(|maker| useful_for_constructor(rows, (maker, &[]), rest, types))
}

/// [`useful`] for values of the first column that are made by `maker`.
fn useful_for_constructor(
    rows: &[Vec<PatternShape>],
    (maker, parts): (&Constructor, &[PatternShape]),
    rest: &[PatternShape],
    types: &[Type],
) -> Option<Vec<PatternShape>> {
    let rows: Vec<Vec<PatternShape>> =
        rows.iter().filter_map(|row| specialised(row, maker, parts.len())).collect();
    let query = [parts, rest].concat();
    let types = [part_types(&types[0], maker), types[1..].to_vec()].concat();
    let mut found = useful(&rows, &query, &types)?;
    let behind = found.split_off(parts.len());
    Some([vec![PatternShape::Node(maker.clone(), found)], behind].concat())
}

/// The row for values that `maker` makes from `arity` parts: patterns of these parts replace the first column. None
/// if the row does not fit such values.
fn specialised(
    row: &[PatternShape],
    maker: &Constructor,
    arity: usize,
) -> Option<Vec<PatternShape>> {
    let (head, rest) = row.split_first()?;
    match head {
        PatternShape::Any => Some([&vec![PatternShape::Any; arity], rest].concat()),
        // The value is one that some case names.
        PatternShape::Other(_) => None,
        PatternShape::Node(other, parts) if is_same(other, maker) => Some([parts, rest].concat()),
        PatternShape::Node(..) => None,
    }
}

/// The makers of the first column.
fn makers(rows: &[Vec<PatternShape>]) -> Vec<&Constructor> {
    let heads = rows.iter().filter_map(|row| row.first());
    heads
        .filter_map(|head| match head {
            PatternShape::Node(maker, _) => Some(maker),
            PatternShape::Any | PatternShape::Other(_) => None,
        })
        .collect()
}

fn is_node(shape: &PatternShape) -> bool {
    matches!(shape, PatternShape::Node(..))
}

/// Every way to construct a value of a type, with the number of parts, or none if there are too many to list.
fn all_makers(ty: &Type) -> Option<Vec<(Constructor, usize)>> {
    match ty {
        Type::Tuple(items) => Some(vec![(Constructor::Tuple, items.len())]),
        Type::Record(fields) => {
            Some(vec![(Constructor::Record(fields.keys().cloned().collect()), fields.len())])
        }
        Type::Sum(constructors) => {
            let one =
                |(name, tys): (&Name, &Vec<Type>)| (Constructor::Named(name.clone()), tys.len());
            Some(constructors.iter().map(one).collect())
        }
        Type::Scalar(Scalar::Bool) => {
            Some([true, false].map(|value| (Constructor::Const(Const::bool(value)), 0)).to_vec())
        }
        Type::Scalar(scalar) if scalar.is_integer() && scalar.bytes() == 1 => {
            let values = if scalar.is_signed() { -128..=127 } else { 0..=255 };
            Some(values.map(|value| (Constructor::Const(Const::int(*scalar, value)), 0)).collect())
        }
        Type::Scalar(_)
        | Type::Array(..)
        | Type::Fun(..)
        | Type::Var(_)
        | Type::Exists(..)
        | Type::Hidden(_) => None,
    }
}

/// Whether `used` contains each of `all`.
fn is_covered(all: &[(Constructor, usize)], used: &[&Constructor]) -> bool {
    all.iter().all(|(maker, _)| used.iter().any(|used| is_same(used, maker)))
}

/// A value of the type that no maker in `used` makes.
fn unused(
    all: Option<Vec<(Constructor, usize)>>,
    used: &[&Constructor],
    ty: &Type,
) -> PatternShape {
    if used.is_empty() {
        return PatternShape::Any;
    }
    if let Type::Scalar(scalar) = ty
        && *scalar != Scalar::Bool
    {
        return PatternShape::Other(*scalar);
    }
    let is_unused =
        |(maker, _): &(Constructor, usize)| !used.iter().any(|used| is_same(used, maker));
    all.into_iter().flatten().find(is_unused).map_or(PatternShape::Any, |(maker, arity)| {
        PatternShape::Node(maker, vec![PatternShape::Any; arity])
    })
}

/// Whether two makers make the same values. Both zeros of a float are the same number.
fn is_same(left: &Constructor, right: &Constructor) -> bool {
    match (left, right) {
        (Constructor::Const(a), Constructor::Const(b)) if a.ty.is_float() => {
            a.as_f64() == b.as_f64()
        }
        (left, right) => left == right,
    }
}

/// The types of the parts that a maker takes.
fn part_types(ty: &Type, maker: &Constructor) -> Vec<Type> {
    match (ty, maker) {
        (Type::Tuple(items), Constructor::Tuple) => items.clone(),
        (Type::Record(fields), Constructor::Record(_)) => fields.values().cloned().collect(),
        (Type::Sum(constructors), Constructor::Named(name)) => {
            constructors.get(name).cloned().unwrap_or_default()
        }
        _ => Vec::new(),
    }
}
