-- Calls with an effect happen exactly once each, in the program's order, however it is compiled.
-- ==
-- link: effects.c

-- | Writes a number into the log.
#[effect(io)]
external note (x: i64): ()

-- | Writes a number into the log, and gives it.
#[effect(io)]
external tick (x: i64): i64

-- | What is in the log, which is empty afterwards.
#[effect(io)]
external notes: []i64

-- | No effect.
external plain (x: i64): i64

-- ==
-- entry: sequence
-- input { 5i64 } output { [5i64, 6i64, 5i64] }
entry sequence (n: i64): []i64 =
  let () = note n
  let () = note (n + 1)
  let () = note n
  in notes

-- Nobody uses what the second gives, and the third is a call like the first.
-- ==
-- entry: unused
-- input { 5i64 } output { [5i64, 6i64, 5i64] 10i64 }
entry unused (n: i64): ([]i64, i64) =
  let a = tick n
  let _b = tick (n + 1)
  let c = tick n
  in (notes, a + c)

-- ==
-- entry: in_map
-- input { [3i64, 1i64, 2i64] } output { [3i64, 1i64, 2i64] [6i64, 2i64, 4i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) }
entry in_map [n] (xs: [n]i64): ([]i64, [n]i64) =
  let ys = map tick xs
  in (notes, map (* 2) ys)

-- A `map` whose array nobody uses.
-- ==
-- entry: only_for_effect
-- input { [3i64, 1i64] } output { [3i64, 1i64, 4i64, 2i64] }
-- structure only_for_effect { allocations 0 }
entry only_for_effect [n] (xs: [n]i64): []i64 =
  let _ = map tick xs
  let _ = map (\x -> tick (x + 1)) xs
  in notes

-- Two maps with effects over one array: all of the first, then all of the second; the pure ones share
-- passes with them.
-- ==
-- entry: two_maps
-- input { [3i64, 1i64] } output { [3i64, 1i64, 30i64, 10i64] [4i64, 2i64] [60i64, 20i64] 44i64 }
-- structure two_maps none { clusters 6 } stream { clusters 5 } ilp { clusters 2 }
entry two_maps [n] (xs: [n]i64): ([]i64, [n]i64, [n]i64, i64) =
  let as = map tick xs
  let bs = map (+ 1) as
  let cs = map (\x -> tick (10 * x)) xs
  let ds = map (* 2) cs
  let s = reduce (+) 0 (map2 (\a c -> a + c) as cs)
  in (notes, bs, ds, s)

-- Section 6.3 of 003: the producer has an effect, and its elements do not depend on it. Producer and consumer are one loop.
-- ==
-- entry: pure_value
-- input { [3i64, 1i64] } output { [3i64, 1i64] [7i64, 3i64] }
-- structure pure_value ilp { clusters 1 arrays 0 loops 1 } none { clusters 2 arrays 1 }
entry pure_value [n] (xs: [n]i64): ([]i64, [n]i64) =
  let prod = map (\x -> let () = note x in 2 * x) xs
  let cons = map (+ 1) prod
  in (notes, cons)

-- Here the elements are results of the effect. Section 6.3 leaves two loops, since it would copy the call into the consumer.
-- Here the loop hands each element over, so one loop calls once.
-- ==
-- entry: value_of_effect
-- input { [3i64, 1i64] } output { [3i64, 1i64] [4i64, 2i64] }
-- structure value_of_effect ilp { clusters 1 arrays 0 loops 1 } none { clusters 2 arrays 1 }
entry value_of_effect [n] (xs: [n]i64): ([]i64, [n]i64) =
  let prod = map tick xs
  let cons = map (+ 1) prod
  in (notes, cons)

-- The producer is pure, and the consumer has the effect: one loop.
-- ==
-- entry: pure_producer
-- input { [3i64, 1i64] } output { [6i64, 2i64] [6i64, 2i64] }
-- structure pure_producer ilp { clusters 1 arrays 0 loops 1 } none { clusters 2 arrays 1 }
entry pure_producer [n] (xs: [n]i64): ([]i64, [n]i64) =
  let prod = map (* 2) xs
  let cons = map tick prod
  in (notes, cons)

