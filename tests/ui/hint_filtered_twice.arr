-- $ arrc explain FILE
-- A second filter by the same condition keeps another array: their sizes have to be made equal.
entry profit [n] (gain: [n]f64) (loss: [n]f64): []f64 =
  let gains = filter (> 0) gain
  let k = length gains
  let losses = map (.1) (filter (\(g, _) -> g > 0) (zip gain loss))
  in map2 (-) gains (losses :> [k]f64)

-- The same filter twice is one, and different ones are none of our business.
entry joined [n] (xs: [n]i64): (i64, i64) =
  (reduce (+) 0 (filter (> 0) xs), reduce (*) 1 (filter (\x -> 0 < x) xs))

entry other [n] (xs: [n]i64) (ys: [n]i64): []i64 =
  let as = filter (> 0) xs
  let k = length as
  in map2 (+) as (filter (> 0) ys :> [k]i64)
