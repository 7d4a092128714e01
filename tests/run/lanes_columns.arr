-- Steps that have a loop of their own, and read elements of a column beside it.

-- ==
-- entry: forward
-- random input { [33][33]i32 [33][3]i32 [33]i32 1 } auto output
-- random input { [5][5]i32 [5][3]i32 [5]i32 0 } auto output
-- random input { [40][40]i32 [40][3]i32 [40]i32 3 } error: index [0, 3] is out of bounds
-- input { empty([0][0]i32) empty([0][2]i32) empty([0]i32) 7 } output { empty([0]i32) }
entry forward [s] [k] (a: [s][s]i32) (b: [s][k]i32) (p: [s]i32) (o: i64): [s]i32 =
  tabulate s (\j -> i32.sum (tabulate s (\i -> p[i] * a[i, j])) * b[j, o])

-- Every sum of floats has the bits of the interpreter.
-- ==
-- entry: chain
-- random input { [17][17]f64 [17][4]f64 [17]f64 [9]i64 } auto output
entry chain [s] [k] [t] (a: [s][s]f64) (b: [s][k]f64) (p: [s]f64) (seen: [t]i64): [s]f64 =
  loop p for i < t do
    tabulate s (\j -> (loop x = 0.0 for i < s do x + p[i] * a[i, j]) * b[j, seen[i] % k])

-- Points as rows of a matrix.
-- ==
-- entry: attracted
-- random input { [37][3]f32 } auto output
-- random input { [20][2]f32 } error: index [0, 2] is out of bounds
entry attracted [n] [d] (ps: [n][d]f32): [n]f32 =
  tabulate n (\i ->
    let (x, y, z) = (ps[i, 0], ps[i, 1], ps[i, 2])
    in loop s = 0.0 for j < n do s + f32.abs (x - ps[j, 0]) + f32.abs (y - ps[j, 1]) * z)

-- The diagonal, and rows that jump.
-- ==
-- entry: diagonal
-- random input { [50][50]i64 [50]i64 } auto output
-- random input { [50][49]i64 [50]i64 } error: index 49 is out of bounds
entry diagonal [n] [m] (a: [n][m]i64) (xs: [n]i64): [n]i64 =
  tabulate n (\i -> i64.sum (tabulate n (\j -> xs[j] * xs[j])) * a[i, i] + a[(i * 7) % n, i])

-- An element that only some steps read, and that is not there in the others.
-- ==
-- entry: some
-- random input { [30][4]i64 [45]i64 } auto output
-- input { [[1i64], [2i64]] [1i64, 2i64, 3i64] } output { [14i64, 24i64, 6i64] }
entry some [n] [m] [k] (a: [n][m]i64) (xs: [k]i64): [k]i64 =
  tabulate k (\i ->
    let s = loop s = 0 for j < k do s + (if xs[j] > xs[i] then xs[j] - xs[i] else xs[j])
    in if i < n then s + a[i, 0] * 10 else s)
