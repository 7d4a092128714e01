type option 'a = #some a | #none

def wrap 'a (x: a): option a = #some x

entry demo (n: i64): i64 =
  match wrap (\x -> x + n)
  case #some f -> f 1
  case #none -> 0
