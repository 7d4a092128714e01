-- Indices that operations keep in dimensions of known extent: they need no check.

-- ==
-- entry: bytes
-- input { [0u8, 255u8, 128u8, 7u8, 255u8, 1u8, 2u8, 3u8, 4u8] } auto output
-- input { empty([0]u8) } output { empty([0]i64) }
entry bytes [n] (a: [n]u8): [n]i64 =
  let table = tabulate 256 (\i -> i * i - 7)
  in map (\x -> table[i64.u8 x]) a

-- ==
-- entry: masks
-- input { [0.5, 1.5, 2.5, 3.5] [0, -1, 9223372036854775807, -9223372036854775808, 5] } auto output
entry masks [n] (t: [4]f64) (a: [n]i64): ([n]f64, [n]f64, [n]f64) =
  (map (\x -> t[x & 3]) a, map (\x -> t[x % 4]) a, map (\x -> t[i64.max 0 (i64.min 3 x)]) a)

-- | A table of two dimensions, and an index that a condition chooses.
-- ==
-- entry: chosen
-- input { [[1, 2, 3], [4, 5, 6]] [true, false, true] } output { [6, 3, 6] [4, 1, 4] }
entry chosen [n] (t: [2][3]i64) (a: [n]bool): ([n]i64, [n]i64) =
  (map (\x -> t[if x then 1 else 0, 2]) a, map (\x -> t[i64.bool x, 0]) a)

-- | One more than the table has: still checked.
-- ==
-- entry: beyond
-- input { [1, 2, 3, 4] [3] } output { [4] }
-- input { [1, 2, 3, 4] [4] } error: index 4 is out of bounds
-- input { [1, 2, 3, 4] [-1] } error: index 4 is out of bounds
entry beyond [n] (t: [4]i64) (a: [n]i64): [n]i64 = map (\x -> t[if x < 0 then 4 else x % 5]) a

-- | An index that wraps is checked: the greatest byte and one is 0, but the sum of wider numbers is not.
-- ==
-- entry: wrapped
-- input { [1, 2, 3] [254u8, 255u8, 0u8] } error: out of bounds
-- input { [1, 2, 3] [255u8, 0u8, 1u8] } output { [1, 2, 3] }
entry wrapped [n] (t: [3]i64) (a: [n]u8): [n]i64 = map (\x -> t[i64.u8 (x + 1u8)]) a
