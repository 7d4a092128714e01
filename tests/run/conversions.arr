-- Conversions between scalar types: integers wrap, and take their sign along if both types are signed; floats
-- truncate and saturate.

-- ==
-- entry: narrowed
-- input { 300 } output { 44i8 300i16 44u8 300u16 300u32 }
-- input { -1 } output { -1i8 -1i16 255u8 65535u16 4294967295u32 }
-- input { 128 } output { -128i8 128i16 128u8 128u16 128u32 }
entry narrowed (x: i32): (i8, i16, u8, u16, u32) =
  (i8.i32 x, i16.i32 x, u8.i32 x, u16.i32 x, u32.i32 x)

-- ==
-- entry: widened
-- input { -1i8 255u8 } output { -1i64 255u64 255i64 255u64 }
entry widened (x: i8) (y: u8): (i64, u64, i64, u64) = (i64.i8 x, u64.i8 x, i64.u8 y, u64.u8 y)

-- ==
-- entry: reread
-- input { 18446744073709551615u64 } output { -1i64 }
-- input { 9223372036854775808u64 } output { -9223372036854775808i64 }
entry reread (x: u64): i64 = i64.u64 x

-- ==
-- entry: from_f64
-- input { 2.9 } output { 2i32 2i64 2u8 2i8 }
-- input { -2.9 } output { -2i32 -2i64 0u8 -2i8 }
-- input { 300.0 } output { 300i32 300i64 255u8 127i8 }
-- input { 1e20 } output { 2147483647i32 9223372036854775807i64 255u8 127i8 }
-- input { -1e20 } output { -2147483648i32 -9223372036854775808i64 0u8 -128i8 }
-- input { f64.nan } output { 0i32 0i64 0u8 0i8 }
-- input { f64.inf } output { 2147483647i32 9223372036854775807i64 255u8 127i8 }
-- input { -f64.inf } output { -2147483648i32 -9223372036854775808i64 0u8 -128i8 }
entry from_f64 (x: f64): (i32, i64, u8, i8) = (i32.f64 x, i64.f64 x, u8.f64 x, i8.f64 x)

-- ==
-- entry: from_f32
-- input { -0.5f32 } output { 0i16 0u64 }
-- input { 1e30f32 } output { 32767i16 18446744073709551615u64 }
entry from_f32 (x: f32): (i16, u64) = (i16.f32 x, u64.f32 x)

-- A float of an integer is the nearest one.
-- ==
-- entry: to_floats
-- input { 16777217 } output { 16777216.0f32 16777217.0 }
-- input { -3 } output { -3.0f32 -3.0 }
entry to_floats (x: i32): (f32, f64) = (f32.i32 x, f64.i32 x)

-- ==
-- entry: large_to_f64
-- input { 9007199254740993i64 18446744073709551615u64 } output { 9007199254740992.0 18446744073709551616.0 }
entry large_to_f64 (x: i64) (y: u64): (f64, f64) = (f64.i64 x, f64.u64 y)

-- ==
-- entry: between_floats
-- input { 0.1 1e300 } output { 0.1f32 f32.inf }
entry between_floats (x: f64) (y: f64): (f32, f32) = (f32.f64 x, f32.f64 y)

-- ==
-- entry: widened_float
-- input { 0.5f32 } output { 0.5 }
entry widened_float (x: f32): f64 = f64.f32 x

-- ==
-- entry: truths
-- input { true } output { 1i32 1.0 1u8 true }
-- input { false } output { 0i32 0.0 0u8 false }
entry truths (x: bool): (i32, f64, u8, bool) = (i32.bool x, f64.bool x, u8.bool x, bool.bool x)

-- ==
-- entry: to_truth
-- input { 2 0.0 } output { true false }
-- input { 0 -0.5 } output { false true }
entry to_truth (x: i32) (y: f64): (bool, bool) = (bool.i32 x, bool.f64 y)

-- ==
-- entry: counted
-- input { [true, false, true] } output { 2i64 }
-- input { empty([0]bool) } output { 0i64 }
entry counted [n] (xs: [n]bool): i64 = reduce (+) 0 (map i64.bool xs)

