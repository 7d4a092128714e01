entry demo [n] (k: i64) (xs: [n]i64): [n]i64 =
  match k
  case 0 -> xs
  case _ -> filter (> 0) xs
