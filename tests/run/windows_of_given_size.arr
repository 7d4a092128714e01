-- Windows whose size is known when the program runs.

-- ==
-- entry: sums
-- input { 2i64 [1.0, 2.0, 3.0, 4.0] } output { [3.0, 5.0] }
-- input { 0i64 [1.0, 2.0] } output { [0.0, 0.0] }
-- input { 3i64 [1.0, 2.0, 3.0] } output { empty([0]f64) }
-- input { -1i64 [1.0, 2.0, 3.0] } error: slice 0:-1 is out of bounds for an array of length 3
-- input { 4i64 [1.0, 2.0, 3.0] } error: negative size -1 in generate
entry sums [n] (k: i64) (xs: [n]f64): [n - k]f64 = tabulate (n - k) (\i -> f64.sum xs[i:i + k])

-- ==
-- entry: highest
-- input { 3i64 [1, 5, 2, 3, 9, 0, 1, 4, 4, 4, 7, 2, 8, 1, 1, 3, 6, 2, 2, 1] }
-- output { [5, 5, 9, 9, 9, 4, 4, 4, 7, 7, 8, 8, 8, 3, 6, 6, 6] }
entry highest [n] (k: i64) (xs: [n]i32): [n - k]i32 =
  tabulate (n - k) (\i -> i32.maximum xs[i:i + k])

-- A sum of a box of a matrix.
-- ==
-- entry: boxes
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]] 1i64 1i64 } output { [[1.0, 2.0], [4.0, 5.0]] }
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]] 2i64 1i64 } output { [[5.0, 7.0]] }
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] 0i64 2i64 } output { [[0.0], [0.0]] }
entry boxes [n] [m] (a: [n][m]f64) (k: i64) (l: i64): [n - k][m - l]f64 =
  tabulate_2d (n - k) (m - l)
    (\i j -> f64.sum (flatten (tabulate_2d k l (\p q -> a[i + p, j + q]))))

-- A weighted mean of a box: two sums of one producer.
-- ==
-- entry: means
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]] 1i64 } output { [[5.0]] }
-- input { [[1.0, 2.0], [3.0, 4.0]] 0i64 } output { [[1.0, 2.0], [3.0, 4.0]] }
entry means [n] [m] (a: [n][m]f64) (r: i64): [n - 2 * r][m - 2 * r]f64 =
  tabulate_2d (n - 2 * r) (m - 2 * r) (\i j ->
    let (ws, vs) = unzip (flatten (tabulate_2d (2 * r + 1) (2 * r + 1) (\p q ->
      let w = 1 / f64.i64 (1 + i64.abs (p - r) + i64.abs (q - r))
      in (w, w * a[i + p, j + q]))))
    in f64.sum vs / f64.sum ws)

-- The product of no numbers, and of numbers beside others that are not finite.
-- ==
-- entry: products
-- input { [[2.0, 3.0], [4.0, 0.5]] 1i64 } output { 12.0 }
-- input { [[2.0, 3.0], [4.0, 0.5]] 0i64 } output { 1.0 }
entry products [n] [m] (a: [n][m]f64) (k: i64): f64 =
  f64.product (flatten (tabulate_2d k m (\i j -> a[i, j] * (if j == 0 then 2.0 else 1.0))))

-- Words: the first letter of the text, and each one behind a blank.
-- ==
-- entry: words
-- input { [97u8, 98u8, 32u8, 32u8, 99u8, 100u8, 32u8, 101u8] } output { 3i64 }
-- input { empty([0]u8) } output { 0i64 }
-- input { [32u8, 120u8] } output { 1i64 }
-- input { [97u8, 32u8, 98u8, 98u8, 32u8, 99u8, 99u8, 99u8, 32u8, 100u8, 100u8, 100u8, 100u8, 32u8, 101u8, 101u8, 101u8, 101u8, 101u8, 32u8, 102u8, 102u8, 102u8, 102u8, 102u8, 102u8, 32u8, 103u8, 103u8, 103u8, 103u8, 103u8, 103u8, 103u8, 32u8, 104u8, 104u8, 104u8, 104u8, 104u8, 104u8, 104u8, 104u8, 32u8, 105u8, 105u8, 105u8, 105u8, 105u8, 105u8, 105u8, 105u8, 105u8] } output { 9i64 }
entry words [n] (text: [n]u8): i64 =
  let is_blank (c: u8): bool = c == ' ' || c == '\n' || c == '\t'
  in count id (tabulate n (\i -> !(is_blank text[i]) && (i == 0 || is_blank text[i - 1])))
