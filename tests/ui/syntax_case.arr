entry demo (n: i64): i64 =
  match n
  case 0 = 1
  case n + 1 -> n

entry other (n: i64): i64 = n case 0 -> 1

entry hash (n: i64): i64 = # n
