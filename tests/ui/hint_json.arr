-- $ arrc explain FILE --json
entry sines [n] (xs: [n]f64) (ys: [n]f64): [n]f64 =
  let zs = map f64.sin xs
  in map (\i -> zs[i] * ys[i]) (iota n)
