-- $ arrc test FILE
-- ==
-- entry: normalize2
-- structure { clusters 2 arrays 0 reads 2 writes 2 loops 2 allocations 2 }
-- structure none { clusters 5 arrays 1 } stream { clusters 4 }
entry normalize2 [n] (xs: [n]i64): ([n]i64, [n]i64) =
  let sum1 = reduce (+) 0 xs
  let gts  = filter (> 0) xs
  let sum2 = reduce (+) 0 gts
  in (map (/ sum1) xs, map (/ sum2) xs)
