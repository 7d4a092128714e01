type colour = #red | #green | #blue

def name (c: colour): i64 = match c case #red -> 0 case _ -> 1

entry demo (n: i64): i64 =
  let c = if n == 0 then #red else #purple
  in name c
