-- Arrays of sums are as many arrays as a sum has components, and cost nothing where they are fused.
-- structure total: ilp 1
type shape = #circle f64 | #box f64 f64 | #dot

def area (s: shape): f64 =
  match s
  case #circle r -> 3 * r * r
  case #box w h -> w * h
  case #dot -> 0

entry total [n] (xs: [n]f64): f64 =
  f64.sum (map area (map (\x -> if x < 0 then #dot else if x < 1 then #circle x else #box x 2) xs))
