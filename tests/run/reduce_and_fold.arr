-- `reduce`, `reduce_comm` and `fold`: no, one and more elements; several accumulators; strict order.

-- ==
-- entry: sums
-- input { [1i64, 2i64, 3i64] } output { 6i64 6i64 6i64 }
-- input { [5i64] } output { 5i64 5i64 5i64 }
-- input { empty([0]i64) } output { 0i64 0i64 0i64 }
entry sums [n] (xs: [n]i64): (i64, i64, i64) =
  (reduce (+) 0 xs, reduce_comm (+) 0 xs, fold (+) 0 xs)

-- A fold goes from the left: each step depends on the one before.
-- ==
-- entry: horner
-- input { [1i64, 2i64, 3i64] 10i64 } output { 123i64 }
-- input { empty([0]i64) 10i64 } output { 0i64 }
entry horner [n] (digits: [n]i64) (base: i64): i64 = fold (\acc d -> acc * base + d) 0 digits

-- ==
-- entry: differences
-- input { [1, 2, 3] } output { -6 }
entry differences [n] (xs: [n]i32): i32 = foldl (-) 0 xs

-- Floats are added in the order of writing: here 1 is lost to 1e16 unless it comes last.
-- ==
-- entry: strict
-- input { [1e16, 1.0, -1e16, 1.0] } output { 1.0 }
-- input { [1.0, 1e16, -1e16, 1.0] } output { 1.0 }
-- input { [1e16, -1e16, 1.0, 1.0] } output { 2.0 }
-- input { [1.0, 1.0, 1e16, -1e16] } output { 2.0 }
-- input { [1e16, 1.0, 1.0, -1e16] } output { 0.0 }
entry strict [n] (xs: [n]f64): f64 = fold (+) 0 xs

-- ==
-- entry: strict_f32
-- input { [1.0f32, 1e8f32, -1e8f32] } output { 0.0f32 }
-- input { [1e8f32, -1e8f32, 1.0f32] } output { 1.0f32 }
entry strict_f32 [n] (xs: [n]f32): f32 = fold (+) 0 xs

-- The accumulator need not be of the elements' type.
-- ==
-- entry: mean_and_range
-- input { [1.0, 4.0, 7.0] } output { 3i64 4.0 1.0 7.0 }
-- input { [2.5] } output { 1i64 2.5 2.5 2.5 }
entry mean_and_range [n] (xs: [n]f64): (i64, f64, f64, f64) =
  let step acc x =
    { count = acc.count + 1
    , sum = acc.sum + x
    , low = f64.min acc.low x
    , high = f64.max acc.high x }
  let all = fold step {count = 0i64, sum = 0.0, low = f64.inf, high = -f64.inf} xs
  in (all.count, all.sum / f64.i64 all.count, all.low, all.high)

-- ==
-- entry: largest_with_place
-- input { [3i64, 9i64, 2i64, 9i64] } output { 9i64 1i64 }
-- input { [-4i64] } output { -4i64 0i64 }
-- input { empty([0]i64) } output { -9223372036854775808i64 0i64 }
entry largest_with_place [n] (xs: [n]i64): (i64, i64) =
  fold (\(m, at) (x, i) -> if x > m then (x, i) else (m, at)) (i64.lowest, 0) (zip xs (iota n))

-- ==
-- entry: products
-- input { [2u8, 3u8, 100u8] } output { 88u8 }
-- input { empty([0]u8) } output { 1u8 }
entry products [n] (xs: [n]u8): u8 = reduce (*) 1 xs

-- ==
-- entry: of_bools
-- input { [true, false, true] } output { true }
entry of_bools [n] (xs: [n]bool): bool = reduce_comm (!=) false xs == false

-- Three folds of one array, and a fold that needs another's result.
-- ==
-- entry: variance
-- input { [1.0, 2.0, 3.0, 4.0] } output { 2.5 1.25 }
entry variance [n] (xs: [n]f64): (f64, f64) =
  let mean = reduce (+) 0 xs / f64.i64 n
  in (mean, reduce (+) 0 (map (\x -> (x - mean) * (x - mean)) xs) / f64.i64 n)

-- A reduction of four numbers that is associative, but not commutative: matrices.
-- ==
-- entry: matrices
-- input { [1i64, 2i64, 3i64] } output { 1i64 6i64 0i64 1i64 }
-- input { empty([0]i64) } output { 1i64 0i64 0i64 1i64 }
entry matrices [n] (xs: [n]i64): (i64, i64, i64, i64) =
  let times (a, b, c, d) (e, f, g, h) = (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
  in reduce times (1, 0, 0, 1) (map (\x -> (1, x, 0, 1)) xs)

-- The first of the elements, by an associative operator that drops its right side.
-- ==
-- entry: first_nonzero
-- input { [0, 0, 7, 0, 9] } output { 7 }
-- input { [0, 0] } output { 0 }
entry first_nonzero [n] (xs: [n]i32): i32 = reduce (\a b -> if a != 0 then a else b) 0 xs

-- ==
-- entry: in_steps
-- input { 1000i64 } output { 499500i64 332833500i64 }
-- input { 0i64 } output { 0i64 0i64 }
entry in_steps (n: i64): (i64, i64) =
  let xs = iota n
  in (reduce (+) 0 xs, fold (\s x -> s + x * x) 0 xs)
