-- | The least square of a distance between a point of one set and one of another, over all pairs
-- (001, table 1.1).
entry closest_pairs [n] [m] (xs: [n]f64) (ys: [n]f64) (us: [m]f64) (vs: [m]f64): f64 =
  let distance ((x, y), (u, v)) = (x - u) * (x - u) + (y - v) * (y - v)
  in reduce f64.min f64.inf (map distance (cross (zip xs ys) (zip us vs)))
