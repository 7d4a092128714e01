//! The example programs, and those of the language's description.

use super::{call, float, floats, int, ints, normal};
use crate::cnf::{Block, Op};
use crate::eval::cnf::Value;

const QUICKHULL: &str = include_str!("../../../../../examples/quickhull.arr");
const CLOSEST: &str = include_str!("../../../../../examples/closest_points.arr");
const QUADTREE: &str = include_str!("../../../../../examples/quadtree.arr");
const NORMALIZE2: &str = include_str!("../../../../../examples/normalize2.arr");
const FILTER_MAX: &str = include_str!("../../../../../examples/filter_max.arr");

fn hull(xs: &[f64], ys: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let results = call(QUICKHULL, "quickhull", &[floats(xs), floats(ys)]).expect("it runs");
    (numbers(&results[0]), numbers(&results[1]))
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(array) => array.scalars().iter().map(|elem| elem.as_f64()).collect(),
        Value::Scalar(value) => vec![value.as_f64()],
    }
}

#[test]
fn quickhull_finds_the_vertices() {
    assert_eq!(hull(&[], &[]), (vec![], vec![]));
    assert_eq!(hull(&[1.0], &[2.0]), (vec![1.0], vec![2.0]));
    assert_eq!(hull(&[1.0, 1.0], &[2.0, 2.0]), (vec![1.0], vec![2.0]));
    let square = hull(&[0.0, 1.0, 1.0, 0.0, 0.5, 0.5], &[0.0, 0.0, 1.0, 1.0, 0.5, 1.0]);
    assert_eq!(square, (vec![0.0, 0.0, 1.0, 1.0], vec![0.0, 1.0, 1.0, 0.0]));
    let line = hull(&[0.0, 1.0, 2.0, 3.0], &[0.0, 1.0, 2.0, 3.0]);
    assert_eq!(line, (vec![0.0, 3.0], vec![0.0, 3.0]));
}

#[test]
fn closest_points_finds_the_distance() {
    let (mut xs, mut ys) = (Vec::new(), Vec::new());
    // More than a hundred points, so that they are divided; the closest two are across the cut.
    for step in 0..150 {
        let step = f64::from(step);
        xs.push((step * 37.0) % 101.0 * 10.0);
        ys.push(step * 3.0);
    }
    xs.push(xs[75]);
    ys.push(ys[75] + 0.5);
    let result = call(CLOSEST, "closest_points", &[floats(&xs), floats(&ys)]).expect("it runs");
    assert_eq!(result, [float(0.5)]);
}

#[test]
fn quadtree_covers_every_point_once() {
    let xs: Vec<f64> = (0..40).map(|step| f64::from(step * 7 % 13)).collect();
    let ys: Vec<f64> = (0..40).map(|step| f64::from(step * 5 % 11)).collect();
    let results = call(QUADTREE, "quadtree", &[floats(&xs), floats(&ys), int(4)]).expect("it runs");
    assert_eq!(results.len(), 9);
    let names = &normal(QUADTREE).entries[0].outputs;
    assert_eq!(names[0], "out0_box_x1");
    let Value::Array(counts) = &results[6] else { panic!("counts are an array") };
    let sum: i128 = counts.scalars().iter().map(|count| count.as_i128()).sum();
    assert_eq!((sum, names[6].as_str()), (40, "out0_count"));
    let mut points: Vec<_> = numbers(&results[7]).into_iter().zip(numbers(&results[8])).collect();
    let mut expected: Vec<_> = xs.into_iter().zip(ys).collect();
    points.sort_by(|a, b| a.partial_cmp(b).expect("no NaN"));
    expected.sort_by(|a, b| a.partial_cmp(b).expect("no NaN"));
    assert_eq!(points, expected);
}

#[test]
fn normalize2_divides_by_both_sums() {
    let result = call(NORMALIZE2, "normalize2", &[ints(&[4, -2, 6])]).expect("it runs");
    assert_eq!(result, [ints(&[0, -1, 0]), ints(&[0, -1, 0])]);
}

#[test]
fn filter_max_keeps_the_names() {
    let result = call(FILTER_MAX, "filter_max", &[ints(&[1, -5, 7])]).expect("it runs");
    assert_eq!(result, [ints(&[2, 8]), int(8)]);
    let text = normal(FILTER_MAX).to_string();
    for line in ["let vec2 = map ", "let vec3 = filter ", "let mx = reduce ", "in (vec3, mx)"] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn filter_left_has_two_loops() {
    let text = "entry filter_left [n] (xs: [n]i64): ?[m].([n]i64, [m]i64) =\n\
                (map (+ 1) xs, filter (\\x -> x % 2 == 0) xs)";
    let result = call(text, "filter_left", &[ints(&[1, 2, 3, 4])]).expect("it runs");
    assert_eq!(result, [ints(&[2, 3, 4, 5]), ints(&[2, 4])]);
}

/// Combinators, not counting those in workers and branches.
fn loops(block: &Block) -> usize {
    block.binds.iter().filter(|bind| !bind.op.is_scalar()).count()
}

/// The loops that were written are all there: simplifying removes none that the papers count.
#[test]
fn loops_are_those_that_were_written() {
    let count = |text: &str, name: &str| {
        let cnf = normal(text);
        let function = cnf.functions.values().find(|function| function.name == name);
        loops(&function.expect("the function is there").body)
    };
    assert_eq!(count(NORMALIZE2, "normalize2"), 5);
    assert_eq!(count(FILTER_MAX, "filter_max"), 3);
    // `map (area a b)`, `filter`, `reduce`, and the `if`.
    assert_eq!(count(QUICKHULL, "side"), 4);
}

#[test]
fn maps_that_take_fields_are_no_loops() {
    let cnf = normal(QUICKHULL);
    let side = cnf.functions.values().find(|function| function.name == "side");
    let mut maps = 0;
    side.expect("it is there").body.for_each_op(&mut |op| {
        maps += usize::from(matches!(op, Op::Map { .. }));
    });
    // `map (.0) left`, for both recursive calls, gives the points of `left` as they are.
    assert_eq!(maps, 1);
}

/// The printed text is Arr: read again, it gives the same results.
#[test]
fn normal_forms_read_back() {
    let args = [ints(&[4, -2, 6])];
    for (text, entry) in [(FILTER_MAX, "filter_max"), (NORMALIZE2, "normalize2")] {
        let printed = normal(text).to_string();
        let again = call(&printed, entry, &args).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again, call(text, entry, &args).expect("it runs"), "{printed}");
    }
}
