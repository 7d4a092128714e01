//! The kernels that are measured: those of the papers, and those that surround them in real programs.
//!
//! Invariant: `programs/PROGRAM.arr`, or the example of that name, has the entry, `programs/PROGRAM.c` the same function twice,
//! fused by hand as `ENTRY__uniform` and a combinator at a time as `ENTRY_unfused__uniform`.

use arr_runtime::host::{ArrayData, ArrayValue, Scalar, Value, ValueType};

use crate::data::{floats, integers, whole};

/// One kernel.
pub(crate) struct Kernel {
    /// The entry's name.
    pub(crate) entry: &'static str,
    /// The files that it is in.
    pub(crate) program: &'static str,
    /// The percentages of elements that its filter keeps; none if it has no filter.
    pub(crate) keeps: &'static [u32],
    /// The most elements that it is measured with: kernels of more than a few passes take longer.
    pub(crate) largest: usize,
    /// The inputs for a number of steps, and the percentage that is kept.
    pub(crate) inputs: fn(usize, u32) -> Vec<Value>,
    /// The types of the outputs.
    pub(crate) outputs: &'static [ValueType],
}

const I32: ValueType = ValueType::Scalar(Scalar::I32);
const I64: ValueType = ValueType::Scalar(Scalar::I64);
const F64: ValueType = ValueType::Scalar(Scalar::F64);
const I32S: ValueType = ValueType::Array { scalar: Scalar::I32, rank: 1 };
const I64S: ValueType = ValueType::Array { scalar: Scalar::I64, rank: 1 };
const F32S: ValueType = ValueType::Array { scalar: Scalar::F32, rank: 1 };
const F64S: ValueType = ValueType::Array { scalar: Scalar::F64, rank: 1 };
const U8S: ValueType = ValueType::Array { scalar: Scalar::U8, rank: 1 };
const F32SS: ValueType = ValueType::Array { scalar: Scalar::F32, rank: 2 };
const F32SSS: ValueType = ValueType::Array { scalar: Scalar::F32, rank: 3 };
const I32SS: ValueType = ValueType::Array { scalar: Scalar::I32, rank: 2 };
const I64SS: ValueType = ValueType::Array { scalar: Scalar::I64, rank: 2 };
const BOOL: ValueType = ValueType::Scalar(Scalar::Bool);
const BOOLSS: ValueType = ValueType::Array { scalar: Scalar::Bool, rank: 2 };
const F64SS: ValueType = ValueType::Array { scalar: Scalar::F64, rank: 2 };
const F64SSS: ValueType = ValueType::Array { scalar: Scalar::F64, rank: 3 };

/// Leaves with their boxes, depths and places, and points.
const QUADTREE: &[ValueType] = &[F64S, F64S, F64S, F64S, I64S, I64S, I64S, F64S, F64S];

/// Selectivities of filters, in percent: nearly none, what no branch predictor learns, nearly all.
const KEEPS: &[u32] = &[1, 50, 99];

/// Writes down a kernel in a line.
const fn kernel(
    program: &'static str,
    entry: &'static str,
    keeps: &'static [u32],
    inputs: fn(usize, u32) -> Vec<Value>,
    outputs: &'static [ValueType],
) -> Kernel {
    Kernel { entry, program, keeps, largest: usize::MAX, inputs, outputs }
}

/// Writes down a whole program, whose entry has its name, in a line.
const fn program(
    name: &'static str,
    inputs: fn(usize, u32) -> Vec<Value>,
    outputs: &'static [ValueType],
) -> Kernel {
    recursion(name, name, inputs, outputs)
}

/// Writes down a kernel that does more than a few passes in a line.
const fn recursion(
    program: &'static str,
    entry: &'static str,
    inputs: fn(usize, u32) -> Vec<Value>,
    outputs: &'static [ValueType],
) -> Kernel {
    Kernel { entry, program, keeps: &[], largest: 1 << 20, inputs, outputs }
}

