type colour = #red | #green | #blue
type light = #red | #yellow | #green

def next (l: light): light = match l case #red -> #green case #yellow -> #red case #green -> #yellow

entry demo (n: i64): i64 =
  let c: colour = #red
  in match next c case #red -> 0 case #yellow -> 1 case #green -> 2
