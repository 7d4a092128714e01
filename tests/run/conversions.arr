-- Conversions between scalar types: integers wrap, floats truncate and saturate.

-- ==
-- entry: narrowed
-- input { 300 } output { 44i8 300i16 44u8 300u16 300u32 }
-- input { -1 } output { -1i8 -1i16 255u8 65535u16 4294967295u32 }
-- input { 128 } output { -128i8 128i16 128u8 128u16 128u32 }
entry narrowed (x: i32): (i8, i16, u8, u16, u32) = (i8.i32 x, i16.i32 x, u8.i32 x, u16.i32 x, u32.i32 x)

-- ==
-- entry: widened
-- input { -1i8 255u8 } output { -1i64 18446744073709551615u64 255i64 255u64 }
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
