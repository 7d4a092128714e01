-- Numbers as they can be written, and the types that they get.

-- An integer is an i32 and a decimal an f64 where nothing else decides.
-- ==
-- entry: defaults
-- input { } output { 3i32 1.5f64 true }
entry defaults: (i32, f64, bool) =
  let a = 1 + 2
  let b = 0.5 * 3
  in (a, b, a == 3)

-- ==
-- entry: suffixes
-- input { } output { 1i8 2i16 3i32 4i64 5u8 6u16 7u32 8u64 9.0f32 10.5f64 }
entry suffixes: (i8, i16, i32, i64, u8, u16, u32, u64, f32, f64) =
  (1i8, 2i16, 3i32, 4i64, 5u8, 6u16, 7u32, 8u64, 9f32, 10.5f64)

-- ==
-- entry: radices
-- input { } output { 255 10 1000000 -1i64 }
entry radices: (i32, i32, i32, i64) = (0xff, 0b1010, 1_000_000, i64.u64 0xffff_ffff_ffff_ffffu64)

-- ==
-- entry: exponents
-- input { } output { 1000.0 0.025 1.5e300 4.0f32 }
entry exponents: (f64, f64, f64, f32) = (1e3, 2.5e-2, 1.5E+300, 0.4e1f32)

-- The place decides the type of a number without a suffix, and an integer can be a float.
-- ==
-- entry: by_place
-- input { 2u8 0.5f32 } output { 7u8 3.5f32 -128i8 }
entry by_place (a: u8) (b: f32): (u8, f32, i8) = (a + 5, b + 3, -128)

-- `-` before a number, with and without a space, and as an argument.
-- ==
-- entry: negative
-- input { 4 } output { -4 3 -12 -1 }
entry negative (x: i32): (i32, i32, i32, i32) = (-x, x - 1, x * -3, i32.sgn (-x))

-- ==
-- entry: rounded_once
-- input { } output { 0.1f32 16777216.0f32 0.30000000000000004 }
entry rounded_once: (f32, f32, f64) = (0.1f32, 16777217f32, 0.1 + 0.2)
