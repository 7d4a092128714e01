-- The steps of a pass make rows over the rows that they read, of every length around those of vectors. The last vector of a row is computed
-- before all others, and stored after them.

def weighted [h] [m] (a: [h][m]i64): i64 =
  i64.sum (map2 (\i row -> i64.sum (map2 (\j x -> (i + 1) * (j + 7) * x) (iota m) row)) (iota h) a)

-- Steps of an elimination: the columns on the right of the first one, in all rows below the first one.
-- ==
-- entry: eliminated_f64 eliminated_f32 eliminated_i64 eliminated_i32 eliminated_i16 eliminated_i8
-- input { 140 } auto output
entry eliminated_f64 (most: i64): [most]i64 =
  tabulate most (\m ->
    let a = tabulate_2d 4 (m + 1) (\i j -> f64.i64 ((i * 31 + j * 7) % 13))
    let a = loop a for k < 3 do
      let a[1:, 1:] = map2 (\row l -> map2 (\x u -> x - (l + f64.i64 k) * u) row a[0, 1:]) a[1:, 1:] a[1:, 0]
      in a
    in weighted (map (map i64.f64) a))

entry eliminated_f32 (most: i64): [most]i64 =
  tabulate most (\m ->
    let a = tabulate_2d 4 (m + 1) (\i j -> f32.i64 ((i * 31 + j * 7) % 13))
    let a = loop a for k < 3 do
      let a[1:, 1:] = map2 (\row l -> map2 (\x u -> x - (l + f32.i64 k) * u) row a[0, 1:]) a[1:, 1:] a[1:, 0]
      in a
    in weighted (map (map i64.f32) a))

entry eliminated_i64 (most: i64): [most]i64 =
  tabulate most (\m ->
    let a = tabulate_2d 4 (m + 1) (\i j -> (i * 31 + j * 7) % 13)
    let a = loop a for k < 3 do
      let a[1:, 1:] = map2 (\row l -> map2 (\x u -> x - (l + k) ^ u) row a[0, 1:]) a[1:, 1:] a[1:, 0]
      in a
    in weighted a)

entry eliminated_i32 (most: i64): [most]i64 =
  tabulate most (\m ->
    let a = tabulate_2d 4 (m + 1) (\i j -> i32.i64 ((i * 31 + j * 7) % 13))
    let a = loop a for k < 3 do
      let a[1:, 1:] = map2 (\row l -> map2 (\x u -> x - (l + i32.i64 k) * u) row a[0, 1:]) a[1:, 1:] a[1:, 0]
      in a
    in weighted (map (map i64.i32) a))

entry eliminated_i16 (most: i64): [most]i64 =
  tabulate most (\m ->
    let a = tabulate_2d 4 (m + 1) (\i j -> i16.i64 ((i * 31 + j * 7) % 13))
    let a = loop a for k < 3 do
      let a[1:, 1:] = map2 (\row l -> map2 (\x u -> x - (l + i16.i64 k) * u) row a[0, 1:]) a[1:, 1:] a[1:, 0]
      in a
    in weighted (map (map i64.i16) a))

entry eliminated_i8 (most: i64): [most]i64 =
  tabulate most (\m ->
    let a = tabulate_2d 4 (m + 1) (\i j -> i8.i64 ((i * 31 + j * 7) % 13))
    let a = loop a for k < 3 do
      let a[1:, 1:] = map2 (\row l -> map2 (\x u -> x - (l + i8.i64 k) * u) row a[0, 1:]) a[1:, 1:] a[1:, 0]
      in a
    in weighted (map (map i64.i8) a))

-- Whole rows of one matrix, which read the elements of another that is changed in the same steps.
-- ==
-- entry: turned
-- input { 70 } auto output
entry turned (most: i64): [most]i64 =
  tabulate most (\m ->
    let start = (tabulate_2d 3 m (\i j -> f64.i64 ((i * 5 + j * 3) % 17)), tabulate_2d 3 m (\i j -> f64.i64 ((i + j * 11) % 19)))
    let (a, b) = loop (a, b) = start for k < 3 do
      unzip (map2 (\r s -> unzip (map2 (\x y -> (x + f64.i64 k * y, y - x)) r s)) a b)
    in weighted (map (map i64.f64) a) + 3 * weighted (map (map i64.f64) b))