-- Zeros are above the bits of a signed number in a wider unsigned one.
-- ==
-- entry: unsigned_of_i8
-- input { -1i8 } output { 255u8 255u16 255u32 255u64 }
-- input { -128i8 } output { 128u8 128u16 128u32 128u64 }
-- input { 127i8 } output { 127u8 127u16 127u32 127u64 }
entry unsigned_of_i8 (x: i8): (u8, u16, u32, u64) = (u8.i8 x, u16.i8 x, u32.i8 x, u64.i8 x)

-- ==
-- entry: unsigned_of_i16
-- input { -1i16 } output { 255u8 65535u16 65535u32 65535u64 }
-- input { -32768i16 } output { 0u8 32768u16 32768u32 32768u64 }
entry unsigned_of_i16 (x: i16): (u8, u16, u32, u64) = (u8.i16 x, u16.i16 x, u32.i16 x, u64.i16 x)

-- ==
-- entry: unsigned_of_i32
-- input { -1 } output { 255u8 65535u16 4294967295u32 4294967295u64 }
-- input { -2147483648 } output { 0u8 0u16 2147483648u32 2147483648u64 }
entry unsigned_of_i32 (x: i32): (u8, u16, u32, u64) = (u8.i32 x, u16.i32 x, u32.i32 x, u64.i32 x)

-- ==
-- entry: unsigned_of_i64
-- input { -1i64 } output { 255u8 65535u16 4294967295u32 18446744073709551615u64 }
entry unsigned_of_i64 (x: i64): (u8, u16, u32, u64) = (u8.i64 x, u16.i64 x, u32.i64 x, u64.i64 x)

-- ==
-- entry: signed_of_i8
-- input { -1i8 } output { -1i8 -1i16 -1i32 -1i64 }
entry signed_of_i8 (x: i8): (i8, i16, i32, i64) = (i8.i8 x, i16.i8 x, i32.i8 x, i64.i8 x)

-- ==
-- entry: signed_of_unsigned
-- input { 255u8 65535u16 4294967295u32 } output { -1i8 255i16 65535i32 -1i16 4294967295i64 -1i32 }
entry signed_of_unsigned (x: u8) (y: u16) (z: u32): (i8, i16, i32, i16, i64, i32) =
  (i8.u8 x, i16.u8 x, i32.u16 y, i16.u16 y, i64.u32 z, i32.u32 z)

-- The same of numbers that the compiler knows.
-- ==
-- entry: unsigned_known
-- input { } output { 255u16 255u32 65535u32 255u64 65535u64 4294967295u64 4294967295u32 }
entry unsigned_known: (u16, u32, u32, u64, u64, u64, u32) =
  (u16.i8 (-1), u32.i8 (-1), u32.i16 (-1), u64.i8 (-1), u64.i16 (-1), u64.i32 (-1), u32.i64 (-1))

-- And many at once: how many differ from the lower bits of an `i64`.
-- ==
-- entry: unsigned_many
-- input { 1000i64 } output { [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 1000i64] }
entry unsigned_many (n: i64): [7]i64 =
  let numbers = map (\i -> i - n / 2) (iota n)
  let differ f g = i64.sum (map (\x -> i64.bool (f x != g x)) numbers)
  in [differ (\x -> u64.u16 (u16.i8 (i8.i64 x))) (\x -> u64.i64 (x & 0xff)),
      differ (\x -> u64.u32 (u32.i8 (i8.i64 x))) (\x -> u64.i64 (x & 0xff)),
      differ (\x -> u64.u32 (u32.i16 (i16.i64 x))) (\x -> u64.i64 (x & 0xffff)),
      differ (\x -> u64.i16 (i16.i64 x)) (\x -> u64.i64 (x & 0xffff)),
      differ (\x -> u64.i32 (i32.i64 x)) (\x -> u64.i64 (x & 0xffffffff)),
      differ (\x -> u64.i64 (i64.i16 (i16.i64 x))) (\x -> u64.i64 x),
      i64.sum (map (\x -> i64.u64 (u64.bool (x == x))) numbers)]

-- A range's size does not depend on it.
-- ==
-- entry: narrow_ranges
-- input { -100i8 100i8 } output { 201i64 67i64 100i8 }
entry narrow_ranges (first: i8) (last: i8): (i64, i64, i8) =
  (length (first...last), length (first..(first + 3)...last), i8.maximum (first...last))
