-- `sum`, `product`, `minimum`, `maximum`: of numbers of every type.

-- ==
-- entry: of_each
-- input { [1u8, 255u8, 3u8] [2.5, -1.0, 4.0] } output { 3u8 253u8 1u8 255u8 5.5 -10.0 -1.0 4.0 }
-- input { empty([0]u8) empty([0]f64) } output { 0u8 1u8 255u8 0u8 0.0 1.0 f64.inf -f64.inf }
-- structure { clusters 2 arrays 0 }
entry of_each [n] [m] (xs: [n]u8) (ys: [m]f64): (u8, u8, u8, u8, f64, f64, f64, f64) =
  (sum xs, product xs, minimum xs, maximum xs, sum ys, product ys, minimum ys, maximum ys)

-- Of literals they are `i32`, or what the result is.
-- ==
-- entry: of_literals
-- input { } output { 6 6i64 3.5f32 }
entry of_literals: (i32, i64, f32) = (sum [1, 2, 3], sum [1, 2, 3], sum [1, 2.5])

-- As functions: of each row, in a pipe, composed, passed on.
-- ==
-- entry: as_functions
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { [3i64, 7i64] 4i64 7i64 24i64 }
entry as_functions [n] [m] (xss: [n][m]i64): ([n]i64, i64, i64, i64) =
  let over f = f (flatten xss)
  in (map sum xss, xss |> map maximum |> maximum, (map sum >-> maximum) xss, over product)

-- A program's own names hide them.
-- ==
-- entry: hidden
-- input { 3i64 } output { 6i64 }
entry hidden (sum: i64): i64 = let total maximum = sum + maximum in total 3

-- A definition that uses them is of one type, as with `+`.
-- ==
-- entry: spread_of
-- input { [1.0, 4.0, 2.0] } output { 3.0 }
def extent [n] (xs: [n]f64) = maximum xs - minimum xs
entry spread_of [n] (xs: [n]f64): f64 = extent xs
