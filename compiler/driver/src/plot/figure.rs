//! The contents of a picture: marks, and the ranges of its axes.
//!
//! Invariant: the coordinates of marks are finite, and inside the ranges, which are not empty.

use std::ops::Range;

use arr_runtime::host::{Scalar, ScalarValue, View};

use super::PlotError;
use super::pixels::Image;
use crate::cli::Kind;

/// A picture.
pub(super) struct Figure {
    pub(super) title: String,
    pub(super) marks: Vec<Mark>,
    pub(super) x: Range<f64>,
    /// The range from the bottom to the top. For images it is reversed, since their first row is on top.
    pub(super) y: Range<f64>,
    /// Whether a step has the same length on both axes.
    pub(super) equal: bool,
}

/// A part of a picture.
pub(super) enum Mark {
    Points(Vec<(f64, f64)>),
    Path(Vec<(f64, f64)>),
    /// The left end, the right end and the height of each bar.
    Bars(Vec<(f64, f64, f64)>),
    Image(Image),
}

/// The maximum number of bars in a histogram.
const MAX_BARS: usize = 100;
/// The maximum number of points in a line. A longer line has only the least and the greatest number of each section.
const MAX_OF_LINE: usize = 4000;

impl Figure {
    /// The marks of values. The kinds are given, or follow from the values' shapes.
    pub(super) fn new(
        title: String,
        values: &[View<'_>],
        kinds: &[Kind],
    ) -> Result<Self, PlotError> {
        let mut rest = values;
        let mut marks = Vec::new();
        let mut used = Vec::new();
        for &kind in kinds {
            rest = skip_scalars(rest);
            let (mark, after) = mark(kind, rest)?;
            (rest, _) = (after, marks.push(mark));
            used.push(kind);
        }
        while kinds.is_empty() {
            rest = skip_scalars(rest);
            let Some(kind) = suggested(rest) else { break };
            let (mark, after) = mark(kind, rest)?;
            (rest, _) = (after, marks.push(mark));
            used.push(kind);
        }
        if marks.is_empty() {
            let types: Vec<_> = values.iter().map(|value| format!("`{}`", value.ty())).collect();
            return Err(PlotError::new(
                format!("there is nothing to draw in {}", types.join(", ")),
                "a picture is made of arrays of numbers with one to three dimensions",
            ));
        }
        Self::of_marks(title, marks, &used)
    }

    fn of_marks(title: String, marks: Vec<Mark>, kinds: &[Kind]) -> Result<Self, PlotError> {
        let corners = || marks.iter().flat_map(Mark::corners);
        let (x, y) = (range(corners().map(|(x, _)| x)), range(corners().map(|(_, y)| y)));
        let (Some(x), Some(y)) = (x, y) else {
            return Err(PlotError::new(
                "there is no finite number to draw",
                "a picture leaves out infinities and NaN; at least one value must remain",
            ));
        };
        let has_image = marks.iter().any(|mark| matches!(mark, Mark::Image(_)));
        let spread = (x.end - x.start) / (y.end - y.start);
        let planar =
            kinds.iter().all(|kind| matches!(kind, Kind::Points | Kind::Path | Kind::Polygon));
        let equal = has_image || (planar && (0.2..=5.0).contains(&spread));
        let (x, y) = if has_image { (x, y.end..y.start) } else { (padded(x), padded(y)) };
        Ok(Self { title, marks, x, y, equal })
    }
}

impl Mark {
    /// Points that the ranges contain.
    fn corners(&self) -> Vec<(f64, f64)> {
        match self {
            Self::Points(points) | Self::Path(points) => points.clone(),
            Self::Bars(bars) => {
                bars.iter().flat_map(|&(from, to, height)| [(from, 0.0), (to, height)]).collect()
            }
            Self::Image(image) => {
                vec![(0.0, 0.0), (f64::from(image.columns), f64::from(image.rows))]
            }
        }
    }
}

/// The range from the least to the greatest number; it is made wider if the two are equal.
fn range(numbers: impl Iterator<Item = f64>) -> Option<Range<f64>> {
    let least_and_most = |range: Option<Range<f64>>, number: f64| match range {
        None => Some(number..number),
        Some(range) => Some(range.start.min(number)..range.end.max(number)),
    };
    let range = numbers.fold(None, least_and_most)?;
    let room = if range.start < range.end { 0.0 } else { range.start.abs().max(1.0) / 2.0 };
    Some(range.start - room..range.end + room)
}

/// A range with some room around it.
fn padded(range: Range<f64>) -> Range<f64> {
    let room = (range.end - range.start) / 40.0;
    range.start - room..range.end + room
}

fn skip_scalars<'a, 'v>(values: &'a [View<'v>]) -> &'a [View<'v>] {
    let scalars = values.iter().take_while(|value| value.shape().is_empty()).count();
    &values[scalars..]
}

