entry demo (n: i64) (b: bool) (c: bool): i64 =
  match (n, {b, c})
  case (_, {b = true, c}) -> 1
  case (n, {b = _, c = true}) -> n
