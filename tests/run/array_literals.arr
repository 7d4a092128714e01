-- Arrays written out.

-- ==
-- entry: simple
-- input { } output { [1, 2, 3] [0.5] [true, false] }
entry simple: ([3]i32, [1]f64, [2]bool) = ([1, 2, 3], [0.5], [true, false])

-- ==
-- entry: computed
-- input { 3 } output { [4, 6, 3] }
entry computed (x: i32): [3]i32 = [x + 1, 2 * x, x]

-- ==
-- entry: empty_one
-- input { } output { empty([0]u8) 0i64 }
entry empty_one: ([0]u8, i64) = ([], length ([] : [0]f64))

-- ==
-- entry: one_more
-- input { [1.5] 2.5 } output { [1.5, 2.5] }
entry one_more [n] (xs: [n]f64) (x: f64): ?[k].[k]f64 = xs ++ [x]

-- ==
-- entry: indexed
-- input { 1i64 } output { 20 }
-- input { 3i64 } error: index 3 is out of bounds for an array of length 3
entry indexed (i: i64): i32 = [10, 20, 30][i]

-- ==
-- entry: table
-- input { [0i64, 2i64, 1i64] } output { [1, 9, 4] }
entry table [n] (is: [n]i64): [n]i32 = gather [1, 4, 9] is

-- ==
-- entry: folded
-- input { 2 } output { 12 }
entry folded (x: i32): i32 = reduce (+) 0 (map (* x) [1, 2, 3])
