-- Rows that a scan accumulates, and that steps of the same pass read. The scan changes one row in place, unless a row
-- stays behind its step.

def sums [n] [m] (a: [n][m]i64): [n][m]i64 = scan (map2 (+)) (replicate m 0) a

#[noinline]
def first_two [m] (r: [m]i64): (i64, [m]i64) = (r[0] + r[1], r)

-- ==
-- entry: reduced
-- input { [[1, 2], [3, 4], [5, 6]] } output { [3, 10, 21] }
-- input { empty([0][3]i64) } output { empty([0]i64) }
-- random input { [3][0]i64 } auto output
-- random input { [100][17]i64 } auto output
-- structure reduced { allocated 2 }
entry reduced [n] [m] (a: [n][m]i64): [n]i64 = map i64.sum (sums a)

-- ==
-- entry: products
-- random input { [1][2]i64 } auto output
-- random input { [40][33]i64 } auto output
-- structure products { allocated 2 }
entry products [n] [m] (a: [n][m]i64): [n]i64 = map (\r -> r[0] * r[m - 1]) (sums a)

-- Two readers, and a reader that combines the row with another one.
-- ==
-- entry: two_readers
-- random input { [20][9]i64 } auto output
-- structure two_readers { allocated 3 }
entry two_readers [n] [m] (a: [n][m]i64): ([n]i64, [n]i64) =
  let s = sums a
  in (map i64.maximum s, map2 (\r x -> i64.sum (map2 (*) r x)) s a)

-- The row before the step is read.
-- ==
-- entry: exclusive
-- random input { [20][9]i64 } auto output
entry exclusive [n] [m] (a: [n][m]i64): [n]i64 = map i64.sum (exscan (map2 (+)) (replicate m 3) a)

-- The rows are results besides; parts of them are; a condition chooses them.
-- ==
-- entry: stay
-- random input { [20][9]i64 3i64 } auto output
-- random input { [5][1]i64 0i64 } auto output
entry stay [n] [m] (a: [n][m]i64) (k: i64): ([n]i64, [n][m]i64, [n][k]i64, [n][m]i64) =
  let s = sums a
  let kept = map (take k) s
  in (map i64.sum s, s, kept, map2 (\r x -> if i64.sum r % 2 == 0 then r else x) s a)

-- A filter, a fold, and a loop that changes a copy of each row.
-- ==
-- entry: used_later
-- random input { [20][9]i64 } auto output
-- random input { [1][1]i64 } auto output
-- random input { [0][4]i64 } auto output
entry used_later [n] [m] (a: [n][m]i64): ([][m]i64, [m]i64, [n]i64) =
  let s = sums (map (map (% 10)) a)
  let odd = filter (\r -> i64.sum r % 2 == 1) s
  let last = fold (\best r -> if i64.sum r > i64.sum best then r else best) (replicate m 0) s
  in (odd,
      last,
      map (\r -> let q = loop q = r for i < m do q with [i] = q[i] + q[0] in i64.sum q - i64.sum r)
        s)

-- A function gives the row back.
-- ==
-- entry: given_back
-- random input { [20][9]i64 } auto output
entry given_back [n] [m] (a: [n][m]i64): ([n]i64, [n][m]i64) =
  unzip (map (\r -> let (x, back) = first_two r in (x, map2 (-) back r)) (sums a))

-- Scans of pairs of rows, in steps of a map; each step has rows of its own.
-- ==
-- entry: in_steps
-- random input { [6][20][9]i64 } auto output
-- random input { [2][1][1]i64 } auto output
entry in_steps [k] [n] [m] (as: [k][n][m]i64): [k][n]i64 =
  let pair = \(s, t) (x, y) -> (map2 (+) s x, map2 i64.max t y)
  let of_plane a =
    map (\(s, t) -> i64.sum s - i64.sum t)
      (scan pair (replicate m 0, replicate m (-5)) (zip a (map reverse a)))
  in map of_plane as

-- The scan is read by the next scan, and rows are compared with the ones before.
-- ==
-- entry: scan_of_scan
-- random input { [20][9]i64 } auto output
entry scan_of_scan [n] [m] (a: [n][m]i64): ([n]i64, [n]i64) =
  let s = sums a
  let t = sums s
  in (map2 (\r q -> i64.sum r - q[0]) s t,
      map (\i -> if i == 0 then 0 else i64.sum (map2 (-) s[i] s[i - 1])) (iota n))
