-- Folds in steps whose trip counts differ from step to step.

-- Along memory.
-- ==
-- entry: lagged
-- input { [1.0, 2.0, 3.0] } output { [14.0, 8.0, 3.0] }
-- input { empty([0]f64) } output { empty([0]f64) }
entry lagged [n] (xs: [n]f64): [n]f64 =
  tabulate n (\i -> f64.sum (map (\j -> xs[j] * xs[i + j]) (iota (n - i))))

-- ==
-- entry: lagged_i64
-- random input { [75]i64 } auto output
entry lagged_i64 [n] (xs: [n]i64): [n]i64 =
  tabulate n (\i -> i64.sum (map (\j -> xs[j] * xs[i + j]) (iota (n - i))))

-- Backwards, between two bounds: the product of two polynomials.
-- ==
-- entry: product
-- input { [1i32, 2i32] [3i32, 0i32, 1i32] } output { [3i32, 6i32, 1i32, 2i32] }
-- random input { [40]i32 [23]i32 } auto output
-- random input { [3]i32 [50]i32 } auto output
entry product [n] [m] (a: [n]i32) (b: [m]i32): []i32 =
  tabulate (n + m - 1) (\k ->
    i32.sum (map (\i -> a[i] * b[k - i]) (i64.max 0 (k - m + 1)..<i64.min k (n - 1) + 1)))

-- Across lanes, along columns.
-- ==
-- entry: above
-- random input { [41][41]i16 } auto output
entry above [n] (a: [n][n]i16): [n]i16 = tabulate n (\i -> i16.sum (map (\j -> a[j, i]) (iota i)))

-- An element is not there, and only the last step reads it.
-- ==
-- entry: too_far
-- input { [1i32, 2i32, 3i32, 4i32, 5i32] 4 } output { [0i32, 1i32, 3i32, 6i32] }
-- input { [1i32, 2i32, 3i32, 4i32, 5i32] 7 } error: index 5 is out of bounds for an array of length 5
entry too_far [n] (xs: [n]i32) (m: i64): [m]i32 =
  tabulate m (\i -> i32.sum (map (\j -> xs[j]) (iota i)))
