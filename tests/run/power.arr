-- `**`: integers wrap and take no negative exponent; floats do as C's `pow`.

-- ==
-- entry: power_i32
-- input { 2 10 } output { 1024 }
-- input { -3 3 } output { -27 }
-- input { 0 0 } output { 1 }
-- input { 7 0 } output { 1 }
-- input { 2 31 } output { -2147483648 }
-- input { 2 32 } output { 0 }
-- input { 3 40 } output { 689956897 }
-- input { 2 -1 } error: negative exponent -1
-- input { 1 -5 } error: (program|power)\.arr:\d+:\d+: negative exponent -5
entry power_i32 (a: i32) (b: i32): i32 = a ** b

-- ==
-- entry: power_u8
-- input { 2u8 7u8 } output { 128u8 }
-- input { 3u8 5u8 } output { 243u8 }
-- input { 3u8 255u8 } output { 171u8 }
entry power_u8 (a: u8) (b: u8): u8 = a ** b

-- ==
-- entry: power_i64
-- input { 10i64 18i64 } output { 1000000000000000000i64 }
-- input { -1i64 9223372036854775807i64 } output { -1i64 }
entry power_i64 (a: i64) (b: i64): i64 = a ** b

-- ==
-- entry: power_f64
-- input { 2.0 0.5 } output { 1.4142135623730951 }
-- input { 2.0 -1.0 } output { 0.5 }
-- input { 0.0 0.0 } output { 1.0 }
-- input { -8.0 0.5 } output { f64.nan }
entry power_f64 (a: f64) (b: f64): f64 = a ** b

-- ==
-- entry: power_f32
-- input { 2.0f32 3.0f32 } output { 8.0f32 }
entry power_f32 (a: f32) (b: f32): f32 = a ** b

-- ==
-- entry: squares
-- input { [1i64, -2i64, 3i64] } output { [1i64, 4i64, 9i64] }
entry squares [n] (xs: [n]i64): [n]i64 = map (** 2) xs
