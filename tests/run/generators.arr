-- `iota`, `replicate`, `generate`: sizes of none, one and more; a negative size is an error.

-- ==
-- entry: counting
-- input { 4i64 } output { [0i64, 1i64, 2i64, 3i64] }
-- input { 1i64 } output { [0i64] }
-- input { 0i64 } output { empty([0]i64) }
-- input { -1i64 } error: (program|generators)\.arr:\d+:\d+: negative size -1( in iota)?$
-- input { -9223372036854775808i64 } error: negative size -9223372036854775808( in iota)?$
entry counting (n: i64): [n]i64 = iota n

-- ==
-- entry: repeated
-- input { 3i64 2.5 } output { [2.5, 2.5, 2.5] }
-- input { 0i64 2.5 } output { empty([0]f64) }
-- input { -3i64 2.5 } error: negative size -3( in replicate)?$
entry repeated (n: i64) (x: f64): [n]f64 = replicate n x

-- ==
-- entry: squares
-- input { 4i64 } output { [0i64, 1i64, 4i64, 9i64] }
-- input { 0i64 } output { empty([0]i64) }
-- input { -2i64 } error: negative size -2( in generate)?$
entry squares (n: i64): [n]i64 = generate n (\i -> i * i)

-- ==
-- entry: tabulated
-- input { 3i64 } output { [1.0, 0.5, 0.25] [true, false, true] }
entry tabulated (n: i64): ([n]f64, [n]bool) =
  unzip (tabulate n (\i -> (1 / 2 ** f64.i64 i, i % 2 == 0)))

-- ==
-- entry: of_records
-- input { 2i64 7 } output { [7, 7] [true, true] }
entry of_records (n: i64) (x: i32): [n](i32, bool) = replicate n (x, true)

-- A size that is computed, and one of zero elements that a map goes over.
-- ==
-- entry: computed
-- input { 5i64 3i64 } output { [0i64, 10i64] }
-- input { 3i64 3i64 } output { empty([0]i64) }
-- input { 1i64 3i64 } error: negative size -2( in iota)?$
entry computed (a: i64) (b: i64): ?[k].[k]i64 = map (* 10) (iota (a - b))

-- Two of one size meet.
-- ==
-- entry: met
-- input { 3i64 } output { [5i64, 6i64, 7i64] }
entry met (n: i64): [n]i64 = map2 (+) (iota n) (replicate n 5)

-- ==
-- entry: constant_size
-- input { } output { [0i64, 1i64, 2i64] [9u8, 9u8] }
entry constant_size: ([3]i64, [2]u8) = (iota 3, replicate 2 9)

-- Never in memory: a sum over more elements than there is room for.
-- ==
-- entry: large
-- input { 1000000i64 } output { 499999500000i64 }
entry large (n: i64): i64 = reduce (+) 0 (iota n)
