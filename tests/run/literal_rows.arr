-- Literals whose elements are literals: their rows are stored in their places.

-- ==
-- entry: turned
-- input { [[[1i64, 2i64], [3i64, 4i64]], [[5i64, 6i64], [7i64, 8i64]]] } output { [[[4i64, -2i64], [-3i64, 1i64]], [[8i64, -6i64], [-7i64, 5i64]]] }
-- allocates 1
-- input { empty([0][2][2]i64) } output { empty([0][2][2]i64) }
-- random input { [100][2][2]i64 } auto output
-- structure { arrays 0 }
entry turned [n] (ms: [n][2][2]i64): [n][2][2]i64 =
  map (\m -> [[m[1, 1], -m[0, 1]], [-m[1, 0], m[0, 0]]]) ms

-- A matrix by the numbers of its rows and columns.
-- ==
-- entry: outer
-- input { [[1i64, 2i64, 3i64]] } output { [[[1i64, 2i64, 3i64], [2i64, 4i64, 6i64], [3i64, 6i64, 9i64]]] }
-- allocates 1
-- random input { [100][3]i64 } auto output
entry outer [n] (xs: [n][3]i64): [n][3][3]i64 = map (\x -> tabulate_2d 3 3 (\i j -> x[i] * x[j])) xs

-- Without a pass.
-- ==
-- entry: one
-- input { 1u8 2u8 true } output { [[1u8, 2u8], [3u8, 1u8]] [[true, false], [false, true]] }
-- allocates 2
entry one (x: u8) (y: u8) (p: bool): ([2][2]u8, [2][2]bool) =
  ([[x, y], [3, x]], [[p, false], [!p, p]])

-- Rows that are used twice, and a row that is no literal.
-- ==
-- entry: mixed
-- input { [5i64, 6i64] 7i64 1i64 } output { [[7i64, 8i64], [5i64, 6i64], [7i64, 8i64], [0i64, 7i64]] 8i64 }
-- input { [5i64, 6i64] 7i64 2i64 } error: out of bounds
entry mixed (xs: [2]i64) (y: i64) (i: i64): ([4][2]i64, i64) =
  let row = [y, y + 1]
  in ([row, xs, row, [0, y]], row[i])

-- Three dimensions.
-- ==
-- entry: three
-- input { [1i64, 2i64] } output { [[[[1i64, 2i64], [3i64, 1i64]], [[2i64, 2i64], [1i64, 0i64]]], [[[2i64, 4i64], [3i64, 2i64]], [[4i64, 4i64], [2i64, 0i64]]]] }
-- allocates 1
entry three [n] (xs: [n]i64): [n][2][2][2]i64 =
  map (\x -> [[[x, 2 * x], [3, x]], [[x + x, 2 * x], [x, 0]]]) xs

-- Chosen, and made in turns.
-- ==
-- entry: powers
-- input { [1i64, 2i64] 3i64 } output { [[[3i64, 2i64], [2i64, 1i64]], [[12i64, 5i64], [5i64, 2i64]]] }
-- random input { [50]i64 9i64 } auto output
entry powers [n] (xs: [n]i64) (k: i64): [n][2][2]i64 =
  map (\x ->
    let base = if x > 100 then [[x, 0], [0, x]] else [[x, 1], [1, 0]]
    in loop m = [[1, 0], [0, 1]] for _ < k do
         [[m[0, 0] * base[0, 0] + m[0, 1] * base[1, 0],
           m[0, 0] * base[0, 1] + m[0, 1] * base[1, 1]],
          [m[1, 0] * base[0, 0] + m[1, 1] * base[1, 0],
           m[1, 0] * base[0, 1] + m[1, 1] * base[1, 1]]]) xs

-- Records, and a result that grows.
-- ==
-- entry: records
-- input { [1i64, 2i64, 3i64] } output { [[[1i64, 2i64], [3i64, 4i64]], [[3i64, 6i64], [3i64, 4i64]]] [[[true, false], [false, false]], [[true, false], [true, true]]] }
entry records [n] (xs: [n]i64): ?[k].[k][2][2]{a: i64, b: bool} =
  map
    (\x -> [[{a = x, b = true}, {a = 2 * x, b = false}], [{a = 3, b = x > 1}, {a = 4, b = x > 2}]])
    (filter (\x -> x % 2 == 1) xs)
