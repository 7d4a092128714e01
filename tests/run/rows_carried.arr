-- Loops that carry arrays of arrays, and change the length of the rows.

-- ==
-- entry: shrink
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 2 } output { [[3, 4], [7, 8]] }
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 0 } output { [[1, 2, 3, 4], [5, 6, 7, 8]] }
-- input { [[1, 2], [5, 6]] 3 } error: slice 1: is out of bounds for an array of length 0
entry shrink [n] [m] (xs: [n][m]i64) (k: i64) = loop x = xs for _ < k do x[:, 1:]

-- ==
-- entry: grow
-- input { [[1, 2], [3, 4]] 2 } output { [[1, 2, 0, 1], [3, 4, 0, 1]] }
-- input { empty([0][3]i64) 2 } output { empty([0][5]i64) }
-- input { empty([2][0]i64) 2 } output { [[0, 1], [0, 1]] }
entry grow [n] [m] (xs: [n][m]i64) (k: i64) = loop x = xs for i < k do map (\r -> r ++ [i]) x

-- ==
-- entry: both_ways
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] 2 } output { [[9]] }
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] 1 } output { [[5, 6], [8, 9]] }
entry both_ways [n] (xs: [n][n]i64) (k: i64) = loop x = xs for _ < k do x[1:, 1:]

-- ==
-- entry: over_elements
-- input { [[1, 2], [3, 4]] [7, 8, 9] } output { [[1, 2, 7, 8, 9], [3, 4, 7, 8, 9]] }
-- input { [[1, 2], [3, 4]] empty([0]i64) } output { [[1, 2], [3, 4]] }
entry over_elements [n] [m] (xs: [n][m]i64) (ys: []i64) =
  loop x = xs for y in ys do map (\r -> r ++ [y]) x

-- ==
-- entry: over_rows
-- input { [[1, 2, 3], [4, 5, 6]] [[1, 1], [2, 2]] } output { [[13], [31]] }
entry over_rows [n] [m] (xs: [n][m]i64) (ys: [][n]i64) =
  loop x = xs for y in ys do map2 (\r w -> map2 (\a b -> a + b * w) (init r) (tail r)) x y

-- ==
-- entry: while_wide
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] } output { [[4], [8]] }
-- input { [[1, 2, 3, 4]] } output { [[4]] }
-- input { [[1]] } output { [[1]] }
entry while_wide [n] [m] (xs: [n][m]i64) = loop x = xs while length x[0] > 1 do x[:, 1:]

-- ==
-- entry: while_halved
-- input { [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]] } output { [[15], [40]] }
entry while_halved [n] [m] (xs: [n][m]i64) =
  loop x = xs while length (x[0]) > 1 do
    let w = length x[0]
    let h = (w + 1) / 2
    in map (\r -> tabulate h (\i -> r[i] + (if i + h < w then r[i + h] else 0))) x

-- ==
-- entry: cubes
-- input { [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]] 1 } output { [[[2, 3], [5, 6]], [[8, 9], [11, 12]]] }
-- input { [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]] 2 } output { [[[3], [6]], [[9], [12]]] }
entry cubes [a] [b] [c] (xs: [a][b][c]i64) (k: i64) = loop x = xs for _ < k do map (map tail) x

-- ==
-- entry: cubes_middle
-- input { [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]] 1 } output { [[[4, 5, 6]], [[10, 11, 12]]] }
-- input { [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]] 0 } output { [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]] }
entry cubes_middle [a] [b] [c] (xs: [a][b][c]i64) (k: i64) = loop x = xs for _ < k do map tail x

-- ==
-- entry: cubes_all
-- input { [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]] 1 } output { [[[11, 12]]] }
entry cubes_all [a] [b] [c] (xs: [a][b][c]i64) (k: i64) = loop x = xs for _ < k do x[1:, 1:, 1:]

-- ==
-- entry: records
-- input { [[1, 2, 3], [4, 5, 6]] 2 } output { [[3], [6]] [[1, 2, 3, 0, 1], [4, 5, 6, 0, 1]] 3 }
entry records [n] [m] (xs: [n][m]i64) (k: i64) =
  let r = loop r = {a = xs, b = xs, c = 0} for i < k do
    {a = r.a[:, 1:], b = map (\w -> w ++ [i]) r.b, c = r.c + length r.a[0] - 1}
  in (r.a, r.b, r.c)

