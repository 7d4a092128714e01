-- Ranges whose sizes their numbers tell.

-- ==
-- entry: literals
-- input { } output { [-2i64, -1i64, 0i64, 1i64, 2i64] [1u8, 4u8, 7u8] [9i32, 7i32, 5i32, 3i32] empty([0]i64) }
entry literals: ([5]i64, [3]u8, [4]i32, [0]i64) = (-2...2, 1u8..4...9, 9i32..7..>1, 4..<4)

-- ==
-- entry: between
-- input { 2i64 5i64 } output { [2i64, 3i64, 4i64] [20i64, 30i64, 40i64] }
-- input { 5i64 5i64 } output { empty([0]i64) empty([0]i64) }
-- input { 6i64 5i64 } error: range 6..<5 goes the wrong way
entry between (a: i64) (b: i64): ([b - a]i64, [b - a]i64) =
  let is = a..<b in (is, map2 (+) is (map (* 9) (a..<b)))

-- ==
-- entry: inclusive
-- input { 2i64 4i64 } output { [2i64, 3i64, 4i64] [4i64, 3i64, 2i64] [2i64, 3i64, 4i64] }
-- input { 4i64 4i64 } output { [4i64] [4i64] [4i64] }
-- input { 5i64 4i64 } error: range 5...4 goes the wrong way
entry inclusive (a: i64) (b: i64): ([b - a + 1]i64, [b - a + 1]i64, [b - a + 1]i64) =
  (a...b, b..b - 1...a, a..a + 1...b)

-- ==
-- entry: above
-- input { 4i64 } output { [3i64, 2i64, 1i64, 0i64] [4i64, 3i64, 2i64, 1i64] }
entry above (n: i64): ([n]i64, [n]i64) = (n - 1..n - 2..>-1, n..n - 1..>0)

-- Positions of the elements but the first, beside these elements.
-- ==
-- entry: behind
-- input { [5i64, 7i64, 6i64] } output { [2i64, -1i64] }
entry behind [n] (xs: [n]i64): [n - 1]i64 = map2 (\i x -> x - xs[i - 1]) (1..<n) xs[1:]

-- A step that is not known, branches of other sizes, and parts of other sizes.
-- ==
-- entry: others
-- input { 3i64 2i64 true } output { 2i64 2i64 [0i64, 1i64, 2i64, 1i64, 2i64, 2i64] }
-- input { 3i64 2i64 false } output { 2i64 3i64 [0i64, 1i64, 2i64, 1i64, 2i64, 2i64] }
entry others (n: i64) (s: i64) (c: bool): ?[k].(i64, i64, [k]i64) =
  let stepped = 0..s..<n
  let either = if c then 1..<n else 0..<n
  in (length stepped, length either, flatmap (\i -> i..<n) (iota n))

-- The largest distances.
-- ==
-- entry: far
-- input { -9223372036854775808i64 9223372036854775807i64 } error: has too many numbers
-- input { 9223372036854775805i64 9223372036854775807i64 } output { [9223372036854775805i64, 9223372036854775806i64] }
entry far (a: i64) (b: i64): []i64 = a..<b
