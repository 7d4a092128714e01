-- The library's `random`: the known answers of its generator, and statistics of what is made of them. Each bound below is five
-- standard deviations or more, and the numbers are always the same.

import "random"
import "statistics"

-- | The answers that the authors of Philox4x32-10 give.
-- ==
-- entry: known
-- input { [0u32, 0u32] [0u32, 0u32, 0u32, 0u32] }
-- output { [0x6627e8d5u32, 0xe169c58du32, 0xbc57ac4cu32, 0x9b00dbd8u32] }
-- input { [0xffffffffu32, 0xffffffffu32] [0xffffffffu32, 0xffffffffu32, 0xffffffffu32, 0xffffffffu32] }
-- output { [0x408f276du32, 0x41c83b0eu32, 0xa20bc7c6u32, 0x6d5451fdu32] }
-- input { [0xa4093822u32, 0x299f31d0u32] [0x243f6a88u32, 0x85a308d3u32, 0x13198a2eu32, 0x03707344u32] }
-- output { [0xd16cfe09u32, 0x94fdccebu32, 0x5001e420u32, 0x24126ea1u32] }
entry known (k: [2]u32) (c: [4]u32): [4]u32 =
  let b = philox {k0 = k[0], k1 = k[1]} {x0 = c[0], x1 = c[1], x2 = c[2], x3 = c[3]}
  in [b.x0, b.x1, b.x2, b.x3]

-- | The bits of the block 0 of the key 0, low word first.
-- ==
-- entry: bits
-- input { 0i64 1i64 } output { [0xe169c58d6627e8d5u64] }
-- input { 1i64 0i64 } output { empty([0]u64) }
entry bits (seed: i64) (n: i64): [n]u64 = random_bits (key seed) n

-- | A number is the same alone, in an array, and in a longer one.
-- ==
-- entry: by_position
-- input { 20i64 } output { true }
entry by_position (n: i64): bool =
  let k = split (key 9) 4
  let alone i = uniform_at k i
  let (short, long) = (uniforms k n, uniforms k (n + 5))
  in and (map (\i -> short[i] == long[i] && short[i] == alone i) (iota n))
     && and (map (\i -> (normals k n)[i] == normal_at k i) (iota n))

-- | Mean, variance and the range of uniform numbers, and how they follow each other.
-- ==
-- entry: uniform_moments
-- input { 1i64 20000i64 } output { true true true true }
-- input { -7i64 20000i64 } output { true true true true }
entry uniform_moments (seed: i64) (n: i64): (bool, bool, bool, bool) =
  let xs = uniforms (key seed) n
  let near bound x y = f64.abs (x - y) < bound
  let pairs = f64.sum (map (\i -> (xs[i] - 0.5) * (xs[i + 1] - 0.5)) (iota (n - 1))) / f64.i64 n
  in (and (map (\x -> x >= 0 && x < 1) xs),
      near 0.0103 (mean xs) 0.5,
      near 0.0027 (variance xs) (1 / 12),
      near 0.003 pairs 0)

-- | The number of uniform numbers in each of sixteen parts: chi squared with 15 degrees of freedom is below 48 but for once in
-- 40,000 times.
-- ==
-- entry: uniform_parts
-- input { 1i64 16000i64 } output { true }
-- input { 2i64 16000i64 } output { true }
entry uniform_parts (seed: i64) (n: i64): bool =
  let parts = hist (+) 0 16 (map (\x -> i64.f64 (16 * x)) (uniforms (key seed) n)) (replicate n 1)
  let expected = f64.i64 n / 16
  in f64.sum (map (\c -> (f64.i64 c - expected) ** 2 / expected) parts) < 48

-- | Mean, variance, skewness and kurtosis of normal numbers, and how many are within one deviation.
-- ==
-- entry: normal_moments
-- input { 3i64 20000i64 } output { true true true true true }
entry normal_moments (seed: i64) (n: i64): (bool, bool, bool, bool, bool) =
  let xs = normals (key seed) n
  let moment p = mean (map (\x -> x ** p) xs)
  let within = f64.i64 (count (\x -> f64.abs x < 1) xs) / f64.i64 n
  let near bound x y = f64.abs (x - y) < bound
  in (near 0.036 (moment 1) 0,
      near 0.05 (moment 2) 1,
      near 0.14 (moment 3) 0,
      near 0.35 (moment 4) 3,
      near 0.017 within 0.6827)

