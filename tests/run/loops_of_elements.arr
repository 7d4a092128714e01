-- Loops over whole arrays whose steps compute each element from the same element alone: one pass runs the loop for each
-- element. Loops whose steps need other elements stay.

-- A matrix times a vector, column by column.
-- ==
-- entry: by_columns
-- structure by_columns ilp { clusters 1 arrays 0 }
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] [1.0, 10.0, 100.0] } output { [321.0, 654.0] }
-- input { empty([0][3]f64) [1.0, 10.0, 100.0] } output { empty([0]f64) }
-- input { empty([2][0]f64) empty([0]f64) } output { [0.0, 0.0] }
-- random input { [70][33]f64 [33]f64 } auto output
entry by_columns [n] [m] (a: [n][m]f64) (x: [m]f64): [n]f64 =
  loop y = replicate n 0 for j < m do tabulate n (\i -> y[i] + a[i, j] * x[j])

-- Several arrays, which the steps exchange, with scalars beside them.
-- ==
-- entry: exchanged
-- input { 3i64 [1i64, 2i64] [10i64, 20i64] } output { [27i64, 48i64] [38i64, 70i64] 8i64 3i64 }
-- input { 0i64 [1i64, 2i64] [10i64, 20i64] } output { [1i64, 2i64] [10i64, 20i64] 1i64 0i64 }
-- input { -2i64 [1i64] [10i64] } output { [1i64] [10i64] 1i64 0i64 }
-- input { 4i64 empty([0]i64) empty([0]i64) } output { empty([0]i64) empty([0]i64) 16i64 4i64 }
entry exchanged [n] (k: i64) (xs: [n]i64) (ys: [n]i64): ([n]i64, [n]i64, i64, i64) =
  loop (xs, ys, s, t) = (xs, ys, 1, 0) for i < k do
    (map2 (\x y -> y + s) xs ys, map2 (\x y -> x + y + i) xs ys, 2 * s, t + 1)

-- Chains of passes in a step, positions, and an array that all steps read.
-- ==
-- entry: orbits
-- input { 20i64 [0.0, 1.0, -1.0, 0.3] [0.0, 1.0, 0.0, 0.5] } output { [20i64, 1i64, 20i64, 20i64] }
-- input { 0i64 [0.0] [1.0] } output { [0i64] }
-- random input { 12i64 [130]f64 [130]f64 } auto output
entry orbits [n] (k: i64) (re: [n]f64) (im: [n]f64): [n]i64 =
  let (_, _, counts) =
    loop (xs, ys, counts) = (replicate n 0.0, replicate n 0.0, replicate n 0) for _ < k do
      let xs' = map3 (\x y r -> x * x - y * y + r) xs ys re
      let ys' = map3 (\x y i -> 2 * x * y + i) xs ys im
      in (xs', ys', map3 (\x y c -> if x * x + y * y < 4 then c + 1 else c) xs' ys' counts)
  in counts

-- A loop that carries a matrix: the elements of each row are independent in the first entry, and not in the second one.
-- ==
-- entry: scaled
-- input { 2i64 [[1i64, 2i64], [3i64, 4i64]] } output { [[4i64, 10i64], [12i64, 18i64]] }
-- input { 1i64 empty([0][2]i64) } output { empty([0][2]i64) }
-- input { 1i64 empty([2][0]i64) } output { empty([2][0]i64) }
entry scaled [n] [m] (k: i64) (a: [n][m]i64): [n][m]i64 =
  loop a for i < k do map (\r -> map2 (\j x -> 2 * x + i * j * 2) (iota m) r) a

-- ==
-- entry: summed_up
-- input { 2i64 [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] } output { [[1i64, 4i64, 10i64], [4i64, 13i64, 28i64]] }
-- input { 5i64 empty([2][0]i64) } output { empty([2][0]i64) }
entry summed_up [n] [m] (k: i64) (a: [n][m]i64): [n][m]i64 =
  loop a for _ < k do map (\r -> scan (+) 0 r) a

