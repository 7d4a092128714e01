-- $ arrc explain FILE
-- Each kind of reason for two neighbours to be in different passes.
entry reasons [n] [m] (xs: [n]i64) (zs: [m]i64) (is: [m]i64): ([m]i64, [n]i64, i64, [n]i64) =
  let ys = map (+ 1) xs
  let at = gather ys is
  let sum = reduce (+) 0 ys
  let less = map (\y -> y - sum) ys
  let both = map2 (+) at zs
  let joined = (ys ++ ys)[n]
  in (both, less, joined, ys)