/// The kind of the next mark, if none is given.
fn suggested(values: &[View<'_>]) -> Option<Kind> {
    let shape = values.first()?.shape();
    let is_pair = |next: &View<'_>| next.shape() == shape;
    Some(match shape {
        [_] if values.get(1).is_some_and(is_pair) => Kind::Points,
        [_] => Kind::Line,
        [_, 2] => Kind::Points,
        [_, _] | [_, _, 3] => Kind::Image,
        _ => return None,
    })
}

/// A mark of the first values, and the remaining values.
fn mark<'a, 'v>(kind: Kind, values: &'a [View<'v>]) -> Result<(Mark, &'a [View<'v>]), PlotError> {
    let Some((first, rest)) = values.split_first() else {
        return Err(PlotError::new(
            "`--plot-as` has more kinds than there are values",
            "name one kind for each mark; points, paths and polygons take two arrays, or one [n][2]",
        ));
    };
    if first.elements().ty() == Scalar::Bool && kind != Kind::Image {
        return Err(PlotError::new(
            format!("a value of type `{}` is drawn as an image only", first.ty()),
            "make numbers of the truth values",
        ));
    }
    Ok(match (kind, first.shape()) {
        (Kind::Points, _) => {
            let (points, rest) = points(values)?;
            (Mark::Points(points), rest)
        }
        (Kind::Path, _) => {
            let (points, rest) = points(values)?;
            (Mark::Path(points), rest)
        }
        (Kind::Polygon, _) => {
            let (mut points, rest) = points(values)?;
            points.extend(points.first().copied());
            (Mark::Path(points), rest)
        }
        (Kind::Line, [_]) => (Mark::Path(line(&numbers(first))), rest),
        (Kind::Histogram, _) => (Mark::Bars(bars(&numbers(first))), rest),
        (Kind::Image, [_, _] | [_, _, 3]) => (Mark::Image(Image::new(first)?), rest),
        (Kind::Line, _) => return Err(unfit("a line is", "an array of one dimension", first)),
        (Kind::Image, _) => {
            return Err(unfit("an image is", "an array [h][w] or [h][w][3]", first));
        }
    })
}

fn unfit(mark: &str, wanted: &str, value: &View<'_>) -> PlotError {
    let sizes: String = value.shape().iter().map(|size| format!("[{size}]")).collect();
    PlotError::new(
        format!("{mark} drawn of {wanted}, not of {sizes}{}", value.elements().ty()),
        "choose other kinds by `--plot-as`, in the order of the values, or leave it out",
    )
}

/// A list of points, and the remaining values.
type Points<'a, 'v> = (Vec<(f64, f64)>, &'a [View<'v>]);

