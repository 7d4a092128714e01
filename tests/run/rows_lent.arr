-- Rows of an array from outside of a pass are elements of its steps: no step owns them.

-- | Rows by their positions.
-- ==
-- entry: gathered
-- input { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] [2i64, 0i64, 0i64] } output { [[5i64, 6i64], [1i64, 2i64], [1i64, 2i64]] }
-- allocates 1
-- input { [[1i64]] [0i64, 1i64] } error: index 1 is out of bounds for an array of length 1
entry gathered [n] [m] [k] (rows: [n][m]i64) (places: [k]i64): [k][m]i64 =
  map (\i -> rows[i]) places

-- | The rows from the last one on, of an array that ends here: not in place.
-- ==
-- entry: reversed
-- input { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } output { [[5i64, 6i64], [3i64, 4i64], [1i64, 2i64]] }
entry reversed [n] [m] (rows: *[n][m]i64): *[n][m]i64 = map (\i -> rows[n - 1 - i]) (iota n)

-- | The rows themselves, of an array that ends here.
-- ==
-- entry: same
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { [[1i64, 2i64], [3i64, 4i64]] }
entry same [n] [m] (rows: *[n][m]i64): *[n][m]i64 = map (\i -> rows[i]) (iota n)

-- | Parts of rows.
-- ==
-- entry: ends
-- input { 1i64 [[1i64, 2i64], [3i64, 4i64]] } output { [[2i64], [4i64]] }
-- input { 3i64 [[1i64, 2i64], [3i64, 4i64]] } error:
entry ends [n] [m] (k: i64) (rows: [n][m]i64): [n][k]i64 = map (\row -> row[m - k:] :> [k]i64) rows

-- | A row that is written, and summed up by another function of the same step.
-- ==
-- entry: with_sums
-- input { [[1i64, 2i64], [3i64, 4i64]] [1i64, 0i64] } output { [[3i64, 4i64], [1i64, 2i64]] [7i64, 3i64] }
-- allocates 2
entry with_sums [n] [m] [k] (rows: [n][m]i64) (places: [k]i64): ([k][m]i64, [k]i64) =
  let taken = map (\i -> rows[i]) places
  in (taken, map i64.sum taken)

-- | Rows that a filter keeps.
-- ==
-- entry: positive
-- input { [[1i64, 2i64], [-3i64, 4i64]] [1i64, 0i64, 0i64] } output { [[1i64, 2i64], [1i64, 2i64]] }
entry positive [n] [m] [k] (rows: [n][m]i64) (places: [k]i64): ?[j].[j][m]i64 =
  filter (\row -> row[0] > 0) (map (\i -> rows[i]) places)

-- | A row of small size, by both positions: a picture that is turned.
-- ==
-- entry: turned
-- input { [[[1u8, 2u8, 3u8], [4u8, 5u8, 6u8]], [[7u8, 8u8, 9u8], [10u8, 11u8, 12u8]]] }
-- output { [[[7u8, 8u8, 9u8], [1u8, 2u8, 3u8]], [[10u8, 11u8, 12u8], [4u8, 5u8, 6u8]]] }
-- allocates 1
entry turned [h] [w] (picture: [h][w][3]u8): [w][h][3]u8 =
  tabulate_2d w h (\i j -> picture[h - 1 - j, i])

-- | Rows of an array that a loop carries, in each step from the array before.
-- ==
-- entry: shifted
-- input { 2i64 [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } output { [[5i64, 6i64], [1i64, 2i64], [3i64, 4i64]] }
-- input { 0i64 [[1i64, 2i64]] } output { [[1i64, 2i64]] }
entry shifted [n] [m] (steps: i64) (rows: [n][m]i64): [n][m]i64 =
  loop rows for _ < steps do map (\i -> rows[(i + 1) % n]) (iota n)

-- | Rows of an array that the same step updates: as they were before the update.
-- ==
-- entry: histories
-- input { [[1i64, 2i64], [3i64, 4i64]] [1i64, 0i64, 1i64] } output { [[3i64, 4i64], [1i64, 2i64], [0i64, 0i64]] }
entry histories [n] [m] [k] (rows: [n][m]i64) (places: [k]i64): [k][m]i64 =
  let (_, taken) =
    loop (rows, taken) = (copy rows, replicate k (replicate m 9)) for i < k do
      (rows with [places[i]] = replicate m 0, taken with [i] = rows[places[i]])
  in taken

-- | Rows of a part of the array that each step makes.
-- ==
-- entry: made
-- input { 3i64 2i64 } output { [[0i64, 0i64], [1i64, 2i64], [2i64, 4i64]] }
entry made (n: i64) (m: i64): [n][m]i64 =
  map (\i -> (tabulate_2d 3 m (\k j -> k * i * (j + 1)))[1]) (iota n)
