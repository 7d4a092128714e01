def bad1 [n] (xs: [n]i64) =
  let flt = filter (> 0) xs
  in map2 (+) flt xs
