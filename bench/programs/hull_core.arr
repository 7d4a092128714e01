-- | The points left of a line, and the one farthest from it (001, listing 1.4).
entry hull_core [n] (ax: f64) (ay: f64) (bx: f64) (by: f64) (xs: [n]f64) (ys: [n]f64):
    ?[m].([m]f64, [m]f64, f64, f64, f64) =
  let area = map2 (\x y -> (bx - ax) * (y - ay) - (by - ay) * (x - ax)) xs ys
  let left = filter (\(_, _, d) -> d > 0) (zip3 xs ys area)
  let farther l r = if l.2 > r.2 then l else r
  let (fx, fy, d) = reduce farther (ax, ay, 0.0) left
  let (px, py, _) = unzip3 left
  in (px, py, fx, fy, d)
