//! Advice to convert, where two scalar types differ.
//!
//! Invariant: of two sides the one is converted that loses less by it, and what a conversion loses is said.
//!
//! ```text
//! c * w, c: i64, w: f64   ⇒   convert `c`: `f64.i64 c`, which rounds numbers beyond 2^53
//! xs[w], w: f64           ⇒   convert it with `i64.f64`, which drops what is behind the point
//! ```

use super::error::{Advice, Place};
use crate::prim::Scalar;

/// What a conversion may lose, the least first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Loss {
    Nothing,
    /// The last digits of large whole numbers.
    Rounding,
    /// Half of a float's digits.
    Digits,
    /// The numbers that the narrower type does not hold.
    Values,
    /// What is behind the point.
    Fraction,
}

/// How to convert one of two types that differ at a place.
pub(super) fn advice(place: &Place, expected: Scalar, found: Scalar) -> Advice {
    let forth = (found, expected);
    let Some((left, right)) = place.sides() else {
        return Advice::from(format!("convert it with {}", conversion(forth)));
    };
    let back = (expected, found);
    let is_left = loss(back) < loss(forth);
    let (span, (from, to)) = if is_left { (left, back) } else { (right, forth) };
    if loss((from, to)) == Loss::Values
        && let Some(both) = wider(expected, found)
    {
        return Advice::from(format!(
            "convert both to `{both}`, which holds all their numbers: `{both}.{expected}` and `{both}.{found}`"
        ));
    }
    // Where one operand is not written, as in a section, its place is around the other.
    if let Place::Operands { names, .. } = place
        && let Some(name) = &names[usize::from(!is_left)]
        && left.end <= right.start
    {
        let code = format!("{to}.{from} {name}");
        let text = format!("convert `{name}`: {}", explained((from, to), &code));
        return Advice { text, edits: vec![(span, code)] };
    }
    Advice::from(format!("convert the `{from}` with {}", conversion((from, to))))
}

/// How to convert the elements of an array.
pub(super) fn of_elements(expected: Scalar, found: Scalar) -> Advice {
    let what = explained((found, expected), &format!("map {expected}.{found} xs"));
    Advice::from(format!("convert the elements: {what}"))
}

/// The function that converts, and what is lost by it.
fn conversion((from, to): (Scalar, Scalar)) -> String {
    explained((from, to), &format!("{to}.{from}"))
}

fn explained((from, to): (Scalar, Scalar), code: &str) -> String {
    let lost = match loss((from, to)) {
        Loss::Nothing => "",
        Loss::Rounding if to == Scalar::F64 => ", which rounds numbers beyond 2^53",
        Loss::Rounding => ", which rounds numbers beyond 2^24",
        Loss::Digits => ", which keeps about 7 digits",
        Loss::Values => {
            return format!("`{code}`, which changes numbers that `{to}` does not hold");
        }
        Loss::Fraction => ", which drops what is behind the point",
    };
    format!("`{code}`{lost}")
}

/// The narrowest whole numbers that hold those of both types.
fn wider(one: Scalar, other: Scalar) -> Option<Scalar> {
    let holds = |both: &Scalar| {
        both.is_integer() && [one, other].iter().all(|&from| loss((from, *both)) == Loss::Nothing)
    };
    Scalar::ALL.into_iter().find(holds)
}

fn loss((from, to): (Scalar, Scalar)) -> Loss {
    let sign = |scalar: Scalar| u32::from(scalar.is_signed());
    // How many bits a whole number has besides its sign, and how many of them a float keeps.
    let bits = |scalar: Scalar| 8 * scalar.bytes() - sign(scalar);
    let digits = |float: Scalar| if float == Scalar::F64 { 53 } else { 24 };
    match (from.is_float(), to.is_float()) {
        (true, true) if to.bytes() < from.bytes() => Loss::Digits,
        (true, true) => Loss::Nothing,
        (true, false) => Loss::Fraction,
        (false, true) if bits(from) <= digits(to) => Loss::Nothing,
        (false, true) => Loss::Rounding,
        (false, false) if bits(from) <= bits(to) && sign(from) <= sign(to) => Loss::Nothing,
        (false, false) => Loss::Values,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_keeps_more_loses_less() {
        use Scalar::{F32, F64, I8, I16, I32, I64, U8, U32, U64};
        let nothing =
            [(I8, I16), (U8, I16), (U8, U32), (I32, F64), (U32, I64), (F32, F64), (I16, F32)];
        for conversion in nothing {
            assert_eq!(loss(conversion), Loss::Nothing, "{conversion:?}");
        }
        let lossy = [
            ((I64, F64), Loss::Rounding),
            ((I32, F32), Loss::Rounding),
            ((F64, F32), Loss::Digits),
            ((I8, U64), Loss::Values),
            ((U64, I64), Loss::Values),
            ((F32, I64), Loss::Fraction),
        ];
        for (conversion, expected) in lossy {
            assert_eq!(loss(conversion), expected, "{conversion:?}");
        }
        assert_eq!([wider(U8, I8), wider(I64, U64), wider(I32, U32)], [Some(I16), None, Some(I64)]);
    }
}
