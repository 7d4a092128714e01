-- $ arrc build FILE --emit=cnf
-- Records, tuples and functions are gone: only scalars and arrays of scalars are left, and `zip`
-- and the taking of fields have cost nothing.
type point = {x: f64, y: f64}

entry right [n] (ps: [n]point) (ws: [n]i64): ?[k].([k]point, [k]i64) =
  let moved = map (\p -> p with x = p.x + 1) ps
  let kept = filter (\(p, _) -> p.x > p.y) (zip moved ws)
  in unzip kept
