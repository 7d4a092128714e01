entry main (x: i64): i64 =
  let first p = p.x
  in first {x}
