-- | How many elements have each of the values 0 to k-1 as their remainder.
entry histogram_i32 [n] (k: i64) (xs: [n]i32): [k]i32 =
  hist (+) 0 k (map (\x -> i64.i32 x % k) xs) (replicate n 1)

-- | The sums of the values of each group. There are many groups.
entry many_sums_i64 [n] (k: i64) (groups: [n]i64) (values: [n]i64): [k]i64 =
  hist (+) 0 k groups values

-- | The elements of a table at the given indices, increased by one.
entry gather_i32 [n] [m] (table: [m]i32) (is: [n]i64): [n]i32 = map (+ 1) (gather table is)

-- | The sum of the elements of a table at the given places.
entry gather_sum_i32 [n] [m] (table: [m]i32) (is: [n]i64): i32 = reduce (+) 0 (gather table is)

-- | The inner product of a sparse vector, given by its places and values, and another one.
entry gather_inner_f64 [n] [m] (xs: [m]f64) (is: [n]i64) (values: [n]f64): f64 =
  reduce (+) 0 (map2 (*) values (gather xs is))