/// Every kernel, in the order of the table.
pub(crate) const KERNELS: [Kernel; 114] = [
    kernel("dot", "dot_i32", &[], |size, _| i32s(size, 4), &[I32S]),
    kernel("dot", "dot_f64", &[], |size, _| f64s(size, 4), &[F64S]),
    kernel("dot", "inner_f64", &[], |size, _| f64s(size, 2), &[F64]),
    kernel("map_map", "map_map_i32", &[], |size, _| i32s(size, 1), &[I32S, I32S]),
    kernel(
        "filters",
        "filter_sum_i32",
        KEEPS,
        |size, keep| above_i32(size, 99, keep),
        &[I32S, I32, I32],
    ),
    kernel(
        "filters",
        "filter_max_i32",
        KEEPS,
        |size, keep| above_i32(size, 100, keep),
        &[I32S, I32],
    ),
    kernel(
        "filters",
        "filter_max_i64",
        KEEPS,
        |size, keep| above_i64(size, 100, keep),
        &[I64S, I64],
    ),
    kernel(
        "filters",
        "nested_filter_i32",
        KEEPS,
        |size, keep| above_i32(size, 99, keep),
        &[I32S, I32S],
    ),
    kernel("filters", "sum_above_i32", KEEPS, |size, keep| above_i32(size, 99, keep), &[I32]),
    kernel("filters", "sum_above_f64", KEEPS, above_f64, &[F64]),
    kernel("normalize2", "normalize2_i32", &[], |size, _| i32s(size, 1), &[I32S, I32S]),
    kernel("normalize2", "normalize2_i64", &[], |size, _| i64s(size), &[I64S, I64S]),
    kernel("normalize2", "normalize2_f64", &[], |size, _| f64s(size, 1), &[F64S, F64S]),
    kernel("min_max", "min_max_i32", &[], |size, _| i32s(size, 1), &[I32, I32]),
    kernel("min_max", "min_max_f64", &[], |size, _| f64s(size, 1), &[F64, F64]),
    kernel("hull_core", "hull_core", KEEPS, left_of_line, &[F64S, F64S, F64, F64, F64]),
    kernel("quarters", "quadtree_cut", &[], around_centre, &[F64S; 8]),
    kernel("closest", "closest_pairs", &[], |size, _| f64s(side(size), 4), &[F64]),
    kernel("stencils", "convolution_f64", &[], |size, _| f64s(size, 1), &[F64S, F64]),
    kernel("stencils", "relaxation_f64", &[], square, &[F64SS, F64]),
    kernel("windows", "reversed_f64", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("windows", "variation_f64", &[], |size, _| f64s(size, 1), &[F64]),
    kernel("windows", "smoothed_f64", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("windows", "centred_f64", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("windows", "flipped_f64", &[], square, &[F64SS]),
    kernel("spaces", "space_min_max_f64", &[], square, &[F64, F64]),
    kernel("spaces", "space_relax_f64", &[], square, &[F64SS, F64]),
    kernel("spaces", "space_convolve_f64", &[], square, &[F64SS, F64]),
    kernel("spaces", "space_red_f64", &[], square, &[F64SS]),
    kernel("spaces", "space_grid_f64", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("convolution", "min_max_1", &[], |size, _| vec![space(size, 1)], &[F64, F64]),
    kernel("convolution", "min_max_2", &[], |size, _| vec![space(size, 2)], &[F64, F64]),
    kernel("convolution", "min_max_3", &[], |size, _| vec![space(size, 3)], &[F64, F64]),
    kernel("convolution", "min_max_4", &[], |size, _| vec![space(size, 4)], &[F64, F64]),
    kernel("convolution", "step_1", &[], |size, _| converging(size, 1), &[F64S, BOOL]),
    kernel("convolution", "step_2", &[], |size, _| converging(size, 2), &[F64SS, BOOL]),
    kernel("convolution", "step_3", &[], |size, _| converging(size, 3), &[F64SSS, BOOL]),
    kernel("tomcatv", "tomcatv", &[], |size, _| crooked(size), &[F64SS, F64SS, F64, F64]),
    kernel("fields", "jacobi_step", &[], |size, _| vec![space(size, 2); 2], &[F64SS, F64]),
    kernel("fields", "life_step", &[], |size, _| vec![board(size)], &[BOOLSS]),
    kernel("fields", "flow", &[], |size, _| basin(size), &[F64SS; 3]),
    kernel("pictures", "blurred", &[], |size, _| vec![Value::from(1.5_f32), image(size)], &[F32SS]),
    kernel("pictures", "matches", &[], |size, _| film(size), &[I64SS, I64SS, I32SS]),
    kernel("distances", "distances", &[], |size, _| vec![matrix([edge(size); 2])], &[F64SS]),
    kernel("scans", "scan_i32", &[], |size, _| i32s(size, 1), &[I32S]),
    kernel("scans", "scan_f64", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("producers", "append_sum_f64", &[], |size, _| halves(size), &[F64]),
    kernel("producers", "append_store_f64", &[], |size, _| halves(size), &[F64S]),
    kernel("producers", "choice_sum_f64", &[], |size, _| chosen(size), &[F64]),
    kernel("producers", "scan_filter_i64", &[], |size, _| i64s(size), &[I64S]),
    kernel("producers", "running_mean_f64", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("producers", "differences_f64", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("producers", "filtered_histogram_i64", &[], |size, _| i64s(size), &[I64S]),
    kernel("producers", "hull_position_f64", KEEPS, left_of_line, &[F64S, F64S, I64]),
    kernel("parts", "flatmap_i32", &[], |size, _| i32s(size, 1), &[I32S]),
    kernel("tables", "histogram_i32", &[], buckets, &[I32S]),
    kernel("tables", "gather_i32", &[], places, &[I32S]),
    kernel("tables", "gather_sum_i32", &[], places, &[I32]),
    kernel("tables", "gather_inner_f64", &[], sparse, &[F64]),
    kernel("nested", "literal_sum", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("nested", "row_sums", &[], |size, _| vec![rows(size, 3)], &[F64S]),
    kernel("nested", "rotate_rows", &[], |size, _| vec![rows(9, 3), rows(size, 3)], &[F64SS]),
    kernel("nested", "column_sums_5", &[], |size, _| vec![rows(size, 5)], &[F64S]),
    kernel("nested", "column_sums_m", &[], |size, _| vec![rows(size, 100)], &[F64S]),
    kernel("nested", "combine_columns", &[], |size, _| vec![columns(size, 5)], &[F64S]),
    kernel("nested", "blur_3x3", &[], square, &[F64SS]),
    kernel("nested", "count_by_updates", &[], |size, _| digits(size), &[I64S]),
    kernel("nested", "best_of_paths", &[], |size, _| f64s(size / 40, 1), &[F64S]),
    kernel("lanes", "escape_f32", &[], |size, _| plane(size / 50), &[I32S]),
    kernel("lanes", "paths_f64", &[], |size, _| seeds(size / 50), &[F64S]),
    kernel("lanes", "horner_f64", &[], |size, _| polynomial(size / 50), &[F64S]),
    kernel("lanes", "bodies_f64", &[], |size, _| f64s(side(size), 1), &[F64S]),
    kernel("lanes", "product_f64", &[], cubed, &[F64SS]),
    recursion("tiny", "quadtree_points", |size, _| points(size).into(), QUADTREE),
    recursion("tiny", "circle_hull", |size, _| circle(size).into(), &[F64S, F64S]),
    recursion("tiny", "merge_sort", |size, _| i64s(size), &[I64S]),
    kernel("elementary", "exp_f64", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("elementary", "exp2_f64", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("elementary", "log_f64", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("elementary", "log2_f64", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("elementary", "sin_f64", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("elementary", "cos_f64", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("elementary", "tanh_f64", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("elementary", "exp_f32", &[], |size, _| f32s(size), &[F32S]),
    kernel("elementary", "exp2_f32", &[], |size, _| f32s(size), &[F32S]),
    kernel("elementary", "log_f32", &[], |size, _| f32s(size), &[F32S]),
    kernel("elementary", "log2_f32", &[], |size, _| f32s(size), &[F32S]),
    kernel("elementary", "sin_f32", &[], |size, _| f32s(size), &[F32S]),
    kernel("elementary", "cos_f32", &[], |size, _| f32s(size), &[F32S]),
    kernel("elementary", "tanh_f32", &[], |size, _| f32s(size), &[F32S]),
    kernel("elementary", "pow_f32", &[], |size, _| f32s(size), &[F32S]),
    kernel("grids", "heat_3d", &[], |size, _| vec![cube(size)], &[F32SSS]),
    kernel("grids", "edges_f32", &[], |size, _| vec![image(size)], &[F32SS]),
    kernel("grids", "mesh_step", &[], |size, _| mesh(size / 16), &[F64S; 5]),
    kernel("solvers", "blocked_lu", &[], |size, _| vec![dominant(size)], &[F64SS]),
    kernel("solvers", "products_32", &[], |size, _| blocks(size), &[F64SSS]),
    kernel("solvers", "tridiagonal", &[], |size, _| diagonals(size), &[F64SS]),
    kernel("solvers", "learn_step", &[], |size, _| network(size), &[F64SS, F64S, F64]),
    kernel("samples", "path_prices", &[], |size, _| market(size), &[F64]),
    kernel(
        "samples",
        "means_step",
        &[],
        |size, _| vec![rows(40, 8), rows(size, 8)],
        &[F64SS, I64S],
    ),
    kernel("samples", "clamped_histogram", &[], |size, _| picture(size), &[U8S]),
    kernel("samples", "cell_forces", &[], |size, _| cells(size), &[F64SS; 4]),
    kernel("samples", "angles", &[], |size, _| directions(size), &[I64S]),
    kernel("sorts", "sort_i32", &[], |size, _| vec![wide_i32s(size)], &[I32S]),
    kernel("sorts", "sort_i64", &[], |size, _| vec![wide_i64s(size)], &[I64S]),
    kernel("sorts", "sort_f32", &[], |size, _| f32s(size), &[F32S]),
    kernel("sorts", "sort_f64", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("sorts", "order_i64", &[], |size, _| vec![wide_i64s(size)], &[I64S]),
    kernel("sorts", "sort_merged_i64", &[], |size, _| vec![wide_i64s(size)], &[I64S]),
    kernel("sorts", "group_sum_i32", &[], |size, _| keyed_i32(size), &[I32S]),
    kernel("sorts", "group_sum_16_f64", &[], |size, _| keyed_f64(size), &[F64S]),
    program("quickhull", |size, _| points(size).into(), &[F64S, F64S]),
    program("closest_points", |size, _| points(size).into(), &[F64]),
    program("quadtree", leaves, QUADTREE),
];

/// Integers from -1000 to 1000.
fn i32s(size: usize, arrays: u64) -> Vec<Value> {
    let narrow = |number: i64| i32::try_from(number - 1000).expect("at most 1000");
    let array = |seed| integers(size, seed, 2001).map(narrow).collect::<Vec<i32>>();
    (1..=arrays).map(|seed| Value::from(array(seed))).collect()
}

fn i64s(size: usize) -> Vec<Value> {
    vec![Value::from(integers(size, 1, 2001).map(|number| number - 1000).collect::<Vec<i64>>())]
}

/// Integers of nearly the whole range of the type.
fn wide_i64s(size: usize) -> Value {
    Value::from(integers(size, 1, 1 << 62).map(|number| number - (1 << 61)).collect::<Vec<i64>>())
}

/// Integers of the whole range of the type.
fn wide_i32s(size: usize) -> Value {
    let narrow = |number: i64| i32::try_from(number - (1 << 31)).expect("32 bits");
    Value::from(integers(size, 1, 1 << 32).map(narrow).collect::<Vec<i32>>())
}

/// Keys below a bound.
fn keys(size: usize, below: u64) -> Value {
    let narrow = |number: i64| i32::try_from(number).expect("a small bound");
    Value::from(integers(size, 3, below).map(narrow).collect::<Vec<i32>>())
}

/// Keys of a thousand groups, and integers.
fn keyed_i32(size: usize) -> Vec<Value> {
    [vec![keys(size, 1000)], i32s(size, 1)].concat()
}

/// Keys of sixteen groups, and floats.
fn keyed_f64(size: usize) -> Vec<Value> {
    [vec![keys(size, 16)], f64s(size, 1)].concat()
}

/// Floats from -1 to 1.
fn f64s(size: usize, arrays: u64) -> Vec<Value> {
    let array = |seed| floats(size, seed).map(|float| 2.0 * float - 1.0).collect::<Vec<f64>>();
    (1..=arrays).map(|seed| Value::from(array(seed))).collect()
}

/// Two arrays of half as many floats.
fn halves(size: usize) -> Vec<Value> {
    f64s(size / 2, 2)
}

/// The first of three choices, and floats.
fn chosen(size: usize) -> Vec<Value> {
    std::iter::once(Value::from(1_i64)).chain(f64s(size, 1)).collect()
}

/// The same floats in half as many bits.
fn f32s(size: usize) -> Vec<Value> {
    #[allow(clippy::cast_possible_truncation, reason = "it rounds to the nearest")]
    let array = floats(size, 1).map(|float| (2.0 * float - 1.0) as f32).collect::<Vec<f32>>();
    vec![Value::from(array)]
}

/// A limit below `top`, and integers from 0 to 99; `keep` percent of them are above it.
fn above_i32(size: usize, top: i32, keep: u32) -> Vec<Value> {
    let limit = top - i32::try_from(keep).expect("a percentage");
    let narrow = |number| i32::try_from(number).expect("below 100");
    vec![Value::from(limit), Value::from(integers(size, 1, 100).map(narrow).collect::<Vec<i32>>())]
}

fn above_i64(size: usize, top: i64, keep: u32) -> Vec<Value> {
    let limit = top - i64::from(keep);
    vec![Value::from(limit), Value::from(integers(size, 1, 100).collect::<Vec<i64>>())]
}

fn above_f64(size: usize, keep: u32) -> Vec<Value> {
    let limit = 1.0 - f64::from(keep) / 100.0;
    vec![Value::from(limit), Value::from(floats(size, 1).collect::<Vec<f64>>())]
}

/// Points of the unit square, and a horizontal line with `keep` percent of them left of it.
fn left_of_line(size: usize, keep: u32) -> Vec<Value> {
    let height = 1.0 - f64::from(keep) / 100.0;
    let line = [0.0, height, 1.0, height].map(Value::from);
    line.into_iter().chain(points(size)).collect()
}

/// Points of the unit square, and its centre.
fn around_centre(size: usize, _keep: u32) -> Vec<Value> {
    [0.5, 0.5].map(Value::from).into_iter().chain(points(size)).collect()
}

/// Points of the unit square, and how many a leaf may have.
fn leaves(size: usize, _keep: u32) -> Vec<Value> {
    points(size).into_iter().chain([Value::from(100_i64)]).collect()
}

fn points(size: usize) -> [Value; 2] {
    [3, 4].map(|seed| Value::from(floats(size, seed).collect::<Vec<f64>>()))
}

/// Points of the unit circle.
fn circle(size: usize) -> [Value; 2] {
    #[allow(clippy::cast_precision_loss, reason = "a few million points are told apart")]
    let angle = |at: usize| std::f64::consts::TAU * at as f64 / size as f64;
    let each =
        |of: fn(f64) -> f64| Value::from((0..size).map(|at| of(angle(at))).collect::<Vec<f64>>());
    [each(f64::cos), each(f64::sin)]
}

/// A square matrix of about `size` elements.
fn square(size: usize, _keep: u32) -> Vec<Value> {
    let side = side(size);
    vec![matrix([side, side])]
}

/// A matrix of about `size` elements, with `row` elements in each row.
fn rows(size: usize, row: usize) -> Value {
    matrix([(size / row).max(1), row])
}

/// A matrix of about `size` elements, with `count` rows.
fn columns(size: usize, count: usize) -> Value {
    matrix([count, size / count])
}

fn matrix(shape: [usize; 2]) -> Value {
    array(&shape, ArrayData::F64(floats(shape[0] * shape[1], 1).collect()))
}

/// An array of that shape.
fn array(shape: &[usize], data: ArrayData) -> Value {
    let shape = shape.iter().map(|&extent| i64::try_from(extent).expect("a small array")).collect();
    Value::Array(ArrayValue::new(shape, data).expect("as many as the shape says"))
}

fn digits(size: usize) -> Vec<Value> {
    let narrow = |digit| i32::try_from(digit).expect("a digit");
    vec![Value::from(integers(size, 1, 10).map(narrow).collect::<Vec<i32>>())]
}

/// Points of the plane around the Mandelbrot set, row by row: neighbours are near each other.
fn plane(size: usize) -> Vec<Value> {
    let side = side(size).max(1);
    let at = |number: usize| f32::from(u16::try_from(number).expect("a short side"));
    let length = at(side);
    let points = (0..side * side).map(|point| {
        (3.0 * at(point % side) / length - 2.0, 2.0 * at(point / side) / length - 1.0)
    });
    let (xs, ys): (Vec<f32>, Vec<f32>) = points.unzip();
    vec![Value::from(xs), Value::from(ys)]
}

fn seeds(size: usize) -> Vec<Value> {
    let narrow = |seed| i32::try_from(seed + 1).expect("a small number");
    vec![Value::from(integers(size, 1, 1 << 30).map(narrow).collect::<Vec<i32>>())]
}

/// 50 coefficients, and the points.
fn polynomial(size: usize) -> Vec<Value> {
    let mut inputs = f64s(50, 1);
    inputs.extend(f64s(size, 1));
    inputs
}

/// Two square matrices. Their product takes about `size` multiplications.
fn cubed(size: usize, _keep: u32) -> Vec<Value> {
    let side = (1..).find(|side| side * side * side >= size).expect("a side");
    vec![matrix([side, side]), matrix([side, side])]
}

/// The side of a square of about `size` elements.
fn side(size: usize) -> usize {
    size.isqrt()
}

/// 1,000 buckets.
fn buckets(size: usize, _keep: u32) -> Vec<Value> {
    let narrow = |number| i32::try_from(number).expect("a small number");
    let numbers = integers(size, 1, 1 << 20).map(narrow).collect::<Vec<i32>>();
    vec![Value::from(1000_i64), Value::from(numbers)]
}

/// A vector, and one of as many elements, given by places and values.
fn sparse(size: usize, _keep: u32) -> Vec<Value> {
    let [xs, values] = [1, 3].map(|seed| floats(size, seed).collect::<Vec<f64>>());
    let at = integers(size, 2, whole(size)).collect::<Vec<i64>>();
    vec![Value::from(xs), Value::from(at), Value::from(values)]
}

/// A table as long as the indices.
fn places(size: usize, _keep: u32) -> Vec<Value> {
    let mut inputs = i32s(size, 1);
    inputs.push(Value::from(integers(size, 2, whole(size)).collect::<Vec<i64>>()));
    inputs
}

/// The edge length of a cube with about `size` elements.
fn edge(size: usize) -> usize {
    (1..).find(|edge: &usize| edge.pow(3) >= size).expect("an edge")
}

/// A cubic array with about `size` elements.
fn cube(size: usize) -> Value {
    array(&[edge(size); 3], narrow(edge(size).pow(3)))
}

/// An array of that rank, with as many elements in each dimension, and about `size` in all.
fn space(size: usize, rank: u32) -> Value {
    let extent = (1..).find(|extent: &usize| (extent + 1).pow(rank) > size).expect("an extent");
    let shape = vec![extent; usize::try_from(rank).expect("a small number")];
    array(&shape, ArrayData::F64(floats(extent.pow(rank), 1).collect()))
}

/// An array of that rank, and a change that it hardly exceeds.
fn converging(size: usize, rank: u32) -> Vec<Value> {
    vec![space(size, rank), Value::from(0.9)]
}

/// Ten steps, and a square mesh with about a tenth of `size` points that are off their places.
fn crooked(size: usize) -> Vec<Value> {
    let side = side(size / 10);
    let off = |seed, straight: fn(usize, usize) -> usize| {
        let points = floats(side * side, seed).enumerate();
        let points = points.map(|(at, float)| wide(straight(at, side)) + 0.3 * float);
        array(&[side; 2], ArrayData::F64(points.collect()))
    };
    vec![Value::from(10_i64), off(1, |at, side| at % side), off(2, |at, side| at / side)]
}

/// A square board with about `size` cells.
fn board(size: usize) -> Value {
    let cells = integers(side(size).pow(2), 1, 3).map(|cell| cell == 0).collect();
    array(&[side(size); 2], ArrayData::Bool(cells))
}

/// Ten steps of water on a square with about a tenth of `size` points, and the step's length.
fn basin(size: usize) -> Vec<Value> {
    let side = side(size / 10);
    let field = |seed, low: f64| {
        let points = floats(side * side, seed).map(move |float| low + 0.1 * float);
        array(&[side; 2], ArrayData::F64(points.collect()))
    };
    vec![Value::from(0.05), Value::from(10_i64), field(1, 1.0), field(2, -0.05), field(3, -0.05)]
}

/// Two pictures whose blocks take about `size` comparisons of pixels.
fn film(size: usize) -> Vec<Value> {
    let side = side(size / 81);
    let narrow = |number| u8::try_from(number).expect("a small number");
    let picture = |seed| ArrayData::U8(integers(side * side, seed, 256).map(narrow).collect());
    [1, 2].map(|seed| array(&[side; 2], picture(seed))).to_vec()
}

/// A square grey image with about `size` pixels.
fn image(size: usize) -> Value {
    array(&[side(size); 2], narrow(side(size).pow(2)))
}

/// Floats from 0 up to 1 in half as many bits.
fn narrow(size: usize) -> ArrayData {
    #[allow(clippy::cast_possible_truncation, reason = "it rounds to the nearest")]
    ArrayData::F32(floats(size, 1).map(|float| float as f32).collect())
}

/// A time step and a mesh of cells with four faces each. A face leads to a nearby cell; one face in fifty is a wall.
fn mesh(size: usize) -> Vec<Value> {
    let size = size.max(1);
    let behind = integers(4 * size, 7, 64).zip(integers(4 * size, 8, 50)).enumerate();
    let behind = behind.map(|(face, (far, wall))| {
        let cell = i64::try_from((face / 4 + size) % size).expect("a small number");
        let last = i64::try_from(size - 1).expect("a small number");
        let near = (cell + far - 32).clamp(0, last);
        if wall == 0 { -1 } else { i32::try_from(near).expect("a small number") }
    });
    let behind = ArrayData::I32(behind.collect());
    let component = |seed, low: f64| floats(4 * size, seed).map(move |float| float + low).collect();
    let normals = [11, 12, 13].map(|seed| array(&[size, 4], ArrayData::F64(component(seed, -0.5))));
    let state =
        |seed, low: f64| floats(size, seed).map(move |float| float + low).collect::<Vec<f64>>();
    let cells = [(14, 1.0), (15, -0.5), (16, -0.5), (17, -0.5), (18, 2.0)];
    let mut inputs = vec![Value::from(0.01), array(&[size, 4], behind)];
    inputs.extend(normals);
    inputs.extend(cells.map(|(seed, low)| Value::from(state(seed, low))));
    inputs
}

/// A diagonally dominant matrix, which needs no pivoting. Its factorisation takes about `size` steps.
fn dominant(size: usize) -> Value {
    let side = edge(3 * size);
    let large = |place: usize| if place.is_multiple_of(side + 1) { 2.0 * wide(side) } else { 0.0 };
    let data = floats(side * side, 1).enumerate().map(|(place, float)| float + large(place));
    array(&[side, side], ArrayData::F64(data.collect()))
}

/// Two arrays of small matrices. Their products take about `size` multiplications.
fn blocks(size: usize) -> Vec<Value> {
    let count = (size >> 15).max(1);
    let blocks = |seed| ArrayData::F64(floats(count << 10, seed).collect());
    [1, 2].map(|seed| array(&[count, 32, 32], blocks(seed))).to_vec()
}

/// Systems of 128 equations with three diagonals; the middle one is dominant.
fn diagonals(size: usize) -> Vec<Value> {
    let count = (size / 128).max(1);
    let diagonal =
        |seed, low: f64| floats(count * 128, seed).map(move |float| float + low).collect();
    [(1, -0.5), (2, 2.0), (3, -0.5), (4, 0.0)]
        .map(|(seed, low)| array(&[count, 128], ArrayData::F64(diagonal(seed, low))))
        .to_vec()
}

/// A rate, a target, inputs, and weights to 16 and from 16 nodes.
fn network(size: usize) -> Vec<Value> {
    let inputs = (size / 16).max(1);
    let scale = 1.0 / wide(inputs);
    let weights = floats(inputs * 16, 2).map(|float| scale * float).collect();
    let [xs, vs] =
        [(inputs, 1), (16, 3)].map(|(count, seed)| floats(count, seed).collect::<Vec<f64>>());
    let weights = array(&[inputs, 16], ArrayData::F64(weights));
    vec![Value::from(0.3), Value::from(0.1), Value::from(xs), weights, Value::from(vs)]
}

/// Paths over 40 dates, and a volatility.
fn market(size: usize) -> Vec<Value> {
    let paths = i64::try_from(size / 40).expect("a small number");
    vec![Value::from(paths), Value::from(40_i64), Value::from(0.2)]
}

/// A square picture with about `size` pixels. The pixels have 1,000 different values.
fn picture(size: usize) -> Vec<Value> {
    let narrow = |number| i32::try_from(number).expect("a small number");
    let pixels = integers(side(size).pow(2), 1, 1000).map(narrow).collect();
    vec![Value::from(1000_i64), array(&[side(size); 2], ArrayData::I32(pixels))]
}

/// Cells of 16 particles each. Neighbouring cells have about `size` pairs of particles.
fn cells(size: usize) -> Vec<Value> {
    let edge = edge((size / (27 * 256)).max(1));
    let cells = edge.pow(3);
    let component = |seed| array(&[cells, 16], ArrayData::F64(floats(cells * 16, seed).collect()));
    let edge = i64::try_from(edge).expect("a small number");
    [Value::from(edge)].into_iter().chain([1, 2, 3, 4].map(component)).collect()
}

/// The cosines of 20 angles and two sets of directions. The sets have about `size` pairs.
fn directions(size: usize) -> Vec<Value> {
    let cosines = (1..=20_u8).map(|bin| (f64::from(bin) * 0.15).cos()).collect::<Vec<f64>>();
    let set = |seed| {
        let points = [seed, seed + 1, seed + 2]
            .map(|seed| floats(side(size), seed).map(|float| 2.0 * float - 1.0));
        let [xs, ys, zs] = points;
        let unit =
            |((x, y), z): ((f64, f64), f64)| [x, y, z].map(|part| part / x.hypot(y).hypot(z));
        let units: Vec<[f64; 3]> = xs.zip(ys).zip(zs).map(unit).collect();
        [0, 1, 2].map(|part| Value::from(units.iter().map(|unit| unit[part]).collect::<Vec<f64>>()))
    };
    [Value::from(cosines)].into_iter().chain(set(1)).chain(set(4)).collect()
}

/// A small number as a float.
fn wide(number: usize) -> f64 {
    f64::from(u32::try_from(number).expect("a small number"))
}
