-- $ arrc build FILE --emit=cnf
-- Functions that give elements as they are make no arrays: neither taking a field nor `unzip` costs
-- anything, and the arrays of the results are those of the inputs.
type point = {x: f64, y: f64}

entry fields [n] (ps: [n]point) (ws: [n]i64): ([n]f64, [n]i64, [n]f64) =
  let triples = map2 (\p w -> (p.x, w, p.y + 1)) ps ws
  in unzip3 triples
