-- Sorts and selections, beside those of NumPy.

import "statistics"

entry sort_i32 [n] (xs: [n]i32): [n]i32 = sort (<=) xs
entry sort_i64 [n] (xs: [n]i64): [n]i64 = sort (<=) xs
entry sort_f32 [n] (xs: [n]f32): [n]f32 = sort (<=) xs
entry sort_f64 [n] (xs: [n]f64): [n]f64 = sort (<=) xs

entry order_i32 [n] (xs: [n]i32): [n]i64 = order_of (<=) xs
entry order_i64 [n] (xs: [n]i64): [n]i64 = order_of (<=) xs
entry order_f64 [n] (xs: [n]f64): [n]i64 = order_of (<=) xs

-- | Each row in order.
entry rows_f64 [n] [m] (xss: [n][m]f64): [n][m]f64 = map (sort (<=)) xss

-- | The number in the middle of each row.
entry middles_f64 [n] [m] (xss: [n][m]f64): [n]f64 = map (\xs -> (sort (<=) xs)[m / 2]) xss

-- | The median of each row: between two numbers, if their number is even.
entry medians_f64 [n] [m] (xss: [n][m]f64): [n]f64 = map median xss
