-- Elements and rows that change places. Each of the updates reads elements of the array from before it, and all of them write
-- in place: the whole array is never copied.

-- ==
-- entry: swap
-- input { [1.0, 2.0, 3.0] 0i64 2i64 } output { [3.0, 2.0, 1.0] }
-- input { [1.0, 2.0, 3.0] 1i64 1i64 } output { [1.0, 2.0, 3.0] }
-- input { [1.0, 2.0, 3.0] 0i64 3i64 } error: out of bounds
-- input { [1.0, 2.0, 3.0] 3i64 0i64 } error: out of bounds
-- input { [1.0, 2.0, 3.0] 3i64 5i64 } error: out of bounds
-- structure { allocated 1 }
entry swap [n] (a: [n]f64) (i: i64) (j: i64): [n]f64 =
  let b = copy a
  in (b with [i] = b[j]) with [j] = b[i]

-- Three elements change places, and the last index depends on an element from before.
-- ==
-- entry: rotate_three
-- input { [5i64, 6i64, 7i64, 3i64] 0i64 1i64 } output { [6i64, 3i64, 7i64, 5i64] }
-- input { [5i64, 6i64, 7i64, 9i64] 0i64 1i64 } error: out of bounds
-- structure { allocated 1 }
entry rotate_three [n] (a: [n]i64) (i: i64) (j: i64): [n]i64 =
  let b = copy a
  in ((b with [i] = b[j]) with [j] = b[b[n - 1]]) with [b[n - 1]] = b[i]

-- ==
-- entry: reversed
-- random input { [1]i64 } auto output
-- random input { [2]i64 } auto output
-- random input { [17]i64 } auto output
-- structure { allocated 1 }
entry reversed [n] (a: [n]i64): [n]i64 =
  loop a = copy a for i < n / 2 do (a with [i] = a[n - 1 - i]) with [n - 1 - i] = a[i]

-- The next index is an element that was just written.
-- ==
-- entry: follow
-- input { [1i64, 2i64, 0i64] } output { [2i64, 0i64, 1i64] }
-- input { [1i64, 3i64, 0i64] } error: out of bounds
entry follow [n] (a: [n]i64): [n]i64 =
  let b = copy a
  let c = b with [0] = b[1]
  let d = c with [c[0]] = b[0]
  in d with [1] = b[2]

-- ==
-- entry: swap_rows
-- input { [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] 0i64 2i64 } output { [[5.0, 6.0], [3.0, 4.0], [1.0, 2.0]] }
-- input { [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] 1i64 1i64 } output { [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] }
-- input { [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] 1i64 3i64 } error: out of bounds
-- structure { allocated 1 }
entry swap_rows [n] [m] (a: [n][m]f64) (i: i64) (j: i64): [n][m]f64 =
  let b = copy a
  in (b with [i] = b[j]) with [j] = b[i]

-- ==
-- entry: rows_to_front
-- input { [[1.0], [2.0], [3.0]] [0, 2, 2, 1, 0] } output { [[2.0], [1.0], [3.0]] }
-- input { [[1.0, 4.0], [2.0, 5.0]] [1, 2] } error: out of bounds
-- structure { allocated 2 }
entry rows_to_front [n] [m] [k] (a: [n][m]f64) (order: [k]i32): [n][m]f64 =
  loop a = copy a for j in order do
    let (front, chosen) = (a[0], a[j])
    let a[0] = chosen
    let a[j] = front
    in a

-- A sum of a row from before the update, and an element of it.
-- ==
-- entry: sums_before
-- random input { [4][9]i64 } auto output
-- random input { [1][5]i64 } auto output
entry sums_before [n] [m] (a: [n][m]i64): ([n][m]i64, i64) =
  loop (a, sum) = (copy a, 0) for i < n do
    let row = a[i]
    let a[i, 0] = sum
    let a[i, 1:] = map (+ row[0]) row[1:]
    in (a, i64.sum row + row[m - 1])

-- The caller keeps the array and a row of it.
-- ==
-- entry: kept
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { [[3i64, 4i64], [3i64, 4i64]] [1i64, 2i64] [[1i64, 2i64], [3i64, 4i64]] }
entry kept [n] [m] (a: [n][m]i64): ([n][m]i64, [m]i64, [n][m]i64) = (a with [0] = a[1], a[0], a)

-- A row that is a result, too.
-- ==
-- entry: row_out
-- input { [[1i64, 2i64], [3i64, 4i64]] 1i64 } output { [[1i64, 2i64], [3i64, 7i64]] [3i64, 4i64] }
-- input { [[1i64, 2i64], [3i64, 4i64]] 2i64 } error: out of bounds
-- structure { allocated 2 }
entry row_out [n] [m] (a: [n][m]i64) (i: i64): ([n][m]i64, [m]i64) =
  let b = map (map (+ 0)) a
  let row = b[i]
  in (b with [i, 1] = i64.sum row, row)
