-- Integer arithmetic wraps around at the width of its type.

-- ==
-- entry: add_i8
-- input { 127i8 1i8 } output { -128i8 }
-- input { -128i8 -1i8 } output { 127i8 }
-- input { 100i8 27i8 } output { 127i8 }
entry add_i8 (a: i8) (b: i8): i8 = a + b

-- ==
-- entry: mul_i16
-- input { 300i16 300i16 } output { 24464i16 }
-- input { -32768i16 -1i16 } output { -32768i16 }
entry mul_i16 (a: i16) (b: i16): i16 = a * b

-- ==
-- entry: sub_i32
-- input { -2147483648 1 } output { 2147483647 }
-- input { 5 7 } output { -2 }
entry sub_i32 (a: i32) (b: i32): i32 = a - b

-- ==
-- entry: all_i64
-- input { 9223372036854775807i64 2i64 } output { -9223372036854775807i64 9223372036854775805i64 -2i64 }
entry all_i64 (a: i64) (b: i64): (i64, i64, i64) = (a + b, a - b, a * b)

-- ==
-- entry: all_u8
-- input { 200u8 100u8 } output { 44u8 100u8 32u8 }
-- input { 0u8 1u8 } output { 1u8 255u8 0u8 }
entry all_u8 (a: u8) (b: u8): (u8, u8, u8) = (a + b, a - b, a * b)

-- ==
-- entry: all_u16
-- input { 65535u16 65535u16 } output { 65534u16 0u16 1u16 }
entry all_u16 (a: u16) (b: u16): (u16, u16, u16) = (a + b, a - b, a * b)

-- ==
-- entry: all_u32
-- input { 4294967295u32 2u32 } output { 1u32 4294967293u32 4294967294u32 }
entry all_u32 (a: u32) (b: u32): (u32, u32, u32) = (a + b, a - b, a * b)

-- ==
-- entry: all_u64
-- input { 18446744073709551615u64 3u64 } output { 2u64 18446744073709551612u64 18446744073709551613u64 }
entry all_u64 (a: u64) (b: u64): (u64, u64, u64) = (a + b, a - b, a * b)

-- The lowest number has no opposite, and no absolute value, of its type.
-- ==
-- entry: negated
-- input { -128i8 } output { -128i8 -128i8 }
-- input { 5i8 } output { -5i8 5i8 }
-- input { -5i8 } output { 5i8 5i8 }
entry negated (a: i8): (i8, i8) = (-a, i8.abs a)

-- ==
-- entry: negated_u32
-- input { 1u32 } output { 4294967295u32 }
entry negated_u32 (a: u32): u32 = -a
