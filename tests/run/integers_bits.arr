-- Shifts, and operations bit by bit.

-- The right shift keeps the sign of signed numbers; the distance is taken modulo the width.
-- ==
-- entry: shifts_i32
-- input { 1 4 } output { 16 0 }
-- input { -8 1 } output { -16 -4 }
-- input { -1 31 } output { -2147483648 -1 }
-- input { 3 31 } output { -2147483648 0 }
-- input { 5 32 } output { 5 5 }
-- input { 5 33 } output { 10 2 }
-- input { 5 -31 } output { 10 2 }
entry shifts_i32 (a: i32) (b: i32): (i32, i32) = (a << b, a >> b)

-- ==
-- entry: shifts_i8
-- input { -128i8 7i8 } output { 0i8 -1i8 }
-- input { 1i8 7i8 } output { -128i8 0i8 }
-- input { 1i8 8i8 } output { 1i8 1i8 }
entry shifts_i8 (a: i8) (b: i8): (i8, i8) = (a << b, a >> b)

-- ==
-- entry: shifts_u8
-- input { 128u8 7u8 } output { 0u8 1u8 }
-- input { 255u8 4u8 } output { 240u8 15u8 }
entry shifts_u8 (a: u8) (b: u8): (u8, u8) = (a << b, a >> b)

-- ==
-- entry: shifts_u64
-- input { 9223372036854775808u64 63u64 } output { 0u64 1u64 }
-- input { 1u64 64u64 } output { 1u64 1u64 }
entry shifts_u64 (a: u64) (b: u64): (u64, u64) = (a << b, a >> b)

-- ==
-- entry: bits_i16
-- input { 12i16 10i16 } output { 8i16 14i16 6i16 -13i16 }
-- input { -1i16 255i16 } output { 255i16 -1i16 -256i16 0i16 }
entry bits_i16 (a: i16) (b: i16): (i16, i16, i16, i16) = (a & b, a | b, a ^ b, !a)

-- ==
-- entry: bits_u32
-- input { 4042322160u32 4278255360u32 } output { 4026593280u32 4293984240u32 267390960u32 252645135u32 }
entry bits_u32 (a: u32) (b: u32): (u32, u32, u32, u32) = (a & b, a | b, a ^ b, !a)

-- ==
-- entry: bits_bool
-- input { true true } output { true true false false }
-- input { true false } output { false true true false }
-- input { false true } output { false true true true }
-- input { false false } output { false false false true }
entry bits_bool (a: bool) (b: bool): (bool, bool, bool, bool) = (a & b, a | b, a ^ b, !a)
