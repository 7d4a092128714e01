//! Advice to convert, where two scalar types differ.
//!
//! Invariant: operands are converted to the type that the context of the whole operation asks for. If the context
//! asks for none, or if that conversion would drop the fraction before the operator is applied, the operand whose
//! conversion loses less is converted. The message says what a conversion loses.
//!
//! ```text
//! c * w, c: i64, w: f64          ⇒   convert `c`: `f64.i64 c`, which rounds numbers beyond 2^53
//! (c * w): f32, c: f32, w: f64   ⇒   convert `w`: `f32.f64 w`, which keeps about 7 digits
//! (c * w): i64, c: i64, w: f64   ⇒   convert the result: `i64.f64 (f64.i64 c * w)`
//! xs[w], w: f64                  ⇒   convert it with `i64.f64`, which drops the fraction
//! ```

use super::error::{ConstraintSite, QuotedOperand, around};
use arrc_syntax::diagnostics::Help;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// What a conversion may lose, the least first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum ConversionLoss {
    Nothing,
    /// The last digits of large whole numbers.
    Rounding,
    /// Half of a float's digits.
    Digits,
    /// The numbers that the narrower type does not hold.
    Values,
    /// The fraction.
    Fraction,
}

/// How to convert one of two types that differ at a place.
pub(super) fn advice(place: &ConstraintSite, expected: Scalar, found: Scalar) -> Help {
    if let ConstraintSite::Operands { .. } = place {
        return of_operands(place, [expected, found]);
    }
    let forth = (found, expected);
    let Some((first, second)) = place.sides() else {
        let text = format!("convert it with {}", conversion(forth));
        return Help::proposing(text, applied(place, &format!("{expected}.{found}")));
    };
    if let Some(both) = common_wider_type([expected, found]) {
        let ways = [format!("{both}.{expected}"), format!("{both}.{found}")];
        return Help::naming("convert both to one type that holds all their numbers, by {}", ways);
    }
    let to = less_lossy_type([expected, found]);
    let from = if to == expected { found } else { expected };
    let side = if from == found { second } else { first };
    let text = format!("convert the `{from}` with {}", conversion((from, to)));
    Help::proposing(text, around(side, &format!("{to}.{from}")))
}

/// The edits that apply a function to the expression at a place. An argument is one operand, so it needs no brackets of
/// its own; other expressions get brackets.
fn applied(place: &ConstraintSite, function: &str) -> Vec<(Span, String)> {
    let at = place.span();
    if matches!(place, ConstraintSite::Argument { .. } | ConstraintSite::Payload { .. }) {
        vec![(at.before(), format!("({function} ")), (Span { start: at.end, ..at }, ")".to_owned())]
    } else {
        around(at, function)
    }
}

/// How to convert operands of two types.
pub(super) fn of_operands(place: &ConstraintSite, types: [Scalar; 2]) -> Help {
    let ConstraintSite::Operands { sign, left, right, written, wanted } = place else {
        panic!("only operands are converted as such, not what is at {place:?}");
    };
    let both = common_wider_type(types);
    // A fraction is dropped, and numbers that do not fit are changed, only at the end of the calculation.
    let holder = both.unwrap_or_else(|| less_lossy_type(types));
    let is_kept = types.iter().all(|&from| loss((from, holder)) == ConversionLoss::Nothing);
    let changes = |to: Scalar| {
        is_kept && types.iter().any(|&from| loss((from, to)) == ConversionLoss::Values)
    };
    let drops =
        |to: Scalar| to.is_integer() && (types.iter().any(|from| from.is_float()) || changes(to));
    let to = wanted.filter(|&to| to.is_numeric() && !drops(to));
    let to = to.or(both).unwrap_or_else(|| less_lossy_type(types));
    let result = wanted.filter(|&wanted| wanted.is_numeric() && wanted != to);

    let converted: Vec<Scalar> = types.into_iter().filter(|&from| from != to).collect();
    // If an operand is not written, as in a section, the places of the operands overlap.
    let ([Some(first), Some(second)], true) = (written, left.end <= right.start) else {
        let ways = converted.iter().map(|from| format!("{to}.{from}"));
        return Help::naming("convert them to one type, with {}", ways);
    };
    let sides = [(first, types[0]), (second, types[1])];
    let mut edits = match result {
        Some(result) => around(left.to(*right), &format!("{result}.{to}")),
        None => Vec::new(),
    };
    for (side, from) in sides.into_iter().filter(|(_, from)| *from != to) {
        side.apply(&format!("{to}.{from}")).into_iter().for_each(|edit| join(&mut edits, edit));
    }
    let is_short = sides.iter().all(|(side, _)| side.is_short());
    let code = |(side, from): (&QuotedOperand, Scalar)| match from == to {
        true => side.operand(),
        false => side.applied(&format!("{to}.{from}")),
    };
    if let Some(result) = result {
        let function = format!("{result}.{to}");
        let whole = format!("{function} ({} {sign} {})", code(sides[0]), code(sides[1]));
        let shown = if is_short { whole } else { function };
        let result = explained((to, result), &shown);
        let text = format!("calculate with `{to}`, and convert the result: {result}");
        return Help::proposing(text, edits);
    }
    let changed: Vec<(&QuotedOperand, Scalar)> =
        sides.into_iter().filter(|(_, from)| *from != to).collect();
    let ways = changed.iter().map(|&(side, from)| {
        let shown = if is_short { code((side, from)) } else { format!("{to}.{from}") };
        explained((from, to), &shown)
    });
    let ways: Vec<String> = ways.collect();
    let is_asked = *wanted == Some(to) && to != less_lossy_type(types);
    let why = if is_asked { format!("`{to}` is needed here: ") } else { String::new() };
    let holder = both.filter(|both| *both == to);
    let what = converted_operands(&changed, is_short, holder);
    Help::proposing(format!("{why}convert {what}: {}", ways.join(", and ")), edits)
}

