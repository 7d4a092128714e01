entry demo (n: i64): i64 = match n

entry other (n: i64): i64 =
  match n
  case 0 -> 1
  n -> 2
