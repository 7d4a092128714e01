entry demo (n: i64): i64 =
  let rows = map (\i -> map (\j -> i * j) (iota n)) (iota n)
  in rows[0][0]
