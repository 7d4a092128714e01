-- Packages in folders as Futhark has them, in files of Futhark: modules of every shape that packages have.

import "lib/github.com/arr/numbers/complex"
import "lib/github.com/arr/numbers/statistics"
import "lib/github.com/arr/linear/linear"
module numbers = import "lib/github.com/arr/numbers/fourier"
open import "lib/github.com/arr/vectors/vectors"
module draw = import "lib/github.com/arr/drawn/drawn"
import "lib/github.com/arr/ordered/sorts"

module c32 = mk_complex f32
module fourier = numbers.mk_fourier f64
module stats = mk_statistics f64
module linear_f64 = mk_linear f64
module linear_i32 = mk_linear i32

-- ==
-- entry: complex_product
-- input { 1f32 2f32 3f32 4f32 } output { -5f32 10f32 }
entry complex_product (a: f32) (b: f32) (c: f32) (d: f32): (f32, f32) =
  let z = c32.mk a b c32.* c32.mk c d
  in (c32.re z, c32.im z)

-- The transform of the inverse is the array again.
-- ==
-- entry: there_and_back
-- input { [1.0, 2.0, 4.0, 8.0] } output { true }
entry there_and_back [n] (xs: [n]f64): bool =
  let back = fourier.inverse (fourier.transform_re xs)
  in and (map2 (\x (re, im) -> f64.abs (x - re) + f64.abs im < 1e-9) xs back)

-- ==
-- entry: spread
-- input { [1.0, 2.0, 3.0, 4.0] } output { 2.5 1.6666666666666667 }
-- input { empty([0]f64) } output { 0.0 0.0 }
entry spread [n] (xs: [n]f64): (f64, f64) = (stats.mean xs, stats.variance xs)

-- ==
-- entry: products
-- input { [[1.0, 2.0], [3.0, 4.0]] [[5.0], [6.0]] } output { [[17.0], [39.0]] }
entry products [n] [m] [k] (a: [n][m]f64) (b: [m][k]f64): [n][k]f64 =
  linear_f64.matmul (linear_f64.identity n) (linear_f64.matmul a b)

-- ==
-- entry: blocks
-- input { [[1, 2]] [[1, 10], [100, 1000]] } output { [[1, 10, 2, 20], [100, 1000, 200, 2000]] 1000 1i64 }
entry blocks [m] [n] [p] [q] (a: [m][n]i32) (b: [p][q]i32): ([m * p][n * q]i32, (i32, i64)) =
  (linear_i32.kronecker a b, linear_i32.largest b[1])

module die = draw.uniform_int_distribution i64 draw.minstd_rand
module unit = draw.uniform_real_distribution f64 draw.knuth_b
module coin = draw.uniform_int_distribution i8 draw.discarding

-- ==
-- entry: thrown
-- input { 5i64 } output { true }
entry thrown (n: i64): bool =
  let rngs = draw.minstd_rand.split_rng n (draw.minstd_rand.rng_from_seed [123])
  let (_, xs) = unzip (map (die.rand (1, 6)) rngs)
  in all (\x -> x >= 1 && x <= 6) xs

-- ==
-- entry: first_draws
-- input { 3 } output { 4488i64 true }
entry first_draws (seed: i32): (i64, bool) =
  let (_, x) = die.rand (0, 9999) (draw.minstd_rand.rng_from_seed [seed])
  let (rng, y) = unit.rand (0, 1) (draw.knuth_b.rng_from_seed [seed])
  let (_, z) = unit.rand (2, 3) rng
  in (x, 0 <= y && y <= 1 && 2 <= z && z <= 3)

-- ==
-- entry: tosses
-- input { 8i64 } output { true }
entry tosses (n: i64): bool =
  let (_, sum) =
    loop (rng, sum) = (draw.discarding.rng_from_seed [1, 2], 0i8) for _i < n do
      let (rng, x) = coin.rand (0, 1) rng
      in (rng, sum + x)
  in sum > 0 && sum < 8

module vector_2 = cat_vector vector_1 vector_1
module vector_3 = cat_vector vector_2 vector_1
module vector_4 = any_vector {def length = 4i64}
module vector_7 = cat_vector vector_3 vector_4

-- ==
-- entry: vectors
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64] }
-- output { [2i64, 4i64, 6i64, 8i64, 10i64, 12i64, 14i64] 28i64 5i64 7i64 }
entry vectors (xs: [7]i64): ([7]i64, i64, i64, i64) =
  let v = vector_7.from_array xs
  let w = vector_7.map2 (+) v v
  in (vector_7.to_array w, vector_7.reduce (+) 0 v, vector_7.get 4 v, vector_7.length)

-- ==
-- entry: sequences
-- input { 5i64 } output { [1i64, 3i64] 5i64 }
entry sequences (n: i64): ?[k].([k]i64, i64) =
  let xs = loop xs = sequence.nothing 0i64 for i < n do sequence.added i xs
  in (sequence.elements (sequence.kept (\x -> x % 2 == 1) xs), length (sequence.elements xs))

module sort_i32 = mk_sorter i32
module sort_pairs = mk_sorter (both (reversed i32) i32)
module ways = two_ways mk_sorter f64

-- ==
-- entry: sorts
-- input { [3, 1, 2] [1, 1, 2] [5, 4, 9] [2.0, 1.0] }
-- output { [1, 2, 3] [2, 1, 1] [9, 4, 5] [1.0, 2.0] [2.0, 1.0] }
entry sorts [n] [m] [k] (xs: [n]i32) (a: [m]i32) (b: [m]i32) (fs: [k]f64):
    ([n]i32, [m]i32, [m]i32, [k]f64, [k]f64) =
  let (a, b) = unzip (sort_pairs.sorted (zip a b))
  in (sort_i32.sorted xs, a, b, ways.up.sorted fs, ways.down.sorted fs)
