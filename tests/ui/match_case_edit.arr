type shape = #circle f64 | #box f64 f64 | #point

def area (s: shape): f64 =
  match s
  case #circle r -> 3.14 * r * r
  case #box a b -> a * b

entry areas (r: f64): f64 = area (#circle r) + area #point