-- Both have effects, so all effects of the producer come before those of the consumer: two loops.
-- ==
-- entry: both_effects
-- input { [3i64, 1i64] } output { [3i64, 1i64, 7i64, 3i64] [7i64, 3i64] }
-- structure both_effects ilp { clusters 2 arrays 1 loops 2 }
entry both_effects [n] (xs: [n]i64): ([]i64, [n]i64) =
  let prod = map (\x -> let () = note x in 2 * x) xs
  let cons = map (\x -> tick (x + 1)) prod
  in (notes, cons)

-- A call between them does not keep pure neighbours apart.
-- ==
-- entry: across
-- input { [3i64, 1i64] } output { [1i64] [8i64, 4i64] }
-- structure across { clusters 1 arrays 0 }
entry across [n] (xs: [n]i64): ([]i64, [n]i64) =
  let ys = map (+ 1) xs
  let () = note 1
  let log = notes
  in (log, map (* 2) ys)

-- ==
-- entry: in_filter
-- input { [3i64, 1i64, 2i64] } output { [3i64, 1i64, 2i64] [3i64, 2i64] }
entry in_filter [n] (xs: [n]i64): ([]i64, []i64) =
  let ys = filter (\x -> tick x > 1) xs
  in (notes, ys)

-- The worker behind a filter runs for what is left.
-- ==
-- entry: behind_filter
-- input { [3i64, 1i64, 2i64] } output { [30i64, 20i64] 50i64 }
entry behind_filter [n] (xs: [n]i64): ([]i64, i64) =
  let ys = filter (> 1) xs
  let s = reduce (+) 0 (map (\y -> tick (10 * y)) ys)
  in (notes, s)

-- ==
-- entry: in_fold
-- input { [3i64, 1i64, 2i64] } output { [0i64, 3i64, 4i64] 6i64 }
entry in_fold [n] (xs: [n]i64): ([]i64, i64) =
  let s = fold (\acc x -> tick acc + x) 0 xs
  in (notes, s)

-- A reduction with an effect is a fold.
-- ==
-- entry: in_reduce
-- input { [3i64, 1i64, 2i64] } output { [0i64, 3i64, 4i64] 6i64 }
entry in_reduce [n] (xs: [n]i64): ([]i64, i64) =
  let s = reduce (\a x -> tick a + x) 0 xs
  in (notes, s)

-- ==
-- entry: unused_fold
-- input { [3i64, 1i64, 2i64] } output { [3i64, 1i64, 2i64] }
entry unused_fold [n] (xs: [n]i64): []i64 =
  let _ = fold (\acc x -> acc + tick x) 0 xs
  in notes

-- ==
-- entry: in_scan
-- input { [3i64, 1i64, 2i64] } output { [3i64, 1i64, 2i64] [3i64, 4i64, 6i64] }
entry in_scan [n] (xs: [n]i64): ([]i64, [n]i64) =
  let ys = scan (+) 0 (map tick xs)
  in (notes, ys)

-- ==
-- entry: in_generate
-- input { 3i64 } output { [0i64, 1i64, 2i64] [0i64, 1i64, 2i64] }
-- input { 0i64 } output { empty([0]i64) empty([0]i64) }
entry in_generate (n: i64): ([]i64, [n]i64) =
  let ys = generate n tick
  in (notes, ys)

-- ==
-- entry: in_branch
-- input { true 4i64 } output { [4i64] 4i64 }
-- input { false 4i64 } output { empty([0]i64) 5i64 }
entry in_branch (c: bool) (n: i64): ([]i64, i64) =
  let r = if c then tick n else n + 1
  in (notes, r)

