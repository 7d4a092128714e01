//! The kernels that are measured: those of the papers, and those that surround them in real programs.
//!
//! Invariant: `programs/PROGRAM.arr`, or the example of that name, has the entry, `programs/PROGRAM.c` the same function twice,
//! fused by hand as `ENTRY__uniform` and a combinator at a time as `ENTRY_unfused__uniform`.

use arr_runtime::host::{Scalar, Value, ValueType};

use crate::inputs::{
    above_f64, above_i32, above_i64, around_centre, basin, blocks, board, buckets, cells, chosen,
    circle, colours, columns, converging, crooked, cube, cubed, denominators, diagonals, digits,
    directions, dominant, edge, f32s, f64s, film, fractions_i32, fractions_i64, given, graph,
    groups_of_four, halves, i32s, i64s, image, keyed_f64, keyed_i32, layer, leaves, left_of_line,
    market, matrix, mesh, messages, network, numerators, octets, oscillators, picture, places,
    plane, points, polynomial, roads, rows, scaled, seeds, side, small, space, spaced, sparse,
    square, symmetric, text, things, wide_i32s, wide_i64s,
};

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
const U8SS: ValueType = ValueType::Array { scalar: Scalar::U8, rank: 2 };
const U8SSS: ValueType = ValueType::Array { scalar: Scalar::U8, rank: 3 };
const U32SS: ValueType = ValueType::Array { scalar: Scalar::U32, rank: 2 };
const F32SS: ValueType = ValueType::Array { scalar: Scalar::F32, rank: 2 };
const F32SSS: ValueType = ValueType::Array { scalar: Scalar::F32, rank: 3 };
const I32SS: ValueType = ValueType::Array { scalar: Scalar::I32, rank: 2 };
const I64SS: ValueType = ValueType::Array { scalar: Scalar::I64, rank: 2 };
const BOOL: ValueType = ValueType::Scalar(Scalar::Bool);
const BOOLS: ValueType = ValueType::Array { scalar: Scalar::Bool, rank: 1 };
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

/// The folds and maps whose loop in C several threads can share, by `PARALLEL` in front of it.
pub(crate) const SHARED: [&str; 11] = [
    "dot_i32",
    "dot_f64",
    "inner_f64",
    "map_map_i32",
    "sum_above_i32",
    "sum_above_f64",
    "normalize2_i32",
    "normalize2_i64",
    "normalize2_f64",
    "min_max_i32",
    "min_max_f64",
];

