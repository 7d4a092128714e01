-- The programs of the papers, whose clusterings are asserted in `tests/emit`.

-- ==
-- entry: normalize2
-- input { [10i64, -20i64, 30i64] } output { [0i64, -1i64, 1i64] [0i64, -1i64, 0i64] }
-- input { [100i64] } output { [1i64] [1i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) }
-- input { [1i64, -1i64] } error: division by zero
-- input { [-5i64] } error: division by zero
entry normalize2 [n] (xs: [n]i64): ([n]i64, [n]i64) =
  let sum1 = reduce (+) 0 xs
  let gts = filter (> 0) xs
  let sum2 = reduce (+) 0 gts
  let ys1 = map (/ sum1) xs
  let ys2 = map (/ sum2) xs
  in (ys1, ys2)

-- ==
-- entry: normalize_inc
-- input { [1i64, 2i64, 7i64] } output { [5i64, 3i64, 1i64] }
-- input { [0i64] } output { [0i64] }
-- input { [3i64, -1i64] } error: division by zero
entry normalize_inc [n] (xs: [n]i64): [n]i64 =
  let sum1 = reduce (+) 0 xs
  let incs = map (+ 1) xs
  let ys = map (\x -> sum1 / x) incs
  in map (\y -> y) ys

-- ==
-- entry: filter_max
-- input { [3i64, -5i64, 0i64, 7i64, -1i64] } output { [4i64, 1i64, 8i64] 8i64 }
-- input { [-9i64] } output { empty([0]i64) 0i64 }
-- input { empty([0]i64) } output { empty([0]i64) 0i64 }
entry filter_max [n] (vec1: [n]i64): ?[m].([m]i64, i64) =
  let vec2 = map (+ 1) vec1
  let vec3 = filter (> 0) vec2
  let mx = reduce i64.max 0 vec3
  in (vec3, mx)

-- ==
-- entry: filter_left
-- input { [1i64, 2i64, 4i64, 7i64] } output { [2i64, 3i64, 5i64, 8i64] [2i64, 4i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) }
entry filter_left [n] (xs: [n]i64): ?[m].([n]i64, [m]i64) =
  (map (+ 1) xs, filter (\x -> x % 2 == 0) xs)

-- ==
-- entry: cycle
-- input { [1i64, 2i64, 3i64] } output { [2i64, 4i64, 6i64] [13i64, 14i64, 15i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) }
entry cycle [n] (us: [n]i64): ([n]i64, [n]i64) =
  let ys = map (* 2) us
  let sum = reduce (+) 0 ys
  let zs = map (+ sum) us
  in (ys, zs)

-- ==
-- entry: missing
-- input { [5i64, -1i64, 3i64, 9i64] } output { 17i64 17i64 9i64 }
-- input { [1i64, 2i64] } output { 3i64 3i64 2i64 }
-- input { empty([0]i64) } output { 0i64 0i64 0i64 }
entry missing [n] (xs: [n]i64): (i64, i64, i64) =
  let as = filter (> 0) xs
  let b = reduce (+) 0 as
  let cs = filter (\x -> 3 * x > b) xs
  let ds = reduce (+) 0 as
  let es = reduce (+) 0 cs
  in (b, ds, es)

type point = {x: f64, y: f64}

-- One step of quickhull: the points left of a line, and the farthest of them.
-- ==
-- entry: hull_step
-- input { 0.0 0.0 4.0 0.0 [1.0, 2.0, 3.0, 1.0] [1.0, 5.0, -1.0, 0.0] }
-- output { [1.0, 2.0] [1.0, 5.0] 2.0 5.0 20.0 }
-- input { 0.0 0.0 4.0 0.0 [1.0] [-1.0] }
-- output { empty([0]f64) empty([0]f64) 0.0 0.0 0.0 }
entry hull_step [n] (a: point) (b: point) (ps: [n]point): ?[m].([m]point, point, f64) =
  let area p = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)
  let left = zip ps (map area ps) |> filter (\(_, d) -> d > 0)
  let farther l r = if l.1 >= r.1 then l else r
  let (far, d) = reduce farther (a, 0) left
  in (map (.0) left, far, d)
