-- Arrays with strides: those that a pass reads in order, or whose elements are read one by one, are not copied.

entry element_of (a: [][]f64) (i: i64) (j: i64): f64 = a[i, j]
entry extent_of [n] [m] (_a: [n][m]f64): i64 = n * m
entry sum_of [n] (xs: [n]f64): f64 = f64.sum xs
entry sums_of [n] [m] (a: [n][m]f64): [n]f64 = map f64.sum a
entry dots_of [n] [m] (a: [n][m]f64) (b: [n][m]f64): [n]f64 =
  map2 (\r s -> f64.sum (map2 (*) r s)) a b
entry dot_of [n] (xs: [n]f64) (ys: [n]f64): f64 = f64.sum (map2 (*) xs ys)
entry greater_of [n] (xs: [n]f64) (y: f64): []f64 = filter (> y) xs
entry scaled_of [n] (xs: [n]f64): [n]f64 = let s = f64.sum xs in map (/ s) xs
entry mirrored_of [n] (xs: [n]f64): [n]f64 = tabulate n (\i -> xs[n - 1 - i])
entry unless_of (c: bool) (xs: []f64): f64 = if c then f64.sum xs else 0
