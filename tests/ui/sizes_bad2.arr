def bad2 [n] (xs: [n]i64) =
  map2 (+) (filter (> 0) xs) (filter (< 9) xs)
