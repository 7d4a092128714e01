type pair = #pair i64 i64

entry demo (n: i64): i64 =
  match (#pair n 1 : pair)
  case #pair x x -> x
