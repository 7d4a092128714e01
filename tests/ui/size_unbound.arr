def count [n] (xs: [n]i64): i64 =
  let [k] ys = filter (> 0) xs
  in k