-- ==
-- entry: exponential_moments
-- input { 4i64 20000i64 } output { true true true }
entry exponential_moments (seed: i64) (n: i64): (bool, bool, bool) =
  let xs = exponentials (key seed) n
  in (and (map (>= 0) xs), f64.abs (mean xs - 1) < 0.036, f64.abs (variance xs - 1) < 0.1)

-- | Integers of a range: each occurs about equally often. The bound 3 · 2⁶¹ makes another try as likely as it can be: a product
-- without one would give each third number twice as often.
-- ==
-- entry: integer_parts
-- input { 5i64 12000i64 } output { true true true }
entry integer_parts (seed: i64) (n: i64): (bool, bool, bool) =
  let xs = integers (key seed) (-3) 9 n
  let counts = hist (+) 0 12 (map (+ 3) xs) (replicate n 1)
  let expected = f64.i64 n / 12
  let chi = f64.sum (map (\c -> (f64.i64 c - expected) ** 2 / expected) counts)
  let wide = integers (split (key seed) 1) 0 (3 << 61) n
  let thirds = hist (+) 0 3 (map (% 3) wide) (replicate n 1)
  let third = f64.i64 n / 3
  let chi_thirds = f64.sum (map (\c -> (f64.i64 c - third) ** 2 / third) thirds)
  in (i64.sum counts == n, chi < 42, chi_thirds < 23)

-- ==
-- entry: one_of
-- input { 1i64 4i64 3i64 } output { [4i64, 4i64, 4i64] }
-- input { 1i64 4i64 0i64 } output { empty([0]i64) }
entry one_of (seed: i64) (low: i64) (n: i64): [n]i64 = integers (key seed) low (low + 1) n

-- ==
-- entry: none_of
-- input { 1i64 } error: count > 0
entry none_of (seed: i64): [1]i64 = integers (key seed) 4 4 1

-- | A permutation has each number once; of three elements all six orders are about equally frequent.
-- ==
-- entry: permutations
-- input { 6i64 } output { true true true }
entry permutations (seed: i64): (bool, bool, bool) =
  let p = permutation (key seed) 500
  let once = and (map2 (==) (sort (<=) p) (iota 500))
  let which i =
    let q = permutation (split (key seed) i) 3
    in q[0] * 2 + i64.bool (q[1] > q[2])
  let counts = hist (+) 0 6 (map which (iota 3000)) (replicate 3000 1)
  let chi = f64.sum (map (\c -> (f64.i64 c - 500) ** 2 / 500) counts)
  in (once, chi < 30, count (\i -> p[i] == i) (iota 500) < 12)

-- | Shuffled elements are the same ones, and a sample is of different ones.
-- ==
-- entry: shuffled
-- input { 7i64 [5i32, 1i32, 4i32, 1i32] } output { [1i32, 1i32, 4i32, 5i32] true }
-- input { 7i64 empty([0]i32) } output { empty([0]i32) true }
entry shuffled [n] (seed: i64) (xs: [n]i32): ([n]i32, bool) =
  let some = sample (key seed) 20 (iota 50)
  in (sort (<=) (shuffle (key seed) xs), length (unique (==) (sort (<=) some)) == 20)

-- | Keys that one is split into, and numbers of each, are different.
-- ==
-- entry: splits
-- input { 8i64 } output { true }
entry splits (seed: i64): bool =
  let first = map (\i -> bits_at (split (key seed) i) 0) (iota 1000) ++ random_bits (key seed) 1000
  in length (unique (==) (sort (<=) first)) == 2000

-- | Random numbers are no arrays where they are summed up.
-- ==
-- entry: estimate
-- input { 1i64 20000i64 } output { true }
-- structure ilp { clusters 1 arrays 0 }
entry estimate (seed: i64) (n: i64): bool =
  let (xs, ys) = (uniforms (split (key seed) 0) n, uniforms (split (key seed) 1) n)
  let inside = f64.sum (map2 (\x y -> f64.bool (x * x + y * y < 1)) xs ys)
  in f64.abs (4 * inside / f64.i64 n - f64.pi) < 0.06
