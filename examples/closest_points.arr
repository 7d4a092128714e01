-- The distance of the closest two points of a set, by divide and conquer.
--
-- Shows `cross`, whose pairs are never stored: `cross`, `map` and `reduce` run as one loop nest.
-- The two filters before each recursive step share one pass over the points, and so do the two
-- after it. Arrays that go into a recursive call have to exist, so nothing fuses across the calls.
--
--     arrc run examples/closest_points.arr closest_points \
--       @examples/data/cities.csv:lng @examples/data/cities.csv:lat
--
-- How many loops each strategy makes, which the tests hold it to:
-- ==
-- structure closest.else none { clusters 8 } stream { clusters 6 } megiddo { clusters 4 } ilp { clusters 4 }

-- | Points as a record; arrays of records are stored as one array a field.
type point = {x: f64, y: f64}

-- | The square of the distance of p and q. It orders pairs as the distance does, and is cheaper.
def dist2 (p: point) (q: point): f64 =
  (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y)

-- | The least `dist2` of two of the points, from all pairs.
def naive [n] (ps: [n]point): f64 =
  let numbered = zip (iota n) ps
  in cross numbered numbered
     |> map (\((i, p), (j, q)) -> if i < j then dist2 p q else f64.inf)
     |> reduce f64.min f64.inf

-- | The least `dist2` of two of the points, which are what the last cut left of `whole` points. A
-- cut that left them all on one side (when they share their y) would do so again for ever.
def closest [n] (whole: i64) (ps: [n]point): f64 =
  if n < 100 || n == whole then naive ps
  else
    -- Divide at the mean height.
    let midy = reduce (+) 0 (map (.y) ps) / f64.i64 n
    let aboves = filter (\p -> p.y > midy) ps
    let belows = filter (\p -> p.y <= midy) ps
    let border = f64.min (closest n aboves) (closest n belows)
    -- Conquer: only points nearer to the cut than the best so far can be closer across it.
    let near (p: point) = (p.y - midy) * (p.y - midy) < border
    let aboveB = filter (\p -> p.y > midy && near p) ps
    let belowB = filter (\p -> p.y <= midy && near p) ps
    let across = cross aboveB belowB |> map (\(p, q) -> dist2 p q) |> reduce f64.min f64.inf
    in f64.min border across

-- | The distance of the closest two of the points (xs, ys): 0 if two are equal, infinity if there
-- are fewer than two.
entry closest_points [n] (xs: [n]f64) (ys: [n]f64): f64 =
  f64.sqrt (closest (n + 1) (map2 (\x y -> {x, y}) xs ys))
