-- Divisions of integers: by a constant, and by another divisor in each step.

entry tenths_i64 [n] (xs: [n]i64): [n]i64 = map (/ 10) xs
entry ratios_i32 [n] (xs: [n]i32) (ys: [n]i32): [n]i32 = map2 (\x y -> x // y) xs ys
entry ratios_i64 [n] (xs: [n]i64) (ys: [n]i64): [n]i64 = map2 (\x y -> x // y) xs ys

-- | Greatest common divisors, by Euclid's algorithm.
entry gcd_i32 [n] (xs: [n]i32) (ys: [n]i32): [n]i32 =
  map2 (\x y -> let (a, _) = loop (a, b) = (x, y) while b != 0 do (b, a %% b) in a) xs ys
entry gcd_i64 [n] (xs: [n]i64) (ys: [n]i64): [n]i64 =
  map2 (\x y -> let (a, _) = loop (a, b) = (x, y) while b != 0 do (b, a %% b) in a) xs ys

-- | The sum of the decimal digits of each number.
entry digits_i64 [n] (xs: [n]i64): [n]i64 =
  map (\x -> let (_, s) = loop (x, s) = (x, 0) while x > 0 do (x // 10, s + x %% 10) in s) xs

-- | Which numbers are primes, by trial division.
entry prime_i64 [n] (xs: [n]i64): [n]bool =
  map (\x ->
    let (_, indivisible) = loop (d, indivisible) = (2, true) while indivisible && d * d <= x do
      (d + 1, x %% d != 0)
    in x > 1 && indivisible) xs
