-- Loops whose steps change a row, of every length around those of vectors, and with every number of steps.

def weighted [m] (row: [m]i64): i64 = i64.sum (map2 (\j x -> (j + 7) * x) (iota m) row)

-- ==
-- entry: less_f64
-- random input { [5][75]f64 } auto output
entry less_f64 [s] [w] (a: [s][w]f64): [w]i64 =
  tabulate w (\m ->
    let row = loop row = tabulate m (\j -> f64.i64 (j % 9)) for k in 0..<m * 3 % 5 do
      map2 (\x u -> x * 2 - f64.i64 k * u) row a[k, :m]
    in weighted (map (\x -> i64.f64 (x * 64)) row))

-- ==
-- entry: less_f32
-- random input { [5][75]f32 } auto output
entry less_f32 [s] [w] (a: [s][w]f32): [w]i64 =
  tabulate w (\m ->
    let row = loop row = tabulate m (\j -> f32.i64 (j % 9)) for k in 0..<m * 3 % 5 do
      map2 (\x u -> x * 2 - f32.i64 k * u) row a[k, :m]
    in weighted (map (\x -> i64.f32 (x * 64)) row))

-- ==
-- entry: less_i64
-- random input { [5][75]i64 } auto output
entry less_i64 [s] [w] (a: [s][w]i64): [w]i64 =
  tabulate w (\m ->
    let row = loop row = tabulate m (\j -> j % 9) for k in 0..<m * 3 % 5 do
      map2 (\x u -> x * 2 ^ k * u) row a[k, :m]
    in weighted row)

-- ==
-- entry: less_i32
-- random input { [5][75]i32 } auto output
entry less_i32 [s] [w] (a: [s][w]i32): [w]i64 =
  tabulate w (\m ->
    let row = loop row = tabulate m (\j -> i32.i64 (j % 9)) for k in 0..<m * 3 % 5 do
      map2 (\x u -> x * 2 ^ i32.i64 k * u) row a[k, :m]
    in weighted (map i64.i32 row))

-- ==
-- entry: less_i16
-- random input { [5][140]i16 } auto output
entry less_i16 [s] [w] (a: [s][w]i16): [w]i64 =
  tabulate w (\m ->
    let row = loop row = tabulate m (\j -> i16.i64 (j % 9)) for k in 0..<m * 3 % 5 do
      map2 (\x u -> x * 2 ^ i16.i64 k * u) row a[k, :m]
    in weighted (map i64.i16 row))

-- ==
-- entry: less_i8
-- random input { [5][140]i8 } auto output
entry less_i8 [s] [w] (a: [s][w]i8): [w]i64 =
  tabulate w (\m ->
    let row = loop row = tabulate m (\j -> i8.i64 (j % 9)) for k in 0..<m * 3 % 5 do
      map2 (\x u -> x * 2 ^ i8.i64 k * u) row a[k, :m]
    in weighted (map i64.i8 row))

-- Elements are narrower than others that they are made of, or flags.
-- ==
-- entry: mixed
-- random input { [3][75]f64 } auto output
entry mixed [s] [w] (a: [s][w]f64): [w]i64 =
  tabulate w (\m ->
    let row = loop row = tabulate m (\j -> f32.i64 (j % 9)) for k in 0..<s do
      map2 (\x u -> x * 2 - f32.f64 (f64.i64 k * u)) row a[k, :m]
    in weighted (map (\x -> i64.f32 (x * 64)) row))

-- ==
-- entry: flags
-- random input { [3][75]bool } auto output
entry flags [s] [w] (a: [s][w]bool): [w]i64 =
  tabulate w (\m ->
    let row =
      loop row = tabulate m (\j -> j % 3 == 0) for k in 0..<s do
        map2 (\x u -> (x || u) != (k == 1)) row a[k, :m]
    in weighted (map i64.bool row))

-- The factor of each row is an element of another array; steps go through some of the rows.
-- ==
-- entry: solved
-- random input { [35][35]f64 [35][41]f64 } auto output
-- random input { [35][35]f64 [35][8]f64 } auto output
-- random input { [35][35]f64 [35][3]f64 } auto output
entry solved [n] [m] (l: [n][n]f64) (b: [n][m]f64): [n][m]f64 =
  loop xs = copy b for i < n do
    let row = loop row = copy xs[i] for k in 0..<i do map2 (\x y -> x - l[i, k] * y) row xs[k]
    in xs with [i] = row

-- The first step that fails, and a step that would read an element of the row at another place.
-- ==
-- entry: failing
-- input { [[1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10], [3.0, 2, 3, 4, 5, 6, 7, 8, 9, 10]] [0i64, 1, 1, 0] } auto output
-- input { [[1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10], [3.0, 2, 3, 4, 5, 6, 7, 8, 9, 10]] [0i64, 1, 2, 7] } error: index 2 is out of bounds
-- input { [[1.0, 2, 3], [3.0, 2, 3]] [0i64, 1, 2, 7] } error: index 2 is out of bounds
entry failing [n] [m] [k] (a: [n][m]f64) (chosen: [k]i64): [m]f64 =
  loop row = a[0] for i in 0..<k do map2 (\x y -> x + 2 * y) row a[chosen[i]]

