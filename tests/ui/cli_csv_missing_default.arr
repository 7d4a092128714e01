-- $ arrc run --missing=-1 FILE same @holes.csv:x @holes.csv:y @holes.csv:codes(place)
-- An empty cell of a column of texts has the text `-1`, which comes before `B`.
entry same [n] (xs: [n]f64) (ys: [n]i64) (zs: [n]u8): ([n]f64, [n]i64, [n]u8) = (xs, ys, zs)
