-- Folds and arrays that are the same in each step of a pass are computed once, before the pass.

-- ==
-- entry: shares
-- input { [1.0, 2.0, 3.0] [4.0, 6.0] } output { [0.1, 0.2, 0.3] }
-- input { empty([0]f64) [4.0, 6.0] } output { empty([0]f64) }
-- input { [1.0] empty([0]f64) } output { [inf] }
-- allocates 1
-- structure { clusters 2 arrays 0 }
entry shares [n] [m] (xs: [n]f64) (ws: [m]f64): [n]f64 = map (\x -> x / f64.sum ws) xs

-- An array whose elements take long is stored once.
-- ==
-- entry: scaled
-- input { [[1.0, 2.0], [3.0, 6.0]] [4.0, 16.0] } output { [[0.5, 0.5], [1.5, 1.5]] }
-- input { empty([0][2]f64) [4.0, 16.0] } output { empty([0][2]f64) }
-- allocates 2
entry scaled [n] [m] (xss: [n][m]f64) (vars: [m]f64): [n][m]f64 =
  map (\row -> let sds = map f64.sqrt vars in map2 (/) row sds) xss

-- An array whose elements are quick is not stored.
-- ==
-- entry: moved
-- input { [[1.0, 2.0], [3.0, 6.0]] [4.0, 16.0] } output { [[6.0, 19.0], [8.0, 23.0]] }
-- allocates 1
entry moved [n] [m] (xss: [n][m]f64) (us: [m]f64): [n][m]f64 =
  map (\row -> let vs = map (+ 1) us in map2 (+) row vs) xss

-- The quick array in front of a fold goes with it.
-- ==
-- entry: squares
-- input { [1i64, 2i64] [3i64, 4i64] } output { [26i64, 27i64] }
-- allocates 1
entry squares [n] [m] (xs: [n]i64) (ws: [m]i64): [n]i64 =
  map (\x -> x + i64.sum (map (\w -> w * w) ws)) xs

-- What may fail stays in the step, since the pass may have none.
-- ==
-- entry: quotients
-- input { empty([0]i64) [1i64, 0i64] } output { empty([0]i64) }
-- input { [1i64] [1i64, 0i64] } error: division by zero
-- input { [1i64, 5i64] [1i64, 2i64] } output { [151i64, 155i64] }
entry quotients [n] [m] (xs: [n]i64) (ws: [m]i64): [n]i64 =
  map (\x -> x + i64.sum (map (\w -> 100 / w) ws)) xs

-- ==
-- entry: picked
-- input { empty([0]i64) [1i64, 0i64] 5i64 } output { empty([0]i64) }
-- input { [1i64] [1i64, 7i64] 5i64 } error: out of bounds
-- input { [1i64] [1i64, 7i64] 1i64 } output { [15i64] }
entry picked [n] [m] (xs: [n]i64) (ws: [m]i64) (k: i64): [n]i64 =
  map (\x -> x + i64.sum (map (\_ -> ws[k]) ws)) xs

-- A negative size fails in a step.
-- ==
-- entry: counted
-- input { empty([0]i64) -1i64 } output { empty([0]i64) }
-- input { [1i64] -1i64 } error: negative
-- input { [1i64] 4i64 } output { [7i64] }
entry counted [n] (xs: [n]i64) (k: i64): [n]i64 = map (\x -> x + i64.sum (iota k)) xs

-- In a step of a step, and in a loop.
-- ==
-- entry: nested
-- input { [[1i64, 2i64], [3i64, 4i64]] [5i64, 6i64] 2i64 } output { [[77i64, 80i64], [171i64, 174i64]] }
entry nested [n] [m] (xss: [n][m]i64) (ws: [m]i64) (k: i64): [n][m]i64 =
  map (\row -> map (\x -> loop y = 3 * x for _ < k do y + i64.sum ws * i64.sum row + 4) row) xss

-- A step that changes the array takes a copy.
-- ==
-- entry: changed
-- input { [0i64, 1i64] [4.0, 16.0] } output { [[9.0, 4.0], [2.0, 9.0]] }
entry changed [n] [m] (is: [n]i64) (vars: [m]f64): [n][m]f64 =
  map (\i -> let sds = map f64.sqrt vars in sds with [i] = 9) is

-- The arrays of a flatmap stay in its steps.
-- ==
-- entry: parts
-- input { [1i64, 2i64] [4.0, 16.0] } output { [2.0, 4.0, 2.0, 4.0] }
entry parts [n] [m] (xs: [n]i64) (vars: [m]f64): ?[k].[k]f64 = flatmap (\_ -> map f64.sqrt vars) xs

-- Of a map in a step, the values that take long and depend on arrays that are the same in each step are computed once.
-- ==
-- entry: standard
-- input { [[1.0, 2.0], [3.0, 6.0]] [1.0, 2.0] [4.0, 16.0] } output { [[0.0, 0.0], [1.0, 1.0]] }
-- input { empty([0][2]f64) [1.0, 2.0] [4.0, 16.0] } output { empty([0][2]f64) }
-- input { empty([2][0]f64) empty([0]f64) empty([0]f64) } output { empty([2][0]f64) }
-- allocates 2
entry standard [n] [m] (xss: [n][m]f64) (us: [m]f64) (vars: [m]f64): [n][m]f64 =
  map (\row -> map3 (\x u v -> (x - u) / f64.sqrt v) row us vars) xss

-- ==
-- entry: two
-- input { [[1.0, 2.0], [3.0, 6.0]] [4.0, 16.0] } output { [[2.5, 4.25], [3.5, 4.75]] [[2.0, 4.0], [2.0, 4.0]] }
-- input { [[1.0, -2.0]] [4.0, 16.0] } output { [[2.5, -2.0]] [[2.0, 4.0]] }
entry two [n] [m] (xss: [n][m]f64) (vars: [m]f64): ([n][m]f64, [n][m]f64) =
  unzip (map (\row -> unzip (map2 (\x v ->
    let (s, q) = (f64.sqrt v, 2 / v)
    in (if x < 0 then x else s + x * q + (if x > 0 then (x - x) else s), s)) row vars)) xss)

-- In the steps of a loop.
-- ==
-- entry: loops
-- input { [1.0, 2.0] [4.0, 16.0] 2i64 } output { [4.0, 32.0] }
-- input { [1.0, 2.0] [4.0, 16.0] 0i64 } output { [1.0, 2.0] }
entry loops [m] (xs: [m]f64) (vars: [m]f64) (k: i64): [m]f64 =
  loop xs = xs for _ < k do map2 (\x v -> x * f64.sqrt v) xs vars

-- A value that depends on a number of the step, too, stays there.
-- ==
-- entry: both
-- input { [0.0, 12.0] [4.0, 16.0] } output { [[2.0, 4.0], [4.0, 5.291502622129181]] }
entry both [n] [m] (xs: [n]f64) (vars: [m]f64): [n][m]f64 =
  map (\x -> map (\v -> f64.sqrt (v + x)) vars) xs
