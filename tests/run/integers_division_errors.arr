-- Division of an integer by zero is an error of the call; of a float it is not.

-- ==
-- entry: quotient
-- input { 1 0 } error: (program|integers_division_errors)\.arr:\d+:\d+: division by zero
-- input { 0 0 } error: division by zero
-- input { 6 3 } output { 2 }
entry quotient (a: i32) (b: i32): i32 = a / b

-- ==
-- entry: modulus
-- input { 1u8 0u8 } error: division by zero
-- input { 7u8 4u8 } output { 3u8 }
entry modulus (a: u8) (b: u8): u8 = a % b

-- ==
-- entry: towards_zero
-- input { -1i64 0i64 } error: division by zero
-- input { -7i64 2i64 } output { -3i64 }
entry towards_zero (a: i64) (b: i64): i64 = a // b

-- ==
-- entry: remainder
-- input { -1i16 0i16 } error: division by zero
-- input { -7i16 2i16 } output { -1i16 }
entry remainder (a: i16) (b: i16): i16 = a %% b

-- Also in a loop, after some elements have been computed.
-- ==
-- entry: inverses
-- input { [1i64, 2i64, 0i64, 5i64] } error: division by zero
-- input { [1i64, -2i64] } output { [100i64, -50i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry inverses [n] (xs: [n]i64): [n]i64 = map (\x -> 100 / x) xs

-- A division that is not reached is no error.
-- ==
-- entry: guarded
-- input { [1i64, 0i64, 4i64] } output { [8i64, -1i64, 2i64] }
entry guarded [n] (xs: [n]i64): [n]i64 = map (\x -> if x == 0 then -1 else 8 / x) xs

-- ==
-- entry: of_floats
-- input { 1.0 0.0 } output { f64.inf }
-- input { -1.0 0.0 } output { -f64.inf }
-- input { 0.0 0.0 } output { f64.nan }
entry of_floats (a: f64) (b: f64): f64 = a / b
