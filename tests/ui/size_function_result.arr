entry demo [n] (xs: [n]i64): i64 =
  let g p = filter p xs
  let h (f: (i64 -> bool) -> [n]i64) = f (> 0)
  in length (h g)