-- ==
-- entry: of_records
-- input { [[1, 2, 3], [4, 5, 6]] 2 } output { [[3], [6]] [[9], [36]] }
entry of_records [n] [m] (xs: [n][m]i64) (k: i64) =
  let r = loop r = map (map (\x -> {a = x, b = x * x})) xs for _ < k do map tail r
  in (map (map (.a)) r, map (map (.b)) r)

-- ==
-- entry: rows_in_records
-- input { [[1, 2, 3], [4, 5, 6]] 2 } output { [[3], [6]] [0, 0] }
entry rows_in_records [n] [m] (xs: [n][m]i64) (k: i64) =
  let r = loop r = map (\x -> (x, 0)) xs for _ < k do map (\(x, c) -> (tail x, c)) r
  in unzip r

-- ==
-- entry: in_steps
-- input { [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]] 2 } output { [9, 21] }
-- input { [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]] 0 } output { [21, 57] }
entry in_steps [a] [b] [c] (xs: [a][b][c]i64) (k: i64) =
  map (\x -> let r = loop r = x for _ < k do r[:, 1:] in sum (map sum r)) xs

-- ==
-- entry: in_steps_grown
-- input { [[1, 2], [3, 4]] [0, 2] } output { [3, 14] }
entry in_steps_grown [n] [m] (xs: [n][m]i64) (ks: [n]i64) =
  map2
    (\x k ->
      let r = loop r = [x, x] for _ < k do map (\w -> w ++ w) r
      in sum (map sum r) / 2 / (if k == 0 then 1 else 2)) xs ks

-- ==
-- entry: by_flatmap
-- input { [[1, 2, 3], [4, 5, 6]] 1 } output { [[2, 3], [1, 2], [5, 6], [4, 5]] }
-- input { [[1, 2, 3], [4, 5, 6]] 2 } output { [[3], [2], [2], [1], [6], [5], [5], [4]] }
-- input { [[1, 2, 3], [4, 5, 6]] 0 } output { [[1, 2, 3], [4, 5, 6]] }
entry by_flatmap [n] [m] (xs: [n][m]i64) (k: i64) =
  loop x = xs for _ < k do flatmap (\r -> [tail r, init r]) x

-- ==
-- entry: by_filter
-- input { [[1, 2, 3], [3, 2, 1], [4, 5, 6]] 1 } output { [[2, 3], [5, 6]] }
-- input { [[1, 2, 3], [3, 2, 1], [4, 5, 6]] 2 } output { [[3], [6]] }
entry by_filter [n] [m] (xs: [n][m]i64) (k: i64) =
  loop x = xs for _ < k do map tail (filter (\r -> r[0] <= r[1]) x)

-- ==
-- entry: two_carried
-- input { [[1, 2, 3], [4, 5, 6]] 2 } output { [[3], [6]] [[1], [4]] }
entry two_carried [n] [m] (xs: [n][m]i64) (k: i64) =
  loop (x, y) = (xs, xs) for _ < k do (x[:, 1:], y[:, :length y[0] - 1])

-- ==
-- entry: nested_loops
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 2 1 } output { [[3, 4], [7, 8]] }
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 1 3 } output { [[4], [8]] }
entry nested_loops [n] [m] (xs: [n][m]i64) (k: i64) (j: i64) =
  loop x = xs for _ < k do (loop y = x for _ < j do y[:, 1:])

-- ==
-- entry: chosen
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 3 } output { [[3, 4], [7, 8]] }
entry chosen [n] [m] (xs: [n][m]i64) (k: i64) =
  loop x = xs for i < k do if i % 2 == 0 then x[:, 1:] else x

-- ==
-- entry: initial
-- input { 3 } output { [[0, 1, 2], [0, 1, 2]] }
-- input { 0 } output { empty([2][0]i64) }
entry initial (k: i64) = loop x = replicate 2 [] for i < k do map (\r -> r ++ [i]) x

