-- $ arrc explain FILE
-- A product takes more steps than its sides, and is in no pass with who makes or reads them.
entry products [n] [m] (xs: [n]i64) (ys: [m]i64): (i64, i64) =
  let as = map (+ 1) xs
  let ds = map (\(a, b) -> a * b) (cross as ys)
  in (reduce (+) 0 ds, reduce i64.max 0 as)
