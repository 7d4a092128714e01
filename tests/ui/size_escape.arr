entry demo (n: i64): i64 =
  let f = \(k: i64) -> iota k
  in length (map2 (+) (f n) (f (n + 1)))
