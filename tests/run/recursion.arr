-- Recursive definitions over scalars and arrays, also of one another.

def gcd (a: i64) (b: i64): i64 = if b == 0 then a else gcd b (a % b)

-- ==
-- entry: divisor
-- input { 48i64 36i64 } output { 12i64 }
-- input { 17i64 0i64 } output { 17i64 }
entry divisor (a: i64) (b: i64): i64 = gcd a b

def fib (n: i64): i64 = if n < 2 then n else fib (n - 1) + fib (n - 2)

-- ==
-- entry: fibonacci
-- input { 20i64 } output { 6765i64 }
-- input { 0i64 } output { 0i64 }
entry fibonacci (n: i64): i64 = fib n

def even (n: i64): bool = if n == 0 then true else odd (n - 1)
def odd (n: i64): bool = if n == 0 then false else even (n - 1)

-- ==
-- entry: parity
-- input { 10i64 } output { true false }
-- input { 7i64 } output { false true }
entry parity (n: i64): (bool, bool) = (even n, odd n)

def quicksort [n] (xs: [n]i64): ?[m].[m]i64 =
  if n <= 1 then xs
  else let pivot = xs[n / 2]
       in quicksort (filter (< pivot) xs)
          ++ filter (== pivot) xs
          ++ quicksort (filter (> pivot) xs)

-- ==
-- entry: sorted
-- input { [3i64, 1i64, 4i64, 1i64, 5i64, 9i64, 2i64, 6i64] }
-- output { [1i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 9i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
-- input { [7i64] } output { [7i64] }
-- input { [2i64, 2i64, 2i64] } output { [2i64, 2i64, 2i64] }
entry sorted [n] (xs: [n]i64): ?[m].[m]i64 = quicksort xs

-- Sums of the elements at even and at odd places, by turns.
def evens [n] (i: i64) (xs: [n]i64): i64 = if i >= n then 0 else xs[i] + odds (i + 1) xs
def odds [n] (i: i64) (xs: [n]i64): i64 = if i >= n then 0 else evens (i + 1) xs

-- ==
-- entry: by_turns
-- input { [1i64, 20i64, 3i64, 40i64, 5i64] } output { 9i64 60i64 }
-- input { empty([0]i64) } output { 0i64 0i64 }
entry by_turns [n] (xs: [n]i64): (i64, i64) = (evens 0 xs, odds 0 xs)

-- A recursive function that takes a function.
def iterate 'a (k: i64) (f: a -> a) (x: a): a = if k == 0 then x else iterate (k - 1) f (f x)

-- ==
-- entry: iterated
-- input { 10i64 1i64 } output { 1024i64 7.0 }
-- input { 0i64 5i64 } output { 5i64 2.0 }
entry iterated (k: i64) (x: i64): (i64, f64) = (iterate k (* 2) x, iterate k (+ 0.5) 2.0)

-- Arrays on the way: halve until one is left.
def halve [n] (xs: [n]i64): ?[m].[m]i64 =
  if n <= 1 then xs
  else halve
         (map (\i -> xs[2 * i] + (if 2 * i + 1 < n then xs[2 * i + 1] else 0)) (iota ((n + 1) / 2)))

-- ==
-- entry: tree_sum
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] } output { [15i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry tree_sum [n] (xs: [n]i64): ?[m].[m]i64 = halve xs

-- Several results, one of them an array.
def split_by [n] (p: i64 -> bool) (depth: i64) (xs: [n]i64): ?[k].([k]i64, i64) =
  let ys = filter p xs
  in if length ys == n then (ys, depth) else split_by p (depth + 1) ys

-- ==
-- entry: settled
-- input { [1i64, -1i64, 2i64] } output { [1i64, 2i64] 1i64 }
-- input { [1i64] } output { [1i64] 0i64 }
entry settled [n] (xs: [n]i64): ?[k].([k]i64, i64) = split_by (> 0) 0 xs

-- Recursion in the worker of a map.
-- ==
-- entry: in_workers
-- input { [12i64, 18i64, 7i64] 6i64 } output { [6i64, 6i64, 1i64] }
entry in_workers [n] (xs: [n]i64) (k: i64): [n]i64 = map (gcd k) xs

def ackermann (m: i64) (n: i64): i64 =
  if m == 0 then n + 1
  else if n == 0 then ackermann (m - 1) 1
  else ackermann (m - 1) (ackermann m (n - 1))

-- ==
-- entry: nested_calls
-- input { 2i64 3i64 } output { 9i64 }
entry nested_calls (m: i64) (n: i64): i64 = ackermann m n