-- ==
-- entry: reduced
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 2 } output { [7, 15] }
entry reduced [n] [m] (xs: [n][m]i64) (k: i64) = map sum (loop x = xs for _ < k do x[:, 1:])

-- ==
-- entry: updated
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 2 } output { [[-1, 4], [-1, 8]] }
entry updated [n] [m] (xs: [n][m]i64) (k: i64) =
  loop x = xs for _ < k do
    let y = copy x[:, 1:]
    in (loop y = y for j < length y do y with [j, 0] = -1)

-- ==
-- entry: recursive
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 2 } output { [[3, 4], [7, 8]] }
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 0 } output { [[1, 2, 3, 4], [5, 6, 7, 8]] }
def strip [n] [m] (xs: [n][m]i64) (k: i64): [n][]i64 =
  if k == 0 then xs else strip (xs[:, 1:]) (k - 1)
entry recursive [n] [m] (xs: [n][m]i64) (k: i64) = strip xs k

-- ==
-- entry: branch
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] true } output { [[2, 3, 4], [6, 7, 8]] }
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] false } output { [[1, 2, 3, 4], [5, 6, 7, 8]] }
entry branch [n] [m] (xs: [n][m]i64) (c: bool) = if c then xs[:, 1:] else xs

-- ==
-- entry: branch_in_loop
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 3 } output { [[3, 4, 0], [7, 8, 0]] }
entry branch_in_loop [n] [m] (xs: [n][m]i64) (k: i64) =
  loop x = xs for i < k do if i < 2 then x[:, 1:] else map (\r -> r ++ [0]) x

-- ==
-- entry: matched
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 3 } output { [[2, 3, 4, 0], [6, 7, 8, 0]] }
entry matched [n] [m] (xs: [n][m]i64) (k: i64) =
  loop x = xs for i < k do match i case 0 -> x[:, 1:] case 1 -> map (\r -> r ++ [0]) x case _ -> x

-- ==
-- entry: summed
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 1 } output { 26 }
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 5 } error: slice
entry summed [n] [m] (xs: [n][m]i64) (k: i64) =
  let y = loop x = xs for _ < k do x[:, 1:] in sum (map sum y) + 0 * length y[0] - 4 + 0

-- ==
-- entry: convolved
-- input { [[1, 2, 3, 4], [5, 6, 7, 8], [1, 1, 1, 1]] 1 } output { [[14, 18, 22], [13, 15, 17]] }
entry convolved [n] [m] (xs: [n][m]i64) (k: i64) =
  loop x = xs for _ < k do
    let h = length x - 1
    let w = length x[0] - 1
    in tabulate h (\i -> tabulate w (\j -> x[i, j] + x[i + 1, j] + x[i, j + 1] + x[i + 1, j + 1]))

-- ==
-- entry: pyramid
-- input { [[1, 2, 3, 4], [5, 6, 7, 8], [1, 1, 1, 1], [2, 2, 2, 2]] } output { [[48]] 2 }
entry pyramid [n] (xs: [n][n]i64) =
  loop (x, c) = (xs, 0) while length x > 1 do
    let h = length x / 2
    let w = length x[0] / 2
    in (tabulate h
          (\i ->
            tabulate w
              (\j ->
                x[2 * i, 2 * j] + x[2 * i + 1, 2 * j] + x[2 * i, 2 * j + 1]
                + x[2 * i + 1, 2 * j + 1])),
        c + 1)

-- ==
-- entry: given
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 2 } output { [[3, 4], [7, 8]] }
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 3 } error: the array's length is 1
entry given [n] [m] (xs: [n][m]i64) (k: i64): [n][2]i64 =
  (loop x = xs for _ < k do x[:, 1:]) :> [n][2]i64

-- ==
-- entry: floats
-- input { [[1.5, 2.5, 3.5], [4.5, 5.5, 6.5]] 1 } output { [[4.0, 6.0], [10.0, 12.0]] }
entry floats [n] [m] (xs: [n][m]f64) (k: i64) =
  loop x = xs for _ < k do map (\r -> map2 (+) (init r) (tail r)) x

