-- The position of the least or greatest element, in the steps of a loop.

-- The first of equal ones counts; nan is never the nearest.
-- ==
-- entry: nearest
-- input { [0.0, 2.5, 9.0] [1.0, -1.0, 5.0, 2.0, 3.0, 9.0, 9.0] } output { [0i64, 3i64, 5i64] }
-- input { [f64.nan, f64.inf] [1.0, 2.0] } output { [2i64, 0i64] }
-- input { [1.0] empty([0]f64) } output { [0i64] }
entry nearest [n] [k] (xs: [n]f64) (ys: [k]f64): [n]i64 =
  let nearer (i, c) (j, d) = if d < c || (d == c && j < i) then (j, d) else (i, c)
  in map (\x -> (reduce nearer (k, f64.inf) (indexed (map (\y -> (x - y) * (x - y)) ys))).0) xs

-- Zeros of both signs are equal.
-- ==
-- entry: signs
-- input { [[0.0, -0.0, 1.0], [-0.0, 0.0, -0.0], [3.0, -0.0, 0.0]] } output { [0i64, 0i64, 1i64] }
entry signs [n] [k] (xss: [n][k]f64): [n]i64 =
  let less (i, c) (j, d) = if d <= c && (d < c || j < i) then (j, d) else (i, c)
  in map (\xs -> (reduce less (k, f64.inf) (indexed xs)).0) xss

-- Where the element is a result as well, its sign is that of the first one.
-- ==
-- entry: with_value
-- input { [[0.0, -0.0, 1.0], [-0.0, 0.0, -0.0], [3.0, -0.0, 0.0]] } output { [f64.inf, -f64.inf, -f64.inf] }
entry with_value [n] [k] (xss: [n][k]f64): [n]f64 =
  let less (i, c) (j, d) = if d < c || (d == c && j < i) then (j, d) else (i, c)
  in map (\xs -> 1 / (reduce less (k, f64.inf) (indexed xs)).1) xss

-- The greatest, of integers, with its position.
-- ==
-- entry: greatest
-- input { [[3i64, 7i64, 7i64], [-1i64, -2i64, -1i64]] } output { [1i64, 0i64] [7i64, -1i64] }
entry greatest [n] [k] (xss: [n][k]i64): ([n]i64, [n]i64) =
  let more (i, c) (j, d) = if c < d || (i > j && c == d) then (j, d) else (i, c)
  in unzip (map (\xs -> reduce more (k, i64.lowest) (indexed xs)) xss)
