-- $ arrc run FILE shares [4,0] 12
entry shares [n] (xs: [n]i64) (total: i64): [n]i64 =
  map (\x -> total / x) xs
