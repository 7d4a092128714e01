def count [n] (xs: [n]i64): i64 =
  let [k] (ys, zs): ([k]i64, [k]i64) = (filter (> 0) xs, filter (< 0) xs)
  in k
