-- Counts of flags: the elements are narrower than the counts. The lengths are around those of vectors.

-- ==
-- entry: bytes
-- input { 0i64 } output { 0i64 0i64 }
-- input { 1i64 } output { 0i64 0i64 }
-- input { 31i64 } output { 17i64 8i64 }
-- input { 64i64 } output { 40i64 14i64 }
-- input { 127i64 } output { 77i64 29i64 }
-- input { 1000i64 } output { 605i64 235i64 }
entry bytes (n: i64): (i64, i64) =
  let xs = map (\i -> u8.i64 (i * i * 7 + i / 3)) (iota n)
  let begins i = xs[i] > 99 && (i == 0 || xs[i - 1] <= 99)
  in (count (> 99) xs, count begins (iota n))

-- Sums of other types, beside a maximum.
-- ==
-- entry: mixed
-- input { 0i64 } output { 0i32 -32768i16 0u8 }
-- input { 7i64 } output { 104i32 24767i16 3u8 }
-- input { 33i64 } output { 117i32 30402i16 16u8 }
-- input { 1001i64 } output { 601i32 32746i16 244u8 }
entry mixed (n: i64): (i32, i16, u8) =
  let xs = map (\i -> i16.i64 (i * 12345 + 77)) (iota n)
  in (100 * i32.bool (n > 5) + reduce (+) 0 (map (\x -> i32.bool (x > 0)) xs),
      i16.maximum xs,
      u8.sum (map (\x -> u8.bool (x % 2 == 0)) xs))

-- A flag that is stored too, and the number of a flag that is an operand.
-- ==
-- entry: stored
-- input { 70i64 } output { 34i64 102i64 1222i64 }
entry stored (n: i64): (i64, i64, i64) =
  let xs = map (\i -> f32.i64 (i * 37 % 101)) (iota n)
  let flags = map (> 50) xs
  let numbers = map i64.bool flags
  in (i64.sum numbers,
      i64.sum (map (* 3) numbers),
      i64.sum (map2 (\f i -> if f then i else 0) flags (iota n)))

-- A step that may fail, and one that fails.
-- ==
-- entry: failing
-- input { [0u8, 1u8, 2u8, 3u8, 2u8, 1u8, 0u8, 1u8] 100i64 } output { 400i64 }
-- input { [0u8, 1u8, 2u8, 3u8, 2u8, 1u8, 0u8, 4u8] 100i64 } error: index 4 is out of bounds for an array of length 4
entry failing [m] (places: [m]u8) (n: i64): i64 =
  let table = [3u8, 200, 7, 150]
  let places = flatten (replicate n places)
  in count (\p -> table[i64.u8 p] > 100) places

-- Rows.
-- ==
-- entry: rows
-- input { 5i64 70i64 } output { [10i64, 10i64, 10i64, 10i64, 10i64] }
-- input { 3i64 0i64 } output { [0i64, 0i64, 0i64] }
entry rows (n: i64) (m: i64): [n]i64 =
  map (count (== 3)) (tabulate_2d n m (\i j -> u16.i64 ((i + 1) * j % 7)))
