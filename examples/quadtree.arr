-- A quadtree of a set of points: a box is cut in four until a part holds few enough points.
--
-- Shows how a tree is held in flat arrays: one array of leaves, and the points in the order of the
-- leaves. The four filters of a cut share one pass over the points, and so do the four folds that
-- find the outermost box.
--
--     arrc run examples/quadtree.arr quadtree \
--       @examples/data/cities.csv:lng @examples/data/cities.csv:lat 1000
--
-- How many loops each strategy makes, which the tests hold it to:
-- ==
-- structure quadtree none { clusters 4 } stream { clusters 4 } megiddo { clusters 1 } ilp { clusters 1 }
-- structure divide.else.else none { clusters 4 } stream { clusters 4 } megiddo { clusters 1 } ilp { clusters 1 }

-- | Points as a record; arrays of records are stored as one array a field.
type point = {x: f64, y: f64}

-- | The points from (x1, y1) to (x2, y2). A point on the line between two boxes is in the eastern
-- or northern one; one on the outermost edge is inside.
type box = {x1: f64, y1: f64, x2: f64, y2: f64}

-- | A part that was not cut again: its box, the number of cuts that made it, and where its points
-- are in the array of points.
type leaf = {box: box, depth: i64, offset: i64, count: i64}

-- | No box is cut more often than this, so that equal points come to rest.
def max_depth: i64 = 32

-- | The leaves and the points of the box b, which holds ps and was made by `depth` cuts; its first
-- point has the position `offset`. Leaves without points are left out.
def divide [n] (capacity: i64) (b: box) (depth: i64) (offset: i64)
    (ps: [n]point): ?[l][m].([l]leaf, [m]point) =
  if n == 0 then ([], [])
  else if n <= capacity || depth == max_depth then ([{box = b, depth, offset, count = n}], ps)
  else
    let cx = (b.x1 + b.x2) / 2
    let cy = (b.y1 + b.y2) / 2
    let west (p: point) = p.x < cx
    let south (p: point) = p.y < cy
    -- Each point passes exactly one of these.
    let sw = filter (\p -> west p && south p) ps
    let se = filter (\p -> !(west p) && south p) ps
    let nw = filter (\p -> west p && !(south p)) ps
    let ne = filter (\p -> !(west p) && !(south p)) ps
    let at_se = offset + length sw
    let at_nw = at_se + length se
    let at_ne = at_nw + length nw
    let (l1, p1) = divide capacity {x1 = b.x1, y1 = b.y1, x2 = cx, y2 = cy} (depth + 1) offset sw
    let (l2, p2) = divide capacity {x1 = cx, y1 = b.y1, x2 = b.x2, y2 = cy} (depth + 1) at_se se
    let (l3, p3) = divide capacity {x1 = b.x1, y1 = cy, x2 = cx, y2 = b.y2} (depth + 1) at_nw nw
    let (l4, p4) = divide capacity {x1 = cx, y1 = cy, x2 = b.x2, y2 = b.y2} (depth + 1) at_ne ne
    in (l1 ++ l2 ++ l3 ++ l4, p1 ++ p2 ++ p3 ++ p4)

-- | The quadtree of the points (xs, ys): its leaves, each with at most `capacity` points unless it
-- is as deep as they go, from south-west to north-east; and the points in the order of the leaves.
entry quadtree [n] (xs: [n]f64) (ys: [n]f64) (capacity: i64): ?[l][m].([l]leaf, [m]point) =
  let bounds =
    { x1 = reduce f64.min f64.inf xs
    , y1 = reduce f64.min f64.inf ys
    , x2 = reduce f64.max (-f64.inf) xs
    , y2 = reduce f64.max (-f64.inf) ys }
  in divide capacity bounds 0 0 (map2 (\x y -> {x, y}) xs ys)
