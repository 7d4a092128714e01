//! The inputs of the kernels: arrays of pseudo-random values, each made from its size alone.
//!
//! Invariant: two calls with the same arguments give the same arrays.

use arr_runtime::host::{ArrayData, ArrayValue, Value};

use crate::data::{floats, integers, whole};

/// Integers from -1000 to 1000.
pub(crate) fn i32s(size: usize, arrays: u64) -> Vec<Value> {
    let narrow = |number: i64| i32::try_from(number - 1000).expect("at most 1000");
    let array = |seed| integers(size, seed, 2001).map(narrow).collect::<Vec<i32>>();
    (1..=arrays).map(|seed| Value::from(array(seed))).collect()
}

pub(crate) fn i64s(size: usize) -> Vec<Value> {
    vec![Value::from(integers(size, 1, 2001).map(|number| number - 1000).collect::<Vec<i64>>())]
}

/// Integers of nearly the whole range of the type.
pub(crate) fn wide_i64s(size: usize) -> Value {
    Value::from(integers(size, 1, 1 << 62).map(|number| number - (1 << 61)).collect::<Vec<i64>>())
}

/// Integers of the whole range of the type.
pub(crate) fn wide_i32s(size: usize) -> Value {
    let narrow = |number: i64| i32::try_from(number - (1 << 31)).expect("32 bits");
    Value::from(integers(size, 1, 1 << 32).map(narrow).collect::<Vec<i32>>())
}

/// Keys below a bound.
fn keys(size: usize, below: u64) -> Value {
    let narrow = |number: i64| i32::try_from(number).expect("a small bound");
    Value::from(integers(size, 3, below).map(narrow).collect::<Vec<i32>>())
}

/// Keys of a thousand groups, and integers.
pub(crate) fn keyed_i32(size: usize) -> Vec<Value> {
    [vec![keys(size, 1000)], i32s(size, 1)].concat()
}

/// Keys of sixteen groups, and floats.
pub(crate) fn keyed_f64(size: usize) -> Vec<Value> {
    [vec![keys(size, 16)], f64s(size, 1)].concat()
}

/// Floats from -1 to 1.
pub(crate) fn f64s(size: usize, arrays: u64) -> Vec<Value> {
    let array = |seed| floats(size, seed).map(|float| 2.0 * float - 1.0).collect::<Vec<f64>>();
    (1..=arrays).map(|seed| Value::from(array(seed))).collect()
}

/// Two arrays of `size / 2` floats each.
pub(crate) fn halves(size: usize) -> Vec<Value> {
    f64s(size / 2, 2)
}

/// The number 1, which selects the first of three arrays, and floats.
pub(crate) fn chosen(size: usize) -> Vec<Value> {
    std::iter::once(Value::from(1_i64)).chain(f64s(size, 1)).collect()
}

/// The first array of [`f64s`], rounded to 32 bits.
pub(crate) fn f32s(size: usize) -> Vec<Value> {
    #[allow(clippy::cast_possible_truncation, reason = "it rounds to the nearest")]
    let array = floats(size, 1).map(|float| (2.0 * float - 1.0) as f32).collect::<Vec<f32>>();
    vec![Value::from(array)]
}

/// A limit below `top`, and integers from 0 to 99; `keep` percent of them are above it.
pub(crate) fn above_i32(size: usize, top: i32, keep: u32) -> Vec<Value> {
    let limit = top - i32::try_from(keep).expect("a percentage");
    let narrow = |number| i32::try_from(number).expect("below 100");
    vec![Value::from(limit), Value::from(integers(size, 1, 100).map(narrow).collect::<Vec<i32>>())]
}

pub(crate) fn above_i64(size: usize, top: i64, keep: u32) -> Vec<Value> {
    let limit = top - i64::from(keep);
    vec![Value::from(limit), Value::from(integers(size, 1, 100).collect::<Vec<i64>>())]
}

pub(crate) fn above_f64(size: usize, keep: u32) -> Vec<Value> {
    let limit = 1.0 - f64::from(keep) / 100.0;
    vec![Value::from(limit), Value::from(floats(size, 1).collect::<Vec<f64>>())]
}

/// Points of the unit square, and a horizontal line with `keep` percent of them left of it.
pub(crate) fn left_of_line(size: usize, keep: u32) -> Vec<Value> {
    let height = 1.0 - f64::from(keep) / 100.0;
    let line = [0.0, height, 1.0, height].map(Value::from);
    line.into_iter().chain(points(size)).collect()
}

