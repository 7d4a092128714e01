-- Columns whose elements are divided, of every length around those of vectors.

def window [h] [w] (a: [h][w]f64): i64 =
  i64.sum
    (flatten
       (map2 (\i row -> map2 (\j x -> (i + 1) * (j + 7) * i64.f64 (x * 16)) (iota w) row) (iota h)
          a))

-- ==
-- entry: divided
-- input { 40 } auto output
entry divided (most: i64): [most]i64 =
  tabulate most (\n ->
    let a = tabulate_2d n 3 (\i j -> f64.i64 ((i * 31 + j * 7) % 13 + 1))
    let a = loop a for k < i64.min n 3 do
      let a[k:, k] = map (/ (a[k, k] + f64.i64 k)) a[k:, k]
      in a
    in window a)

-- ==
-- entry: roots diagonal turned
-- random input { [33][33]f64 } auto output
-- random input { [7][7]f64 } auto output
-- random input { [1][1]f64 } auto output
-- input { empty([0][0]f64) } auto output
entry roots [n] (a: [n][n]f64): [n][n]f64 =
  tabulate n (\j -> map (\i -> f64.sqrt a[i, j] + f64.exp a[i, n - 1 - j]) (iota n))

entry diagonal [n] (a: [n][n]f64): [n]f64 = tabulate n (\i -> 1 / a[i, i])

entry turned [n] (a: [n][n]f64): [n][n]f64 =
  tabulate n (\j -> map (\i -> a[n - 1 - i, j] / 3) (iota n))

-- ==
-- entry: within
-- random input { [33][5]f64 2i64 } auto output
-- random input { [33][5]f64 5i64 } error: index [0, 5] is out of bounds
-- random input { [0][5]f64 5i64 } auto output
entry within [n] [m] (a: [n][m]f64) (k: i64): [n]f64 = tabulate n (\i -> 1 / a[i, k])

-- ==
-- entry: sums
-- random input { [45][3]f32 } auto output
entry sums [n] (a: [n][3]f32): f32 =
  f32.maximum (tabulate n (\i -> f32.sqrt a[i, 0] / (1 + a[i, 2])))
