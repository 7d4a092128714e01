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
    in i64.sum (map2 (\k row -> i64.sum (map2 (\j v -> (k + 1) * (j + 7) * i64.f32 v) (iota m) row)) (iota 3) rows))

-- Trip counts differ between lanes, and the rows are folded besides.
-- ==
-- entry: digits
-- input { 70 3 } auto output
-- input { 40 10 } auto output
-- input { 3 0 } error: division by zero
entry digits (most: i64) (base: i64): [most]i64 =
  tabulate most (\m ->
    let rows = tabulate_2d 2 m (\i j ->
      let (_, sum) = loop (x, sum) = ((i + 1) * (j * 7919 + m), 0) while x != 0 do (x // base, sum + x %% base)
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
  tabulate n (\i -> let by = if i % 2 == 0 then 1 else i + 1
                    in map (\k -> loop s = 0 for j < k do s + by * ts[j]) ks)
