-- | The points of the four quarters around a point: four filters, in one pass (001, table 1.1).
entry quadtree_cut [n] (cx: f64) (cy: f64) (xs: [n]f64) (ys: [n]f64):
    ?[a][b][c][d].([a]f64, [a]f64, [b]f64, [b]f64, [c]f64, [c]f64, [d]f64, [d]f64) =
  let ps = zip xs ys
  let (ax, ay) = unzip (filter (\(x, y) -> x < cx && y < cy) ps)
  let (bx, by) = unzip (filter (\(x, y) -> !(x < cx) && y < cy) ps)
  let (dx, dy) = unzip (filter (\(x, y) -> x < cx && !(y < cy)) ps)
  let (ex, ey) = unzip (filter (\(x, y) -> !(x < cx) && !(y < cy)) ps)
  in (ax, ay, bx, by, dx, dy, ex, ey)
