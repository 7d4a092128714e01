-- What replaces a part of an array is made there, if nothing else of the array is looked at.

-- Rows beside the row that is written are read: streams of the row before, elements of it in any order, and the row itself.
-- ==
-- entry: before
-- input { [[1i64, 2i64, 3i64], [0i64, 0i64, 0i64], [0i64, 0i64, 0i64]] }
-- output { [[1i64, 2i64, 3i64], [4i64, 4i64, 4i64], [9i64, 9i64, 9i64]] [[1i64, 2i64, 3i64], [1i64, 2i64, 3i64], [1i64, 2i64, 3i64]] }
-- input { [[1i64, 2i64, 3i64]] } output { [[1i64, 2i64, 3i64]] [[1i64, 2i64, 3i64]] }
-- input { empty([0][3]i64) } output { empty([0][3]i64) empty([0][3]i64) }
entry before [k] [d] (a: [k][d]i64): ([k][d]i64, [k][d]i64) =
  let b = loop b = copy a for i < k - 1 do
    let j = i + 1
    in b with [j] = tabulate d (\l -> b[i, l] + b[i, d - 1 - l] + b[j, l] + if i == 1 then 1 else 0)
  in (b, loop c = copy a for i < k - 1 do c with [i + 1] = map2 (+) c[i] c[i + 1])

-- A sum that wraps is another row all the same, if there is one.
-- ==
-- entry: around
-- input { [[1i64, 2i64], [3i64, 4i64]] 9223372036854775807i64 } error: out of bounds
-- input { [[1i64, 2i64], [3i64, 4i64]] 0i64 } output { [[4i64, 6i64], [3i64, 4i64]] }
entry around [k] [d] (a: *[k][d]i64) (i: i64): [k][d]i64 = a with [i] = map2 (+) a[i] a[i + 1]

-- The row that is read is the row that is written.
-- ==
-- entry: add_one
-- input { [[1.0, 2.0], [3.0, 4.0]] [1i64, 0i64, 1i64] } output { [[2.0, 3.0], [5.0, 6.0]] }
-- input { [[1.0, 2.0], [3.0, 4.0]] [1i64, 2i64, 1i64] } error: index 2 is out of bounds for an array of length 2
-- input { empty([0][2]f64) [0i64] } error: index 0 is out of bounds for an array of length 0
-- structure { arrays 0 }
entry add_one [k] [d] (a: *[k][d]f64) (is: []i64): [k][d]f64 =
  loop a for i in is do a with [i] = map (+ 1) a[i]

-- It reads another row.
-- ==
-- entry: add_next
-- input { [[1.0, 2.0], [3.0, 4.0]] [10.0, 20.0] [1i64, 0i64, 1i64] } output { [[21.0, 42.0], [31.0, 62.0]] }
entry add_next [k] [d] (a: *[k][d]f64) (b: [d]f64) (is: []i64): [k][d]f64 =
  loop a for i in is do a with [i] = map2 (+) a[(i + 1) % k] b

-- It reads nothing of the array.
-- ==
-- entry: fill
-- input { [[1.0, 2.0], [3.0, 4.0]] [10.0, 20.0] [1i64] } output { [[1.0, 2.0], [20.0, 40.0]] }
-- structure { arrays 0 }
entry fill [k] [d] (a: *[k][d]f64) (b: [d]f64) (is: []i64): [k][d]f64 =
  loop a for i in is do a with [i] = map (* 2) b

-- A row is kept from before.
-- ==
-- entry: swap
-- input { [[1.0, 2.0], [3.0, 4.0]] 0i64 1i64 } output { [[3.0, 4.0], [1.0, 2.0]] }
-- input { [[1.0, 2.0], [3.0, 4.0]] 1i64 1i64 } output { [[1.0, 2.0], [3.0, 4.0]] }
entry swap [k] [d] (a: *[k][d]f64) (i: i64) (j: i64): [k][d]f64 =
  let r = map (+ 0) a[i]
  let a = a with [i] = map (+ 0) a[j]
  in a with [j] = r

-- It reads the row in another order.
-- ==
-- entry: turn
-- input { [[1.0, 2.0, 3.0, 4.0, 5.0], [3.0, 4.0, 5.0, 6.0, 7.0]] [0i64, 1i64, 0i64] }
-- output { [[1.0, 2.0, 3.0, 4.0, 5.0], [7.0, 6.0, 5.0, 4.0, 3.0]] }
entry turn [k] [d] (a: *[k][d]f64) (is: []i64): [k][d]f64 =
  loop a for i in is do a with [i] = reverse a[i]

-- A step may fail: the steps of a vector are made again.
-- ==
-- entry: quotients
-- input { [[1, 2, 3], [4, 5, 10]] [1i64] } output { [[1, 2, 3], [25, 20, 10]] }
-- input { [[1, 2, 3], [4, 5, 0]] [1i64] } error: division by zero
entry quotients [k] [d] (a: *[k][d]i64) (is: []i64): [k][d]i64 =
  loop a for i in is do a with [i] = map (\x -> 100 / x) a[i]

