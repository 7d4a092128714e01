entry shrink [n] (xs: [n]i64) (ys: [n]i64): i64 =
  length (loop zs = xs for i < 3 do filter (> 0) (map2 (+) zs ys))
