entry demo (n: i64): i64 =
  match n
  case 0 -> 1
  case 1 -> true
  case _ -> 2
