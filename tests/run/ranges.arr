-- Ranges: upwards and downwards, with and without a step, of every type of integers.

-- ==
-- entry: below
-- input { 3i64 } output { [0i64, 1i64, 2i64] }
-- input { 0i64 } output { empty([0]i64) }
-- input { -3i64 } error: range 0\.\.<-3 goes the wrong way
entry below (n: i64): [n]i64 = 0..<n

-- ==
-- entry: one_to
-- input { 3i64 } output { [1i64, 2i64, 3i64] }
-- input { 0i64 } error: range 1\.\.\.0 goes the wrong way
entry one_to (n: i64): [n]i64 = 1...n

-- ==
-- entry: by_one
-- input { 3i64 } output { [0i64, 1i64, 2i64] [1i64, 2i64, 3i64] }
entry by_one (n: i64): ([n]i64, [n]i64) = (0..1..<n, 1..2...n)

-- ==
-- entry: downwards
-- input { 3i64 } output { [3i64, 2i64, 1i64] }
-- input { 0i64 } output { empty([0]i64) }
-- input { -1i64 } error: range -1\.\.>0 goes the wrong way
entry downwards (n: i64): ?[k].[k]i64 = n..>0

-- ==
-- entry: steps_below
-- input { 0i32 3i32 10i32 } output { [0, 3, 6, 9] }
-- input { 0i32 3i32 9i32 } output { [0, 3, 6] }
-- input { 5i32 7i32 5i32 } output { empty([0]i32) }
-- input { 0i32 0i32 9i32 } error: range 0\.\.0\.\.<9 has the step 0
-- input { 0i32 -1i32 9i32 } error: range 0\.\.-1\.\.<9 goes the wrong way
-- input { 9i32 10i32 0i32 } error: range 9\.\.10\.\.<0 goes the wrong way
entry steps_below (a: i32) (b: i32) (c: i32): ?[k].[k]i32 = a..b..<c

-- ==
-- entry: steps_above
-- input { 10i32 7i32 0i32 } output { [10, 7, 4, 1] }
-- input { 10i32 8i32 0i32 } output { [10, 8, 6, 4, 2] }
-- input { 10i32 11i32 0i32 } error: range 10\.\.11\.\.>0 goes the wrong way
-- input { 0i32 -1i32 9i32 } error: range 0\.\.-1\.\.>9 goes the wrong way
entry steps_above (a: i32) (b: i32) (c: i32): ?[k].[k]i32 = a..b..>c

-- With its last number a range goes the way that its step says.
-- ==
-- entry: steps_with
-- input { 1i32 3i32 7i32 } output { [1, 3, 5, 7] }
-- input { 1i32 3i32 8i32 } output { [1, 3, 5, 7] }
-- input { 7i32 4i32 1i32 } output { [7, 4, 1] }
-- input { 5i32 4i32 5i32 } output { [5] }
-- input { 1i32 3i32 0i32 } error: range 1\.\.3\.\.\.0 goes the wrong way
-- input { 1i32 0i32 2i32 } error: range 1\.\.0\.\.\.2 goes the wrong way
-- input { 1i32 1i32 2i32 } error: range 1\.\.1\.\.\.2 has the step 0
entry steps_with (a: i32) (b: i32) (c: i32): ?[k].[k]i32 = a..b...c

-- ==
-- entry: signed_bytes
-- input { -128i8 127i8 } output { 256i64 -128i64 }
-- input { -3i8 2i8 } output { 6i64 -3i64 }
entry signed_bytes (a: i8) (b: i8): (i64, i64) =
  let xs = a...b
  in (length xs, i64.sum (map i64.i8 xs))

-- ==
-- entry: unsigned_bytes
-- input { 250u8 } output { [250u8, 251u8, 252u8, 253u8, 254u8, 255u8] [2u8, 1u8] }
entry unsigned_bytes (a: u8): ?[k][m].([k]u8, [m]u8) = (a...255, 2u8..>0)

-- ==
-- entry: shorts
-- input { 1i16 4i16 } output { [1i16, 2i16, 3i16] }
entry shorts (a: i16) (b: i16): ?[k].[k]i16 = a..<b

-- ==
-- entry: unsigned_shorts
-- input { 65533u16 } output { [65533u16, 65535u16] }
entry unsigned_shorts (a: u16): ?[k].[k]u16 = a..a + 2...65535

-- ==
-- entry: unsigned_words
-- input { 4294967293u32 } output { [4294967293u32, 4294967294u32] }
entry unsigned_words (a: u32): ?[k].[k]u32 = a..<4294967295

-- The distance between the ends is more than the largest i64.
-- ==
-- entry: far
-- input { } output { [-9223372036854775808i64, -1i64, 9223372036854775806i64] }
entry far: ?[k].[k]i64 = i64.lowest..-1...i64.highest

-- ==
-- entry: unsigned_far
-- input { 9223372036854775807u64 } output { [0u64, 9223372036854775807u64, 18446744073709551614u64] }
entry unsigned_far (step: u64): ?[k].[k]u64 = 0..step..<u64.highest

-- A literal range has a known size; without a type its numbers are i32.
-- ==
-- entry: literal
-- input { [1i32, 2i32, 3i32] } output { [1, 3, 5] }
entry literal (xs: [3]i32): [3]i32 = map2 (+) xs (0..<3)

-- Ranges are looser than operators.
-- ==
-- entry: loose
-- input { 2i64 } output { [0i64, 1i64, 2i64] 6i64 }
entry loose (n: i64): ([n + 1]i64, i64) = (0..<n + 1, (1...n + 1) |> i64.sum)

-- Ranges in workers, in branches and in recursive functions.
-- ==
-- entry: triangle
-- input { [3i64, 0i64, 1i64] } output { [3i64, 0i64, 0i64] }
-- input { [3i64, -1i64] } error: range 0\.\.<-1 goes the wrong way
entry triangle [n] (xs: [n]i64): [n]i64 = map (\x -> i64.sum (0..<x)) xs

-- ==
-- entry: either
-- input { true 3i64 } output { [0i64, 1i64, 2i64] }
-- input { false 3i64 } output { [3i64, 2i64, 1i64] }
entry either (up: bool) (n: i64): ?[k].[k]i64 = if up then 0..<n else n..>0

def halves (n: i64): i64 = if n <= 1 then n else i64.sum (1...n) + halves (n / 2)

-- ==
-- entry: recursive
-- input { 4i64 } output { 14i64 }
entry recursive (n: i64): i64 = halves n

-- ==
-- entry: fused
-- input { 10i64 } output { 20i64 }
entry fused (n: i64): i64 = i64.sum (filter (\x -> x % 2 == 0) (0..<n))

-- What nothing uses of an array may still tell its size.
-- ==
-- entry: only_the_size
-- input { 5i64 } output { 5i64 }
-- input { -2i64 } error: negative size -2 in iota
entry only_the_size (n: i64): i64 = length (iota n)

-- ==
-- entry: only_the_size_of_copies
-- input { 5i64 } output { 5i64 }
-- input { -2i64 } error: negative size -2 in replicate
entry only_the_size_of_copies (n: i64): i64 = length (replicate n 1.5f64)