-- What may fail in a pass fails for an element only; what may fail beside it, in each step.
-- ==
-- entry: divided
-- input { 2i64 [8i64, 4i64] [2i64, 1i64] } output { [2i64, 4i64] }
-- input { 2i64 [8i64, 4i64] [2i64, 0i64] } error: division by zero
-- input { 0i64 [8i64, 4i64] [2i64, 0i64] } output { [8i64, 4i64] }
-- input { 2i64 empty([0]i64) empty([0]i64) } output { empty([0]i64) }
entry divided [n] (k: i64) (xs: [n]i64) (by: [n]i64): [n]i64 =
  loop xs for _ < k do map2 (/) xs by

-- ==
-- entry: looked_up
-- input { 2i64 [1i64, 2i64] [10i64, 20i64, 30i64] } output { [31i64, 32i64] }
-- input { 4i64 [1i64, 2i64] [10i64, 20i64, 30i64] } error: index 3 is out of bounds for an array of length 3
-- input { 4i64 empty([0]i64) [10i64, 20i64, 30i64] } error: index 3 is out of bounds for an array of length 3
entry looked_up [n] [m] (k: i64) (xs: [n]i64) (steps: [m]i64): [n]i64 =
  loop xs for i < k do let s = steps[i] in map (+ s) xs

-- Steps that need other elements, all of them, or the position of another one.
-- ==
-- entry: smoothed
-- input { 1i64 [1i64, 2i64, 4i64] } output { [3i64, 7i64, 6i64] }
-- input { 2i64 [1i64, 2i64, 4i64] } output { [10i64, 16i64, 13i64] }
entry smoothed [n] (k: i64) (xs: [n]i64): [n]i64 =
  loop xs for _ < k do
    tabulate n
      (\i -> (if i > 0 then xs[i - 1] else 0) + xs[i] + (if i < n - 1 then xs[i + 1] else 0))

-- ==
-- entry: centred
-- input { 2i64 [1i64, 2i64, 6i64] } output { [-2i64, -1i64, 3i64] }
entry centred [n] (k: i64) (xs: [n]i64): [n]i64 =
  loop xs for _ < k do let mean = i64.sum xs / n in map (\x -> x - mean) xs

-- ==
-- entry: turned
-- input { 1i64 [1i64, 2i64, 6i64] } output { [6i64, 2i64, 1i64] }
-- input { 2i64 [1i64, 2i64, 6i64] } output { [1i64, 2i64, 6i64] }
entry turned [n] (k: i64) (xs: [n]i64): [n]i64 =
  loop xs for _ < k do tabulate n (\i -> xs[n - 1 - i])

-- ==
-- entry: first_added
-- input { 2i64 [1i64, 2i64, 6i64] } output { [4i64, 5i64, 9i64] }
entry first_added [n] (k: i64) (xs: [n]i64): [n]i64 =
  loop xs for _ < k do tabulate n (\i -> xs[i] + xs[0])

-- A loop whose steps read a matrix in the order of memory stays a loop of passes.
-- ==
-- entry: decayed
-- input { [[1.0, 2.0], [4.0, 8.0]] } output { [4.5, 9.0] }
-- random input { [40][90]f64 } auto output
entry decayed [n] [m] (a: [n][m]f64): [m]f64 =
  loop p = replicate m 0 for i < n do map2 (\p x -> 0.5 * p + x) p a[i]

-- A loop in a loop.
-- ==
-- entry: nested_loops
-- input { 2i64 3i64 [1i64, 2i64] } output { [73i64, 173i64] }
-- input { 2i64 0i64 [1i64, 2i64] } output { [3i64, 4i64] }
entry nested_loops [n] (k: i64) (l: i64) (xs: [n]i64): [n]i64 =
  loop xs for _ < k do map (+ 1) (loop xs for j < l do map2 (\i x -> 2 * x + i * j) (iota n) xs)
