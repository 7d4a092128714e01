-- What is computed when compiling is what would be computed when running: each entry does both.

-- ==
-- entry: wrapping
-- input { 127i8 } output { true true true }
entry wrapping (x: i8): (bool, bool, bool) =
  (x + 1 == 127i8 + 1, x * x == 127i8 * 127, -x - 2 == -127i8 - 2)

-- ==
-- entry: division
-- input { -7 2 } output { true true true true }
entry division (x: i32) (y: i32): (bool, bool, bool, bool) =
  (x / y == -7 / 2, x % y == -7 % 2, x // y == -7 // 2, x %% y == -7 %% 2)

-- ==
-- entry: lowest
-- input { -2147483648 -1 } output { true true true true }
entry lowest (x: i32) (y: i32): (bool, bool, bool, bool) =
  (x / y == i32.lowest / -1,
   x % y == i32.lowest % -1,
   x // y == i32.lowest // -1,
   i32.abs x == i32.abs i32.lowest)

-- ==
-- entry: shifts
-- input { 5u8 9u8 } output { true true true }
entry shifts (x: u8) (y: u8): (bool, bool, bool) =
  (x << y == 5u8 << 9, x >> y == 5u8 >> 9, x ** y == 5u8 ** 9)

-- ==
-- entry: floats
-- input { 0.1 0.2 f64.nan } output { true true true true true false }
entry floats (x: f64) (y: f64) (z: f64): (bool, bool, bool, bool, bool, bool) =
  (x + y == 0.1 + 0.2,
   f64.sin x == f64.sin 0.1,
   f64.exp y == f64.exp 0.2,
   x ** y == 0.1 ** 0.2,
   f64.min z x == f64.min f64.nan 0.1,
   z == f64.nan)

-- ==
-- entry: singles
-- input { 0.1f32 0.2f32 } output { true true true }
entry singles (x: f32) (y: f32): (bool, bool, bool) =
  (x + y == 0.1f32 + 0.2, x * y == 0.1f32 * 0.2, f64.f32 x == f64.f32 0.1)

-- ==
-- entry: conversions
-- input { 1e20 f64.nan -1.5 300 } output { true true true true true }
entry conversions (x: f64) (n: f64) (y: f64) (i: i32): (bool, bool, bool, bool, bool) =
  (i32.f64 x == i32.f64 1e20,
   i64.f64 n == i64.f64 f64.nan,
   u8.f64 y == u8.f64 (-1.5),
   u8.i32 i == u8.i32 300,
   f32.f64 x == f32.f64 1e20)

-- Zero times infinity is no number, and minus zero plus zero is zero: no rule of whole numbers
-- holds for floats.
-- ==
-- entry: no_algebra
-- input { f64.inf -0.0 } output { f64.nan f64.nan f64.inf f64.nan true }
entry no_algebra (x: f64) (z: f64): (f64, f64, f64, f64, bool) =
  (x * 0, x - x, 1 / (z + 0), x / x, x == x)

-- ==
-- entry: rounding
-- input { 2.5 } output { true true true true }
entry rounding (x: f64): (bool, bool, bool, bool) =
  (f64.round x == f64.round 2.5,
   f64.floor (-x) == f64.floor (-2.5),
   f64.ceil x == f64.ceil 2.5,
   f64.trunc (-x) == f64.trunc (-2.5))

-- ==
-- entry: arrays
-- input { 3i64 } output { [0i64, 2i64, 4i64] [0i64, 2i64, 4i64] 3i64 3i64 }
entry arrays (n: i64): ([n]i64, [3]i64, i64, i64) =
  (map (* 2) (iota n), map (* 2) (iota 3), length (iota n), length (iota 3))
