-- Rows that a loop of the step makes: several steps run at once, and their rows are stored in their places.

def states (n: i64): [n][4]i32 = tabulate_2d n 4 (\i j -> i32.i64 (i * 7 + j * 3) % 11)

def step (y: [4]i32): [4]i32 = [y[1], y[0] + y[2], 3 * y[2] - y[1], y[3] + 1]

-- The same with four numbers.
def same (k: i64) (y: [4]i32): [4]i32 =
  let (a, b, c, d) =
    loop (a, b, c, d) = (y[0], y[1], y[2], y[3]) for _ < k do (b, a + c, 3 * c - b, d + 1)
  in [a, b, c, d]

-- ==
-- entry: agree
-- input { 0i64 3i64 } output { true }
-- input { 1i64 3i64 } output { true }
-- input { 5i64 0i64 } output { true }
-- input { 16i64 4i64 } output { true }
-- input { 37i64 9i64 } output { true }
-- input { 100i64 5i64 } output { true }
entry agree (n: i64) (k: i64): bool =
  let ys = states n
  let as = map (\y -> loop y for _ < k do step y) ys
  let bs = map (same k) ys
  in and (map2 (==) (flatten as) (flatten bs))

-- ==
-- entry: turned
-- input { [[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]] [1i64, 2i64, 0i64] } output { [[1.0, -1.0], [2.0, 0.0], [2.0, 2.0]] }
entry turned [n] (ys: [n][2]f64) (ks: [n]i64): [n][2]f64 =
  map2 (\y k -> loop y for _ < k do [y[0] + y[1], y[1] - y[0]]) ys ks

-- A step that fails; the steps before it do not matter.
-- ==
-- entry: looked_up
-- input { [[0, 1], [1, 0], [0, 0]] [5, 6] } output { [[5, 6], [6, 5], [5, 5]] }
-- input { [[0, 1], [1, 2], [0, 0]] [5, 6] } error: index 2 is out of bounds for an array of length 2
entry looked_up [n] (is: [n][2]i32) (xs: [2]i32): [n][2]i32 =
  map (\i -> loop y = i for k < 1 do [xs[y[0]] + i32.i64 k, xs[y[1]]]) is

-- Many short turns, in vectors of several registers and in the ones for the rest.
-- ==
-- entry: polynomials
-- input { 0i64 } output { 0.0 }
-- input { 3i64 } output { 14.0 }
-- input { 50i64 } output { 41750.0 }
-- input { 131i64 } output { 749582.0 }
entry polynomials (n: i64): f64 =
  let cs = [1.0, 1.0, 1.0]
  let horner x = loop acc = 0.0 for c in filter (> 0) cs do acc * x + c
  in f64.sum (map (\i -> horner (f64.i64 i) + 1) (iota n))