/// The operands that are converted, in words. `holder` is the type that holds the numbers of both.
fn converted_operands(
    changed: &[(&QuotedOperand, Scalar)],
    is_short: bool,
    holder: Option<Scalar>,
) -> String {
    match (changed, holder) {
        ([(side, _)], _) if is_short => format!("`{}`", side.text()),
        ([(_, from)], _) => format!("the `{from}`"),
        (_, Some(to)) => format!("both to `{to}`, which holds all their numbers"),
        (_, None) => "both".to_owned(),
    }
}

/// Adds a change. Insertions at the same place are joined.
fn join(edits: &mut Vec<(Span, String)>, (span, text): (Span, String)) {
    match edits.iter_mut().find(|(other, _)| *other == span) {
        Some((_, before)) => before.push_str(&text),
        None => edits.push((span, text)),
    }
}

/// The one of two types to which the other is converted with less loss.
fn less_lossy_type([left, right]: [Scalar; 2]) -> Scalar {
    if loss((left, right)) < loss((right, left)) { right } else { left }
}

/// The type that holds the numbers of both, where each has numbers that the other does not hold.
fn common_wider_type(types: [Scalar; 2]) -> Option<Scalar> {
    let to = less_lossy_type(types);
    let changes = |from: &Scalar| *from != to && loss((*from, to)) == ConversionLoss::Values;
    types.iter().any(changes).then(|| wider(types[0], types[1])).flatten()
}

/// How to convert a quotient of integers: its operands, by these changes.
pub(super) fn of_quotient(edits: Vec<(Span, String)>) -> Help {
    const TEXT: &str = "a quotient of integers is rounded: convert its operands, not the quotient";
    if edits.is_empty() { Help::words(TEXT) } else { Help::proposing(TEXT, edits) }
}

/// How to convert the elements of an array.
pub(super) fn of_elements(place: &ConstraintSite, expected: Scalar, found: Scalar) -> Help {
    let what = conversion((found, expected));
    let function = format!("map {expected}.{found}");
    Help::proposing(format!("convert the elements by `map` and {what}"), applied(place, &function))
}

/// The function that converts, and the loss of the conversion.
fn conversion((from, to): (Scalar, Scalar)) -> String {
    explained((from, to), &format!("{to}.{from}"))
}

fn explained((from, to): (Scalar, Scalar), code: &str) -> String {
    let lost = match loss((from, to)) {
        ConversionLoss::Nothing => "",
        ConversionLoss::Rounding if to == Scalar::F64 => ", which rounds numbers beyond 2^53",
        ConversionLoss::Rounding => ", which rounds numbers beyond 2^24",
        ConversionLoss::Digits => ", which keeps about 7 digits",
        ConversionLoss::Values => {
            return format!("`{code}`, which changes numbers that `{to}` does not hold");
        }
        ConversionLoss::Fraction => ", which drops what is behind the point",
    };
    format!("`{code}`{lost}")
}

/// The narrowest integer type that holds the numbers of both types.
fn wider(one: Scalar, other: Scalar) -> Option<Scalar> {
    let holds = |both: &Scalar| {
        both.is_integer()
            && [one, other].iter().all(|&from| loss((from, *both)) == ConversionLoss::Nothing)
    };
    Scalar::ALL.into_iter().find(holds)
}

fn loss((from, to): (Scalar, Scalar)) -> ConversionLoss {
    let sign = |scalar: Scalar| u32::from(scalar.is_signed());
    // The number of bits that an integer has besides its sign, and the number of them that a float keeps.
    let bits = |scalar: Scalar| 8 * scalar.bytes() - sign(scalar);
    let digits = |float: Scalar| if float == Scalar::F64 { 53 } else { 24 };
    match (from.is_float(), to.is_float()) {
        (true, true) if to.bytes() < from.bytes() => ConversionLoss::Digits,
        (true, true) => ConversionLoss::Nothing,
        (true, false) => ConversionLoss::Fraction,
        (false, true) if bits(from) <= digits(to) => ConversionLoss::Nothing,
        (false, true) => ConversionLoss::Rounding,
        (false, false) if bits(from) <= bits(to) && sign(from) <= sign(to) => {
            ConversionLoss::Nothing
        }
        (false, false) => ConversionLoss::Values,
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
            assert_eq!(loss(conversion), ConversionLoss::Nothing, "{conversion:?}");
        }
        let lossy = [
            ((I64, F64), ConversionLoss::Rounding),
            ((I32, F32), ConversionLoss::Rounding),
            ((F64, F32), ConversionLoss::Digits),
            ((I8, U64), ConversionLoss::Values),
            ((U64, I64), ConversionLoss::Values),
            ((F32, I64), ConversionLoss::Fraction),
        ];
        for (conversion, expected) in lossy {
            assert_eq!(loss(conversion), expected, "{conversion:?}");
        }
        assert_eq!([wider(U8, I8), wider(I64, U64), wider(I32, U32)], [Some(I16), None, Some(I64)]);
    }
}
