entry demo (n: i64): i64 =
  match n
  case #some x -> x
  case #none -> 0
