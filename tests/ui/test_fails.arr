-- $ arrc test FILE
-- ==
-- entry: total
-- input { [1, 2, 3] } output { 7 }
-- input { [4] } output { 4 }
-- input { [1] } error: division
entry total [n] (xs: [n]i64): i64 = reduce (+) 0 xs

-- ==
-- entry: both
-- "with three" input { [1, 2,
--                       3] }
-- output { [2, 3, 5] 3 }
-- input { [1] } output { [2, 3] 1 }
-- input { [1] } output { [2] 9 }
entry both [n] (xs: [n]i64): ([n]i64, i64) = (map (+ 1) xs, n)

-- ==
-- entry: divided
-- input { 5 }
-- input { 5 } output { 1 }
-- input { 5 } error: index
-- input { 4 } output { -10 }
entry divided (n: i64): i64 = 10 / (n - 5)

-- ==
-- structure total { clusters 2 loops 1 }
