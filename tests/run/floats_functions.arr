-- More functions of the float modules: where results are exact, compared by their bits.

-- ==
-- entry: bits_f64
-- input { 1.0 } output { 4607182418800017408u64 1.0 0 }
-- input { -0.0 } output { 9223372036854775808u64 -0.0 1 }
-- input { f64.nan } output { 9221120237041090560u64 f64.nan 0 }
-- input { -f64.nan } output { 9221120237041090560u64 f64.nan 0 }
-- input { -f64.inf } output { 18442240474082181120u64 -f64.inf 1 }
-- input { 5e-324 } output { 1u64 5e-324 0 }
entry bits_f64 (x: f64): (u64, f64, i32) =
  (f64.to_bits x, f64.from_bits (f64.to_bits x), f64.get_bit 63 x)

-- ==
-- entry: bits_f32
-- input { 1.0f32 } output { 1065353216u32 -1.0f32 0 }
-- input { 0.0f32 } output { 0u32 -0.0f32 0 }
-- input { f32.nan } output { 2143289344u32 f32.nan 0 }
entry bits_f32 (x: f32): (u32, f32, i32) = (f32.to_bits x, f32.set_bit 31 x 1, f32.get_bit 31 x)

-- All ways to make a number that is none give the same bits.
-- ==
-- entry: one_nan
-- input { 0.0 } output { true }
entry one_nan (zero: f64): bool =
  let nans =
    [zero / zero, f64.inf - f64.inf, f64.sqrt (-1 - zero), -(zero / zero), f64.log (-1 - zero)]
  in all (\x -> f64.to_bits x == f64.to_bits f64.nan) nans

-- ==
-- entry: signs
-- input { 2.5 -0.0 } output { -2.5 -0.0 }
-- input { -2.5 3.0 } output { 2.5 3.0 }
-- input { f64.inf -1.0 } output { -f64.inf -1.0 }
entry signs (x: f64) (y: f64): (f64, f64) = (f64.copysign x y, f64.copysign y y)

-- ==
-- entry: neighbours
-- input { 1.0 2.0 } output { 4607182418800017409u64 }
-- input { 1.0 0.0 } output { 4607182418800017407u64 }
-- input { -1.0 0.0 } output { 13830554455654793215u64 }
-- input { 0.0 1.0 } output { 1u64 }
-- input { 0.0 -1.0 } output { 9223372036854775809u64 }
-- input { -0.0 1.0 } output { 1u64 }
-- input { 5e-324 -1.0 } output { 0u64 }
-- input { 3.0 3.0 } output { 4613937818241073152u64 }
-- input { 0.0 -0.0 } output { 9223372036854775808u64 }
-- input { f64.inf 0.0 } output { 9218868437227405311u64 }
-- input { 1.7976931348623157e308 f64.inf } output { 9218868437227405312u64 }
-- input { f64.nan 1.0 } output { 9221120237041090560u64 }
-- input { 1.0 f64.nan } output { 9221120237041090560u64 }
entry neighbours (x: f64) (y: f64): u64 = f64.to_bits (f64.nextafter x y)

-- ==
-- entry: neighbours_f32
-- input { 1.0f32 2.0f32 } output { 1065353217u32 }
-- input { 0.0f32 -1.0f32 } output { 2147483649u32 }
entry neighbours_f32 (x: f32) (y: f32): u32 = f32.to_bits (f32.nextafter x y)

-- Rounded once, also where the result is too small for a fraction of full length.
-- ==
-- entry: scaled
-- input { 1.5 4 } output { 4627448617123184640u64 }
-- input { 1.0 1023 } output { 9214364837600034816u64 }
-- input { 1.0 1024 } output { 9218868437227405312u64 }
-- input { 5e-324 2097 } output { 9214364837600034816u64 }
-- input { 1.5 -1074 } output { 2u64 }
-- input { 1.348269851146737e308 -2045 } output { 6755399441055744u64 }
-- input { 1.0000000000000002 -1023 } output { 2251799813685248u64 }
-- input { 1.0 -1075 } output { 0u64 }
-- input { 1.5 -1075 } output { 1u64 }
-- input { -1.0 -5000 } output { 9223372036854775808u64 }
-- input { 1.0 2147483647 } output { 9218868437227405312u64 }
-- input { 1.0 -2147483648 } output { 0u64 }
-- input { f64.inf -3000 } output { 9218868437227405312u64 }
-- input { 0.1 -1040 } output { 1717986918u64 }
-- input { 1.9999999999999998 -1023 } output { 4503599627370496u64 }
-- input { f64.nan 3 } output { 9221120237041090560u64 }
entry scaled (x: f64) (k: i32): u64 = f64.to_bits (f64.ldexp x k)

