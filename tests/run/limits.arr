-- The constants of the scalar modules.

-- ==
-- entry: of_integers
-- input { } output { -128i8 127i8 0u8 255u8 -9223372036854775808i64 9223372036854775807i64 18446744073709551615u64 }
entry of_integers: (i8, i8, u8, u8, i64, i64, u64) =
  (i8.lowest, i8.highest, u8.lowest, u8.highest, i64.lowest, i64.highest, u64.highest)

-- ==
-- entry: of_floats
-- input { } output { f64.inf -f64.inf true -1.7976931348623157e308 1.7976931348623157e308 }
entry of_floats: (f64, f64, bool, f64, f64) =
  (f64.inf, -f64.inf, f64.isnan f64.nan, f64.lowest, f64.highest)

-- ==
-- entry: smallest
-- input { [5, -3, 8] } output { -3 8 }
-- input { empty([0]i32) } output { 2147483647 -2147483648 }
entry smallest [n] (xs: [n]i32): (i32, i32) =
  (reduce i32.min i32.highest xs, reduce i32.max i32.lowest xs)