/// Points of the unit square, and its centre.
pub(crate) fn around_centre(size: usize, _keep: u32) -> Vec<Value> {
    [0.5, 0.5].map(Value::from).into_iter().chain(points(size)).collect()
}

/// Points of the unit square, and the greatest number of points in a leaf.
pub(crate) fn leaves(size: usize, _keep: u32) -> Vec<Value> {
    points(size).into_iter().chain([Value::from(100_i64)]).collect()
}

pub(crate) fn points(size: usize) -> [Value; 2] {
    [3, 4].map(|seed| Value::from(floats(size, seed).collect::<Vec<f64>>()))
}

/// Points of the unit circle.
pub(crate) fn circle(size: usize) -> [Value; 2] {
    #[allow(clippy::cast_precision_loss, reason = "a few million points are told apart")]
    let angle = |at: usize| std::f64::consts::TAU * at as f64 / size as f64;
    let each =
        |of: fn(f64) -> f64| Value::from((0..size).map(|at| of(angle(at))).collect::<Vec<f64>>());
    [each(f64::cos), each(f64::sin)]
}

/// A square matrix of about `size` elements.
pub(crate) fn square(size: usize, _keep: u32) -> Vec<Value> {
    let side = side(size);
    vec![matrix([side, side])]
}

/// An array, a step and a width.
pub(crate) fn spaced(mut of: Vec<Value>, step: i64, width: i64) -> Vec<Value> {
    of.extend([step, width].map(Value::from));
    of
}

/// A matrix of about `size` elements, with `row` elements in each row.
pub(crate) fn rows(size: usize, row: usize) -> Value {
    matrix([(size / row).max(1), row])
}

/// A matrix of about `size` elements, with `count` rows.
pub(crate) fn columns(size: usize, count: usize) -> Value {
    matrix([count, size / count])
}

pub(crate) fn matrix(shape: [usize; 2]) -> Value {
    array(&shape, ArrayData::F64(floats(shape[0] * shape[1], 1).collect()))
}

/// An array of that shape.
fn array(shape: &[usize], data: ArrayData) -> Value {
    let shape = shape.iter().map(|&extent| i64::try_from(extent).expect("a small array")).collect();
    Value::Array(ArrayValue::new(shape, data).expect("as many as the shape says"))
}

pub(crate) fn digits(size: usize) -> Vec<Value> {
    let narrow = |digit| i32::try_from(digit).expect("a digit");
    vec![Value::from(integers(size, 1, 10).map(narrow).collect::<Vec<i32>>())]
}

/// Points of the plane around the Mandelbrot set, row by row: neighbours are near each other.
pub(crate) fn plane(size: usize) -> Vec<Value> {
    let side = side(size).max(1);
    let at = |number: usize| f32::from(u16::try_from(number).expect("a short side"));
    let length = at(side);
    let points = (0..side * side).map(|point| {
        (3.0 * at(point % side) / length - 2.0, 2.0 * at(point / side) / length - 1.0)
    });
    let (xs, ys): (Vec<f32>, Vec<f32>) = points.unzip();
    vec![Value::from(xs), Value::from(ys)]
}

pub(crate) fn seeds(size: usize) -> Vec<Value> {
    let narrow = |seed| i32::try_from(seed + 1).expect("a small number");
    vec![Value::from(integers(size, 1, 1 << 30).map(narrow).collect::<Vec<i32>>())]
}

/// Integers from 1 to 10,000,000.
pub(crate) fn numerators(size: usize) -> Value {
    Value::from(integers(size, 1, 10_000_000).map(|number| number + 1).collect::<Vec<i64>>())
}

/// Integers from 1 to 5,000.
pub(crate) fn denominators(size: usize) -> Value {
    Value::from(integers(size, 2, 5000).map(|number| number + 1).collect::<Vec<i64>>())
}

pub(crate) fn fractions_i64(size: usize) -> Vec<Value> {
    vec![numerators(size), denominators(size)]
}

/// The same numbers in 32 bits.
pub(crate) fn fractions_i32(size: usize) -> Vec<Value> {
    let narrow = |number: i64| i32::try_from(number + 1).expect("a small number");
    let array =
        |seed, end| Value::from(integers(size, seed, end).map(narrow).collect::<Vec<i32>>());
    vec![array(1, 10_000_000), array(2, 5000)]
}

/// 50 coefficients, and the points.
pub(crate) fn polynomial(size: usize) -> Vec<Value> {
    let mut inputs = f64s(50, 1);
    inputs.extend(f64s(size, 1));
    inputs
}

