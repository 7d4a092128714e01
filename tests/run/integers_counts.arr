-- Bits of integers: counted, read, written; halves of products; shifts that bring in zeros.

-- ==
-- entry: counts_i32
-- input { 0 } output { 0 32 32 }
-- input { 1 } output { 1 31 0 }
-- input { -1 } output { 32 0 0 }
-- input { -2147483648 } output { 1 0 31 }
-- input { 40 } output { 2 26 3 }
entry counts_i32 (x: i32): (i32, i32, i32) = (i32.popc x, i32.clz x, i32.ctz x)

-- ==
-- entry: counts_i8
-- input { 0i8 } output { 0 8 8 }
-- input { -1i8 } output { 8 0 0 }
-- input { -128i8 } output { 1 0 7 }
-- input { 12i8 } output { 2 4 2 }
entry counts_i8 (x: i8): (i32, i32, i32) = (i8.popc x, i8.clz x, i8.ctz x)

-- ==
-- entry: counts_u16
-- input { 0u16 } output { 0 16 16 }
-- input { 65535u16 } output { 16 0 0 }
-- input { 256u16 } output { 1 7 8 }
entry counts_u16 (x: u16): (i32, i32, i32) = (u16.popc x, u16.clz x, u16.ctz x)

-- ==
-- entry: counts_64
-- input { 0i64 0u64 } output { 0 64 64 0 64 64 }
-- input { -2i64 18446744073709551615u64 } output { 63 0 1 64 0 0 }
-- input { 4294967296i64 4611686018427387904u64 } output { 1 31 32 1 1 62 }
entry counts_64 (x: i64) (y: u64): (i32, i32, i32, i32, i32, i32) =
  (i64.popc x, i64.clz x, i64.ctz x, u64.popc y, u64.clz y, u64.ctz y)

-- ==
-- entry: upper_signed
-- input { 127i8 127i8 9223372036854775807i64 9223372036854775807i64 } output { 63i8 4611686018427387903i64 }
-- input { -128i8 -128i8 -9223372036854775808i64 -9223372036854775808i64 } output { 64i8 4611686018427387904i64 }
-- input { -1i8 1i8 -1i64 1i64 } output { -1i8 -1i64 }
-- input { 0i8 -1i8 -9223372036854775808i64 -1i64 } output { 0i8 0i64 }
entry upper_signed (a: i8) (b: i8) (c: i64) (d: i64): (i8, i64) = (i8.mul_hi a b, i64.mul_hi c d)

-- ==
-- entry: upper_unsigned
-- input { 255u8 255u8 18446744073709551615u64 18446744073709551615u64 } output { 254u8 18446744073709551614u64 }
-- input { 16u8 16u8 4294967296u64 4294967296u64 } output { 1u8 1u64 }
-- input { 15u8 17u8 1u64 18446744073709551615u64 } output { 0u8 0u64 }
entry upper_unsigned (a: u8) (b: u8) (c: u64) (d: u64): (u8, u64) =
  (u8.mul_hi a b, u64.mul_hi c d)

-- ==
-- entry: upper_and_more
-- input { 65536 65536 5 255u8 255u8 3u8 } output { 6 1u8 }
-- input { -65536 65536 1 16u8 15u8 255u8 } output { 0 255u8 }
entry upper_and_more (a: i32) (b: i32) (c: i32) (d: u8) (e: u8) (f: u8): (i32, u8) =
  (i32.mad_hi a b c, u8.mad_hi d e f)

-- Positions are taken modulo the width; of what is written only the lowest bit counts.
-- ==
-- entry: bits
-- input { 0 5i8 1 } output { 1 5i8 }
-- input { 7 5i8 1 } output { 0 -123i8 }
-- input { 7 -1i8 0 } output { 1 127i8 }
-- input { 9 0i8 1 } output { 0 2i8 }
-- input { 1 0i8 2 } output { 0 0i8 }
entry bits (at: i32) (x: i8) (bit: i32): (i32, i8) = (i8.get_bit at x, i8.set_bit at x bit)

-- ==
-- entry: bits_u64
-- input { 63 9223372036854775808u64 0 } output { 1 0u64 }
-- input { 40 0u64 1 } output { 0 1099511627776u64 }
entry bits_u64 (at: i32) (x: u64) (bit: i32): (i32, u64) = (u64.get_bit at x, u64.set_bit at x bit)

-- Zeros come from the left, also for signed numbers; the distance is taken modulo the width.
-- ==
-- entry: logical
-- input { -8 1 -1i8 4i8 200u8 3u8 } output { 2147483644 15i8 25u8 }
-- input { -1 31 -128i8 7i8 255u8 7u8 } output { 1 1i8 1u8 }
-- input { -1 32 -128i8 8i8 255u8 9u8 } output { -1 -128i8 127u8 }
entry logical (a: i32) (b: i32) (c: i8) (d: i8) (e: u8) (f: u8): (i32, i8, u8) =
  (a >>> b, c i8.>>> d, (>>>) e f)

-- ==
-- entry: how_it_binds
-- input { -16i64 } output { 2305843009213693950i64 9i64 }
entry how_it_binds (x: i64): (i64, i64) = (x >>> 1 + 2 & -1, x >>> 62 ^ 10)

-- ==
-- entry: converted
-- input { -1i8 200u8 } output { -1 -1i64 200 200i64 }
entry converted (a: i8) (b: u8): (i32, i64, i32, i64) =
  (i8.to_i32 a, i8.to_i64 a, u8.to_i32 b, u8.to_i64 b)

-- In workers, and as functions.
-- ==
-- entry: of_arrays
-- input { [0, 1, 255, -1] } output { [0, 1, 8, 32] [1, 8, 32] 41 }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) 0 }
entry of_arrays [n] (xs: [n]i32): ?[k].([n]i32, [k]i32, i32) =
  let counted = map i32.popc xs
  in (counted, filter (> 0) counted, i32.sum counted)

-- ==
-- entry: computed_early
-- input { true } output { 3 29 0 0u8 1i8 }
entry computed_early (b: bool): (i32, i32, i32, u8, i8) =
  if b then (i32.popc 7, i32.clz 7, i32.ctz 7, u8.mul_hi 15 17, -1i8 >>> 7) else (0, 0, 0, 0, 0)
