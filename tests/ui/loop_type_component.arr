entry f (n: i64): f64 =
  let (_, y) =
    loop (k, y) = (0i64, 1.0) while k < n do
      let next = k + 1
      in (y, next)
  in y
