-- $ arrc test FILE --strategies
-- ==
-- entry: total both
-- random input { [20]i64 } auto output
-- random input { [3]i64 }
-- input { [1] }
-- input { [1] } output { 2 }
entry total [n] (xs: [n]i64): i64 = reduce (+) 0 xs
entry both [n] (xs: [n]i64): i64 =
  reduce (+) 0 (map (* 2) (filter (> 0) xs)) - reduce (+) 0 (filter (> 0) xs)

-- ==
-- entry: divided
-- input { 5 }
-- input { 6 }
entry divided (n: i64): i64 = 10 / (n - 5)