/// Every kernel, in the order of the table.
pub(crate) const KERNELS: [Kernel; 171] = [
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
    kernel("spaces", "space_blocks_f64", &[], |size, _| spaced(square(size, 0), 40, 24), &[F64SS]),
    kernel("spaces", "space_bands_f64", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("spaces", "space_bands_given_f64", &[], |size, _| spaced(f64s(size, 1), 16, 4), &[F64S]),
    kernel("spaces", "space_boxes_f64", &[], square, &[F64SS]),
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
    kernel("boundaries", "clamp_1_f64", &[], |size, _| vec![space(size, 1)], &[F64S]),
    kernel("boundaries", "wrap_1_f64", &[], |size, _| vec![space(size, 1)], &[F64S]),
    kernel("boundaries", "reflect_1_f64", &[], |size, _| vec![space(size, 1)], &[F64S]),
    kernel("boundaries", "constant_1_f64", &[], |size, _| vec![space(size, 1)], &[F64S]),
    kernel("boundaries", "clamp_2_f64", &[], |size, _| vec![space(size, 2)], &[F64SS]),
    kernel("boundaries", "wrap_2_f64", &[], |size, _| vec![space(size, 2)], &[F64SS]),
    kernel("boundaries", "reflect_2_f64", &[], |size, _| vec![space(size, 2)], &[F64SS]),
    kernel("boundaries", "constant_2_f64", &[], |size, _| vec![space(size, 2)], &[F64SS]),
    kernel("boundaries", "clamp_3_f64", &[], |size, _| vec![space(size, 3)], &[F64SSS]),
    kernel("boundaries", "wrap_3_f64", &[], |size, _| vec![space(size, 3)], &[F64SSS]),
    kernel("boundaries", "reflect_3_f64", &[], |size, _| vec![space(size, 3)], &[F64SSS]),
    kernel("boundaries", "constant_3_f64", &[], |size, _| vec![space(size, 3)], &[F64SSS]),
    kernel("scans", "scan_i32", &[], |size, _| i32s(size, 1), &[I32S]),
    kernel("scans", "scan_f64", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("producers", "append_sum_f64", &[], |size, _| halves(size), &[F64]),
    kernel("producers", "append_store_f64", &[], |size, _| halves(size), &[F64S]),
    kernel("producers", "choice_sum_f64", &[], |size, _| chosen(size), &[F64]),
    kernel("producers", "scan_filter_i64", &[], |size, _| i64s(size), &[I64S]),
    kernel("producers", "running_mean_f64", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("producers", "differences_f64", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("producers", "filtered_histogram_i64", &[], |size, _| i64s(size), &[I64S]),
    kernel("producers", "word_lengths_i64", &[], |size, _| i64s(size), &[I64S]),
    kernel("producers", "kept_neighbours_i64", &[], |size, _| i64s(size), &[I64]),
    kernel("producers", "hull_position_f64", KEEPS, left_of_line, &[F64S, F64S, I64]),
    kernel("parts", "flatmap_i32", &[], |size, _| i32s(size, 1), &[I32S]),
    kernel("boxes", "window_means_f64", &[], |size, _| given(9, f64s(size, 1)), &[F64S]),
    kernel("boxes", "window_maxima_i32", &[], |size, _| given(9, i32s(size, 1)), &[I32S]),
    kernel("boxes", "boxes_f32", &[], |size, _| vec![image(size), image(25)], &[F32SS]),
    kernel("boxes", "similar_f64", &[], |size, keep| given(3, square(size, keep)), &[F64SS]),
    kernel(
        "boxes",
        "correlated_f64",
        &[],
        |size, _| vec![matrix([side(size); 2]), matrix([5, 5])],
        &[F64SS],
    ),
    kernel("tables", "histogram_i32", &[], buckets, &[I32S]),
    kernel("tables", "many_sums_i64", &[], groups_of_four, &[I64S]),
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
    kernel("lanes", "product_of_counts_f64", &[], cubed, &[F64SS]),
    kernel("lanes", "oscillators_f64", &[], |size, _| oscillators(size / 50), &[F64SS]),
    kernel("divisions", "tenths_i64", &[], |size, _| i64s(size), &[I64S]),
    kernel("divisions", "ratios_i32", &[], |size, _| fractions_i32(size), &[I32S]),
    kernel("divisions", "ratios_i64", &[], |size, _| fractions_i64(size), &[I64S]),
    kernel("divisions", "gcd_i32", &[], |size, _| fractions_i32(size / 10), &[I32S]),
    kernel("divisions", "gcd_i64", &[], |size, _| fractions_i64(size / 10), &[I64S]),
    kernel("divisions", "digits_i64", &[], |size, _| vec![numerators(size / 5)], &[I64S]),
    kernel("divisions", "prime_i64", &[], |size, _| vec![denominators(size / 10)], &[BOOLS]),
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
    kernel("planes", "integral_f32", &[], |size, _| vec![image(size)], &[F32SS]),
    kernel("planes", "channels_f32", &[], |size, _| layer(size), &[F32SSS]),
    kernel("planes", "knapsack_i64", &[], |size, _| things(size), &[I64]),
    kernel("grids", "heat_3d", &[], |size, _| vec![cube(size)], &[F32SSS]),
    kernel("grids", "edges_f32", &[], |size, _| vec![image(size)], &[F32SS]),
    kernel("grids", "mesh_step", &[], |size, _| mesh(size / 16), &[F64S; 5]),
    kernel("solvers", "blocked_lu", &[], |size, _| vec![dominant(size)], &[F64SS]),
    kernel(
        "solvers",
        "library_lu",
        &[],
        |size, _| vec![matrix([edge(3 * size); 2])],
        &[F64SS, I64S],
    ),
    kernel("solvers", "library_inverse", &[], |size, _| vec![dominant(size / 3)], &[F64SS]),
    kernel("solvers", "library_cholesky", &[], |size, _| vec![dominant(2 * size)], &[F64SS]),
    kernel("solvers", "scaled_product", &[], scaled, &[F64SS]),
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
    kernel("bytes", "words_u8", &[], |size, _| vec![text(size)], &[I64, I64, I64]),
    kernel("bytes", "sha256_u32", &[], |size, _| vec![messages(size / 64)], &[U32SS]),
    kernel("sorts", "sort_i32", &[], |size, _| vec![wide_i32s(size)], &[I32S]),
    kernel("sorts", "sort_i64", &[], |size, _| vec![wide_i64s(size)], &[I64S]),
    kernel("sorts", "sort_f32", &[], |size, _| f32s(size), &[F32S]),
    kernel("sorts", "sort_f64", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("sorts", "order_i64", &[], |size, _| vec![wide_i64s(size)], &[I64S]),
    kernel("sorts", "sort_merged_i64", &[], |size, _| vec![wide_i64s(size)], &[I64S]),
    kernel("sorts", "group_sum_i32", &[], |size, _| keyed_i32(size), &[I32S]),
    kernel("sorts", "group_sum_16_f64", &[], |size, _| keyed_f64(size), &[F64S]),
    kernel("ranks", "greatest_f64", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("ranks", "smallest_f64", &[], |size, _| f64s(size, 1), &[F64S]),
    kernel("ranks", "middle_f64", &[], |size, _| f64s(size, 1), &[F64]),
    kernel("ranks", "median_filter_i32", &[], |size, _| picture(size).split_off(1), &[I32SS]),
    kernel("ranks", "median_filter_f32", &[], |size, _| f32s(size), &[F32S]),
    kernel("graphs", "levels_i64", &[], |size, _| graph(size), &[I64S]),
    kernel("graphs", "levels_flatmap_i64", &[], |size, _| graph(size), &[I64S]),
    kernel("graphs", "queue_i64", &[], |size, _| graph(size), &[I64S]),
    recursion("graphs", "shortest_f64", |size, _| roads(size), &[F64S]),
    kernel("matrices", "products_4", &[], |size, _| small(size, 4, 2), &[F64SSS]),
    kernel("matrices", "eigenvalues_3", &[], |size, _| symmetric(size), &[F64SS]),
    kernel("octets", "turned_u8", &[], |size, _| vec![colours(size)], &[U8SSS]),
    kernel("octets", "neighbours_bool", &[], |size, _| vec![board(size)], &[U8SS]),
    kernel("octets", "base64_u8", &[], |size, _| vec![octets(3 * (size / 3), 1)], &[U8S]),
    kernel(
        "octets",
        "edit_distance_u8",
        &[],
        |size, _| vec![octets(side(size), 1), octets(side(size), 2)],
        &[I32],
    ),
    program("quickhull", |size, _| points(size).into(), &[F64S, F64S]),
    program("closest_points", |size, _| points(size).into(), &[F64]),
    program("quadtree", leaves, QUADTREE),
];
