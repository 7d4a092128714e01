-- Passes and loops of a block that do not depend on each other: they run at the same time, and give and say the same.

def decay [n] (by: f64) (xs: [n]f64): f64 = fold (\a x -> a * by + x) 0.0 xs

-- ==
-- entry: two_folds
-- input { empty([0]f64) [1.0] } output { 0.0f64 1.0f64 }
-- input { [1.0, 2.0, 4.0] [8.0, 4.0] } output { 5.25f64 6.0f64 }
entry two_folds [n] [m] (xs: [n]f64) (ys: [m]f64): (f64, f64) = (decay 0.5 xs, decay 0.25 ys)

def digits [n] (base: i64) (xs: [n]i64): i64 = fold (\a x -> a * base + x) 0 xs

-- A task has the passes that need what its first pass gives.
-- ==
-- entry: chains
-- input { 5i64 7i64 } output { 1924248i64 }
entry chains (n: i64) (m: i64): i64 =
  let xs = iota n
  let ys = iota m
  let a = digits 10 xs
  let b = digits 3 ys
  let c = fold (\s x -> (s * 7 + x * a) % 1000003) 1 xs
  let d = fold (\s y -> (s * 5 + y * b) % 1000003) 1 ys
  in digits 2 [a, b, c, d]

-- The first failure in the order of the program is the one that is told, also if a later pass of an earlier task fails.
def found [n] (xs: [n]i64) (is: []i64): i64 = fold (\a i -> a * 3 + xs[i]) 0 is

-- ==
-- entry: failing
-- input { [1i64, 2i64] [0i64] [1i64] [0i64, 1i64] } output { 123i64 }
-- input { [1i64, 2i64] [7i64] [8i64] [9i64] } error: index 7 is out of bounds
-- input { [1i64, 2i64] [0i64] [8i64] [9i64] } error: index 8 is out of bounds
-- input { [1i64, 2i64] [0i64] [0i64] [9i64] } error: index 9 is out of bounds
-- input { [1i64, 2i64] [0i64] [0i64] [1i64, -1i64] } error: index -1 is out of bounds
entry failing [n] (xs: [n]i64) (is: []i64) (js: []i64) (ks: []i64): i64 =
  let a = found xs is
  let b = found xs js
  let c = fold (\s k -> s * a + xs[k]) 0 ks
  in digits 10 [a, b, c]

-- Arrays that tasks make and give, and arrays that end in them.
def running [n] (by: i64) (xs: [n]i64): [n]i64 = scan (\a x -> a * by + x) 0 xs

-- ==
-- entry: arrays
-- structure { clusters 2 arrays 0 loops 2 allocations 2 allocated 2 }
-- input { 4i64 3i64 } output { [0i64, 1i64, 4i64, 11i64] [0i64, 1i64, 5i64] 139i64 }
entry arrays (n: i64) (m: i64): ([n]i64, [m]i64, i64) =
  let xs = running 2 (iota n)
  let ys = running 3 (iota m)
  in (xs, ys, digits 10 xs - digits 7 ys)

-- Updates in place of arrays that end with the loops.
-- ==
-- entry: counts
-- input { 3i64 20i64 15i64 } output { [30.09375f64, 34.667236328125f64, 0.0f64] [14.6728515625f64, 16.0048828125f64, 17.3369140625f64] }
entry counts (k: i64) (n: i64) (m: i64): ([k]f64, [k]f64) =
  let a =
    loop bins = replicate k 0.0 for i < n do
      bins with [i * i % k] = bins[i * i % k] * 0.5 + f64.i64 i
  let b =
    loop bins = replicate k 1.0 for i < m do bins with [i % k] = bins[i % k] * 0.25 + f64.i64 i
  in (a, b)

-- In a loop, each turn has its tasks.
-- ==
-- entry: turns
-- input { 3i64 10i64 } output { 221601i64 252008i64 }
entry turns (t: i64) (n: i64): (i64, i64) =
  loop (a, b) = (1, 2) for i < t do
    (fold (\s x -> (s * 31 + x * b) % 1000003) a (iota n),
     fold (\s x -> (s * 17 + x + a) % 1000033) b (iota (n + i)))

-- More passes than a group has tasks.
-- ==
-- entry: many
-- input { 6i64 } output { 5315016169079314i64 }
entry many (n: i64): i64 =
  let of (k: i64): i64 = digits k (iota (n + k))
  in digits 2 [of 2, of 3, of 4, of 5, of 6, of 7, of 8, of 9, of 10, of 11]

-- A call that uses one thread, beside a pass.
def collatz (n: i64) (turns: i64) (xs: [2]i64): i64 =
  if n == 1 then turns + xs[0] else collatz (if n % 2 == 0 then n / 2 else 3 * n + 1) (turns + 1) xs

-- ==
-- entry: beside_a_call
-- input { 27i64 [5i64, 3i64] [1i64, 0i64, 2i64] } output { 116000011i64 }
entry beside_a_call [n] (k: i64) (xs: [2]i64) (ys: [n]i64): i64 =
  collatz k 0 xs * 1000000 + digits 3 ys

-- A sum that runs on several threads comes first, if no pass before it can fail.
-- ==
-- entry: around_a_sum
-- input { [1i64, 2i64, 3i64] [4i64, 5i64] [6i64] } output { 123i64 9i64 6i64 }
entry around_a_sum [n] [m] [l] (xs: [n]i64) (ys: [m]i64) (zs: [l]i64): (i64, i64, i64) =
  (digits 10 xs, sum ys, digits 7 zs)

-- Choices with passes inside.
-- ==
-- entry: choices
-- input { true 5i64 4i64 } output { 1234i64 5i64 }
-- input { false 5i64 4i64 } output { 18i64 122068i64 }
entry choices (p: bool) (n: i64) (m: i64): (i64, i64) =
  let a = if p then digits 10 (iota n) else digits 3 (iota m)
  let b = if p then n else digits 5 (iota (n + m))
  in (a, b)
