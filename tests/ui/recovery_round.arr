def sq (x: i64): i64 = x * x
entry f [n] (xs: [n]i64): i64 =
  let ys = map (\x -> sq x + 1 xs
  let zs = map (+ 1) ys
  in reduce (+) 0 zs + missing
entry g (x: i64): bool = sq x
