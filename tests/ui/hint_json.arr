-- $ arrc explain FILE --json
entry shares [n] [m] (xs: [n]f64) (ys: [m]f64): [m][2]f64 =
  let sums = scan (+) 0 xs
  in map (\i -> [ys[i], sums[i]]) (iota m)
