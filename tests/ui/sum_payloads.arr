type shape = #circle f64 | #box f64 f64 | #dot

def square (a: f64): shape = #box a
def point: shape = #dot 1.0

entry demo (a: f64): f64 =
  match square a
  case #circle -> 1
  case #box w h -> w * h
  case #dot -> 0