-- ==
-- entry: scaled_f32
-- input { 1.5f32 4 } output { 1103101952u32 }
-- input { 1.0f32 127 } output { 2130706432u32 }
-- input { 1.0f32 128 } output { 2139095040u32 }
-- input { 1.0f32 -149 } output { 1u32 }
-- input { 2.5521177519070385e38f32 -253 } output { 12582912u32 }
-- input { 1.0f32 -151 } output { 0u32 }
-- input { 0.10000000149011612f32 -130 } output { 52429u32 }
entry scaled_f32 (x: f32) (k: i32): u32 = f32.to_bits (f32.ldexp x k)

-- Rounded once: the product alone would be 1.
-- ==
-- entry: fused
-- input { 1.0000000000000002 0.9999999999999998 -1.0 } output { 13362180094408261632u64 13362180094408261632u64 0u64 }
-- input { 2.0 3.0 4.0 } output { 4621819117588971520u64 4621819117588971520u64 4621819117588971520u64 }
-- input { 1e308 10.0 -f64.inf } output { 18442240474082181120u64 18442240474082181120u64 9221120237041090560u64 }
entry fused (a: f64) (b: f64) (c: f64): (u64, u64, u64) =
  let of_c = f64.fma a b
  in (f64.to_bits (f64.fma a b c), f64.to_bits (of_c c), f64.to_bits (f64.mad a b c))

-- ==
-- entry: fused_f32
-- input { [1.0000001f32, 2.0f32] [0.9999999f32, 3.0f32] [-1.0f32, 4.0f32] }
-- output { [2826960896u32, 1092616192u32] }
entry fused_f32 [n] (as: [n]f32) (bs: [n]f32) (cs: [n]f32): [n]u32 =
  map f32.to_bits (map3 f32.fma as bs cs)

-- ==
-- entry: between
-- input { 10.0 20.0 0.25 } output { 12.5 10.0 20.0 }
entry between (a: f64) (b: f64) (k: f64): (f64, f64, f64) =
  (f64.lerp a b k, f64.lerp a b 0, f64.lerp a b 1)

-- ==
-- entry: inverses
-- input { 4.0 3i64 8i64 } output { 0.25 0.5 0.375 0.375f32 }
-- input { 0.0 -1i64 0i64 } output { f64.inf f64.inf -f64.inf -f32.inf }
entry inverses (x: f64) (p: i64) (q: i64): (f64, f64, f64, f32) =
  (f64.recip x, f64.rsqrt x, f64.from_fraction p q, f32.from_fraction p q)

-- ==
-- entry: roots
-- input { 27.0 } output { 3.0 }
-- input { -0.125 } output { -0.5 }
-- input { 2.0 } output { 1.2599210498948732 }
-- input { 5e-324 } output { 1.7031839360032603e-108 }
-- input { 1.7976931348623157e308 } output { 5.643803094122362e102 }
-- input { -0.0 } output { -0.0 }
-- input { -f64.inf } output { -f64.inf }
-- input { f64.nan } output { f64.nan }
entry roots (x: f64): f64 = f64.cbrt x

-- Whole numbers come out of their cubes without an error.
-- ==
-- entry: cubes
-- input { 20000i64 } output { true true }
entry cubes (n: i64): (bool, bool) =
  let xs = map f64.i64 (iota n)
  let small = map f32.i64 (iota (n / 100))
  in (all (\x -> f64.cbrt (x * x * x) == x) xs, all (\x -> f32.cbrt (-x * x * x) == -x) small)

-- ==
-- entry: exponentials
-- input { 3.0 } output { 8.0 1000.0 }
-- input { 0.0 } output { 1.0 1.0 }
-- input { -1.0 } output { 0.5 0.1 }
-- input { f64.inf } output { f64.inf f64.inf }
entry exponentials (x: f64): (f64, f64) = (f64.exp2 x, f64.exp10 x)

-- Accurate where 1 + x is not.
-- ==
-- entry: near_zero
-- input { 1e-20 } output { 1e-20 1e-20 }
-- input { -0.0 } output { -0.0 -0.0 }
-- input { -1.0 } output { -0.6321205588285577 -f64.inf }
entry near_zero (x: f64): (f64, f64) = (f64.expm1 x, f64.log1p x)

