-- Indices and sizes of all types of integers.

-- ==
-- entry: with_sign
-- input { [1i64, 2i64] 1i32 0i8 } output { 3i64 }
-- input { [1i64, 2i64] -1i32 0i8 } error: index -1 is out of bounds for an array of length 2
-- input { [1i64, 2i64] 0i32 -128i8 } error: index -128 is out of bounds for an array of length 2
entry with_sign [n] (xs: [n]i64) (i: i32) (j: i8): i64 = xs[i] + xs[j]

-- ==
-- entry: without_sign
-- input { [1i64, 2i64] 1u8 0u64 } output { 3i64 }
-- input { [1i64, 2i64] 255u8 0u64 } error: index 255 is out of bounds for an array of length 2
-- input { [1i64, 2i64] 1u8 18446744073709551615u64 } error: index 18446744073709551615 is out of bounds for an array of length 2
-- input { [1i64, 2i64] 1u8 9223372036854775808u64 } error: index 9223372036854775808 is out of bounds for an array of length 2
entry without_sign [n] (xs: [n]i64) (i: u8) (j: u64): i64 = xs[i] + xs[j]

-- ==
-- entry: matrix
-- input { [[1i64, 2i64], [3i64, 4i64]] 1u16 0u32 } output { 3i64 [[1i64, 2i64], [9i64, 4i64]] [3i64, 4i64] }
entry matrix [n] [m] (xss: [n][m]i64) (i: u16) (j: u32): (i64, [n][m]i64, [m]i64) =
  (xss[i, j], xss with [i, j] = 9, xss[i])

-- The type of an index may be known later, and is `i64` if nothing tells it.
-- ==
-- entry: later
-- input { [5i64, 6i64] } output { [5i64, 7i64] 11i64 17i64 }
entry later [n] (xs: [n]i64): ([2]i64, i64, i64) =
  (map (\i -> xs[i] + i64.i32 i) [0, 1],
   loop sum = 0 for i < 2 do sum + xs[i],
   loop sum = 0 for i < 2u8 do sum + xs[i] * (i64.u8 i + 1))

-- ==
-- entry: slices
-- input { [1i64, 2i64, 3i64] 1i32 2u8 } output { [2i64] [2i64, 3i64] }
-- input { [1i64, 2i64, 3i64] -1i32 2u8 } error: slice -1:2 is out of bounds
entry slices [n] (xs: [n]i64) (i: i32) (j: u8): ?[k][l].([k]i64, [l]i64) = (xs[i:j], xs[i:])

-- ==
-- entry: sizes
-- input { 3i32 2u8 } output { [1i64, 2i64, 3i64] [[0i64, 1i64, 2i64], [0i64, 1i64, 2i64]] }
-- input { -3i32 2u8 } error: negative size -3 in iota
entry sizes (n: i32) (m: u8): ?[k].([n]i64, [m][k]i64) =
  (map2 (+) (iota n) (replicate n 1), replicate m (iota n))

-- ==
-- entry: large
-- input { 2u64 } output { [0i64, 1i64] }
-- input { 18446744073709551615u64 } error: n <= 9223372036854775807
entry large (n: u64) = iota n

def counted (n: i16): [n]i64 = iota n

-- ==
-- entry: results
-- input { 3i16 } output { [0i64, 3i64, 6i64] }
entry results (n: i16): [n]i64 =
  let m = n in map3 (\a b c -> a + b + c) (counted n) (iota m) (iota (i64.i16 n))

-- What is computed may wrap before it is a size.
-- ==
-- entry: wrapped
-- input { 3i32 } output { 12i64 }
-- input { 1073741825i32 } output { 4i64 }
-- input { 536870912i32 } error: negative size -2147483648 in iota
entry wrapped (n: i32): i64 = length (iota (n * 4))

def after 'a (steps: i64) (f: i64 -> a): a = if steps <= 0 then f steps else after (steps - 1) f

-- ==
-- entry: captured
-- input { 2i32 } output { [0i64, 1i64] [[0i64, 0i64], [1i64, 1i64]] }
entry captured (n: i32): ?[k].([n]i64, [k][n]i64) =
  (after 2 (\_ -> iota n), map (\i -> replicate n i) (iota n))
