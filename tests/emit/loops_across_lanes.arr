-- $ arrc build FILE --emit=vectors --target-cpu=x86-64-v3
-- Loops in steps run for several steps at once, except where lanes are slower than one step after the other.
entry escape [n] (as: [n]f32) (bs: [n]f32): [n]i32 =
  map2 (\a b ->
    let (_, _, k) = loop (x, y, k) = (0, 0, 0) while k < 50 && x * x + y * y < 4 do
      (x * x - y * y + a, 2 * x * y + b, k + 1)
    in k) as bs

entry horner [n] (xs: [n]f64) (m: i64): [n]f64 =
  map (\x -> fold (\acc k -> acc * x + f64.i64 k) 0 (iota m)) xs

entry product [h][k][w] (a: [h][k]f64) (b: [k][w]f64): [h][w]f64 =
  map (\row -> map (\col -> f64.sum (map2 (*) row col)) (transpose b)) a

-- An element is more than its sum, and the length of a row follows from another row.
entry rest [h][k][w] (a: [h][k]f64) (b: [w][k]f64) (c: [h][w]f64): [h][w]f64 =
  map2 (\row with_row -> map2 (\e column -> e - f64.sum (map2 (*) with_row column)) row b) c a

-- The tiles change a window of the matrix in place.
entry trailing [n] (a: [n][n]f64) (w: i64): [n][n]f64 =
  let right = transpose a[:w, w:]
  let a[w:, w:] =
    map2 (\row l -> map2 (\x r -> x - f64.sum (map2 (*) l r)) row right) a[w:, w:] a[w:, :w]
  in a

entry modulo [n] (xs: [n]i32) (ys: [n]i32): [n]i32 =
  map2 (\x y -> let (a, _) = loop (a, b) = (x, y) while b != 0 do (b, a % b) in a) xs ys

entry mixed [n] (xs: [n]i64): [n]i64 =
  map (\x -> loop h = x for _ < 10 do h * 6364136223846793005 + 1442695040888963407) xs

entry looked_up [n][m] (xs: [n]i64) (t: [m]i64): [n]i64 =
  map (\x -> loop y = x for _ < 3 do t[y]) xs

-- Trip counts differ from step to step.
entry lagged [n] (xs: [n]f64): [n]f64 =
  tabulate n (\i -> f64.sum (map (\j -> xs[j] * xs[i + j]) (iota (n - i))))
entry pairs [n] (xs: [n]f32): [n]i32 =
  tabulate n (\i -> i32.sum (map (\j -> if xs[i] < xs[j] then 1 else 0) (iota i)))
entry above [n] (a: [n][n]f64): [n]f64 = tabulate n (\i -> f64.sum (map (\j -> a[j, i]) (iota i)))
entry nearest [n] (xs: [n]f64): [n]f64 =
  tabulate n (\i -> f64.minimum (map (\j -> f64.abs (xs[i] - xs[j])) (iota i)))

-- Rows that a loop makes, windows of one size, and rows of products with something added.
entry turned [n] (ys: [n][2]f64) (k: i64): [n][2]f64 =
  map (\y -> loop y for _ < k do [y[0] + 0.1 * y[1], y[1] - 0.1 * y[0]]) ys
entry windows [n] (k: i64) (xs: [n]f64): [n - k]f64 = tabulate (n - k) (\i -> f64.sum xs[i:i + k])
entry added [h][k][w] (a: [h][k]f32) (b: [k][w]f32) (c: [h][w]f32): [h][w]f32 =
  map2 (\row cs -> map2 (\col x -> f32.sum (map2 (*) row col) + 2 * x) (transpose b) cs) a c
-- The loop reads a short row often, branches on its own step, and the step makes a row.
entry ways [n] (rows: [n][4]u32): [n][2]u32 =
  map (\row ->
    let (a, b) = loop (a, b) = (1, 2) for i < 20 do
      if i % 3 == 0 then (b, a + row[i % 4]) else (b ^ row[(i + 1) % 4], a)
    in [a, b]) rows
-- The loop counts through a constant range, and changes an array that begins with the row.
entry longer [n] (rows: [n][4]u32): [n]u32 =
  map (\row ->
    let w = loop w = (row ++ replicate 20 0) :> [24]u32 for t in 4..<24 do w with [t] = w[t - 4] + w[t - 1] * 3
    in w[23]) rows

-- Counts do not limit the lanes; elements of 64 bits are added.
entry bytes [n] (xs: [n]u8): (i64, i64) = (count (> 64) xs, count (== 0) xs)
entry words [n] (xs: [n]i64): i64 = count (> 64) xs
-- Beside its loop, a step reads an element of a column, lane by lane.
entry forward [s][k] (a: [s][s]f64) (b: [s][k]f64) (p: [s]f64) (seen: i64): [s]f64 =
  tabulate s (\j -> f64.sum (tabulate s (\i -> p[i] * a[i, j])) * b[j, seen])
-- Elements between limits are next to each other, except at the edges.
entry blurred [n] (xs: [n]f64) (r: i64): [n]f64 =
  tabulate n (\i -> f64.sum (tabulate r (\d -> xs[i64.max 0 (i64.min (n - 1) (i + d))])))
