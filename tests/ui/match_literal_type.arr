entry demo (n: i64) (b: bool): i64 =
  match (n, b)
  case (true, _) -> 1
  case (_, 1) -> 2
  case (1.5, _) -> 3
  case (2u8, -true) -> 4
  case _ -> 5
