-- `cross`: every pair, the left side outermost.

-- ==
-- entry: pairs
-- input { [1, 2] [10, 20, 30] } output { [1, 1, 1, 2, 2, 2] [10, 20, 30, 10, 20, 30] }
-- input { [1] [2] } output { [1] [2] }
-- input { empty([0]i32) [1] } output { empty([0]i32) empty([0]i32) }
-- input { [1] empty([0]i32) } output { empty([0]i32) empty([0]i32) }
-- input { empty([0]i32) empty([0]i32) } output { empty([0]i32) empty([0]i32) }
entry pairs [n] [m] (xs: [n]i32) (ys: [m]i32): ?[k].([k]i32, [k]i32) = unzip (cross xs ys)

-- ==
-- entry: size
-- input { [1, 2] [10, 20, 30] } output { 6i64 }
entry size [n] [m] (xs: [n]i32) (ys: [m]i32): i64 = length (cross xs ys)

-- ==
-- entry: products
-- input { [1, 2, 3] [10, 20] } output { 180 }
-- input { [7] [6] } output { 42 }
-- input { empty([0]i32) [1] } output { 0 }
-- input { [1] empty([0]i32) } output { 0 }
entry products [n] [m] (xs: [n]i32) (ys: [m]i32): i32 =
  cross xs ys |> map (\(x, y) -> x * y) |> reduce (+) 0

-- The least distance of two different elements.
-- ==
-- entry: closest
-- input { [1.0, 7.0, 4.5, 9.0] } output { 2.0 }
-- input { [1.0] } output { f64.inf }
-- input { empty([0]f64) } output { f64.inf }
entry closest [n] (xs: [n]f64): f64 =
  let numbered = zip (iota n) xs
  in cross numbered numbered
     |> map (\((i, x), (j, y)) -> if i < j then f64.abs (x - y) else f64.inf)
     |> reduce f64.min f64.inf

-- A filter of pairs, and the left side used alone besides.
-- ==
-- entry: sums
-- input { [1, 2] [1, 2] } output { [1, 2] [2, 1] [2, 3] }
-- input { empty([0]i32) [1] } output { empty([0]i32) empty([0]i32) empty([0]i32) }
entry sums [n] [m] (xs: [n]i32) (ys: [m]i32): ?[k].([k]i32, [k]i32, [n]i32) =
  let (a, b) = cross xs ys |> filter (\(x, y) -> x + y == 3) |> unzip
  in (a, b, map (+ 1) xs)

-- Both sides made by filters.
-- ==
-- entry: across
-- input { [1, -2, 3, -4] } output { -24 }
-- input { [1] } output { 0 }
entry across [n] (xs: [n]i32): i32 =
  cross (filter (> 0) xs) (filter (< 0) xs) |> map (\(p, q) -> p * q) |> reduce (+) 0

-- A cross of a cross.
-- ==
-- entry: cubes
-- input { [1, 2] } output { 27 }
-- input { empty([0]i32) } output { 0 }
entry cubes [n] (xs: [n]i32): i32 =
  cross (cross xs xs) xs |> map (\((x, y), z) -> x * y * z) |> reduce (+) 0

-- ==
-- entry: many
-- input { 1000i64 } output { 249500250000i64 }
entry many (n: i64): i64 = cross (iota n) (iota n) |> map (\(i, j) -> i * j) |> reduce (+) 0
