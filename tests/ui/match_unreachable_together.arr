entry demo (a: bool) (b: bool): i64 =
  match (a, b)
  case (true, _) -> 1
  case (false, _) -> 2
  case (_, true) -> 3
