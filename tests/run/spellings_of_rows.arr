-- The same program in several spellings: with rows that have names, with `map` over rows, and with all indices. Each block
-- is one program. Its spellings have the same results, and the same plans for vectors.

-- A product of matrices.
-- ==
-- entry: product product_of_named_rows product_of_rows product_by_counts product_by_helper product_by_box product_by_zip
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] }
-- output { [[22.0, 28.0], [49.0, 64.0]] }
-- input { empty([0][2]f64) [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] } output { empty([0][3]f64) }
-- input { empty([2][0]f64) empty([0][2]f64) } output { [[0.0, 0.0], [0.0, 0.0]] }
entry product [n] [k] [m] (a: [n][k]f64) (b: [k][m]f64): [n][m]f64 =
  tabulate_2d n m (\i j -> f64.sum (tabulate k (\l -> a[i, l] * b[l, j])))

entry product_of_named_rows [n] [k] [m] (a: [n][k]f64) (b: [k][m]f64): [n][m]f64 =
  tabulate n (\i -> let r = a[i] in tabulate m (\j -> f64.sum (tabulate k (\l -> r[l] * b[l, j]))))

entry product_of_rows [n] [k] [m] (a: [n][k]f64) (b: [k][m]f64): [n][m]f64 =
  map (\r -> tabulate m (\j -> f64.sum (map2 (\x q -> x * q[j]) r b))) a

entry product_by_counts [n] [k] [m] (a: [n][k]f64) (b: [k][m]f64): [n][m]f64 =
  tabulate_2d n m (\i j -> f64.sum (map2 (\l x -> x * b[l, j]) (iota k) a[i]))

def inner [k] [m] (r: [k]f64) (b: [k][m]f64) (j: i64): f64 =
  f64.sum (map2 (\x q -> x * q[j]) r b)

entry product_by_helper [n] [k] [m] (a: [n][k]f64) (b: [k][m]f64): [n][m]f64 =
  tabulate n (\i -> map (inner a[i] b) (iota m))

entry product_by_box [n] [k] [m] (a: [n][k]f64) (b: [k][m]f64): [n][m]f64 =
  with { ([0, 0] <= [i, j] < [n, m]) : f64.sum (map (\l -> a[i][l] * b[l][j]) (iota k)) }
    : genarray ([n, m])

entry product_by_zip [n] [k] [m] (a: [n][k]f64) (b: [k][m]f64): [n][m]f64 =
  map (\r -> map (\j -> f64.sum (map (\(x, q) -> x * q[j]) (zip r b))) (iota m)) a

-- Each element of a matrix in a loop, in place.
-- ==
-- entry: halved halved_of_named_rows halved_by_counts halved_rows halved_by_box
-- input { 2i64 [[4.0, 8.0], [12.0, 16.0]] } output { [[1.0, 2.0], [3.0, 4.0]] }
-- input { 0i64 [[4.0, 8.0]] } output { [[4.0, 8.0]] }
-- input { 3i64 empty([0][2]f64) } output { empty([0][2]f64) }
entry halved [n] [m] (k: i64) (a: [n][m]f64): [n][m]f64 =
  loop a for _i < k do tabulate_2d n m (\i j -> a[i, j] * 0.5)

entry halved_of_named_rows [n] [m] (k: i64) (a: [n][m]f64): [n][m]f64 =
  loop a for _i < k do tabulate n (\i -> let r = a[i] in tabulate m (\j -> r[j] * 0.5))

entry halved_by_counts [n] [m] (k: i64) (a: [n][m]f64): [n][m]f64 =
  loop a for _i < k do map (\r -> tabulate m (\j -> r[j] * 0.5)) a

entry halved_rows [n] [m] (k: i64) (a: [n][m]f64): [n][m]f64 =
  loop a for _i < k do map (map (* 0.5)) a

entry halved_by_box [n] [m] (k: i64) (a: [n][m]f64): [n][m]f64 =
  loop a for _i < k do with { (. <= iv <= .) : a[iv] * 0.5 } : genarray ([n, m])

-- A transposed matrix.
-- ==
-- entry: transposed transposed_of_rows transposed_of_named_rows transposed_library
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] } output { [[1i32, 4i32], [2i32, 5i32], [3i32, 6i32]] }
-- input { empty([0][2]i32) } output { empty([2][0]i32) }
entry transposed [n] [m] (a: [n][m]i32): [m][n]i32 = tabulate_2d m n (\j i -> a[i, j])

entry transposed_of_rows [n] [m] (a: [n][m]i32): [m][n]i32 = tabulate m (\j -> map (\r -> r[j]) a)

entry transposed_of_named_rows [n] [m] (a: [n][m]i32): [m][n]i32 =
  tabulate m (\j -> tabulate n (\i -> let r = a[i] in r[j]))

entry transposed_library [n] [m] (a: [n][m]i32): [m][n]i32 = transpose a

