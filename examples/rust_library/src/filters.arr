-- Filters of pictures in grey.

-- | The mean of each pixel and its four neighbours. The pixels at the edge stay.
entry blurred [n] [m] (picture: [n][m]f64): [n][m]f64 =
  generate n (\i -> generate m (\j ->
    if i == 0 || j == 0 || i == n - 1 || j == m - 1 then picture[i, j]
    else (picture[i, j] + picture[i - 1, j] + picture[i + 1, j] + picture[i, j - 1]
          + picture[i, j + 1]) / 5))

-- | The mean of each row.
entry means [n] [m] (picture: [n][m]f64): [n]f64 = map (\row -> f64.sum row / f64.i64 m) picture

-- | How many pixels are at least as light as each of some levels.
entry lighter [n] [m] [k] (picture: [n][m]f64) (levels: [k]f64): [k]i64 =
  map
    (\level ->
      i64.sum (map (\row -> i64.sum (map (\x -> if x >= level then 1 else 0) row)) picture)) levels

-- | The pixel in a row and a column.
entry pixel [n] [m] (picture: [n][m]f64) (row: i64) (column: i64): f64 = picture[row, column]

-- | Blurs the picture until no pixel changes by more than a bound, and gives the number of steps.
entry settled [n] [m] (picture: [n][m]f64) (bound: f64): ([n][m]f64, i64) =
  let (picture, _, steps) =
    loop (now, change, steps) = (picture, f64.inf, 0) while change > bound do
      let next = blurred now
      let change = f64.maximum (map f64.maximum (map2 (map2 (\x y -> f64.abs (x - y))) now next))
      in (next, change, steps + 1)
  in (picture, steps)
