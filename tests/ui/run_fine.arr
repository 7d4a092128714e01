-- $ arrc run FILE [3,-1,4]
entry positive [n] (xs: [n]i64): ?[k].([k]i64, i64) =
  let ps = filter (> 0) xs
  in (ps, length ps)