-- A branch that gives nothing.
-- ==
-- entry: in_silent_branch
-- input { true 4i64 } output { [4i64] }
-- input { false 4i64 } output { [5i64, 6i64] }
entry in_silent_branch (c: bool) (n: i64): []i64 =
  let () = if c then note n else (let () = note (n + 1) in note (n + 2))
  in notes

-- ==
-- entry: in_logic
-- input { 1i64 } output { [1i64] false }
-- input { 5i64 } output { [5i64, 6i64] true }
entry in_logic (n: i64): ([]i64, bool) =
  let b = tick n > 2 && tick (n + 1) > 2
  in (notes, b)

-- ==
-- entry: in_loop
-- input { 3i64 } output { [0i64, 1i64, 2i64] }
-- input { 0i64 } output { empty([0]i64) }
entry in_loop (n: i64): []i64 =
  let () = loop () = () for i < n do note i
  in notes

-- ==
-- entry: in_while
-- input { 3i64 } output { [3i64, 2i64, 1i64, 0i64] }
entry in_while (n: i64): []i64 =
  let _ = loop k = n while tick k > 0 do k - 1
  in notes

-- ==
-- entry: nested
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { [1i64, 2i64, 100i64, 3i64, 4i64, 100i64] [3i64, 7i64] }
entry nested [n] [m] (rows: [n][m]i64): ([]i64, [n]i64) =
  let sums = map (\row -> let s = reduce (+) 0 (map tick row) let () = note 100 in s) rows
  in (notes, sums)

-- Functions that call functions with an effect have one.
def both (a: i64) (b: i64): i64 = let x = tick a in x + tick b

-- ==
-- entry: in_function
-- input { 2i64 } output { [2i64, 3i64, 4i64, 5i64] 14i64 }
entry in_function (n: i64): ([]i64, i64) =
  let s = both n (n + 1) + both (n + 2) (n + 3)
  in (notes, s)

def down (n: i64): () = if n < 0 then () else let () = note n in down (n - 1)

-- ==
-- entry: in_recursion
-- input { 3i64 } output { [3i64, 2i64, 1i64, 0i64, 7i64] }
entry in_recursion (n: i64): []i64 =
  let () = down n
  let () = note 7
  in notes

def even (n: i64): i64 = if n <= 0 then 0 else 1 + odd (n - 1)
def odd (n: i64): i64 = if n <= 0 then 0 else tick n + even (n - 1)

-- ==
-- entry: in_mutual_recursion
-- input { 4i64 } output { [1i64, 3i64] 6i64 }
entry in_mutual_recursion (n: i64): ([]i64, i64) =
  let r = even n
  let log = notes
  in (map (\i -> log[length log - 1 - i]) (iota (length log)), r)

def twice (f: i64 -> i64) (x: i64): i64 = f (f x)

-- ==
-- entry: as_value
-- input { 4i64 } output { [4i64, 5i64] 6i64 }
entry as_value (n: i64): ([]i64, i64) =
  let r = twice (\x -> tick x + 1) n
  in (notes, r)

-- Arguments before calls, from left to right.
-- ==
-- entry: arguments
-- input { 1i64 } output { [1i64, 2i64, 3i64] 321i64 }
entry arguments (n: i64): ([]i64, i64) =
  let place (a: i64) (b: i64) (c: i64) = a + 10 * b + 100 * c
  let r = place (tick n) (tick (n + 1)) (tick (n + 2))
  in (notes, r)

-- What has no effect may run once for two calls, or not at all; here nobody can tell.
-- ==
-- entry: pure_ones
-- input { 4i64 } output { 8i64 }
entry pure_ones (n: i64): i64 =
  let _unused = plain 9
  in plain n + plain n

-- A failing call is the end of the entry; what happened before has happened.
-- ==
-- entry: failing
-- input { 2i64 } output { [2i64, 3i64] }
-- input { -1i64 } error: the external `note` failed: only natural numbers are noted
-- input { 0i64 } output { [0i64, 1i64] }
entry failing (n: i64): []i64 =
  let () = note n
  let () = note (n + 1)
  in notes