/// The finite points of a pair of arrays or of an array of pairs.
fn points<'a, 'v>(values: &'a [View<'v>]) -> Result<Points<'a, 'v>, PlotError> {
    let finite = |&(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
    match values {
        [pairs, rest @ ..] if matches!(pairs.shape(), [_, 2]) => {
            let numbers = numbers(pairs);
            let pairs = numbers.as_chunks::<2>().0.iter().map(|&[x, y]| (x, y));
            Ok((pairs.filter(finite).collect(), rest))
        }
        [xs, ys, rest @ ..] if xs.shape().len() == 1 && xs.shape() == ys.shape() => {
            let pairs = numbers(xs).into_iter().zip(numbers(ys));
            Ok((pairs.filter(finite).collect(), rest))
        }
        [first, ..] => {
            Err(unfit("points are", "two arrays of one length, or of an array [n][2]", first))
        }
        [] => unreachable!("a mark has a value"),
    }
}

/// An array over its indices. A long array has only the least and the greatest number of each section.
fn line(numbers: &[f64]) -> Vec<(f64, f64)> {
    let points = numbers.iter().enumerate().map(|(at, &y)| (number_of(at), y));
    let points: Vec<_> = points.filter(|(_, y)| y.is_finite()).collect();
    if points.len() <= MAX_OF_LINE {
        return points;
    }
    let stretch = points.len().div_ceil(MAX_OF_LINE / 2);
    let ends = points.chunks(stretch).flat_map(|stretch| {
        let order = |left: &&(f64, f64), right: &&(f64, f64)| left.1.total_cmp(&right.1);
        let [mut from, mut to] = [stretch.iter().min_by(order), stretch.iter().max_by(order)];
        if from.map(|from| from.0) > to.map(|to| to.0) {
            std::mem::swap(&mut from, &mut to);
        }
        from.into_iter().chain(to).copied()
    });
    ends.collect()
}

/// The number of occurrences of numbers in intervals of equal length.
fn bars(numbers: &[f64]) -> Vec<(f64, f64, f64)> {
    let finite = || numbers.iter().copied().filter(|number| number.is_finite());
    let Some(range) = range(finite()) else { return Vec::new() };
    #[allow(clippy::cast_sign_loss, clippy::cast_possible_truncation, reason = "a small number")]
    let count = (number_of(finite().count()).sqrt().ceil() as usize).clamp(1, MAX_BARS);
    let width = (range.end - range.start) / number_of(count);
    let mut heights = vec![0.0; count];
    for number in finite() {
        #[allow(
            clippy::cast_sign_loss,
            clippy::cast_possible_truncation,
            reason = "it is in the range"
        )]
        let place = ((number - range.start) / width) as usize;
        heights[place.min(count - 1)] += 1.0;
    }
    let bar = |(place, height)| {
        let from = range.start + number_of(place) * width;
        (from, from + width, height)
    };
    heights.into_iter().enumerate().map(bar).collect()
}

/// The elements as numbers for drawing.
pub(super) fn numbers(value: &View<'_>) -> Vec<f64> {
    let elements = value.elements();
    (0..elements.len()).filter_map(|at| elements.get(at)).map(number).collect()
}

#[allow(clippy::cast_precision_loss, reason = "a picture has fewer pixels than an f64 has values")]
fn number(scalar: ScalarValue) -> f64 {
    match scalar {
        ScalarValue::Bool(value) => f64::from(u8::from(value)),
        ScalarValue::I8(value) => value.into(),
        ScalarValue::I16(value) => value.into(),
        ScalarValue::I32(value) => value.into(),
        ScalarValue::I64(value) => value as f64,
        ScalarValue::U8(value) => value.into(),
        ScalarValue::U16(value) => value.into(),
        ScalarValue::U32(value) => value.into(),
        ScalarValue::U64(value) => value as f64,
        ScalarValue::F32(value) => value.into(),
        ScalarValue::F64(value) => value,
    }
}

#[allow(clippy::cast_precision_loss, reason = "a picture has fewer pixels than an f64 has values")]
fn number_of(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use arr_runtime::host::Value;

    #[test]
    fn shapes_suggest_kinds() {
        let values = [
            Value::from(3_i64),
            Value::from(vec![1.0, 2.0]),
            Value::from(vec![1.0, f64::NAN]),
            Value::from(vec![5_i32, 6, 7]),
        ];
        let views: Vec<View<'_>> = values.iter().map(View::from).collect();
        let figure = Figure::new("f".to_string(), &views, &[]).expect("it has marks");
        let [Mark::Points(points), Mark::Path(path)] = &figure.marks[..] else {
            panic!("points and a line")
        };
        assert_eq!(points, &[(1.0, 1.0)], "the other is not finite");
        assert_eq!(path, &[(0.0, 5.0), (1.0, 6.0), (2.0, 7.0)]);
        assert!(!figure.equal, "indices are no coordinates");
    }

    #[test]
    fn bars_count_everything_finite() {
        let found = bars(&[0.0, 1.0, 1.0, 4.0, f64::INFINITY]);
        assert_eq!(found, [(0.0, 2.0, 3.0), (2.0, 4.0, 1.0)]);
        assert_eq!(bars(&[7.0]), [(3.5, 10.5, 1.0)]);
        assert_eq!(bars(&[]), []);
    }

    #[test]
    fn long_lines_keep_their_peaks() {
        let mut numbers = vec![0.0; 100_000];
        numbers[77_777] = 9.0;
        let found = line(&numbers);
        assert!(found.len() <= MAX_OF_LINE && found.contains(&(77_777.0, 9.0)));
        assert!(found.is_sorted_by(|left, right| left.0 <= right.0));
    }
}
