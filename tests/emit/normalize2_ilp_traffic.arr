-- $ arrc build FILE --emit=ilp,clusters --cost=traffic
-- normalize2 of 001 as an integer linear program: figure 1.15 for --cost=paper.
entry normalize2 [n] (xs: [n]i64): ([n]i64, [n]i64) =
  let sum1 = reduce (+) 0 xs
  let gts  = filter (> 0) xs
  let sum2 = reduce (+) 0 gts
  let ys1  = map (/ sum1) xs
  let ys2  = map (/ sum2) xs
  in (ys1, ys2)
