-- Arrays to which loops in steps append are in a buffer that grows and that all steps use.

-- ==
-- entry: last_ones
-- input { [5i64, 0i64, 3i64, 17i64, 1i64, 8i64, 64i64, 2i64] } auto output
-- input { [0i64] } auto output
-- input { empty([0]i64) } auto output
-- random input { [1000]i64 } auto output
-- structure { allocated 4 }
entry last_ones [n] (xs: [n]i64): [n]i64 =
  map
    (\x ->
      let ys = loop ys = [x] for i < x & 31 do ys ++ [i * x]
      in ys[length ys / 2] + ys[length ys - 1]) xs

-- From nothing, and only in some turns.
-- ==
-- entry: divisors
-- input { [5i64, 0i64, 3i64, 17i64, 1i64, 8i64, 64i64, 2i64] } auto output
-- input { [0i64] } auto output
-- random input { [300]i64 } auto output
-- structure { allocated 3 }
entry divisors [n] (xs: [n]i64): [n]i64 =
  map (\x ->
    let k = x & 255
    let ys = loop (ys: []i64) = [] for i < k do if k % (i + 1) == 0 then ys ++ [i + 1] else ys
    in if length ys > 0 then ys[length ys / 2] + 1000 * length ys else 0) xs

-- Two appends in a turn: the array has memory of its own.
-- ==
-- entry: two_places
-- input { [5i64, 0i64, 3i64, 17i64, 1i64, 8i64, 64i64, 2i64] } auto output
-- random input { [300]i64 } auto output
entry two_places [n] (xs: [n]i64): [n]i64 =
  map
    (\x ->
      let ys = loop ys = [x] for i < x & 31 do if i % 3 == 0 then ys ++ [i * x] else ys ++ [i, x]
      in ys[length ys / 2] + length ys) xs

-- Several elements, and an array that the step got.
-- ==
-- entry: rows
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] } auto output
-- input { [[1i64], [70i64]] } auto output
-- random input { [50][7]i64 } auto output
entry rows [n] [m] (xss: [n][m]i64): [n]i64 =
  map
    (\xs ->
      let ys = loop (ys: []i64) = xs for i < xs[0] & 15 do ys ++ map (* i) xs
      in ys[length ys / 2] + length ys + xs[m - 1]) xss

-- Rows that are appended.
-- ==
-- entry: tables
-- input { [5i64, 0i64, 3i64] [1i64, 2i64] } auto output
-- input { [5i64, 0i64, 3i64] empty([0]i64) } auto output
-- random input { [40]i64 [5]i64 } auto output
entry tables [n] [m] (xs: [n]i64) (zs: [m]i64): [n]i64 =
  map
    (\x ->
      let ys = loop (ys: [][m]i64) = [zs] for i < x & 15 do ys ++ [map (+ i) zs]
      in i64.sum ys[length ys / 2] + length ys) xs

-- A loop in a loop goes on appending.
-- ==
-- entry: nested
-- input { [5i64, 0i64, 3i64, 17i64, 1i64, 8i64, 64i64, 2i64] } auto output
-- random input { [300]i64 } auto output
entry nested [n] (xs: [n]i64): [n]i64 =
  map
    (\x ->
      let ys = loop ys = [x] for i < x & 7 do (loop zs = ys for j < i do zs ++ [i * j])
      in ys[length ys / 2] + ys[length ys - 1]) xs

-- The loop reads elements of the array that it extends, and the step appends to the result of the loop.
-- ==
-- entry: behind
-- input { [5i64, 0i64, 3i64, 17i64, 1i64, 8i64, 64i64, 2i64] } auto output
-- random input { [300]i64 } auto output
entry behind [n] (xs: [n]i64): [n]i64 =
  map (\x ->
    let ys = loop ys = [x, 1] for _ < x & 15 do ys ++ [ys[length ys - 1] + ys[length ys - 2] & 1023]
    let zs = ys ++ reverse ys
    let vs = zs ++ [x]
    in vs[length vs / 2] + vs[length vs - 1] + zs[length zs / 3]) xs

-- The array is still needed as it was.
-- ==
-- entry: both
-- input { [5i64, 0i64, 3i64, 17i64, 1i64, 8i64, 64i64, 2i64] } auto output
-- random input { [300]i64 } auto output
entry both [n] (xs: [n]i64): [n]i64 =
  map (\x ->
    let start = tabulate (x & 7) (\i -> i * x)
    let ys = loop (ys: []i64) = start for i < x & 15 do ys ++ [i]
    in length ys + i64.sum start + (if length ys > 0 then ys[length ys / 2] else x)) xs

-- A fold appends.
-- ==
-- entry: folded
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] } auto output
-- random input { [50][7]i64 } auto output
entry folded [n] [m] (xss: [n][m]i64): [n]i64 =
  map (\xs ->
    let ys = loop (ys: []i64) = [] for x in xs do if x % 2 == 0 then ys ++ [x * 3] else ys
    in if length ys > 0 then ys[length ys / 2] + length ys else 0) xss

-- Loops of the program itself.
-- ==
-- entry: in_loops
-- input { 0i64 } auto output
-- input { 20i64 } auto output
entry in_loops (n: i64): i64 =
  loop total = 0 for k < n do
    let ys = loop ys = [k] for i < k do ys ++ [i * k + total % 5]
    in total + ys[length ys / 2]

-- A step that fails leaves nothing behind.
-- ==
-- entry: failing
-- input { [5i64, 40i64] } error: index
-- input { [5i64, 4i64] } auto output
entry failing [n] (xs: [n]i64): [n]i64 =
  map
    (\x ->
      let ys = loop ys = [x] for i < x do ys ++ [ys[i + i / 30]]
      in ys[length ys / 2] + ys[i64.min x 20]) xs
