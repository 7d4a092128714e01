-- Functions without a name whose results have types.

-- ==
-- entry: scalars
-- input { [1i64, 2i64] } output { [2i64, 3i64] [2u8, 3u8] }
entry scalars [n] (xs: [n]i64): ([n]i64, [n]u8) =
  (map (\(x: i64): i64 -> x + 1) xs, map (\x: u8 -> u8.i64 x + 1) xs)

-- ==
-- entry: literals
-- input { [true, false] } output { [1u8, 0u8] }
entry literals [n] (bs: [n]bool): [n]u8 = map (\b: u8 -> if b then 1 else 0) bs

-- ==
-- entry: arrays
-- input { [3i64, -1i64, 2i64] } output { [3i64, 2i64] [6i64, -1i64, 5i64] }
entry arrays [n] (xs: [n]i64): ([]i64, [n]i64) =
  let positive = \(ys: []i64): ?[k].[k]i64 -> filter (> 0) ys
  let doubled = \(f: i64 -> i64) (ys: [n]i64): [n]i64 -> map f ys
  in (positive xs, doubled (\(x: i64): i64 -> if x > 0 then x + 3 else x) xs)

-- ==
-- entry: sizes_of_sizes
-- input { [3i64, -1i64, 2i64] } output { 2i64 }
entry sizes_of_sizes [n] (xs: [n]i64): i64 =
  let positive = \(ys: []i64): ?[j].?[k].([j]i64, [k]i64) -> (filter (< 0) ys, filter (> 0) ys)
  in length (positive xs).1

-- ==
-- entry: functions
-- input { 1i64 } output { 3i64 }
entry functions (x: i64): i64 = (\(a: i64): (i64 -> i64) -> \(b: i64): i64 -> a + b) x 2

-- ==
-- entry: pairs
-- input { [1i64, 2i64] } output { [1i64, 2i64] [2.0, 4.0] }
entry pairs [n] (xs: [n]i64): ([n]i64, [n]f64) =
  unzip (map (\(x: i64): (i64, f64) -> (x, 2 * f64.i64 x)) xs)
