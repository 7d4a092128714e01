-- Hexadecimal floats, and how often floats are rounded.

-- ==
-- entry: values
-- input { 1.0 } output { 12.0 0.1875 10.5f32 4503599627370496.0 }
entry values (x: f64): (f64, f64, f32, f64) = (x * 0x1.8p3, 0x1.8p-3, 0xA.8p0f32, 0x1p+5_2f64)

-- What is a little more than the middle of two f32 goes up, also without a suffix.
-- ==
-- entry: rounded_once
-- input { 0.0f32 } output { 1065353217u32 1065353217u32 1065353216u32 }
entry rounded_once (x: f32): (u32, u32, u32) =
  let up: f32 = 1.000000059604644775390625001
  let down: f32 = 0x1.000000ffffffffffffffp0
  in (f32.to_bits (x + up), f32.to_bits 0x1.00000100000000000001p0f32, f32.to_bits (x + down))

-- ==
-- entry: small
-- input { 0 } output { 1u64 0u64 1u32 }
entry small (_: i32): (u64, u64, u32) =
  (f64.to_bits 0x1p-1074, f64.to_bits 0x0.8p-1074, f32.to_bits 0x0.8001p-149f32)
