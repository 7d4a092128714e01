def add [n] (xs: [n]i64): [n]i64 =
  let [k] ys: [k]i64 = filter (> 0) xs
  let zs: [k]i64 = xs
  in zs
