-- $ arrc explain FILE
-- Steps that sort rows allocate only for rows of 4,096 elements and more.
entry medians [n] [m] (xss: [n][m]i64): [n]i64 =
  map (\xs -> (sort (<=) xs)[m / 2]) xss

-- A condition on a length that the program computes.
entry looked_up [n] (xs: [n]i64) (k: i64): [n]i64 =
  map (\x -> let ys = filter (\y -> y % 3 == x % 3) (iota (k * 3)) in if length ys >= 1000 then (sort (<=) (map (* x) ys))[x % length ys] else x) xs
