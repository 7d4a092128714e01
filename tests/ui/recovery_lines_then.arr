entry f (x: i64): i64 =
  if x > 0
    x
  else 1
entry g (x: i64): i64 =
  if x > 0 then x
entry h (x: i64): i64 = if x > 0 x else true