-- ==
-- entry: hyperbolic
-- input { 0.0 } output { 0.0 1.0 0.0 0.0 f64.nan 0.0 }
-- input { 1.0 } output { 1.1752011936438014 1.5430806348152437 0.7615941559557649 0.881373587019543 0.0 f64.inf }
-- input { -f64.inf } output { -f64.inf f64.inf -1.0 -f64.inf f64.nan f64.nan }
entry hyperbolic (x: f64): (f64, f64, f64, f64, f64, f64) =
  (f64.sinh x, f64.cosh x, f64.tanh x, f64.asinh x, f64.acosh x, f64.atanh x)

-- ==
-- entry: distances
-- input { 3.0 4.0 } output { 5.0 }
-- input { 1e300 1e300 } output { 1.414213562373095e300 }
-- input { f64.inf f64.nan } output { f64.inf }
entry distances (x: f64) (y: f64): f64 = f64.hypot x y

-- ==
-- entry: special
-- input { 5.0 } output { 24.0 3.1780538303479458 0.9999999999984626 1.5374597944280347e-12 }
-- input { 0.5 } output { 1.772453850905516 0.5723649429247001 0.5204998778130465 0.4795001221869535 }
-- input { 0.0 } output { f64.inf f64.inf 0.0 1.0 }
-- input { f64.nan } output { f64.nan f64.nan f64.nan f64.nan }
entry special (x: f64): (f64, f64, f64, f64) = (f64.gamma x, f64.lgamma x, f64.erf x, f64.erfc x)

-- Exact at quarters of a turn, and far out.
-- ==
-- entry: turns
-- input { 0.5 } output { 1.0 0.0 f64.inf }
-- input { 1.0 } output { 0.0 -1.0 -0.0 }
-- input { 1.5 } output { -1.0 0.0 -f64.inf }
-- input { 0.25 } output { 0.7071067811865476 0.7071067811865476 1.0 }
-- input { 1e300 } output { 0.0 1.0 0.0 }
-- input { 1000000.5 } output { 1.0 0.0 f64.inf }
-- input { f64.inf } output { f64.nan f64.nan f64.nan }
entry turns (x: f64): (f64, f64, f64) = (f64.sinpi x, f64.cospi x, f64.tanpi x)

-- The sign of zero: by its bits.
-- ==
-- entry: zeros
-- input { [0.0, -0.0, 1.0, -1.0, 2.0, -2.0] } output { [0, 1, 0, 1, 0, 1] [0, 0, 0, 0, 0, 0] }
entry zeros [n] (xs: [n]f64): ([n]i32, [n]i32) =
  (map (\x -> f64.get_bit 63 (f64.sinpi x)) xs, map (\x -> f64.get_bit 63 (f64.cospi (x + 0.5))) xs)

-- ==
-- entry: angles
-- input { 1.0 -1.0 } output { 0.5 0.0 0.25 0.75 }
-- input { 0.0 -1.0 } output { 0.0 0.5 0.0 1.0 }
entry angles (y: f64) (x: f64): (f64, f64, f64, f64) =
  (f64.asinpi y, f64.acospi y, f64.atanpi y, f64.atan2pi y x)

-- Of f32, and in workers.
-- ==
-- entry: of_f32
-- input { [0.0f32, 0.5f32, 1.0f32] }
-- output { [0.0f32, 0.5204999f32, 0.8427008f32] [0.0f32, 1.0f32, 0.0f32] [0.0f32, 0.7937005f32, 1.0f32] }
entry of_f32 [n] (xs: [n]f32): ([n]f32, [n]f32, [n]f32) =
  (map f32.erf xs, map f32.sinpi xs, map f32.cbrt xs)

-- Where the exponent is 2 the power is a product, which is rounded better than C's function.
-- ==
-- entry: squares
-- input { 1000i64 2.0 } output { true true }
entry squares (n: i64) (two: f64): (bool, bool) =
  let xs = map (\i -> 0.1 + 0.37 * f64.i64 i) (iota n)
  in (all (\x -> x ** 2 == x * x) xs, all (\x -> x ** two == x * x) xs)

-- ==
-- entry: converted
-- input { 2.75 -1.5f32 } output { 2i64 2.75 -1i64 -1.5 }
-- input { f64.inf f32.nan } output { 9223372036854775807i64 f64.inf 0i64 f64.nan }
entry converted (x: f64) (y: f32): (i64, f64, i64, f64) =
  (f64.to_i64 x, f64.to_f64 x, f32.to_i64 y, f32.to_f64 y)
