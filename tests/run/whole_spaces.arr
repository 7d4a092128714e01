-- Nests over all elements of arrays of one shape run as one loop; nests that are more than that do not.

-- ==
-- entry: squares
-- structure { clusters 1 }
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] } output { [[1i64, 4i64, 9i64], [16i64, 25i64, 36i64]] 91i64 }
-- input { empty([0][3]i64) } output { empty([0][3]i64) 0i64 }
-- input { empty([3][0]i64) } output { empty([3][0]i64) 0i64 }
entry squares [n] [m] (a: [n][m]i64): ([n][m]i64, i64) =
  let b = map (map (\x -> x * x)) a
  in (b, i64.sum (map i64.sum b))

-- ==
-- entry: extremes
-- input { [[[1.5, 2.0], [-3.0, 4.0]], [[0.5, 9.0], [2.0, 2.5]]] } output { -3.0 9.0 }
-- input { empty([2][0][3]f64) } output { f64.inf -f64.inf }
-- input { empty([0][2][3]f64) } output { f64.inf -f64.inf }
entry extremes [n] [m] [o] (a: [n][m][o]f64): (f64, f64) =
  with { (. <= iv <= .) : (a[iv], a[iv]) } : (fold (f64.min, f64.inf), fold (f64.max, -f64.inf))

-- | Two arrays, and a number of the step around.
-- ==
-- entry: scaled
-- input { [2i64, -1i64] [[[1i64, 2i64], [3i64, 4i64]], [[5i64, 6i64], [7i64, 8i64]]] [[1i64, 0i64], [0i64, 1i64]] }
-- output { [[[3i64, 4i64], [6i64, 9i64]], [[-4i64, -6i64], [-7i64, -7i64]]] [20i64, -26i64] }
entry scaled [k] [n] [m] (s: [k]i64) (a: [k][n][m]i64) (b: [n][m]i64): ([k][n][m]i64, [k]i64) =
  (map2 (\x c -> map2 (map2 (\y z -> x * y + z)) c b) s a,
   map2 (\x c -> x * i64.sum (map i64.sum c)) s a)

-- | The rows are joined by another operator than their elements.
-- ==
-- entry: largest_row
-- input { [[1i64, 2i64], [4i64, -5i64], [0i64, 2i64]] } output { 3i64 }
-- input { empty([2][0]i64) } output { 0i64 }
entry largest_row [n] [m] (a: [n][m]i64): i64 = i64.maximum (map i64.sum a)

-- | A row begins anew.
-- ==
-- entry: prefixes
-- input { [[1i64, 2i64], [4i64, -5i64]] } output { [[1i64, 3i64], [4i64, -1i64]] 7i64 }
entry prefixes [n] [m] (a: [n][m]i64): ([n][m]i64, i64) =
  let b = map (scan (+) 0) a
  in (b, i64.sum (map i64.sum b))

-- | Elements at other indices than those of the step, or of arrays of other shapes.
-- ==
-- entry: others
-- input { [[1i64, 2i64], [3i64, 4i64]] [10i64, 20i64] }
-- output { [[1i64, 3i64], [2i64, 4i64]] [[11i64, 22i64], [13i64, 24i64]] [[0i64, 2i64], [3i64, 11i64]] [[11i64, 12i64], [23i64, 24i64]] }
entry others [n] (a: [n][n]i64) (r: [n]i64): ([n][n]i64, [n][n]i64, [n][n]i64, [n][n]i64) =
  (tabulate_2d n n (\i j -> a[j, i]),
   tabulate_2d n n (\i j -> a[i, j] + r[j]),
   tabulate_2d n n (\i j -> a[i, j] * (i + j + i * j) - i * j),
   map2 (\row x -> map (+ x) row) a r)

-- | The steps of a loop.
-- ==
-- entry: decay
-- structure { allocated 1 }
-- input { 3i64 [[8.0, 16.0], [24.0, 32.0]] } output { [[1.0, 2.0], [3.0, 4.0]] }
-- input { 0i64 [[8.0]] } output { [[8.0]] }
entry decay [n] [m] (k: i64) (a: [n][m]f64): [n][m]f64 =
  loop a for _ < k do map_s (* 0.5) a

-- | A fold in order stays in the order of the rows.
-- ==
-- entry: in_order
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { 1234i64 [12i64, 34i64] }
entry in_order [n] [m] (a: [n][m]i64): (i64, [n]i64) =
  (fold (\acc row -> fold (\acc x -> acc * 10 + x) acc row) 0 a,
   map (fold (\acc x -> acc * 10 + x) 0) a)