-- ==
-- entry: from_first
-- random input { [4][21]f64 } auto output
-- random input { [4][64]f64 } auto output
entry from_first [n] [m] (a: [n][m]f64): [m]f64 =
  loop row = a[0] for i in 1..<n do
    let first = row[0]
    in map2 (\x y -> x - first * y) row a[i]

-- More elements than stay in a cache.
-- ==
-- entry: large
-- random input { [40][3000]f64 } auto output
-- random input { [2][20000]f64 } auto output
entry large [s] [w] (a: [s][w]f64): i64 =
  let row =
    loop row = tabulate w (\j -> f64.i64 (j % 9)) for k in 0..<s do map2 (\x u -> u - x) row a[k]
  in weighted (map (\x -> i64.f64 (x * 64)) row)

-- Loops that count, in place of ranges.
-- ==
-- entry: counted_f64
-- random input { [5][75]f64 } auto output
entry counted_f64 [s] [w] (a: [s][w]f64): [w]i64 =
  tabulate w (\m ->
    let row = loop row = tabulate m (\j -> f64.i64 (j % 9)) for k < m * 3 % 5 do
      map2 (\x u -> x * 2 - f64.i64 k * u) row a[k, :m]
    in weighted (map (\x -> i64.f64 (x * 64)) row))

-- ==
-- entry: counted_i16
-- random input { [5][140]i16 } auto output
entry counted_i16 [s] [w] (a: [s][w]i16): [w]i64 =
  tabulate w (\m ->
    let row = loop row = tabulate m (\j -> i16.i64 (j % 9)) for k < m * 3 % 5 do
      map2 (\x u -> x * 2 ^ i16.i64 k * u) row a[k, :m]
    in weighted (map i64.i16 row))

-- ==
-- entry: counted
-- random input { [35][35]f64 [35][41]f64 } auto output
-- random input { [35][35]f64 [35][8]f64 } auto output
-- random input { [35][35]f64 [35][3]f64 } auto output
-- random input { [1][1]f64 [1][30]f64 } auto output
entry counted [n] [m] (l: [n][n]f64) (b: [n][m]f64): [n][m]f64 =
  loop xs = copy b for i < n do
    let row = loop row = copy xs[i] for k < i do map2 (\x y -> x - l[i, k] * y) row xs[k]
    in xs with [i] = row

-- ==
-- entry: counted_large
-- random input { [40][3000]f64 } auto output
-- random input { [20][300]f64 } auto output
entry counted_large [s] [w] (a: [s][w]f64): i64 =
  let row = loop row = tabulate w (\j -> f64.i64 (j % 9)) for k < s do map2 (\x u -> u - x) row a[k]
  in weighted (map (\x -> i64.f64 (x * 64)) row)

-- ==
-- entry: counted_failing
-- input { [[1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10], [3.0, 2, 3, 4, 5, 6, 7, 8, 9, 10]] [0i64, 1, 1, 0] } auto output
-- input { [[1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10], [3.0, 2, 3, 4, 5, 6, 7, 8, 9, 10]] [0i64, 1, 2, 7] } error: index 2 is out of bounds
entry counted_failing [n] [m] [k] (a: [n][m]f64) (chosen: [k]i64): [m]f64 =
  loop row = a[0] for i < k do map2 (\x y -> x + 2 * y) row a[chosen[i]]

-- Numbers that a comparison does not order, or orders among equals.
def special (k: i64): f64 =
  let values = [-0.0, 0.0, f64.nan, 1.0, -1.0, f64.inf, -f64.inf, 0.0, -0.0]
  in values[k % 9]

def kind (x: f64): i64 =
  if f64.isnan x then 1
  else if x == 0 then (if 1 / x < 0 then 2 else 3)
  else i64.f64 (f64.max (-9) (f64.min 9 x)) + 20

-- Extremes with the bits of the interpreter, in rows of every length around those of vectors.
-- ==
-- entry: extremes_f64
-- random input { [5][40]i64 } auto output
-- random input { [1][40]i64 } auto output
-- random input { [0][40]i64 } auto output
entry extremes_f64 [s] [w] (a: [s][w]i64): ([w]i64, [w]i64) =
  let values = map (map special) a
  let both (m: i64): (i64, i64) =
    let init = tabulate m (\j -> special (j * 5 // 3))
    let greatest = loop row = init for x in values do map2 f64.max row x[:m]
    let least = loop row = init for x in values do map2 f64.min x[:m] row
    in (weighted (map kind greatest), weighted (map kind least))
  in unzip (tabulate w both)

-- ==
-- entry: extremes_f32
-- random input { [5][75]i64 } auto output
entry extremes_f32 [s] [w] (a: [s][w]i64): ([w]i64, [w]i64) =
  let values = map (map (\k -> f32.f64 (special k))) a
  let both (m: i64): (i64, i64) =
    let init = tabulate m (\j -> f32.f64 (special (j * 5 // 3)))
    let greatest = loop row = init for x in values do map2 f32.max row x[:m]
    let least = loop row = init for x in values do map2 f32.min x[:m] row
    in (weighted (map (\x -> kind (f64.f32 x)) greatest),
        weighted (map (\x -> kind (f64.f32 x)) least))
  in unzip (tabulate w both)
