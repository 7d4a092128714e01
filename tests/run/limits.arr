-- The constants of the scalar modules, and their reductions.

-- ==
-- entry: of_integers
-- input { } output { -128i8 127i8 0u8 255u8 -9223372036854775808i64 9223372036854775807i64 18446744073709551615u64 }
entry of_integers: (i8, i8, u8, u8, i64, i64, u64) =
  (i8.lowest, i8.highest, u8.lowest, u8.highest, i64.lowest, i64.highest, u64.highest)

-- ==
-- entry: of_floats
-- input { } output { f64.inf -f64.inf true f64.inf -f64.inf }
entry of_floats: (f64, f64, bool, f64, f64) =
  (f64.inf, -f64.inf, f64.isnan f64.nan, f64.highest, f64.lowest)

-- ==
-- entry: numbers
-- input { } output { 3.141592653589793 2.718281828459045 2.220446049250313e-16 1.1920929e-7f32 }
entry numbers: (f64, f64, f64, f32) = (f64.pi, f64.e, f64.epsilon, f32.epsilon)

-- ==
-- entry: widths
-- input { } output { 8 64 32 }
entry widths: (i32, i32, i32) = (u8.num_bits, i64.num_bits, f32.num_bits)

-- ==
-- entry: smallest
-- input { [5, -3, 8] } output { -3 8 }
-- input { empty([0]i32) } output { 2147483647 -2147483648 }
entry smallest [n] (xs: [n]i32): (i32, i32) =
  (reduce i32.min i32.highest xs, reduce i32.max i32.lowest xs)

-- ==
-- entry: reductions
-- input { [5, -3, 8] } output { 10 -120 -3 8 }
-- input { [7] } output { 7 7 7 7 }
-- input { empty([0]i32) } output { 0 1 2147483647 -2147483648 }
entry reductions [n] (xs: [n]i32): (i32, i32, i32, i32) =
  (i32.sum xs, i32.product xs, i32.minimum xs, i32.maximum xs)

-- ==
-- entry: of_f64
-- input { [0.5, 2.0] } output { 2.5 1.0 0.5 2.0 }
-- input { empty([0]f64) } output { 0.0 1.0 f64.inf -f64.inf }
entry of_f64 [n] (xs: [n]f64): (f64, f64, f64, f64) =
  (f64.sum xs, f64.product xs, f64.minimum xs, f64.maximum xs)
