-- $ arrc build FILE --emit=clusters
-- The programs of the papers in this language, with the number of loops that each strategy makes of
-- them: 001, table 1.1, and the smaller examples of its section 1.4.
type point = {x: f64, y: f64}

-- ==
-- structure normalize2 none { clusters 5 } stream { clusters 4 }
--   megiddo { clusters 3 } ilp { clusters 2 }
entry normalize2 [n] (xs: [n]i64): ([n]i64, [n]i64) =
  let sum1 = reduce (+) 0 xs
  let gts  = filter (> 0) xs
  let sum2 = reduce (+) 0 gts
  let ys1  = map (/ sum1) xs
  let ys2  = map (/ sum2) xs
  in (ys1, ys2)

-- ==
-- structure normalize_inc none { clusters 3 } stream { clusters 2 }
--   megiddo { clusters 2 } ilp { clusters 2 }
entry normalize_inc [n] (xs: [n]i64): [n]i64 =
  let sum1 = reduce (+) 0 xs
  let incs = map (+ 1) xs
  in map (/ sum1) incs

-- ==
-- structure cycle none { clusters 3 } stream { clusters 3 }
--   megiddo { clusters 2 } ilp { clusters 2 }
entry cycle [n] (xs: [n]i64): [n]i64 =
  let ys  = map (+ 1) xs
  let sum = reduce (+) 0 ys
  in map (+ sum) ys

-- ==
-- structure filter_left none { clusters 2 } stream { clusters 2 }
--   megiddo { clusters 1 } ilp { clusters 1 }
entry filter_left [n] (xs: [n]i64): ?[m].([n]i64, [m]i64) =
  (map (+ 1) xs, filter (\x -> x % 2 == 0) xs)

-- As in 002, with the flags as an array of their own.
-- ==
-- structure filter_max none { clusters 4 } stream { clusters 3 }
--   megiddo { clusters 2 } ilp { clusters 1 }
entry filter_max [n] (vec1: [n]i64): ?[m].([m]i64, i64) =
  let vec2  = map (+ 1) vec1
  let flags = map (> 0) vec2
  let vec3  = zip flags vec2 |> filter (.0) |> map (.1)
  let mx    = reduce i64.max 0 vec3
  in (vec3, mx)

-- 000, section 5.4: the points are filtered, and the farthest goes into both calls with them.
-- ==
-- structure hull none { clusters 2 } stream { clusters 2 }
--   megiddo { clusters 2 } ilp { clusters 1 }
def hull [n] (l: point) (r: point) (pts: [n]point): ?[m].[m]point =
  let area p = (r.x - l.x) * (p.y - l.y) - (r.y - l.y) * (p.x - l.x)
  let above = filter (\p -> area p > 0) pts
  let farther p q = if area p >= area q then p else q
  let ma = reduce farther l above
  in if area ma <= 0 then [l] else hull l ma above ++ hull ma r above

entry upper_hull [n] (pts: [n]point) (l: point) (r: point): ?[m].[m]point = hull l r pts

-- 001, listing 1.4. The last map makes a point of each pair, but it is given something to do: to take
-- a field of each element costs nothing here, and is no combinator.
-- ==
-- structure quickhull_core none { clusters 4 } stream { clusters 3 }
--   megiddo { clusters 2 } ilp { clusters 1 }
entry quickhull_core [n] (l: point) (r: point) (pts: [n]point): ?[m].(point, [m]point) =
  let area p = (r.x - l.x) * (p.y - l.y) - (r.y - l.y) * (p.x - l.x)
  let annotated = zip pts (map area pts)
  let (far, _) = reduce (\p q -> if p.1 >= q.1 then p else q) (l, 0) annotated
  let above_annotated = filter (\(_, d) -> d > 0) annotated
  let above = map (\(p, d) -> {x = p.x + 0 * d, y = p.y - 1}) above_annotated
  in (far, above)