/// Two square matrices. Their product takes about `size` multiplications.
pub(crate) fn cubed(size: usize, _keep: u32) -> Vec<Value> {
    let side = (1..).find(|side| side * side * side >= size).expect("a side");
    vec![matrix([side, side]), matrix([side, side])]
}

/// The side of a square of about `size` elements.
pub(crate) fn side(size: usize) -> usize {
    size.isqrt()
}

/// The number of buckets, which is 1,000, and integers.
pub(crate) fn buckets(size: usize, _keep: u32) -> Vec<Value> {
    let narrow = |number| i32::try_from(number).expect("a small number");
    let numbers = integers(size, 1, 1 << 20).map(narrow).collect::<Vec<i32>>();
    vec![Value::from(1000_i64), Value::from(numbers)]
}

/// A number of groups, four elements on average to a group, and the groups and values of the elements.
pub(crate) fn groups_of_four(size: usize, _keep: u32) -> Vec<Value> {
    let groups = whole(size.div_ceil(4));
    let keys = integers(size, 1, groups).collect::<Vec<i64>>();
    let values = integers(size, 3, 1000).collect::<Vec<i64>>();
    let groups = i64::try_from(groups).expect("a number of groups");
    vec![Value::from(groups), Value::from(keys), Value::from(values)]
}

/// A dense vector, and a sparse one: `size` indices and their values.
pub(crate) fn sparse(size: usize, _keep: u32) -> Vec<Value> {
    let [xs, values] = [1, 3].map(|seed| floats(size, seed).collect::<Vec<f64>>());
    let at = integers(size, 2, whole(size)).collect::<Vec<i64>>();
    vec![Value::from(xs), Value::from(at), Value::from(values)]
}

/// A table of integers, and as many indices into it.
pub(crate) fn places(size: usize, _keep: u32) -> Vec<Value> {
    let mut inputs = i32s(size, 1);
    inputs.push(Value::from(integers(size, 2, whole(size)).collect::<Vec<i64>>()));
    inputs
}

/// The edge length of a cube with about `size` elements.
pub(crate) fn edge(size: usize) -> usize {
    (1..).find(|edge: &usize| edge.pow(3) >= size).expect("an edge")
}

/// A cubic array with about `size` elements.
pub(crate) fn cube(size: usize) -> Value {
    array(&[edge(size); 3], narrow(edge(size).pow(3)))
}

/// An array of that rank, with the same length in each dimension and about `size` elements.
pub(crate) fn space(size: usize, rank: u32) -> Value {
    let extent = (1..).find(|extent: &usize| (extent + 1).pow(rank) > size).expect("an extent");
    let shape = vec![extent; usize::try_from(rank).expect("a small number")];
    array(&shape, ArrayData::F64(floats(extent.pow(rank), 1).collect()))
}

/// An array of that rank, and the greatest change of an element at which a relaxation ends.
pub(crate) fn converging(size: usize, rank: u32) -> Vec<Value> {
    vec![space(size, rank), Value::from(0.9)]
}

/// The number of steps, which is ten, and a square mesh with about `size / 10` points. Each point is a little off its
/// place on a regular grid.
pub(crate) fn crooked(size: usize) -> Vec<Value> {
    let side = side(size / 10);
    let off = |seed, straight: fn(usize, usize) -> usize| {
        let points = floats(side * side, seed).enumerate();
        let points = points.map(|(at, float)| wide(straight(at, side)) + 0.3 * float);
        array(&[side; 2], ArrayData::F64(points.collect()))
    };
    vec![Value::from(10_i64), off(1, |at, side| at % side), off(2, |at, side| at / side)]
}

/// A square board with about `size` cells.
pub(crate) fn board(size: usize) -> Value {
    let cells = integers(side(size).pow(2), 1, 3).map(|cell| cell == 0).collect();
    array(&[side(size); 2], ArrayData::Bool(cells))
}

/// The length of a time step, the number of steps, which is ten, and the state of water on a square with about
/// `size / 10` points.
pub(crate) fn basin(size: usize) -> Vec<Value> {
    let side = side(size / 10);
    let field = |seed, low: f64| {
        let points = floats(side * side, seed).map(move |float| low + 0.1 * float);
        array(&[side; 2], ArrayData::F64(points.collect()))
    };
    vec![Value::from(0.05), Value::from(10_i64), field(1, 1.0), field(2, -0.05), field(3, -0.05)]
}

