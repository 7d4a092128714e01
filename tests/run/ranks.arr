-- Functions of arrays of any rank.

-- ==
-- entry: min_max
-- input { [3i32, -1i32, 2i32] [[4i32, 5i32], [6i32, -7i32]] [[[8i32], [9i32]]] } output { [-1i32, 3i32, -7i32, 6i32, 8i32, 9i32, 5i32, 5i32] }
def min_max_of [..s] (a: [..s]i32): (i32, i32) =
  (with { (0 <= iv < shape a) : a[iv] } : fold (i32.min, i32.highest),
   with { (0 <= iv < shape a) : a[iv] } : fold (i32.max, i32.lowest))

entry min_max [n] [m] [o] (a: [n]i32) (b: [n - 1][m]i32) (c: [n - 2][m][o]i32): [8]i32 =
  let (x, y) = min_max_of a
  let (z, w) = b |> min_max_of
  let (u, v) = min_max_of c
  let (s, t) = if n == 0 then (5, 5) else min_max_of 5
  in [x, y, z, w, u, v, s, t]

-- ==
-- entry: whole
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] } output { [[2i64, 3i64, 4i64], [5i64, 6i64, 7i64]] [[1i64, 4i64, 9i64], [16i64, 25i64, 36i64]] 21i64 [6i64, 15i64] 21i64 }
-- input { empty([0][3]i64) } output { empty([0][3]i64) empty([0][3]i64) 0i64 empty([0]i64) 0i64 }
def total [..s] (a: [..s]i64): i64 = if dim a == 0 then a else i64.sum (map (\x -> total x) a)

entry whole [n] [m] (a: [n][m]i64): ([n][m]i64, [n][m]i64, i64, [n]i64, i64) =
  (map_s (+ 1) a, map2_s (*) a a, reduce_s (+) 0 a, map (\row -> reduce_s (+) 0 row) a, total a)

-- ==
-- entry: rotated
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] 1i64 } output { [[4i64, 5i64, 6i64], [1i64, 2i64, 3i64]] [[2i64, 3i64, 1i64], [5i64, 6i64, 4i64]] [[3i64, 1i64, 2i64], [6i64, 4i64, 5i64]] [4i64, 1i64] }
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] -4i64 } output { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] [[3i64, 1i64, 2i64], [6i64, 4i64, 5i64]] [[2i64, 3i64, 1i64], [5i64, 6i64, 4i64]] [1i64, 4i64] }
entry rotated [n] [m] (a: [n][m]i64) (r: i64): ([n][m]i64, [n][m]i64, [n][m]i64, [n]i64) =
  (rotate_axis 0 r a, rotate_axis 1 r a, rotate_axis 1 (-r) a, rotate_axis 0 r a[:, 0])

-- By one place, where rows and columns have no element, one, two, and more than a vector has.
-- ==
-- entry: beside
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] } output { [[3442i64, 1553i64, 2661i64], [6115i64, 4226i64, 5334i64]] }
-- input { [[1i64], [2i64]] } output { [[1221i64], [2112i64]] }
-- input { [[7i64]] } output { [[7777i64]] }
-- input { empty([0][3]i64) } output { empty([0][3]i64) }
-- input { empty([3][0]i64) } output { empty([3][0]i64) }
-- random input { [5][9]i64 } auto output
-- random input { [3][40]i64 } auto output
-- structure { clusters 1 }
entry beside [n] [m] (a: [n][m]i64): [n][m]i64 =
  let rows = map2_s (\x y -> 10 * x + 100 * y) (rotate_axis 0 1 a) (rotate_axis 0 (-1) a)
  let columns = map2_s (\x y -> x + 1000 * y) (rotate_axis 1 1 a) (rotate_axis 1 (-1) a)
  in map2_s (+) rows columns

-- | Paper 004, figure 7: a step of the convolution, and its test of convergence.
def relax [..s] (a: [..s]f64): [..s]f64 =
  let sum = loop sum = a for k < dim a do
    map2_s (+) sum (map2_s (+) (rotate_axis k 1 a) (rotate_axis k (-1) a))
  in map_s (/ f64.i64 (2 * dim a + 1)) sum

def goes_on [..s] (a: [..s]f64) (b: [..s]f64) (eps: f64): bool =
  reduce_s (||) false (map2_s (\x y -> f64.abs (x - y) > eps) a b)

def convolution [..s] (a: [..s]f64) (eps: f64): ([..s]f64, i64) =
  let (a, _, steps) =
    loop (a, more, steps) = (a, true, 0) while more do
      let b = relax a
      in (b, goes_on a b eps, steps + 1)
  in (a, steps)

-- ==
-- entry: convolution_1
-- input { [0.0f64, 0.0f64, 9.0f64] 0.5f64 } output { [3.0f64, 3.0f64, 3.0f64] 2i64 }
entry convolution_1 [n] (a: [n]f64) (eps: f64): ([n]f64, i64) = convolution a eps

-- ==
-- entry: relax_2
-- input { [[5.0f64, 0.0f64, 0.0f64], [0.0f64, 0.0f64, 0.0f64], [0.0f64, 0.0f64, 0.0f64]] } output { [[1.0f64, 1.0f64, 1.0f64], [1.0f64, 0.0f64, 0.0f64], [1.0f64, 0.0f64, 0.0f64]] }
entry relax_2 [n] [m]: [n][m]f64 -> [n][m]f64 = relax

-- | With-loops with `.` at rank 0, where the array is a scalar.
def halved [..s] (a: [..s]f64): ([..s]f64, f64) =
  (with { (. <= iv <= .) : a[iv] / 2 } : modarray a, with { (. <= iv <= .) : a[iv] } : fold (+, 0))

-- ==
-- entry: halves
-- input { 3.0 [4.0, 6.0] } output { 1.5 3.0 [2.0, 3.0] 10.0 }
entry halves [n] (a: f64) (b: [n]f64): (f64, f64, [n]f64, f64) =
  let (x, y) = halved a
  let (z, w) = halved b
  in (x, y, z, w)
