-- Passes over the columns of a matrix whose steps have loops, folds and arrays of their own: each becomes a pass over rows.
-- What may fail still fails only where there is a column.

-- Systems with three diagonals, one for each column: elimination downwards, and substitution upwards.
-- ==
-- entry: solved
-- input { [[4.0, 5.0], [4.0, 5.0], [4.0, 5.0]] [[3.0, 4.0], [2.0, 3.0], [3.0, 4.0]] } output { [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]] }
-- input { empty([0][2]f64) empty([0][2]f64) } output { empty([0][2]f64) }
-- input { empty([2][0]f64) empty([2][0]f64) } output { empty([2][0]f64) }
-- random input { [33][21]f64 [33][21]f64 } auto output
def solve [n] (d: [n]f64) (r: [n]f64): [n]f64 =
  let (d, r) =
    loop (d, r) = (d, r) for k < n - 1 do
      let w = 1 / d[k]
      in (d with [k + 1] = d[k + 1] - w, r with [k + 1] = r[k + 1] + w * r[k])
  in loop x = map2 (/) r d for k < n - 1 do
       let i = n - 2 - k
       in x with [i] = (r[i] + x[i + 1]) / d[i]

entry solved [n] [m] (d: [n][m]f64) (r: [n][m]f64): [n][m]f64 =
  transpose (map2 solve (transpose d) (transpose r))

