-- The functions of the float modules, where their results are exact.

-- ==
-- entry: rounded
-- input { 2.5 } output { 2.0 3.0 2.0 2.0 }
-- input { 3.5 } output { 3.0 4.0 4.0 3.0 }
-- input { -2.5 } output { -3.0 -2.0 -2.0 -2.0 }
-- input { 0.3 } output { 0.0 1.0 0.0 0.0 }
-- input { f64.inf } output { f64.inf f64.inf f64.inf f64.inf }
-- input { f64.nan } output { f64.nan f64.nan f64.nan f64.nan }
entry rounded (x: f64): (f64, f64, f64, f64) = (f64.floor x, f64.ceil x, f64.round x, f64.trunc x)

-- ==
-- entry: roots
-- input { 9.0 } output { 3.0 }
-- input { 2.0 } output { 1.4142135623730951 }
-- input { -1.0 } output { f64.nan }
entry roots (x: f64): f64 = f64.sqrt x

-- ==
-- entry: logarithms
-- input { 1.0 8.0 1000.0 } output { 0.0 3.0 3.0 }
-- input { 0.0 1.0 1.0 } output { -f64.inf 0.0 0.0 }
entry logarithms (x: f64) (y: f64) (z: f64): (f64, f64, f64) = (f64.log x, f64.log2 y, f64.log10 z)

-- ==
-- entry: at_zero
-- input { 0.0 } output { 1.0 0.0 1.0 0.0 0.0 0.0 0.0 }
entry at_zero (x: f64): (f64, f64, f64, f64, f64, f64, f64) =
  (f64.exp x, f64.sin x, f64.cos x, f64.tan x, f64.asin x, f64.atan x, f64.tanh x)

-- ==
-- entry: angles
-- input { 1.0 1.0 } output { 0.7853981633974483 0.0 }
-- input { -0.0 -1.0 } output { -3.141592653589793 3.141592653589793 }
entry angles (y: f64) (x: f64): (f64, f64) = (f64.atan2 y x, f64.acos x)

-- ==
-- entry: tests
-- input { f64.nan } output { true false }
-- input { -f64.inf } output { false true }
-- input { 1.0 } output { false false }
entry tests (x: f64): (bool, bool) = (f64.isnan x, f64.isinf x)

-- ==
-- entry: signs
-- input { -2.5 -7 } output { 2.5 -1.0 7 -1 }
-- input { 0.0 0 } output { 0.0 0.0 0 0 }
-- input { 4.0 9 } output { 4.0 1.0 9 1 }
entry signs (x: f64) (i: i32): (f64, f64, i32, i32) = (f64.abs x, f64.sgn x, i32.abs i, i32.sgn i)

-- The remainder of floats has the sign of the divisor, as that of integers.
-- ==
-- entry: remainders
-- input { 5.5 2.0 } output { 1.5 }
-- input { -5.5 2.0 } output { 0.5 }
-- input { 5.5 -2.0 } output { -0.5 }
entry remainders (x: f64) (y: f64): f64 = x % y

-- A remainder of zero has it, too: what divides by it tells.
-- ==
-- entry: remainders_of_zero
-- input { -4.0 2.0 } output { f64.inf f32.inf }
-- input { 4.0 -2.0 } output { -f64.inf -f32.inf }
-- input { 0.0 -2.0 } output { -f64.inf -f32.inf }
-- input { -0.0 f64.inf } output { f64.inf f32.inf }
entry remainders_of_zero (x: f64) (y: f64): (f64, f32) = (1 / (x % y), 1 / (f32.f64 x % f32.f64 y))

-- ==
-- entry: remainders_known
-- input { } output { f64.inf -f64.inf }
entry remainders_known: (f64, f64) = (1 / ((-4.0) % 2.0), 1 / (4.0 % (-2.0)))

-- ==
-- entry: remainders_many
-- input { 100i64 } output { 0i64 }
entry remainders_many (n: i64): i64 =
  let xs = map (\i -> f64.i64 (i - 50)) (iota n)
  in i64.sum (map (\x -> i64.bool (1 / (x % 1) != f64.inf)) xs)

-- ==
-- entry: of_f32
-- input { 16.0f32 2.5f32 } output { 4.0f32 2.0f32 3.0f32 }
entry of_f32 (x: f32) (y: f32): (f32, f32, f32) = (f32.sqrt x, f32.floor y, f32.ceil y)
