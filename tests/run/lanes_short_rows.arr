-- Rows whose steps contain loops, of every length around those of vectors.

-- The steps of each row fold channels, in a range where all indices are in bounds.
-- ==
-- entry: channels
-- input { 70 3 } auto output
entry channels (most: i64) (c: i64): [most]i64 =
  tabulate most (\m ->
    let x = tabulate_3d c 4 (m + 2) (\q i j -> f32.i64 ((q * 7 + i * 3 + j * 5) % 11))
    let rows = tabulate_2d 3 m (\i j ->
      f32.sum (tabulate c (\q -> x[q, i, j] + x[q, i, j + 1] - 2 * x[q, i + 1, j + 2])))
    in i64.sum
         (map2 (\k row -> i64.sum (map2 (\j v -> (k + 1) * (j + 7) * i64.f32 v) (iota m) row))
            (iota 3) rows))

-- Trip counts differ between lanes, and the rows are folded besides.
-- ==
-- entry: digits
-- input { 70 3 } auto output
-- input { 40 10 } auto output
-- input { 3 0 } error: division by zero
entry digits (most: i64) (base: i64): [most]i64 =
  tabulate most (\m ->
    let rows = tabulate_2d 2 m (\i j ->
      let (_, sum) =
        loop (x, sum) = ((i + 1) * (j * 7919 + m), 0) while x != 0 do (x // base, sum + x %% base)
      in sum)
    in i64.sum (map (\row -> i64.maximum row - 3 * i64.sum row) rows))

-- The last vector of a row overlaps the one before, and only it fails; or the only vector of a short row does.
-- ==
-- entry: look
-- input { [0, 1, 2, 3, 0, 1, 2, 3, 2] [5, 6, 7] 2 } output { [[0, 5, 11, 18, 0, 5, 11, 18, 11], [0, 10, 22, 36, 0, 10, 22, 36, 22]] }
-- input { [0, 1, 2, 3, 0, 1, 2, 3, 4] [5, 6, 7] 2 } error: index 3 is out of bounds for an array of length 3
-- input { [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 5] [5, 6, 7] 1 }
-- error: index 3 is out of bounds for an array of length 3
-- input { [3, 3, 3, 5] [5, 6, 7] 1 } error: index 3 is out of bounds for an array of length 3
-- input { [2, 5] [5, 6, 7] 0 } output { empty([0][2]i64) }
entry look [m] [l] (ks: [m]i64) (ts: [l]i64) (n: i64): [n][m]i64 =
  tabulate n (\i ->
    let by = if i % 2 == 0 then 1 else i + 1
    in map (\k -> loop s = 0 for j < k do s + by * ts[j]) ks)

-- Steps that look elements up by the numbers in a row, and divide: some numbers are outside, and fail in their step only where they are used.
-- ==
-- entry: flows
-- input { [[0, 1], [2, -1], [-3, 0]] [1.0, 2.0, 3.0] [1.0, 3.0, 7.0] } output { [1.1830127018922194, 2.2647432754711323, 4.527777777777778] }
-- input { [[0, 1], [2, 3], [-3, 0]] [1.0, 2.0, 3.0] [1.0, 3.0, 7.0] } error: index 3 is out of bounds for an array of length 3
-- input { empty([0][2]i32) empty([0]f64) [1.0] } output { empty([0]f64) }
-- input { [[0, 1], [2, -1], [-3, 0]] [1.0, 2.0, 3.0] empty([0]f64) } error: index 0 is out of bounds for an array of length 0
-- input { [[-1, -1], [-2, -1], [-3, -9]] [1.0, 2.0, 3.0] empty([0]f64) } output { [2.0, 4.0, 6.0] }
entry flows [n] [m] (links: [n][2]i32) (ks: [n]f64) (xs: [m]f64): [n]f64 =
  let flow k i =
    if i < 0 then k
    else let x = xs[i64.i32 i] in (k * x + x / k) / (1 + x * x / (2 + k * k)) / f64.sqrt (3 + x * x)
  in map2 (\is k -> flow k is[0] + flow k is[1]) links ks

-- ==
-- entry: flows_of
-- random input { [1][4]i32 [1][3]f64 [100]f64 } auto output
-- random input { [7][4]i32 [7][3]f64 [100]f64 } auto output
-- random input { [8][4]i32 [8][3]f64 [100]f64 } auto output
-- random input { [9][4]i32 [9][3]f64 [100]f64 } auto output
-- random input { [77][4]i32 [77][3]f64 [100]f64 } auto output
entry flows_of [n] [m] (links: [n][4]i32) (ws: [n][3]f64) (xs: [m]f64): ([n]f64, [n]f64) =
  let at i = xs[i64.i32 i & 63]
  in unzip (map2 (\is w ->
       let (a, b, c, d) = (at is[0], at is[1], at is[2], at is[3])
       let u =
         (w[0] * a + w[1] * b) / (1 + c * c + d * d)
         + (a * b - c * d) / (2 + w[2] * w[2]) / (3 + a * a * b * b)
       in (if is[3] < 0 then f64.sqrt (1 + u * u) else u / (1 + b * b), (u - a) / (1 + d * d)))
       links ws)
