-- $ arrc explain FILE products --json
-- `xs` is read in order, and `ys` is not.
entry products [n] (xs: [n]i64) (ys: [n]i64): i64 =
  let is = iota n
  in reduce (+) 0 (map2 (\x i -> x * ys[(i * 7) % n]) xs is)
