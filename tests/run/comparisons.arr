-- The six comparisons, on every kind of scalar.

-- ==
-- entry: of_i32
-- input { 1 2 } output { false true true true false false }
-- input { 2 2 } output { true false false true false true }
-- input { 1 -2 } output { false true false false true true }
entry of_i32 (a: i32) (b: i32): (bool, bool, bool, bool, bool, bool) =
  (a == b, a != b, a < b, a <= b, a > b, a >= b)

-- Unsigned numbers compare as such: their highest bit is no sign.
-- ==
-- entry: of_u8
-- input { 255u8 1u8 } output { false true false false true true }
entry of_u8 (a: u8) (b: u8): (bool, bool, bool, bool, bool, bool) =
  (a == b, a != b, a < b, a <= b, a > b, a >= b)

-- ==
-- entry: of_u64
-- input { 18446744073709551615u64 0u64 } output { false true false false true true }
entry of_u64 (a: u64) (b: u64): (bool, bool, bool, bool, bool, bool) =
  (a == b, a != b, a < b, a <= b, a > b, a >= b)

-- ==
-- entry: of_bool
-- input { false true } output { false true true true false false }
-- input { true true } output { true false false true false true }
entry of_bool (a: bool) (b: bool): (bool, bool, bool, bool, bool, bool) =
  (a == b, a != b, a < b, a <= b, a > b, a >= b)

-- NaN is equal to nothing and in no order; the two zeros are equal.
-- ==
-- entry: of_f64
-- input { 1.0 2.0 } output { false true true true false false }
-- input { f64.nan 1.0 } output { false true false false false false }
-- input { f64.nan f64.nan } output { false true false false false false }
-- input { 0.0 -0.0 } output { true false false true false true }
-- input { -f64.inf f64.inf } output { false true true true false false }
entry of_f64 (a: f64) (b: f64): (bool, bool, bool, bool, bool, bool) =
  (a == b, a != b, a < b, a <= b, a > b, a >= b)

-- ==
-- entry: of_f32
-- input { 1.5f32 1.5f32 } output { true false false true false true }
-- input { 1.0f32 f32.nan } output { false true false false false false }
entry of_f32 (a: f32) (b: f32): (bool, bool, bool, bool, bool, bool) =
  (a == b, a != b, a < b, a <= b, a > b, a >= b)

-- Tuples and records are equal if all of their components are.
-- ==
-- entry: of_structures
-- input { 1 true 1 true } output { true false true false }
-- input { 1 true 1 false } output { false true false true }
entry of_structures (a: i32) (b: bool) (c: i32) (d: bool): (bool, bool, bool, bool) =
  ((a, b) == (c, d),
   (a, b) != (c, d),
   {a, b = {b}} == {a = c, b = {b = d}},
   {a, b} != {a = c, b = d})
