-- `filter`: none, some and all elements pass; filters of filters; several consumers.

-- ==
-- entry: positive
-- input { [1, -2, 3, 0] } output { [1, 3] }
-- input { [-1, -2] } output { empty([0]i32) }
-- input { [1, 2] } output { [1, 2] }
-- input { [5] } output { [5] }
-- input { [-5] } output { empty([0]i32) }
-- input { empty([0]i32) } output { empty([0]i32) }
entry positive [n] (xs: [n]i32): ?[k].[k]i32 = filter (> 0) xs

-- ==
-- entry: counted
-- input { [1, -2, 3, 0] } output { 2i64 }
-- input { empty([0]i32) } output { 0i64 }
entry counted [n] (xs: [n]i32): i64 = length (filter (> 0) xs)

-- ==
-- entry: of_filter
-- input { [1, -2, 30, 4, 50] } output { [1, 30, 4, 50] [1, 4] 5 }
-- input { [-1] } output { empty([0]i32) empty([0]i32) 0 }
entry of_filter [n] (xs: [n]i32): ?[k][l].([k]i32, [l]i32, i32) =
  let positive = filter (> 0) xs
  let small = filter (< 10) positive
  in (positive, small, reduce (+) 0 small)

-- ==
-- entry: three_deep
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 11i64, 12i64] } output { [12i64] 12i64 }
entry three_deep [n] (xs: [n]i64): ?[k].([k]i64, i64) =
  let a = filter (\x -> x % 2 == 0) xs
  let b = filter (\x -> x % 3 == 0) a
  let c = filter (\x -> x % 4 == 0) b
  in (c, reduce (+) 0 c)

-- ==
-- entry: both_sides
-- input { [1, -2, 3, 0] } output { [1, 3] [-2, 0] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) }
entry both_sides [n] (xs: [n]i32): ?[k][l].([k]i32, [l]i32) =
  (filter (> 0) xs, filter (<= 0) xs)

-- Maps before and after, and a fold with what the filter saw.
-- ==
-- entry: fused
-- input { [1, 2, 3, 4] } output { [9, 16] 25 10 }
-- input { empty([0]i32) } output { empty([0]i32) 0 0 }
entry fused [n] (xs: [n]i32): ?[k].([k]i32, i32, i32) =
  let ys = map (\x -> x * x) xs
  let zs = filter (> 5) ys
  in (zs, reduce (+) 0 zs, reduce (+) 0 xs)

-- What passes is zipped with a map of itself.
-- ==
-- entry: with_itself
-- input { [3, -1, 4] } output { [9, 16] }
entry with_itself [n] (xs: [n]i32): ?[k].[k]i32 =
  let ys = filter (> 0) xs
  in map2 (*) ys (map (+ 0) ys)

-- The predicate knows more than the element.
-- ==
-- entry: above_mean
-- input { [1.0, 2.0, 6.0] } output { [6.0] }
-- input { empty([0]f64) } output { empty([0]f64) }
entry above_mean [n] (xs: [n]f64): ?[k].[k]f64 =
  let mean = reduce (+) 0 xs / f64.i64 n
  in filter (> mean) xs

-- By one array, of another.
-- ==
-- entry: compress
-- input { [true, false, true] [1, 2, 3] } output { [1, 3] }
entry compress [n] (flags: [n]bool) (xs: [n]i32): ?[k].[k]i32 =
  zip flags xs |> filter (.0) |> map (.1)

-- ==
-- entry: places
-- input { [5i64, 0i64, 7i64] } output { [0i64, 2i64] }
entry places [n] (xs: [n]i64): ?[k].[k]i64 = filter (\i -> xs[i] != 0) (iota n)

-- ==
-- entry: constant
-- input { [1, 2] true } output { [1, 2] }
-- input { [1, 2] false } output { empty([0]i32) }
entry constant [n] (xs: [n]i32) (c: bool): ?[k].[k]i32 = filter (\_ -> c) xs
