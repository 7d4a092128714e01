-- $ arrc explain FILE --dot
entry normalize2 [n] (xs: [n]i64): ([n]i64, [n]i64) =
  let sum1 = reduce (+) 0 xs
  let gts  = filter (> 0) xs
  let sum2 = reduce (+) 0 gts
  let ys1  = map (/ sum1) xs
  let ys2  = map (/ sum2) xs
  in (ys1, ys2)
