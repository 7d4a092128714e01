entry f (a: i64): i64 =
  let (x, _) = loop (a, _) for i < 3 do (a + 1, a)
  in x
