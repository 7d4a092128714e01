-- Tests in Futhark's notation, with its rules and its words for errors.
-- ==
-- tags { no_oclgrind }
-- entry: pick
-- input { [1, 2, 3] 1i64 } output { 2 }
-- input { [1, 2, 3] 10i64 } error: Index \[10\] out of bounds for array of shape \[3\]
-- input { [1, 2, 3] 10i64 }
-- error:
-- no_python compiled input @ pick.in output @ pick.out
-- no_c mem_16gb input @ pick.in.gz output { 3 }
-- notest input { [1] 10i64 } output { 1 }
entry pick (xs: []i32) (i: i64): i32 = xs[i]

-- ==
-- entry: quotient
-- input { 7 2 } output { 3 }
-- input { 1 0 } error: division by zero
entry quotient (a: i32) (b: i32): i32 = a / b

-- ==
-- entry: checked
-- input { -1 } error: Assertion is false: \(x > 0\)
-- input { -1 } error: -> #0  .*notation.fut:24
entry checked (x: i32): i32 = assert (x > 0) x

-- ==
-- entry: part
-- input { [1, 2] 1i64 5i64 } error: Index \[1:5\] out of bounds for array of shape \[2\]
entry part (xs: []i32) (i: i64) (j: i64): []i32 = xs[i:j]

-- ==
-- entry: numbers
-- input { -3i64 } error: Range 0..1..<-3 is invalid
entry numbers (n: i64): []i64 = iota n

-- ==
-- entry: both
-- input { [1, 2] [1] } error: Entry point arguments have invalid sizes
entry both [n] (xs: [n]i32) (ys: [n]i32): i32 = reduce (+) 0 (map2 (*) xs ys)

-- Floats may differ by 0.002 times the largest.
-- ==
-- entry: same
-- input { [1000.0, f64.nan, -f64.inf] } output { [1001.0, f64.nan, -f64.inf] }
-- input { [0.0, 0x1.8p3] } output { [0.01, 12.0f64] }
-- input { empty([0]f64) } output { empty([0]f64) }
-- structure { Screma 1 }
-- structure gpu { SegMap 1 }
entry same (xs: []f64): []f64 = xs

-- The numbers that `futhark dataset` makes.
-- ==
-- entry: made
-- random input { [3]i32 [2]u8 7i64 true }
-- output { [-223823371, -1815469669, -1831093278] [63u8, 218u8] 7i64 true }
entry made [n] [m] (xs: [n]i32) (bytes: [m]u8) (k: i64) (yes: bool): ([n]i32, [m]u8, i64, bool) =
  (xs, bytes, k, yes)

-- ==
-- entry: letters
-- input { "hi" } output { [104u8, 105u8] }
entry letters (text: []u8): []u8 = text