-- ==
-- entry: bytes
-- input { [[1u8, 2u8, 3u8], [4u8, 5u8, 6u8]] 1 } output { [[1u8, 2u8, 3u8, 1u8, 2u8, 3u8], [4u8, 5u8, 6u8, 4u8, 5u8, 6u8]] }
-- input { [[1u8, 2u8, 3u8], [4u8, 5u8, 6u8]] 2 } output { [[1u8, 2u8, 3u8, 1u8, 2u8, 3u8, 1u8, 2u8, 3u8, 1u8, 2u8, 3u8], [4u8, 5u8, 6u8, 4u8, 5u8, 6u8, 4u8, 5u8, 6u8, 4u8, 5u8, 6u8]] }
entry bytes [n] [m] (xs: [n][m]u8) (k: i64) = loop x = xs for _ < k do map (\r -> r ++ r) x

-- ==
-- entry: of_scalars
-- input { [1, 2, 3] 2 } output { [[[1], [1]], [[2], [2]], [[3], [3]]] }
entry of_scalars [n] (xs: [n]i64) (k: i64) =
  loop x = map (\e -> [[e]]) xs for i < k do if i == 0 then x else map (\e -> e ++ e) x

-- ==
-- entry: appended_rows
-- input { [1, 2, 3] 2 } output { [[1, 2, 3], [1, 2, 3], [1, 2, 3]] }
entry appended_rows [n] (xs: [n]i64) (k: i64) = loop x = [xs] for _ < k do x ++ [xs]

-- ==
-- entry: transposed
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 1 } output { [[2, 3, 4], [6, 7, 8]] }
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 2 } output { [[3, 4], [7, 8]] }
entry transposed [n] [m] (xs: [n][m]i64) (k: i64) =
  loop x = xs for _ < k do transpose (tail (transpose x))

-- ==
-- entry: fold_of_loop
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] [1, 2] } output { 21 }
entry fold_of_loop [n] [m] (xs: [n][m]i64) (ks: []i64) =
  reduce (+) 0 (map (\k -> let y = loop x = xs for _ < k do x[:, 1:] in y[0, 0] + y[1, 1]) ks) + 1

-- ==
-- entry: inner_for_in
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] [1, 2] } output { [[4, 6], [12, 14]] }
entry inner_for_in [n] [m] (xs: [n][m]i64) (ks: []i64) =
  loop x = xs for k in ks do map (\r -> map (* k) (reverse (tail r))) x

-- ==
-- entry: two_sizes
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 2 } output { [[3, 4], [7, 8]] [[1, 1, 1, 1], [1, 1, 1, 1]] [1, 2] }
entry two_sizes [n] [m] (xs: [n][m]i64) (k: i64) =
  loop (x, y, z) = (xs, replicate 2 [1, 1], []) for i < k do
    (x[:, 1:], map (++ [1]) y, z ++ [i + 1])

-- The sizes have names in the body.
-- ==
-- entry: named
-- input { [[1, 2, 3], [4, 5, 6]] 2 } output { [[3], [6]] }
entry named [n] [m] (xs: [n][m]i64) (k: i64) =
  loop [a] [b] (x: [a][b]i64) = xs for _ < k do
    tabulate a (\i -> tabulate (b - 1) (\j -> x[i, j + 1]))

-- ==
-- entry: named_in
-- input { [[1, 2, 3], [4, 5, 6]] [7, 8] } output { [[1, 2, 3, 7, 8], [4, 5, 6, 7, 8]] }
entry named_in [n] [m] (xs: [n][m]i64) (ks: []i64) =
  loop [a] [b] (x: [a][b]i64) = xs for k in ks do
    tabulate a (\i -> tabulate (b + 1) (\j -> if j < b then x[i, j] else k))

-- ==
-- entry: named_while
-- input { [[1, 2, 3, 4], [4, 5, 6, 7]] } output { [[10], [22]] }
entry named_while [n] [m] (xs: [n][m]i64) =
  loop [a] [b] (x: [a][b]i64) = xs while b > 1 do
    let h = b / 2 in tabulate a (\i -> tabulate h (\j -> x[i, 2 * j] + x[i, 2 * j + 1]))
