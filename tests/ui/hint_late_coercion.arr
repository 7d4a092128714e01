-- $ arrc explain FILE
-- The size is made another's when the pass that could have used it is over: what it makes is used with both sizes.
entry weighted [n] [m] (xs: [n]f64) (ws: [m]f64): ([m]f64, f64) =
  let ys = map f64.sqrt xs
  in (map2 (*) (ys :> [m]f64) ws, f64.sum ys)

entry three [n] (xs: [n]f64): ([3]f64, f64) =
  let ys = map f64.sqrt xs
  in (map2 (*) (ys :> [3]f64) [1, 2, 3], f64.sum ys)

-- The compiler moves this coercion before the pass. It cannot move the second one: a filter finds out its size.
entry early [n] [m] (xs: [n]f64) (ws: [m]f64): [m]f64 =
  map2 (*) (map f64.sqrt xs :> [m]f64) ws

entry filtered [n] [m] (xs: [n]f64) (ws: [m]f64): [m]f64 =
  map2 (*) (filter (> 0) xs :> [m]f64) ws
