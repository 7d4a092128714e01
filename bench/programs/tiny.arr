-- | Points as a record.
type point = {x: f64, y: f64}

-- | The points from (x1, y1) to (x2, y2).
type box = {x1: f64, y1: f64, x2: f64, y2: f64}

-- | A part that was not cut again.
type leaf = {box: box, depth: i64, offset: i64, count: i64}

-- | The quadtree of examples/quadtree.arr, down to single points.
def divide [n] (b: box) (depth: i64) (offset: i64) (ps: [n]point): ?[l][m].([l]leaf, [m]point) =
  if n == 0 then ([], [])
  else if n == 1 || depth == 32 then ([{box = b, depth, offset, count = n}], ps)
  else
    let cx = (b.x1 + b.x2) / 2
    let cy = (b.y1 + b.y2) / 2
    let west (p: point) = p.x < cx
    let south (p: point) = p.y < cy
    let sw = filter (\p -> west p && south p) ps
    let se = filter (\p -> !(west p) && south p) ps
    let nw = filter (\p -> west p && !(south p)) ps
    let ne = filter (\p -> !(west p) && !(south p)) ps
    let at_se = offset + length sw
    let at_nw = at_se + length se
    let at_ne = at_nw + length nw
    let (l1, p1) = divide {x1 = b.x1, y1 = b.y1, x2 = cx, y2 = cy} (depth + 1) offset sw
    let (l2, p2) = divide {x1 = cx, y1 = b.y1, x2 = b.x2, y2 = cy} (depth + 1) at_se se
    let (l3, p3) = divide {x1 = b.x1, y1 = cy, x2 = cx, y2 = b.y2} (depth + 1) at_nw nw
    let (l4, p4) = divide {x1 = cx, y1 = cy, x2 = b.x2, y2 = b.y2} (depth + 1) at_ne ne
    in (l1 ++ l2 ++ l3 ++ l4, p1 ++ p2 ++ p3 ++ p4)

entry quadtree_points [n] (xs: [n]f64) (ys: [n]f64): ?[l][m].([l]leaf, [m]point) =
  divide {x1 = 0, y1 = 0, x2 = 1, y2 = 1} 0 0 (map2 (\x y -> {x, y}) xs ys)

def area (a: point) (b: point) (p: point): f64 =
  (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)

def before (p: point) (q: point): bool = p.x < q.x || (p.x == q.x && p.y <= q.y)

-- | The side of examples/quickhull.arr.
def side [n] (a: point) (b: point) (ps: [n]point): ?[m].[m]point =
  let left = zip ps (map (area a b) ps) |> filter (\(_, d) -> d > 0)
  let farther l r = if l.1 > r.1 || (l.1 == r.1 && before l.0 r.0) then l else r
  let (far, d) = reduce farther (a, 0) left
  in if d == 0 then [a]
     else side a far (map (.0) left) ++ side far b (map (.0) left)

-- | The hull of points on a circle: each of them is a vertex.
entry circle_hull [n] (xs: [n]f64) (ys: [n]f64): ?[h].[h]point =
  let ps = map2 (\x y -> {x, y}) xs ys
  let first = reduce (\p q -> if before p q then p else q) {x = f64.inf, y = f64.inf} ps
  let last = reduce (\p q -> if before p q then q else p) {x = -f64.inf, y = -f64.inf} ps
  in if n == 0 then [] else side first last ps ++ side last first ps

-- | Two sorted arrays as one.
def merge [n] [m] (a: [n]i64) (b: [m]i64): [n + m]i64 =
  let (_, _, out) = loop (i, j, out) = (0, 0, replicate (n + m) 0) for k < n + m do
    if j >= m || (i < n && a[i] <= b[j]) then (i + 1, j, out with [k] = a[i])
    else (i, j + 1, out with [k] = b[j])
  in out

-- | Merge sort down to single elements.
entry merge_sort [n] (xs: [n]i64): [n]i64 =
  if n <= 1 then xs
  else let h = n / 2
       in merge (merge_sort xs[:h]) (merge_sort xs[h:]) :> [n]i64
