-- Folds that choose the least position among equal elements, whatever position they begin with.

def nearer (i: i64, x: f64) (j: i64, y: f64): (i64, f64) =
  if y < x || (y == x && j < i) then (j, y) else (i, x)
def farther (i: i64, x: f64) (j: i64, y: f64): (i64, f64) =
  if y > x || (y == x && j < i) then (j, y) else (i, x)
def total [d] (p: [d]f64) (q: [d]f64): f64 = f64.sum (map2 (\x y -> x * y) p q)

-- From each first position that is in the matrix, before it, and behind it; from a first value that is greater than all, or equal to some.
-- ==
-- entry: least greatest
-- input { [[3.0, 1], [1.0, 1], [2.0, 0], [1.0, 1], [5.0, 5]] [1.0, 1.0] inf } auto output
-- input { [[3.0, 1], [1.0, 1], [2.0, 0], [1.0, 1], [5.0, 5]] [1.0, 1.0] 2.0 } auto output
-- input { [[3.0, 1], [1.0, 1], [2.0, 0], [1.0, 1], [5.0, 5]] [1.0, 1.0] 10.0 } auto output
-- input { [[3.0, 1], [1.0, 1], [2.0, 0], [1.0, 1], [5.0, 5]] [1.0, 1.0] -inf } auto output
-- input { [[3.0, 1], [1.0, 1], [2.0, 0], [1.0, 1], [5.0, 5]] [1.0, 1.0] nan } auto output
-- input { [[inf, 1], [inf, 1], [inf, 0]] [1.0, 1.0] inf } auto output
-- input { [[inf, 1], [nan, 1], [inf, 0]] [1.0, 1.0] inf } auto output
-- input { [[nan, 1], [nan, 1], [nan, 0]] [1.0, 1.0] inf } auto output
-- input { [[0.0, 0], [-0.0, -0.0], [0.0, 0], [1.0, 0]] [1.0, 1.0] -0.0 } auto output
-- input { empty([0][2]f64) [1.0, 1.0] inf } auto output
entry least [n] [d] (a: [n][d]f64) (p: [d]f64) (x: f64): [](i64, f64) =
  map (\i -> fold nearer (i - 2, x) (indexed (map (total p) a))) (iota 9)

entry greatest [n] [d] (a: [n][d]f64) (p: [d]f64) (x: f64): [](i64, f64) =
  map (\i -> fold farther (i - 2, x) (indexed (map (total p) a))) (iota 9)

-- ==
-- entry: nearest
-- random input { [20][8]f64 [9][8]f64 } auto output
-- random input { [20][5]f64 [9][5]f64 } auto output
-- random input { [20][3]f64 [0][3]f64 } auto output
entry nearest [n] [k] [d] (points: [n][d]f64) (centres: [k][d]f64): [n]i64 =
  map (\p -> (reduce nearer (k, f64.inf) (indexed (map (total p) centres))).0) points

-- The comparison decides more than ties.
-- ==
-- entry: other
-- input { [[3.0, 1], [1.0, 1], [2.0, 0], [1.0, 1], [5.0, 5]] [1.0, 1.0] } auto output
entry other [n] [d] (a: [n][d]f64) (p: [d]f64): [](i64, f64) =
  let either (i: i64, x: f64) (j: i64, y: f64): (i64, f64) =
    if y < x || j < i then (j, y) else (i, x)
  in map (\i -> fold either (i - 2, 3) (indexed (map (total p) a))) (iota 9)