-- 001, listing 1.2: the recursive case, given the height to divide at.
-- ==
-- structure closest_pairs none { clusters 6 } stream { clusters 5 }
--   megiddo { clusters 3 } ilp { clusters 3 }
def closest_pairs [n] (mid: f64) (pts: [n]point): f64 =
  let aboves = filter (\p -> p.y > mid) pts
  let belows = filter (\p -> p.y <= mid) pts
  let border = f64.min (closest_pairs (mid + 1) aboves) (closest_pairs (mid - 1) belows)
  let aboveB = filter (\p -> p.y > mid && p.y - mid < border) pts
  let belowB = filter (\p -> p.y <= mid && mid - p.y < border) pts
  let across = cross aboveB belowB
  in fold (\m (p, q) -> f64.min m ((p.x - q.x) ** 2 + (p.y - q.y) ** 2)) border across

-- The same with the midpoint.
-- ==
-- structure closest_points none { clusters 7 } stream { clusters 6 }
--   megiddo { clusters 4 } ilp { clusters 4 }
def closest_points [n] (pts: [n]point): f64 =
  let mid = reduce (+) 0 (map (.y) pts) / f64.i64 n
  let aboves = filter (\p -> p.y > mid) pts
  let belows = filter (\p -> p.y <= mid) pts
  let border = f64.min (closest_points aboves) (closest_points belows)
  let aboveB = filter (\p -> p.y > mid && p.y - mid < border) pts
  let belowB = filter (\p -> p.y <= mid && mid - p.y < border) pts
  let across = cross aboveB belowB
  in fold (\m (p, q) -> f64.min m ((p.x - q.x) ** 2 + (p.y - q.y) ** 2)) border across

entry closest [n] (pts: [n]point): (f64, f64) = (closest_points pts, closest_pairs 0 pts)

-- 001, listing 1.3: the bounds of the points, and the first cut.
-- ==
-- structure quadtree none { clusters 8 } stream { clusters 8 }
--   megiddo { clusters 2 } ilp { clusters 2 }
entry quadtree [n] (pts: [n]point): ?[a][b][c][d].([a]point, [b]point, [c]point, [d]point) =
  let x1 = f64.minimum (map (.x) pts)
  let x2 = f64.maximum (map (.x) pts)
  let y1 = f64.minimum (map (.y) pts)
  let y2 = f64.maximum (map (.y) pts)
  let (x, y) = ((x1 + x2) / 2, (y1 + y2) / 2)
  let p1 = filter (\p -> p.x < x && p.y < y) pts
  let p2 = filter (\p -> p.x >= x && p.y < y) pts
  let p3 = filter (\p -> p.x < x && p.y >= y) pts
  let p4 = filter (\p -> p.x >= x && p.y >= y) pts
  in (p1, p2, p3, p4)

-- The two maps of the paper's version take fields, so they are free: stream fusion makes four loops.
-- ==
-- structure initial_bounds none { clusters 4 } stream { clusters 4 }
--   megiddo { clusters 1 } ilp { clusters 1 }
entry initial_bounds [n] (pts: [n]point): (f64, f64, f64, f64) =
  let (xs, ys) = unzip (map (\p -> (p.x, p.y)) pts)
  in (f64.minimum xs, f64.minimum ys, f64.maximum xs, f64.maximum ys)

-- What is lost if concestors are not fused together with their descendants.
-- ==
-- structure missing none { clusters 5 } stream { clusters 4 }
--   megiddo { clusters 4 } ilp { clusters 2 }
entry missing [n] (xs: [n]i64): (i64, i64) =
  let as = filter (> 0) xs
  let b  = reduce (+) 0 as
  let cs = filter (> b) xs
  let ds = reduce (*) 1 as
  let es = reduce (+) 0 cs
  in (ds, es)

-- Where the papers' objective counts otherwise than traffic: {mean mx ys} {zs} would read two arrays and
-- write two.
-- ==
-- structure scale none { clusters 4 } stream { clusters 3 }
--   megiddo { clusters 2 } ilp { clusters 2 reads 2 writes 1 arrays 0 }
entry scale [n] (xs: [n]i64): [n]i64 =
  let mean = reduce (+) 0 xs
  let mx   = reduce i64.max 1 xs
  let ys   = map (* 3) xs
  let zs   = map (\y -> (y - mean) / mx) ys
  in zs
