entry differences [n] (is: [n]i64) (vs: [n]i64): [8]i64 = hist (\a b -> a - b) 0 8 is vs
entry means [n] (is: [n]i64) (vs: [n]f64): [8]f64 =
  reduce_by_index (replicate 8 0) (\a b -> (a + b) / 2) 0 is vs
entry in_rows [n] (is: [n](i64, i64)) (vs: [n]i64): [4][4]i64 =
  reduce_by_index_2d (replicate 4 (replicate 4 0)) (-) 0 is vs
entry groups [n] (xs: [n]i64): [8]i64 = group_reduce 8 (% 8) id (\a b -> 2 * a + b) 0 xs
entry begun [n] (is: [n]i64) (vs: [n]i64): [8]i64 = hist (+) 1 8 is vs
entry sums [n] (is: [n]i64) (vs: [n]i64): [8]i64 = hist (+) 0 8 is vs
