-- The program of the tests of servers: entries that take and give values of every kind.

type point = {x: f64, y: f64}
type shape = #circle f64 | #none | #rectangle point

#[noinline]
entry norms (ps: []point): []f64 = map (\p -> f64.sqrt (p.x * p.x + p.y * p.y)) ps

entry doubled [n] (xs: [n]f64): ([n]f64, f64) = (map (* 2) xs, reduce (+) 0 xs)

entry area (s: shape): f64 =
  match s
  case #circle r -> 3 * r * r
  case #none -> 0
  case #rectangle p -> p.x * p.y

entry pick (xs: []i64) (i: i64): i64 = xs[i]

entry middle (p: point) (q: point): point = {x = (p.x + q.x) / 2, y = (p.y + q.y) / 2}