/// Two pictures whose blocks take about `size` comparisons of pixels.
pub(crate) fn film(size: usize) -> Vec<Value> {
    let side = side(size / 81);
    let narrow = |number| u8::try_from(number).expect("a small number");
    let picture = |seed| ArrayData::U8(integers(side * side, seed, 256).map(narrow).collect());
    [1, 2].map(|seed| array(&[side; 2], picture(seed))).to_vec()
}

/// A square grey image with about `size` pixels.
pub(crate) fn image(size: usize) -> Value {
    array(&[side(size); 2], narrow(side(size).pow(2)))
}

/// A text of words of one to ten letters. Some letters take two bytes.
pub(crate) fn text(size: usize) -> Value {
    let byte = |number: i64| match number {
        0..=9 => b' ',
        10 => b'\n',
        11..=14 => 0xc3,
        15..=18 => 0xa4,
        letter => b'a' + u8::try_from(letter % 26).expect("a letter"),
    };
    array(&[size], ArrayData::U8(integers(size, 1, 60).map(byte).collect()))
}

/// Messages of one block each.
pub(crate) fn messages(count: usize) -> Value {
    let count = count.max(1);
    let words = integers(16 * count, 1, 1 << 32);
    let words = words.map(|word| u32::try_from(word).expect("32 bits")).collect();
    array(&[count, 16], ArrayData::U32(words))
}

/// 16 channels of a square image, and the weights of 16 results. About `size` windows of a channel are combined.
pub(crate) fn layer(size: usize) -> Vec<Value> {
    let side = side(size / 256).max(1) + 2;
    let weights = narrow(16 * 16 * 9);
    vec![array(&[16, side, side], narrow(16 * side * side)), array(&[16, 16, 3, 3], weights)]
}

/// Weights from 1 to 500 and values of 100 things, and the weight that they may have, so that the table has `size` elements.
pub(crate) fn things(size: usize) -> Vec<Value> {
    let numbers =
        |seed, end| integers(100, seed, end).map(|number| number + 1).collect::<Vec<i64>>();
    let most = i64::try_from(size / 100).expect("a small number");
    vec![Value::from(numbers(1, 500)), Value::from(numbers(2, 1000)), Value::from(most)]
}

/// 32-bit floats from 0 to 1.
fn narrow(size: usize) -> ArrayData {
    #[allow(clippy::cast_possible_truncation, reason = "it rounds to the nearest")]
    ArrayData::F32(floats(size, 1).map(|float| float as f32).collect())
}