-- An effect, and the position itself as the element.
-- ==
-- entry: positions_with_an_effect
-- input { 3i64 } output { [0i64, 1i64, 2i64] [0i64, 1i64, 2i64] }
entry positions_with_an_effect (n: i64): ([]i64, [n]i64) =
  let ys = tabulate n (\i -> let () = note i in i)
  in (notes, ys)

-- Effects in a branch come before those of a later pass, whatever moves into the branches.
-- ==
-- entry: in_a_branch_of_arrays
-- input { 0i64 [1i64, 4i64] } output { 5i64 [1i64, 4i64, 101i64, 104i64] }
-- input { 2i64 [1i64, 4i64] } output { 7i64 [101i64, 104i64] }
entry in_a_branch_of_arrays [n] (k: i64) (xs: [n]i64): (i64, []i64) =
  let v = if n == k then map (+ 1) xs else map (\x -> let () = note x in x) (reverse (reverse xs))
  let sum = i64.sum v
  let _ = map (\x -> let () = note (x + 100) in x) xs
  in (sum, notes)

-- Nobody uses what the pass gives, and the others change.
-- ==
-- entry: unused_beside_reversed
-- input { [1i64, 2i64] } output { [4i64, 2i64] [2i64, 3i64] }
entry unused_beside_reversed [n] (xs: [n]i64): ([n]i64, []i64) =
  let _ = map (\x -> let () = note (x + 1) in x) xs
  let ys = reverse (map (2 *) xs)
  in (ys, notes)

-- ==
-- entry: unused_behind_a_fold
-- input { [1i64, 2i64] } output { 2i64 [5i64, 6i64] }
entry unused_behind_a_fold [n] (xs: [n]i64): (i64, []i64) =
  let k = i64.sum (xs ++ [1])
  let _ = map (\x -> let () = note (x + k) in x) xs
  in (n, notes)

-- ==
-- entry: unused_positions
-- input { 2i64 } output { [2i64, 2i64] [7i64, 7i64] }
entry unused_positions (n: i64): ([n]i64, []i64) =
  let _ = tabulate n (\_ -> let () = note 7 in 1)
  in (rotate 1 (replicate n n), notes)

-- ==
-- entry: unused_rows
-- input { 2i64 } output { [0i64, 1i64] }
entry unused_rows (n: i64): []i64 =
  let _ = map (\r -> let () = note r[0] in r) (tabulate_2d n 2 (\i _ -> i))
  in notes

-- A branch without an effect, whose result an effect takes, and another effect behind it.
-- ==
-- entry: behind_a_choice
-- input { 1i64 [3i64, 1i64, 2i64] } output { 6i64 [6i64, 1i64] }
-- input { 1i64 empty([0]i64) } output { 0i64 [0i64, 1i64] }
entry behind_a_choice [n] (k: i64) (xs: [n]i64): (i64, []i64) =
  let ys = if n > k then map (* 1) xs else reverse xs
  let sum = i64.sum ys
  let () = note sum
  let () = note k
  in (sum, notes)

-- What can fail, and is the same in each step, does not move before an effect of the first step.
-- ==
-- entry: before_what_fails
-- input { [1i64, 2i64] 0i64 0i64 } output { [7i64] }
-- input { [1i64, 2i64] 1i64 2i64 } output { [7i64, 0i64, 1i64] }
entry before_what_fails (xs: []i64) (m: i64) (k: i64): []i64 =
  let () = note 7
  let sum =
    loop s = 0 for i < k do
      let () = note i
      in s + (scan (+) 0 (map (/ m) xs))[i]
  in if sum < 0 then [] else notes

-- ==
-- entry: fails_behind_effects
-- input { [1i64] 0i64 1i64 } error: division by zero
entry fails_behind_effects (xs: []i64) (m: i64) (k: i64): i64 =
  loop s = 0 for i < k do
    let () = note i
    in s + (scan (+) 0 (map (/ m) xs))[i]
