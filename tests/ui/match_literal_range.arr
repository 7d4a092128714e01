entry demo (n: u8): i64 =
  match n
  case 256 -> 1
  case -1 -> 2
  case _ -> 3
