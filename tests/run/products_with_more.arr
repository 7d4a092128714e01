-- Products of matrices whose elements are more than their sums. Tiles of several rows and columns make them; a long sum is taken
-- in spans, and what follows it comes with the last span. All numbers are small integers, so all orders give the same bits.

def small [n] [m] (a: [n][m]i64): [n][m]f64 = map (map (\x -> f64.i64 (x % 100))) a

def dot [n] (xs: [n]f64) (ys: [n]f64): f64 = f64.sum (map2 (*) xs ys)

-- ==
-- entry: scaled
-- random input { [1][1]i64 [1][1]i64 [1][1]i64 } auto output
-- random input { [8][3]i64 [16][3]i64 [8][16]i64 } auto output
-- random input { [9][256]i64 [17][256]i64 [9][17]i64 } auto output
-- random input { [19][257]i64 [40][257]i64 [19][40]i64 } auto output
-- random input { [12][600]i64 [37][600]i64 [12][37]i64 } auto output
-- random input { [300][20]i64 [21][20]i64 [300][21]i64 } auto output
-- input { empty([1][0]i64) empty([1][0]i64) [[3i64]] } output { [[1.5]] }
entry scaled [n] [m] [k] (a: [n][k]i64) (b: [m][k]i64) (c: [n][m]i64): [n][m]f64 =
  map2 (\row rest -> map2 (\column e -> 2 * dot row column + 0.5 * e) (small b) rest) (small a)
    (small c)

-- The rows of the array that gives the other elements come first.
-- ==
-- entry: subtracted
-- random input { [8][3]i64 [16][3]i64 [8][16]i64 } auto output
-- random input { [9][256]i64 [17][256]i64 [9][17]i64 } auto output
-- random input { [19][513]i64 [40][513]i64 [19][40]i64 } auto output
entry subtracted [n] [m] [k] (a: [n][k]i64) (b: [m][k]i64) (c: [n][m]i64): [n][m]f64 =
  map2 (\rest row -> map2 (\e column -> e - dot row column) rest (small b)) (small c) (small a)

-- The transposed matrix is read where it is.
-- ==
-- entry: by_index
-- random input { [11][300]i64 [300][35]i64 [11][35]i64 } auto output
entry by_index [n] [m] [k] (a: [n][k]i64) (b: [k][m]i64) (c: [n][m]i64): [n][m]f64 =
  let (a, b, c) = (small a, small b, small c)
  in tabulate_2d n m (\i j -> c[i, j] - f64.sum (map (\l -> a[i, l] * b[l, j]) (iota k)))

-- A window of the array changes in place, by a product of other parts of it; twice.
-- ==
-- entry: in_place
-- random input { [9][9]i64 1i64 } auto output
-- random input { [41][41]i64 3i64 } auto output
-- random input { [60][60]i64 7i64 } auto output
-- random input { [75][75]i64 16i64 } auto output
-- random input { [75][75]i64 33i64 } auto output
-- random input { [70][70]i64 0i64 } auto output
-- structure { allocated 4 }
entry in_place [n] (a: [n][n]i64) (w: i64): [n][n]f64 =
  loop a = small a for s < 2 do
    let (from, to) = (s * w, (s + 1) * w)
    let right = transpose a[from:to, to:]
    let a[to:, to:] =
      map2 (\row l -> map2 (\x r -> x - dot l r) row right) a[to:, to:]
        (map (map (% 3)) a[to:, from:to])
    in map (map (% 100)) a

-- The sums are too long for one span, and the window holds elements that the last span needs.
-- ==
-- entry: long_in_place
-- random input { [40][340]i64 } auto output
entry long_in_place [n] [m] (a: [n][m]i64): [n][m]f64 =
  let a = copy (small a)
  let rest = transpose (map (\row -> row[40:]) (small (tabulate_2d n m (\i j -> 3 * i + j))))
  let sides = copy a[:, 40:]
  let a[:, :40] =
    map2
      (\row side ->
        map2 (\x i -> x - dot side (map (\k -> rest[k, i]) (iota (m - 40)))) row (iota 40))
      a[:, :40] sides
  in a

-- A fold whose numbers depend on another sum runs in one span: the result has room for one number an element.
-- ==
-- entry: sums_of_prefixes
-- random input { [9][256]i64 [256][17]i64 } auto output
-- random input { [17][257]i64 [257][40]i64 } auto output
-- random input { [12][600]i64 [600][37]i64 } auto output
entry sums_of_prefixes [n] [m] [k] (a: [n][k]i64) (b: [k][m]i64): [n][m]i64 =
  map (\row -> tabulate m (\j -> i64.sum (scan (+) 0 (tabulate k (\l -> row[l] * b[l, j]))))) a

-- The same where the two sums have different types.
-- ==
-- entry: sums_of_narrow_prefixes
-- random input { [9][20]i64 [20][17]i64 } auto output
-- random input { [12][600]i64 [600][37]i64 } auto output
entry sums_of_narrow_prefixes [n] [m] [k] (a: [n][k]i64) (b: [k][m]i64): [n][m]i64 =
  let narrow = map (map i32.i64) b
  let row_sum =
    \row j -> i64.sum (map i64.i32 (scan (+) 0 (tabulate k (\l -> i32.i64 row[l] * narrow[l, j]))))
  in map (\row -> tabulate m (row_sum row)) a
