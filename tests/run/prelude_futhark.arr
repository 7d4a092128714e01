-- Names of the prelude that Futhark's programs use.

-- ==
-- entry: converted
-- input { 3 -2.9f32 2.9 } output { 3.0f32 3.0 -2 2 }
-- input { 16777217 f32.nan 1e20 } output { 16777216.0f32 16777217.0 0 2147483647 }
entry converted (x: i32) (y: f32) (z: f64): (f32, f64, i32, i32) = (r32 x, r64 x, t32 y, t64 z)

-- ==
-- entry: iterated
-- input { 10 1i64 } output { 1024i64 }
-- input { 0 7i64 } output { 7i64 }
-- input { -3 7i64 } output { 7i64 }
entry iterated (n: i32) (x: i64): i64 = iterate n (* 2) x

-- ==
-- entry: iterated_arrays
-- input { 3 [1, 2, 3] } output { [8, 16, 24] }
-- input { 5 empty([0]i32) } output { empty([0]i32) }
entry iterated_arrays [n] (k: i32) (xs: [n]i32): [n]i32 = iterate k (map (* 2)) xs

-- ==
-- entry: unmoved
-- input { [3, 1, 2] } output { [4, 2, 3] 9 }
entry unmoved [n] (xs: [n]i32): ([n]i32, i32) =
  let ys = manifest (map (+ 1) (opaque xs))
  in (ys, i32.sum ys)

-- What lies outside in either dimension is ignored.
-- ==
-- entry: counted_2d
-- input { [0i64, 1i64, 1i64, 2i64, -1i64, 0i64, 1i64] [1i64, 2i64, 2i64, 0i64, 0i64, 3i64, -1i64] }
-- output { [[10, 11, 10], [10, 10, 12]] }
-- input { empty([0]i64) empty([0]i64) } output { [[10, 10, 10], [10, 10, 10]] }
entry counted_2d [n] (is: [n]i64) (js: [n]i64): [2][3]i32 =
  reduce_by_index_2d (replicate 2 (replicate 3 10)) (+) 0 (zip is js) (replicate n 1)

-- ==
-- entry: largest_3d
-- input { [0i64, 0i64, 1i64, 1i64, 0i64] [0i64, 0i64, 1i64, 0i64, 2i64] [1i64, 1i64, 0i64, 2i64, 0i64] [5, 3, 7, 9, 9] }
-- output { [[[0, 5], [0, 0]], [[0, 0], [7, 0]]] }
entry largest_3d [n] (is: [n]i64) (js: [n]i64) (ks: [n]i64) (xs: [n]i32): [2][2][2]i32 =
  let start = replicate 2 (replicate 2 (replicate 2 0))
  in reduce_by_index_3d start i32.max i32.lowest (zip3 is js ks) xs
