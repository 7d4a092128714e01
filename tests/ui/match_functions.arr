entry demo (n: i64): i64 =
  let f = match n
          case 0 -> \x -> x + 1
          case _ -> \x -> x - 1
  in f n
