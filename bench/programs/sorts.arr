-- | Integers and floats in order.
entry sort_i32 [n] (xs: [n]i32): [n]i32 = sort (<=) xs
entry sort_i64 [n] (xs: [n]i64): [n]i64 = sort (<=) xs
entry sort_f32 [n] (xs: [n]f32): [n]f32 = sort (<=) xs
entry sort_f64 [n] (xs: [n]f64): [n]f64 = sort (<=) xs

-- | The positions of integers in order.
entry order_i64 [n] (xs: [n]i64): [n]i64 = order_of (<=) xs

-- | Integers in an order that the compiler does not know, by merging.
entry sort_merged_i64 [n] (xs: [n]i64): [n]i64 = sort (\x y -> !(y < x)) xs

-- | The sum of the values of each of a thousand groups.
entry group_sum_i32 [n] (keys: [n]i32) (values: [n]i32): [1000]i32 =
  group_reduce 1000 (\p -> i64.i32 p.0) (.1) (+) 0 (zip keys values)

-- | The sum of the values of each of sixteen groups.
entry group_sum_16_f64 [n] (keys: [n]i32) (values: [n]f64): [16]f64 =
  group_reduce 16 (\p -> i64.i32 p.0) (.1) (+) 0 (zip keys values)
