-- Bits.
entry flipped (i: i64): (i64, i64, i64) = (i ^ 1, i ^ 0x2, i ^ 0b10)
entry mixed (i: u32) (j: u32): (u32, u32, u32) = (i ^ j, (i << 2) ^ 2, (i & 7) ^ 3)
-- Quotients that are meant.
entry middle (n: i64): f64 = let half = n / 2 in f64.i64 half
entry rest (a: i64) (b: i64): (f64, f64) = (f64.i64 (a % b), f64.i64 a / f64.i64 b)
-- Constants that fit, and operations that wrap when the program runs.
entry lowest: (i8, i64, i32) = (-128, -9223372036854775808, -(1))
entry top: i64 = 1 << 63
entry hash (x: u32): u32 = x * 2654435761 + 0x9e3779b9
entry zero (x: u8): u8 = x * -0
-- Comparisons that the type does not decide.
entry compared (x: u8) (i: i64): [5]bool = [x > 0, x <= 254, x == 0, i >= 0, x != 255]
entry floats (x: f64): bool = x >= 0
