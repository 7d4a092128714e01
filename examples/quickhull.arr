-- The convex hull of a set of points, by divide and conquer.
--
-- Shows records and arrays of records, local functions, recursion with results of unknown size, and
-- fusion across a filter: the body of `side` reads its points once. The areas, the points to the
-- left, the farthest of them and the array for the recursive calls are all made in that one pass.
--
--     arrc run examples/quickhull.arr quickhull \
--       @examples/data/cities.csv:lng @examples/data/cities.csv:lat
--
-- How many loops each strategy makes, which the tests hold it to:
-- ==
-- structure side none { clusters 3 } stream { clusters 2 } megiddo { clusters 2 } ilp { clusters 1 }

-- | Points as a record; arrays of records are stored as one array a field.
type point = {x: f64, y: f64}

-- | Twice the signed area of the triangle a b p: positive when p lies left of the line a b. It is
-- exactly 0 when p equals a or b, so a point is never to the left of a line that it ends.
def area (a: point) (b: point) (p: point): f64 =
  (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)

-- | Lexicographic order; the ends of it are always vertices of the hull.
def before (p: point) (q: point): bool = p.x < q.x || (p.x == q.x && p.y <= q.y)

-- | The hull's vertices from a up to but without b, left of the line a b: one pass over ps. Of
-- several farthest points the first in the order is taken: the others may lie between vertices.
def side [n] (a: point) (b: point) (ps: [n]point): ?[m].[m]point =
  let left = zip ps (map (area a b) ps) |> filter (\(_, d) -> d > 0)
  let farther l r = if l.1 > r.1 || (l.1 == r.1 && before l.0 r.0) then l else r
  let (far, d) = reduce farther (a, 0) left
  in if d == 0 then [a]
     else side a far (map (.0) left) ++ side far b (map (.0) left)

-- | The convex hull of the points (xs, ys), clockwise from its leftmost point, vertices only.
entry quickhull [n] (xs: [n]f64) (ys: [n]f64): ?[h].([h]f64, [h]f64) =
  let ps = map2 (\x y -> {x, y}) xs ys
  let first = reduce (\p q -> if before p q then p else q) {x = f64.inf, y = f64.inf} ps
  let last = reduce (\p q -> if before p q then q else p) {x = -f64.inf, y = -f64.inf} ps
  let hull =
    if n == 0 then []
    else if first == last then [first]
    else side first last ps ++ side last first ps
  in unzip (map (\p -> (p.x, p.y)) hull)