-- A scan over the row.
-- ==
-- entry: sums
-- input { [[1, 2, 3], [4, 5, 10]] [1i64, 1i64] } output { [[1, 2, 3], [4, 13, 32]] }
entry sums [k] [d] (a: *[k][d]i64) (is: []i64): [k][d]i64 =
  loop a for i in is do a with [i] = scan (+) 0 a[i]

-- The part has an index in each of two dimensions, and the row beside it is read.
-- ==
-- entry: beside
-- input { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] [1i64, 1i64, 0i64] }
-- output { [[[1, 2], [4, 6]], [[5, 6], [17, 20]]] }
entry beside [k] [d] [e] (a: *[k][d][e]i64) (is: []i64): [k][d][e]i64 =
  loop a for i in is do a with [i, 1] = map2 (+) a[i, 1] a[i, 0]

-- The array has another owner when it is changed.
-- ==
-- entry: both
-- input { [[1.0, 2.0], [3.0, 4.0]] [1i64, 0i64, 1i64] }
-- output { [[2.0, 3.0], [5.0, 6.0]] [[6.0, 9.0], [5.0, 6.0]] }
entry both [k] [d] (a: [k][d]f64) (is: []i64): ([k][d]f64, [k][d]f64) =
  let b = loop b = copy a for i in is do b with [i] = map (+ 1) b[i]
  in (b, copy b with [0] = map (* 3) b[0])

-- Rows of an accumulator, as groups of points have them.
-- ==
-- entry: groups
-- input { 2i64 [0i64, 1i64, 5i64, 0i64] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]] }
-- output { [[8.0, 10.0], [3.0, 4.0]] }
entry groups [n] [d] (k: i64) (is: [n]i64) (points: [n][d]f64): [k][d]f64 =
  hist (map2 (+)) (replicate d 0) k is points

-- A row that a block around binds is read by the pass that makes the part, or behind it.
-- ==
-- entry: row_from_around
-- input { [[1i64, 2i64, 8i64], [3i64, 4i64, 1i64], [7i64, 6i64, 5i64]] 2i64 1i64 } output { [[2i64, 3i64, 9i64], [4i64, 5i64, 2i64], [6i64, 7i64, 8i64]] }
-- input { [[1i64, 2i64], [3i64, 4i64]] 0i64 0i64 } output { [[2i64, 3i64], [4i64, 5i64]] }
entry row_from_around [n] [m] (a: [n][m]i64) (k: i64) (l: i64): [n][m]i64 =
  let b = map (map (+ 1)) a
  let r = b[k]
  in if l > 0 then b with [k] = reverse r else b

-- ==
-- entry: last_row_from_around
-- input { [[1i64, 2i64, 8i64], [3i64, 4i64, 1i64], [7i64, 6i64, 5i64]] } output { [[5i64, 6i64, 7i64], [3i64, 4i64, 1i64], [5i64, 6i64, 7i64]] }
entry last_row_from_around [n] [m] (a: *[n][m]i64): [n][m]i64 =
  loop a for i < n do
    let r = a[n - 1]
    in if i % 2 == 0 then a with [i] = reverse r else a

-- ==
-- entry: old_row_from_around
-- input { [[1i64, 2i64, 8i64], [3i64, 4i64, 1i64], [7i64, 6i64, 5i64]] 1i64 } output { [[1i64, 2i64, 8i64], [1i64, 4i64, 3i64], [7i64, 6i64, 5i64]] }
entry old_row_from_around [n] [m] (a: [n][m]i64) (i: i64): [n][m]i64 =
  loop a for _t < 1 do
    let r = a[n - 1 - i]
    in if i > 0 then (let b = a with [i] = map (+ 1) r in b with [n - 1 - i] = reverse r) else a

-- Whether the array has one owner is known only when another array has become a copy.
-- ==
-- entry: owned_late owned_late_row
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64], [7i64, 8i64, 9i64]] } auto output
entry owned_late [n] [m] (a: [n][m]i64): [n][m]i64 =
  loop a for i < n do
    let r = loop q = a[0] for _t < 2 do map (+ 1) q
    let b = if m > 0 then a with [0, 0] = r[0] else a
    in b with [i] = map2 (\j x -> x + r[j]) (iota m) (tabulate m (\j -> b[i, j]))

entry owned_late_row [n] [m] (a: [n][m]i64): [n][m]i64 =
  loop a for i < n do
    let r = loop q = a[0] for _t < 2 do map (+ 1) q
    let b = if m > 0 then a with [0, 0] = r[0] else a
    in b with [i] = map2 (\j x -> x + r[j]) (iota m) (map (+ 1) b[i])

-- ==
-- entry: window_beside_row window_in_row
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64], [7i64, 8i64, 9i64]] 2i64 } auto output
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64], [7i64, 8i64, 9i64]] 0i64 } auto output
entry window_beside_row [n] [m] (a: [n][m]i64) (k: i64): [n][m]i64 =
  loop a for i < n do
    let r = a[k]
    in if i > 0 then a with [i - 1:i + 1, :] = tabulate_2d 2 m (\_i j -> r[m - 1 - j]) else a

entry window_in_row [n] [m] (a: [n][m]i64) (k: i64): [n][m]i64 =
  loop a for i < n do
    let r = a[k]
    in if i > 0 then a with [i, 0:m] = tabulate m (\j -> r[m - 1 - j] + 1) else a