-- Sums of rows, and products of a matrix and a vector.
-- ==
-- entry: sums sums_of_rows sums_of_named_rows sums_by_counts
-- input { [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32]] [1f32, 0f32, 2f32] } output { [7f32, 16f32] }
-- input { empty([2][0]f32) empty([0]f32) } output { [0f32, 0f32] }
entry sums [n] [m] (a: [n][m]f32) (x: [m]f32): [n]f32 =
  tabulate n (\i -> f32.sum (tabulate m (\j -> a[i, j] * x[j])))

entry sums_of_rows [n] [m] (a: [n][m]f32) (x: [m]f32): [n]f32 = map (\r -> f32.sum (map2 (*) r x)) a

entry sums_of_named_rows [n] [m] (a: [n][m]f32) (x: [m]f32): [n]f32 =
  tabulate n (\i -> let r = a[i] in f32.sum (map (\j -> r[j] * x[j]) (iota m)))

entry sums_by_counts [n] [m] (a: [n][m]f32) (x: [m]f32): [n]f32 =
  map (\i -> f32.sum (map2 (\j y -> a[i][j] * y) (iota m) x)) (iota n)

-- A row that changes in place.
-- ==
-- entry: row_in_place row_in_place_by_counts row_in_place_of_named_row
-- input { [[1.0, 2.0], [3.0, 4.0]] [1i64, 1i64] } output { [[1.0, 2.0], [0.75, 1.0]] }
entry row_in_place [n] [m] (a: *[n][m]f64) (is: []i64): [n][m]f64 =
  loop a for i in is do if i < 0 || i >= n then a else a with [i] = map (* 0.5) a[i]

entry row_in_place_by_counts [n] [m] (a: *[n][m]f64) (is: []i64): [n][m]f64 =
  loop a for i in is do if i < 0 || i >= n then a else a with [i] = tabulate m (\j -> a[i, j] * 0.5)

entry row_in_place_of_named_row [n] [m] (a: *[n][m]f64) (is: []i64): [n][m]f64 =
  loop a for i in is do
    if i < 0 || i >= n then a else let r = a[i] in a with [i] = map (\j -> r[j] * 0.5) (iota m)

-- A product of matrices in order: each element is a sum from the left.
-- ==
-- entry: product_in_order product_in_order_by_index product_in_order_of_columns
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] }
-- output { [[22.0, 28.0], [49.0, 64.0]] }
-- input { empty([2][0]f64) empty([0][2]f64) } output { [[0.0, 0.0], [0.0, 0.0]] }
entry product_in_order [n] [k] [m] (a: [n][k]f64) (b: [k][m]f64): [n][m]f64 =
  tabulate_2d n m (\i j -> fold (+) 0 (tabulate k (\l -> a[i, l] * b[l, j])))

entry product_in_order_by_index [n] [k] [m] (a: [n][k]f64) (b: [k][m]f64): [n][m]f64 =
  tabulate_2d n m (\i j -> loop s = 0 for l < k do s + a[i, l] * b[l, j])

entry product_in_order_of_columns [n] [k] [m] (a: [n][k]f64) (b: [k][m]f64): [n][m]f64 =
  map (\r -> map (\c -> loop s = 0 for l < k do s + r[l] * c[l]) (transpose b)) a

-- A matrix times a vector, in the order of the columns: row by row, and column by column.
-- ==
-- entry: combined combined_by_columns combined_by_slices combined_by_elements combined_by_fold combined_by_rows_of_the_turned
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] [1.0, 10.0, 100.0] } output { [321.0, 654.0] }
-- input { empty([0][3]f64) [1.0, 10.0, 100.0] } output { empty([0]f64) }
-- input { empty([2][0]f64) empty([0]f64) } output { [0.0, 0.0] }
entry combined [n] [m] (a: [n][m]f64) (x: [m]f64): [n]f64 =
  map (\r -> loop s = 0 for j < m do s + r[j] * x[j]) a

entry combined_by_columns [n] [m] (a: [n][m]f64) (x: [m]f64): [n]f64 =
  loop y = replicate n 0 for j < m do tabulate n (\i -> y[i] + a[i, j] * x[j])

entry combined_by_slices [n] [m] (a: [n][m]f64) (x: [m]f64): [n]f64 =
  loop y = replicate n 0 for j < m do map2 (\s c -> s + c * x[j]) y a[:, j]

entry combined_by_elements [n] [m] (a: [n][m]f64) (x: [m]f64): [n]f64 =
  loop y = replicate n 0 for j < m do
    loop y for i < n do y with [i] = y[i] + a[i, j] * x[j]

entry combined_by_fold [n] [m] (a: [n][m]f64) (x: [m]f64): [n]f64 =
  fold (\y (c, t) -> map2 (\s e -> s + e * t) y c) (replicate n 0) (zip (transpose a) x)

entry combined_by_rows_of_the_turned [n] [m] (a: [n][m]f64) (x: [m]f64): [n]f64 =
  let t = transpose a
  in loop y = replicate n 0 for j < m do let c = t[j] in map2 (\s e -> s + e * x[j]) y c
