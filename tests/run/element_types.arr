-- Arrays of every scalar type go in and out, and through the combinators.

-- ==
-- entry: bools
-- input { [true, false, true] } output { [false, true, false] 2i64 [true, true] }
-- input { empty([0]bool) } output { empty([0]bool) 0i64 empty([0]bool) }
entry bools [n] (xs: [n]bool): ?[k].([n]bool, i64, [k]bool) =
  let trues = filter (\x -> x) xs
  in (map bool.not xs, length trues, trues)

-- ==
-- entry: i8s
-- input { [-128i8, 0i8, 127i8] } output { [-127i8, 1i8, -128i8] [0i8, 127i8] -1i8 }
entry i8s [n] (xs: [n]i8): ?[k].([n]i8, [k]i8, i8) =
  (map (+ 1) xs, filter (>= 0) xs, reduce (+) 0 xs)

-- ==
-- entry: i16s
-- input { [-32768i16, 5i16] } output { [32767i16, 4i16] -32763i16 }
entry i16s [n] (xs: [n]i16): ([n]i16, i16) = (map (\x -> x - 1) xs, reduce (+) 0 xs)

-- ==
-- entry: i32s
-- input { [-3, 5] } output { [9, 25] -3 }
entry i32s [n] (xs: [n]i32): ([n]i32, i32) = (map (\x -> x * x) xs, reduce i32.min i32.highest xs)

-- ==
-- entry: i64s
-- input { [9223372036854775807i64] } output { [-9223372036854775808i64] }
entry i64s [n] (xs: [n]i64): [n]i64 = map (+ 1) xs

-- ==
-- entry: u8s
-- input { [255u8, 1u8, 0u8] } output { [0u8, 2u8, 1u8] 255u8 [255u8, 1u8] }
entry u8s [n] (xs: [n]u8): ?[k].([n]u8, u8, [k]u8) =
  (map (+ 1) xs, reduce u8.max 0 xs, filter (> 0) xs)

-- ==
-- entry: u16s
-- input { [65535u16, 2u16] } output { [32767u16, 1u16] 1u16 }
entry u16s [n] (xs: [n]u16): ([n]u16, u16) = (map (/ 2) xs, reduce (+) 0 xs)

-- ==
-- entry: u32s
-- input { [4294967295u32, 1u32] } output { [2147483647u32, 0u32] 4294967295u32 }
entry u32s [n] (xs: [n]u32): ([n]u32, u32) = (map (>> 1) xs, reduce u32.max 0 xs)

-- ==
-- entry: u64s
-- input { [18446744073709551615u64, 9223372036854775808u64] }
-- output { [1844674407370955161u64, 922337203685477580u64] 18446744073709551615u64 }
entry u64s [n] (xs: [n]u64): ([n]u64, u64) = (map (/ 10) xs, reduce u64.max 0 xs)

-- ==
-- entry: f32s
-- input { [0.1f32, 0.2f32, f32.nan] } output { [0.2f32, 0.4f32, f32.nan] 0.2f32 [0.1f32, 0.2f32] }
entry f32s [n] (xs: [n]f32): ?[k].([n]f32, f32, [k]f32) =
  (map (* 2) xs, reduce f32.max (-f32.inf) xs, filter (<= 1) xs)

-- ==
-- entry: f64s
-- input { [0.1, -f64.inf, 5e-324] } output { [0.30000000000000004, -f64.inf, 1.5e-323] [0.1, 5e-324] }
entry f64s [n] (xs: [n]f64): ?[k].([n]f64, [k]f64) = (map (* 3) xs, filter (> 0) xs)

-- From one type to another.
-- ==
-- entry: changed
-- input { [300, -1] } output { [44u8, 255u8] [300.0, -1.0] [true, false] }
entry changed [n] (xs: [n]i32): ([n]u8, [n]f64, [n]bool) =
  (map u8.i32 xs, map f64.i32 xs, map (> 0) xs)
