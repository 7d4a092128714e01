-- The steps of a pass make rows over the rows that they read, of every length around those of vectors.

def weighted [h] [m] (a: [h][m]i64): i64 =
  i64.sum (map2 (\i row -> i64.sum (map2 (\j x -> (i + 1) * (j + 7) * x) (iota m) row)) (iota h) a)

-- ==
-- entry: less_f64 less_f32 less_i64 less_i32 less_i16 less_i8
-- input { 140 } auto output
entry less_f64 (most: i64): [most]i64 =
  tabulate most (\m ->
    let other = tabulate m (\j -> f64.i64 (j * 5 % 11))
    let start = tabulate_2d 3 m (\i j -> f64.i64 ((i * 31 + j * 7) % 13))
    let a = loop a = start for k < 3 do map (map2 (\u x -> x * x - f64.i64 k * u) other) a
    in weighted (map (map i64.f64) a))

entry less_f32 (most: i64): [most]i64 =
  tabulate most (\m ->
    let other = tabulate m (\j -> f32.i64 (j * 5 % 11))
    let start = tabulate_2d 3 m (\i j -> f32.i64 ((i * 31 + j * 7) % 13))
    let a = loop a = start for k < 3 do map (map2 (\u x -> x * x - f32.i64 k * u) other) a
    in weighted (map (map i64.f32) a))

entry less_i64 (most: i64): [most]i64 =
  tabulate most (\m ->
    let other = tabulate m (\j -> (j * 5 % 11))
    let start = tabulate_2d 3 m (\i j -> ((i * 31 + j * 7) % 13))
    let a = loop a = start for k < 3 do map (map2 (\u x -> x * x - k ^ u) other) a
    in weighted a)

entry less_i32 (most: i64): [most]i64 =
  tabulate most (\m ->
    let other = tabulate m (\j -> i32.i64 (j * 5 % 11))
    let start = tabulate_2d 3 m (\i j -> i32.i64 ((i * 31 + j * 7) % 13))
    let a = loop a = start for k < 3 do map (map2 (\u x -> x * x - i32.i64 k ^ u) other) a
    in weighted (map (map i64.i32) a))

entry less_i16 (most: i64): [most]i64 =
  tabulate most (\m ->
    let other = tabulate m (\j -> i16.i64 (j * 5 % 11))
    let start = tabulate_2d 3 m (\i j -> i16.i64 ((i * 31 + j * 7) % 13))
    let a = loop a = start for k < 3 do map (map2 (\u x -> x * x - i16.i64 k ^ u) other) a
    in weighted (map (map i64.i16) a))

entry less_i8 (most: i64): [most]i64 =
  tabulate most (\m ->
    let other = tabulate m (\j -> i8.i64 (j * 5 % 11))
    let start = tabulate_2d 3 m (\i j -> i8.i64 ((i * 31 + j * 7) % 13))
    let a = loop a = start for k < 3 do map (map2 (\u x -> x * x - i8.i64 k ^ u) other) a
    in weighted (map (map i64.i8) a))

-- Two matrices are changed in the same steps, and each row reads one of the other.
-- ==
-- entry: turned
-- input { 70 } auto output
entry turned (most: i64): [most]i64 =
  tabulate most (\m ->
    let start =
      (tabulate_2d 3 m (\i j -> f64.i64 ((i * 5 + j * 3) % 17)),
       tabulate_2d 3 m (\i j -> f64.i64 ((i + j * 11) % 19)))
    let (a, b) = loop (a, b) = start for k < 3 do
      unzip (map2 (\r s -> unzip (map2 (\x y -> (x + f64.i64 k * y, y - x)) r s)) a b)
    in weighted (map (map i64.f64) a) + 3 * weighted (map (map i64.f64) b))

-- The rows of a window, with the elements behind it unchanged.
-- ==
-- entry: eliminated
-- input { [[3.0, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6], [2.0, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5, 9, 0, 4, 5, 2, 3, 5, 3, 6],
--           [1.0, 6, 1, 8, 0, 3, 3, 9, 8, 8, 7, 4, 9, 8, 9, 4, 8, 4, 8, 2, 0]] } auto output
entry eliminated [h] [w] (a: [h][w]f64): [w][h][w]f64 =
  tabulate w (\e ->
    loop a = copy a for k in 0..<h - 1 do
      let e = i64.max e (k + 1)
      let a[k + 1:, k + 1:e] =
        map2 (\row l -> map2 (\x u -> x - l * u) row a[k, k + 1:e]) a[k + 1:, k + 1:e] a[k + 1:, k]
      in a)
