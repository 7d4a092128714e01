-- Points of any dimension in k groups, each about its centre (k-means, by Lloyd's algorithm), from centres
-- that are chosen to be far apart; and how good the groups are.
--
-- Shows matrices whose rows are points, an argument that is a function (the distance), `reduce_by_index` that
-- adds up rows, loops until nothing changes, and a result that says by a sum type how it was reached.
--
--     arrc run examples/kmeans.arr groups 2 100 '[[0, 0], [0, 1], [9, 9], [9, 8]]'
--
-- How far the centres are from a point is never stored:
-- ==
-- structure nearest_groups.a none { clusters 3 } ilp { clusters 1 arrays 0 }

-- | The square of the distance of two points.
def distance2 [d] (p: [d]f64) (q: [d]f64): f64 = f64.sum (map2 (\x y -> (x - y) * (x - y)) p q)

-- | The distance of two points.
def distance [d] (p: [d]f64) (q: [d]f64): f64 = f64.sqrt (distance2 p q)

-- | A number and where it stands.
type ranked = (i64, f64)

-- | The one with the smaller number, of equal ones the first.
def smaller (a: ranked) (b: ranked): ranked =
  if b.1 < a.1 || (b.1 == a.1 && b.0 < a.0) then b else a

-- | The one with the larger number, of equal ones the first.
def larger (a: ranked) (b: ranked): ranked = if b.1 > a.1 || (b.1 == a.1 && b.0 < a.0) then b else a

-- | The group whose centre is nearest to a point, and the square of the distance.
def nearest [k] [d] (centres: [k][d]f64) (p: [d]f64): ranked =
  reduce smaller (k, f64.inf) (indexed (map (distance2 p) centres))

-- | The nearest group of each point.
-- ==
-- entry: nearest_groups
-- input { [[0.0, 0.0], [4.0, 0.0]] [[1.0, 0.0], [3.0, 3.0], [2.0, 5.0]] } output { [0i64, 1i64, 0i64] }
-- input { [[0.0]] empty([0][1]f64) } output { empty([0]i64) }
entry nearest_groups [k] [n] [d] (centres: [k][d]f64) (points: [n][d]f64): [n]i64 =
  map (\p -> (nearest centres p).0) points

-- | k initial centres: the first point, and then each time the point that is farthest from the centres so far.
-- ==
-- entry: spread_out
-- input { 3i64 [[0.0], [1.0], [10.0], [4.0]] } output { [[0.0], [10.0], [4.0]] }
-- input { 2i64 empty([0][1]f64) } error: index 0 is out of bounds for an array of length 0
entry spread_out [n] [d] (k: i64) (points: [n][d]f64): [k][d]f64 =
  let first = replicate k points[0]
  let (centres, _) =
    loop (centres, left) = (first, map (distance2 points[0]) points) for c < k - 1 do
      let (farthest, _) = reduce larger (n, -1) (indexed left)
      let left = map2 (\p l -> f64.min l (distance2 p points[farthest])) points left
      in (centres with [c + 1] = points[farthest], left)
  in centres

-- | The mean of the points of each group; the old centre of a group without any.
def means [k] [n] [d] (old: [k][d]f64) (group: [n]i64) (points: [n][d]f64): [k][d]f64 =
  let counts = hist (+) 0 k group (replicate n 1i64)
  let sums = hist (map2 (+)) (replicate d 0) k group points
  let mean count sum centre = if count == 0 then centre else map (/ f64.i64 count) sum
  in map3 mean counts sums old

-- | How an iteration ended: after so many steps nothing changed any more, or there were no more steps.
type ending = #settled i64 | #stopped

-- | The centres and the group of each point, and how they were reached: Lloyd's algorithm, with at most
-- `limit` steps.
def cluster [n] [d] (k: i64) (limit: i64) (points: [n][d]f64): ([k][d]f64, [n]i64, ending) =
  let centres = spread_out k points
  let (centres, group, steps, moving) =
    loop (centres, group, steps, moving) = (centres, nearest_groups centres points, 0, true)
        while moving && steps < limit do
      let centres = means centres group points
      let next = nearest_groups centres points
      in (centres, next, steps + 1, or (map2 (!=) group next))
  in (centres, group, if moving then #stopped else #settled steps)

-- | The centres, the group of each point, and after how many steps nothing changed any more; -1 if
-- `limit` steps were too few.
-- ==
-- entry: groups
-- input { 2i64 100i64 [[0.0, 0.0], [0.0, 1.0], [9.0, 9.0], [9.0, 8.0]] }
-- output { [[0.0, 0.5], [9.0, 8.5]] [0i64, 0i64, 1i64, 1i64] 1i64 }
-- "no steps"
-- input { 1i64 0i64 [[1.0], [2.0]] } output { [[1.0]] [0i64, 0i64] -1i64 }
-- "more groups than different points: some stay empty"
-- input { 3i64 10i64 [[1.0], [5.0]] } output { [[1.0], [5.0], [1.0]] [0i64, 1i64] 1i64 }
entry groups [n] [d] (k: i64) (limit: i64) (points: [n][d]f64): ([k][d]f64, [n]i64, i64) =
  let (centres, group, ending) = cluster k limit points
  let steps =
    match ending
    case #settled steps -> steps
    case #stopped -> -1
  in (centres, group, steps)

-- | The sum of the squares of the distances from points to the centres of their groups, which is what the
-- algorithm makes small.
-- ==
-- entry: spread_within
-- input { [[0.0, 0.5], [9.0, 8.5]] [0i64, 0i64, 1i64, 1i64] [[0.0, 0.0], [0.0, 1.0], [9.0, 9.0], [9.0, 8.0]] }
-- output { 1.0 }
entry spread_within [k] [n] [d] (centres: [k][d]f64) (group: [n]i64) (points: [n][d]f64): f64 =
  f64.sum (map2 (\p g -> distance2 p centres[g]) points group)

-- | How well each of k groups keeps to itself, after P. Rousseeuw: for each point, by how much nearer its own
-- group is than the nearest other one, from -1 to 1, 0 where it is alone; the mean over all points.
-- ==
-- entry: silhouette
-- "9.5 / 10.5 for the first and the last, 8.5 / 9.5 for the others"
-- input { 2i64 [0i64, 0i64, 1i64, 1i64] [[0.0], [1.0], [10.0], [11.0]] } output { 0.899749373433584 }
-- "a point alone"
-- input { 2i64 [0i64, 1i64] [[0.0], [1.0]] } output { 0.0 }
entry silhouette [n] [d] (k: i64) (group: [n]i64) (points: [n][d]f64): f64 =
  let counts = hist (+) 0 k group (replicate n 1i64)
  let of_point (p: [d]f64) (own: i64): f64 =
    -- The sum of the distances to the points of each group.
    let sums = hist (+) 0 k group (map (distance p) points)
    let mean g = if g == own || counts[g] == 0 then f64.inf else sums[g] / f64.i64 counts[g]
    let within = sums[own] / f64.i64 (counts[own] - 1)
    let without = f64.minimum (map mean (iota k))
    in if counts[own] == 1 || without == f64.inf then 0
       else (without - within) / f64.max without within
  in f64.sum (map2 of_point points group) / f64.i64 n