-- An index out of bounds is an error only where there is a column.
-- ==
-- entry: shifted
-- input { 2i64 [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } error: index 3 is out of bounds for an array of length 3
-- input { 1i64 [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } output { [[0i64, 0i64], [1i64, 2i64], [3i64, 4i64]] }
-- input { 9i64 empty([3][0]i64) } output { empty([3][0]i64) }
-- input { -1i64 [[1i64], [3i64]] } output { [[0i64], [0i64]] }
entry shifted [n] [m] (s: i64) (a: [n][m]i64): [n][m]i64 =
  transpose
    (map (\c -> loop r = replicate n 0 for i < s + 1 do r with [i + 1] = c[i]) (transpose a))

-- A value that is the same in all columns, and a division that fails in a column only.
-- ==
-- entry: scaled_down
-- input { 2i64 [[4i64, 6i64], [8i64, 2i64]] } output { [[2i64, 3i64], [6i64, 4i64]] [12i64, 8i64] }
-- input { 0i64 [[4i64, 6i64], [8i64, 2i64]] } error: division by zero
-- input { 0i64 empty([2][0]i64) } output { empty([2][0]i64) empty([0]i64) }
-- input { 0i64 empty([0][2]i64) } output { empty([0][2]i64) [0i64, 0i64] }
entry scaled_down [n] [m] (k: i64) (a: [n][m]i64): ([n][m]i64, [m]i64) =
  let (rows, sums) = unzip (map (\c -> (scan (+) 0 (map (/ k) c), i64.sum c)) (transpose a))
  in (transpose rows, sums)

-- Loops in loops, a choice by the counter, a choice by the element, and arrays that all columns read.
-- ==
-- entry: filtered
-- input { [1i64, 2i64, 3i64] 2i64 [[1i64, -2i64], [3i64, 4i64], [-5i64, 6i64]] } auto output
-- input { [1i64, 2i64, 3i64] 0i64 [[1i64, -2i64], [3i64, 4i64], [-5i64, 6i64]] } output { [[1i64, -2i64], [3i64, 4i64], [-5i64, 6i64]] }
-- input { [1i64, 2i64] 3i64 empty([2][0]i64) } output { empty([2][0]i64) }
entry filtered [n] [m] (w: [n]i64) (k: i64) (a: [n][m]i64): [n][m]i64 =
  transpose (map (\c ->
    loop r = c for s < k do
      loop r = r for i < n do
        let left = if i > 0 then r[i - 1] else w[i]
        in r with [i] = if r[i] > 0 then r[i] * w[i] + left + s else left - r[i])
    (transpose a))

-- The number of the column, a fold with two accumulators, and results that are no columns.
-- ==
-- entry: weighted
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { [[1i64, 4i64], [3i64, 8i64]] [3i64, 4i64] [4i64, 12i64] }
-- input { empty([0][2]i64) } output { empty([0][2]i64) [0i64, 0i64] [0i64, 0i64] }
entry weighted [n] [m] (a: [n][m]i64): ([n][m]i64, [m]i64, [m]i64) =
  let (rows, most, sums) = unzip3 (map2 (\j c ->
    let (most, sum) = fold (\(u, v) x -> (i64.max u x, v + x * (j + 1))) (0, 0) c
    in (map (* (j + 1)) c, most, sum)) (iota m) (transpose a))
  in (transpose rows, most, sums)

-- A part of an array is no copy of it, and an array of another shape is none.
-- ==
-- entry: parts
-- input { [1i64, 2i64, 3i64, 4i64] 2i64 } output { [1i64, 2i64] [1i64, 2i64, 3i64, 4i64] [[1i64, 2i64], [3i64, 4i64]] }
-- input { [1i64, 2i64, 3i64, 4i64] 5i64 } error: index 4 is out of bounds for an array of length 4
entry parts [n] (a: [n]i64) (k: i64): ([k]i64, [n]i64, [2][2]i64) =
  (tabulate k (\i -> a[i]),
   tabulate n (\i -> a[i]),
   tabulate 2 (\i -> tabulate 2 (\j -> a[i * 2 + j])))

-- Loops whose steps are independent, and loops whose steps are not.
-- ==
-- entry: loops
-- input { [1i64, 2i64, 3i64] [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64], [7i64, 8i64, 9i64]] }
-- output { [2i64, 4i64, 6i64] [2i64, 3i64, 0i64] [[2i64, 5i64, 8i64], [3i64, 6i64, 9i64], [4i64, 7i64, 10i64]]
--          [[1i64, 1i64, 1i64], [1i64, 2i64, 2i64], [1i64, 3i64, 3i64]] [3i64, 5i64, 3i64] [[1i64, 0i64, 0i64], [4i64, 5i64, 0i64], [7i64, 8i64, 9i64]] }
-- input { empty([0]i64) empty([0][0]i64) }
-- output { empty([0]i64) empty([0]i64) empty([0][0]i64) empty([0][0]i64) empty([0]i64) empty([0][0]i64) }
entry loops [n] (a: [n]i64) (b: [n][n]i64):
    ([n]i64, [n]i64, [n][n]i64, [n][n]i64, [n]i64, [n][n]i64) =
  let zeros = replicate n (replicate n 0)
  let own = loop r = a for i < n do r with [i] = r[i] * 2
  let next = loop r = a for i < n do r with [i] = if i + 1 < n then r[i + 1] else 0
  let columns = loop r = zeros for j < n do
    loop r = r for i < n do r with [i, j] = r[i, j] + b[j, i] + 1
  let diagonal = loop r = zeros for j < n do
    loop r = r for i < n do
      r
        with [i, j] =
          if i > 0 && j > 0 then r[i - 1, j] + 1 else i64.max 1 (i + j - 1) + 0 * r[j, i]
  let some = loop r = replicate n 0 for i < n - 1 do r with [i] = a[i] + a[i + 1]
  let some = loop r = some for i < n do if i == n - 1 then r with [i] = a[i] else r
  let part = loop r = zeros for i < n do
    loop r = r for j < i + 1 do r with [i, j] = b[i, j]
  in (own, next, columns, diagonal, some, part)

-- Scalars that loops carry are folds, whatever their bounds and counters are.
-- ==
-- entry: carried
-- input { 4i64 [1.5, 2.5, 4.0] } output { 8.0 6i64 16i64 3.0 }
-- input { -1i64 empty([0]f64) } output { 0.0 0i64 1i64 0.0 }
entry carried [n] (k: i64) (xs: [n]f64): (f64, i64, i64, f64) =
  let sum = loop s = 0.0 for i < n do s + xs[i]
  let counts = loop c = 0 for i < k do c + i
  let powers = loop p = 1 for _ < k do p * 2
  let steps = loop c = 0.0 for _ < n do c + 1
  in (sum, counts, powers, steps)

-- Elements that a step changes by a choice, or several times.
-- ==
-- entry: chosen
-- input { [3i64, -1i64, 2i64] [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } output { [9i64, 0i64, 4i64] [6i64, -1i64, 13i64] [[2i64, 4i64], [3i64, 4i64], [10i64, 12i64]] }
-- input { empty([0]i64) empty([0][2]i64) } output { empty([0]i64) empty([0]i64) empty([0][2]i64) }
entry chosen [n] (a: [n]i64) (b: [n][2]i64): ([n]i64, [n]i64, [n][2]i64) =
  let squares = loop r = replicate n 0 for i < n do if a[i] > 0 then r with [i] = a[i] * a[i] else r
  let sums = loop r = a for i < n do
    loop r = r for j < 2 do if a[i] > 0 then r with [i] = r[i] + b[i, j] else r
  let rows = loop r = b for i < n do if a[i] > 0 then r with [i] = map (* 2) r[i] else r
  in (squares, sums, rows)

-- A check in the step of a column fails although nothing uses a value of it.
-- ==
-- entry: checked
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { [[1i64, 2i64], [4i64, 6i64]] }
-- input { [[1i64, 0i64], [3i64, 4i64]] } error: assertion failed
-- input { empty([0][2]i64) } output { empty([0][2]i64) }
entry checked [n] [m] (a: [n][m]i64): [n][m]i64 =
  transpose (map (\c -> assert (all (> 0) c) (scan (+) 0 c)) (transpose a))

-- A slice of each column.
-- ==
-- entry: dropped
-- input { 1i64 [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } output { [[3i64, 4i64], [8i64, 10i64]] }
entry dropped [n] [m] (k: i64) (a: [n][m]i64): [n - k][m]i64 =
  transpose (map (\c -> scan (+) 0 c[k:]) (transpose a)) :> [n - k][m]i64

-- Loops that give another array than the one that they carry, or exchange two arrays, are no passes over rows.
-- ==
-- entry: others
-- input { [1i64, 2i64] [[1i64, 2i64], [3i64, 4i64]] } output { [2i64, 3i64] [2i64, 3i64] [2i64, 2i64] [1i64, 1i64] [[2i64, 4i64], [2i64, 4i64]] }
-- input { empty([0]i64) empty([0][0]i64) } output { empty([0]i64) empty([0]i64) empty([0]i64) empty([0]i64) empty([0][0]i64) }
entry others [n] (a: [n]i64) (b: [n][n]i64): ([n]i64, [n]i64, [n]i64, [n]i64, [n][n]i64) =
  let zeros = replicate n 0
  let last = loop r = zeros for i < n do map (+ i) a
  let inner = loop r = zeros for i < n do loop q = r for k < 2 do map (+ i) a
  let (one, other) =
    loop (r, q) = (zeros, map (+ 1) zeros) for i < n do (q with [i] = a[i], r with [i] = 3 - a[i])
  let rows =
    loop r = b for i < n do
      loop q = r for k < n do if k == i then map (\_ -> map (* 2) b[0]) b else q
  in (last, inner, one, other, rows)

-- The number of columns is the constant 0.
-- ==
-- entry: no_columns
-- input { empty([3][0]i64) } output { empty([3][0]i64) }
entry no_columns [n] (a: [n][0]i64): [n][0]i64 =
  transpose (map (\c -> loop r = replicate n 0 for i < n + 1 do r with [i] = c[i]) (transpose a))

-- Arrays that steps exchange.
-- ==
-- entry: exchanged
-- input { [1i64, 2i64] [3i64, 4i64] } output { [1i64, 2i64] [3i64, 4i64] [100i64, 1i64] [0i64, 101i64] }
-- input { [5i64] [3i64] } output { [3i64] [5i64] [0i64] [100i64] }
entry exchanged [n] (a: [n]i64) (b: [n]i64): ([n]i64, [n]i64, [n]i64, [n]i64) =
  let (x, y) = loop (x, y) = (a, b) for i < n do (y, x)
  let (u, v) = loop (u, v) = (a, b) for i < n do (v with [i] = i, u with [i] = 100 + i)
  in (x, y, u, v)

-- A check of each element of a matrix that is read transposed.
-- ==
-- entry: large_turned large_columns
-- input { [[10i64, 20i64], [30i64, 40i64]] } output { [[11i64, 31i64], [21i64, 41i64]] }
-- input { [[10i64, 2i64], [30i64, 40i64]] } error: assertion failed
-- input { empty([2][0]i64) } output { empty([0][2]i64) }
entry large_turned [n] [m] (a: [n][m]i64): [m][n]i64 =
  let b = tabulate_2d n m (\i j -> assert (a[i, j] > 9) (a[i, j] + 1))
  in tabulate_2d m n (\i j -> b[j, i])

entry large_columns [n] [m] (a: [n][m]i64): [m][n]i64 =
  map (\c -> loop r = c for i < n do let v = assert (c[i] > 9) c[i] in r with [i] = v + 1)
    (transpose a)

-- Without a column, no step runs.
-- ==
-- entry: counted_columns
-- input { 3i64 [[1i64, 2i64], [3i64, 4i64]] } output { [19i64, 32i64] }
-- input { 1_000_000_000_000_000i64 empty([3][0]i64) } output { empty([0]i64) }
entry counted_columns [n] [m] (k: i64) (a: [n][m]i64): [m]i64 =
  map (\c -> loop s = 0 for i < k do s * 3 + c[i % n]) (transpose a)

-- An array of a step that is longer than a column stays an array of the step.
-- ==
-- entry: longer_than_columns
-- structure longer_than_columns ilp { clusters 1 arrays 0 }
-- input { [1i64, 1i64, 1i64] [[1i64, 2i64]] } output { 9i64 }
entry longer_than_columns [p] [n] [m] (x: [p]i64) (a: [n][m]i64): i64 =
  i64.sum (map (\c ->
    (loop r = replicate p 0 for i < p do
       r with [i] = (if i > 1 then r[i - 2] else c[0]) + c[i % n] * x[i])[p - 1])
    (transpose a))
