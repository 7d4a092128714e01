-- $ arrc build FILE --emit=process,concrete
-- Scans are series: what comes before and after is in their pass, and they need no more than an accumulator.
entry demo [n] (xs: [n]i64): ?[k].([n]i64, [k]i64, i64) =
  let sums = scan (+) 0 (map (* 2) xs)
  let before = exscan i64.max i64.lowest xs
  let rises = filter (\(x, most) -> x > most) (zip xs before)
  in (sums, map (.0) rises, reduce i64.min i64.highest sums)
