type colour = #red | #green | #blue

def name (c: colour): i64 =
  match c
  case #rde -> 0
  case #green -> 1
  case _ -> 2

def other: colour = #yellow

entry demo (n: i64): i64 = name (if n == 0 then #red else #blue)
