-- An end of an array whose elements take a loop each: the pass that computes the elements takes it.

-- ==
-- entry: nearest
-- input { [[1f32, 2], [3, 4], [9, 1]] [2f32, 5] }
-- output { 1 }
-- input { [[1f32, 2], [3, 4], [3, 4], [1, 2]] [1f32, 2] }
-- output { 0 }
-- input { [[7f32, 7]] [1f32, 2] }
-- output { 0 }
-- input { empty([0][2]f32) [1f32, 2] }
-- error: index 0 is out of bounds
-- structure ilp { clusters 1 reads 2 writes 0 arrays 0 allocated 0 }
entry nearest [n] [d] (points: [n][d]f32) (q: [d]f32): i64 =
  argmin (<) (map (\p -> f32.sum (map (\x -> x * x) (map2 (-) p q))) points)

-- ==
-- entry: nearest_of_each
-- input { [[1f32, 2], [3, 4], [9, 1]] [[1f32, 2], [8, 4], [2, 1]] }
-- output { [0, 2, 0] }
-- input { [[1f32, 2], [3, 4], [9, 1]] empty([0][2]f32) }
-- output { empty([0]i64) }
-- input { empty([0][2]f32) [[1f32, 2]] }
-- error: index 0 is out of bounds
-- structure ilp { allocated 1 }
entry nearest_of_each [n] [m] [d] (points: [n][d]f32) (qs: [m][d]f32): [m]i64 =
  map (\q -> argmin (<) (map (\p -> f32.sum (map (\x -> x * x) (map2 (-) p q))) points)) qs

-- ==
-- entry: ends
-- input { [[1, 2], [3, 4], [9, 1]] }
-- output { 3 10 20 }
-- input { [[1, 2]] }
-- output { 3 3 3 }
-- input { empty([0][2]i64) }
-- error: index 0 is out of bounds
-- structure ilp { clusters 1 reads 1 writes 0 arrays 0 }
entry ends [n] [d] (rows: [n][d]i64): (i64, i64, i64) =
  let sums = map i64.sum rows
  in (head sums, last sums, i64.sum sums)

-- The array is a result, so its ends are read from it.
-- ==
-- entry: sums_and_first
-- input { [[1, 2], [3, 4], [9, 1]] }
-- output { [3, 7, 10] 3 }
-- input { empty([0][2]i64) }
-- error: index 0 is out of bounds
-- structure ilp { clusters 1 reads 1 writes 1 arrays 0 }
entry sums_and_first [n] [d] (rows: [n][d]i64): ([n]i64, i64) =
  let sums = map i64.sum rows
  in (sums, head sums)