/// A time step and a mesh of cells with four faces each. A face leads to a nearby cell; one face in fifty is a wall.
pub(crate) fn mesh(size: usize) -> Vec<Value> {
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
pub(crate) fn dominant(size: usize) -> Value {
    let side = edge(3 * size);
    let large = |place: usize| if place.is_multiple_of(side + 1) { 2.0 * wide(side) } else { 0.0 };
    let data = floats(side * side, 1).enumerate().map(|(place, float)| float + large(place));
    array(&[side, side], ArrayData::F64(data.collect()))
}

/// Two factors and three matrices. A product of two of the matrices takes about `size` multiplications.
pub(crate) fn scaled(size: usize, _keep: u32) -> Vec<Value> {
    let square = || matrix([edge(size); 2]);
    vec![Value::from(2.0), Value::from(0.5), square(), square(), square()]
}

/// Two arrays of small matrices. Their products take about `size` multiplications.
pub(crate) fn blocks(size: usize) -> Vec<Value> {
    let count = (size >> 15).max(1);
    let blocks = |seed| ArrayData::F64(floats(count << 10, seed).collect());
    [1, 2].map(|seed| array(&[count, 32, 32], blocks(seed))).to_vec()
}

/// Systems of 128 equations with three diagonals; the middle one is dominant.
pub(crate) fn diagonals(size: usize) -> Vec<Value> {
    let count = (size / 128).max(1);
    let diagonal =
        |seed, low: f64| floats(count * 128, seed).map(move |float| float + low).collect();
    [(1, -0.5), (2, 2.0), (3, -0.5), (4, 0.0)]
        .map(|(seed, low)| array(&[count, 128], ArrayData::F64(diagonal(seed, low))))
        .to_vec()
}

/// A rate, a target, inputs, the weights from the inputs to 16 nodes, and the weights from these nodes.
pub(crate) fn network(size: usize) -> Vec<Value> {
    let inputs = (size / 16).max(1);
    let scale = 1.0 / wide(inputs);
    let weights = floats(inputs * 16, 2).map(|float| scale * float).collect();
    let [xs, vs] =
        [(inputs, 1), (16, 3)].map(|(count, seed)| floats(count, seed).collect::<Vec<f64>>());
    let weights = array(&[inputs, 16], ArrayData::F64(weights));
    vec![Value::from(0.3), Value::from(0.1), Value::from(xs), weights, Value::from(vs)]
}

/// The number of paths, the number of dates, which is 40, and a volatility.
pub(crate) fn market(size: usize) -> Vec<Value> {
    let paths = i64::try_from(size / 40).expect("a small number");
    vec![Value::from(paths), Value::from(40_i64), Value::from(0.2)]
}

/// A square picture with about `size` pixels. The pixels have 1,000 different values.
pub(crate) fn picture(size: usize) -> Vec<Value> {
    let narrow = |number| i32::try_from(number).expect("a small number");
    let pixels = integers(side(size).pow(2), 1, 1000).map(narrow).collect();
    vec![Value::from(1000_i64), array(&[side(size); 2], ArrayData::I32(pixels))]
}

/// Cells of 16 particles each. Neighbouring cells have about `size` pairs of particles.
pub(crate) fn cells(size: usize) -> Vec<Value> {
    let edge = edge((size / (27 * 256)).max(1));
    let cells = edge.pow(3);
    let component = |seed| array(&[cells, 16], ArrayData::F64(floats(cells * 16, seed).collect()));
    let edge = i64::try_from(edge).expect("a small number");
    [Value::from(edge)].into_iter().chain([1, 2, 3, 4].map(component)).collect()
}

/// The cosines of 20 angles and two sets of directions. The sets have about `size` pairs.
pub(crate) fn directions(size: usize) -> Vec<Value> {
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

/// A number before other inputs.
pub(crate) fn given(number: i64, mut others: Vec<Value>) -> Vec<Value> {
    others.insert(0, Value::from(number));
    others
}

/// States of four numbers, and a number for each.
pub(crate) fn oscillators(size: usize) -> Vec<Value> {
    let size = size.max(1);
    vec![matrix([size, 4]), Value::from(floats(size, 2).collect::<Vec<f64>>())]
}

/// A graph with eight times as many edges as vertices, about `size` edges, and a vertex. Edges lead anywhere.
pub(crate) fn graph(size: usize) -> Vec<Value> {
    let vertices = (size / 8).max(1);
    let mut offsets = vec![0_i64];
    offsets.extend(integers(vertices, 1, 17).scan(0, |end, degree| {
        *end += degree;
        Some(*end)
    }));
    let edges = usize::try_from(offsets[vertices]).expect("a small number");
    let targets = integers(edges, 2, whole(vertices)).collect::<Vec<i64>>();
    vec![Value::from(offsets), Value::from(targets), Value::from(0_i64)]
}

/// The same graph, with a length for each edge.
pub(crate) fn roads(size: usize) -> Vec<Value> {
    let mut inputs = graph(size);
    let Value::Array(targets) = &inputs[1] else { unreachable!("an array of vertices") };
    let lengths = floats(targets.data().len(), 3).collect::<Vec<f64>>();
    inputs.insert(2, Value::from(lengths));
    inputs
}

/// Arrays of square matrices with that side. Each array has about `size` elements.
pub(crate) fn small(size: usize, side: usize, arrays: u64) -> Vec<Value> {
    let count = (size / (side * side)).max(1);
    let data = |seed| ArrayData::F64(floats(count * side * side, seed).collect());
    (1..=arrays).map(|seed| array(&[count, side, side], data(seed))).collect()
}

/// About `size / 50` symmetric matrices of 3 by 3 elements.
pub(crate) fn symmetric(size: usize) -> Vec<Value> {
    let count = (size / 50).max(1);
    let parts: Vec<f64> = floats(6 * count, 1).map(|float| 2.0 * float - 1.0).collect();
    let matrices =
        parts.chunks(6).flat_map(|part| [0, 1, 2, 1, 3, 4, 2, 4, 5].map(|at: usize| part[at]));
    vec![array(&[count, 3, 3], ArrayData::F64(matrices.collect()))]
}

/// A square picture with three colours, with about `size` bytes.
pub(crate) fn colours(size: usize) -> Value {
    let side = side(size / 3);
    array(&[side, side, 3], bytes(3 * side * side, 1))
}

/// Any bytes.
pub(crate) fn octets(size: usize, seed: u64) -> Value {
    array(&[size], bytes(size, seed))
}

fn bytes(size: usize, seed: u64) -> ArrayData {
    let narrow = |number| u8::try_from(number).expect("a byte");
    ArrayData::U8(integers(size, seed, 256).map(narrow).collect())
}
