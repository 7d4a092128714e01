-- `/` and `%` round towards negative infinity, `//` and `%%` towards zero.

-- ==
-- entry: i32_all
-- input { 7 2 } output { 3 1 3 1 }
-- input { -7 2 } output { -4 1 -3 -1 }
-- input { 7 -2 } output { -4 -1 -3 1 }
-- input { -7 -2 } output { 3 -1 3 -1 }
-- input { 6 -2 } output { -3 0 -3 0 }
-- input { 0 -5 } output { 0 0 0 0 }
-- input { -2147483648 -1 } output { -2147483648 0 -2147483648 0 }
-- input { -1 2147483647 } output { -1 2147483646 0 -1 }
entry i32_all (a: i32) (b: i32): (i32, i32, i32, i32) = (a / b, a % b, a // b, a %% b)

-- ==
-- entry: i8_all
-- input { -128i8 -1i8 } output { -128i8 0i8 -128i8 0i8 }
-- input { -128i8 127i8 } output { -2i8 126i8 -1i8 -1i8 }
entry i8_all (a: i8) (b: i8): (i8, i8, i8, i8) = (a / b, a % b, a // b, a %% b)

-- ==
-- entry: i64_all
-- input { -9223372036854775808i64 -1i64 }
-- output { -9223372036854775808i64 0i64 -9223372036854775808i64 0i64 }
-- input { -9223372036854775807i64 2i64 }
-- output { -4611686018427387904i64 1i64 -4611686018427387903i64 -1i64 }
entry i64_all (a: i64) (b: i64): (i64, i64, i64, i64) = (a / b, a % b, a // b, a %% b)

-- Unsigned numbers are never below zero: both ways of rounding agree.
-- ==
-- entry: u8_all
-- input { 255u8 2u8 } output { 127u8 1u8 127u8 1u8 }
-- input { 7u8 200u8 } output { 0u8 7u8 0u8 7u8 }
entry u8_all (a: u8) (b: u8): (u8, u8, u8, u8) = (a / b, a % b, a // b, a %% b)

-- ==
-- entry: u64_all
-- input { 18446744073709551615u64 10u64 }
-- output { 1844674407370955161u64 5u64 1844674407370955161u64 5u64 }
entry u64_all (a: u64) (b: u64): (u64, u64, u64, u64) = (a / b, a % b, a // b, a %% b)

-- ==
-- entry: each
-- input { [9, -9, 0] 4 } output { [2, -3, 0] [1, 3, 0] [2, -2, 0] [1, -1, 0] }
-- input { empty([0]i32) 4 }
-- output { empty([0]i32) empty([0]i32) empty([0]i32) empty([0]i32) }
entry each [n] (xs: [n]i32) (d: i32): ([n]i32, [n]i32, [n]i32, [n]i32) =
  (map (/ d) xs, map (% d) xs, map (// d) xs, map (%% d) xs)
