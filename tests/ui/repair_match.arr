def f (x: #a | #b) (y: bool): i64 =
  match x
  case #a -> match y case true -> 1 case false -> 2
  case #b -> 3
