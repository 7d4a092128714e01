-- $ arrc build FILE --emit=process,procedure
-- A filter of a filter: guards nest as the rates do.
entry demo [n] (xs: [n]i64): ?[k].([k]i64, i64, i64) =
  let as = filter (> 0) xs
  let bs = filter (< 100) as
  in (bs, reduce (+) 0 as, reduce (+) 0 bs)
