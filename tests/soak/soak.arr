-- What soak.c calls from eight threads.

entry total [n] (xs: [n]f64): f64 = reduce (+) 0.0 xs

entry scaled [n] (by: f64) (xs: [n]f64): [n]f64 = map (\x -> x * by + 1.0) xs

entry kept [n] (xs: [n]f64): ?[k].[k]f64 = filter (> 0.0) xs

entry sums [n] (xs: [n]f64): [n]f64 = scan (+) 0.0 xs

entry bins [n] (xs: [n]f64): [64]i64 =
  hist (+) 0 64 (map (\x -> i64.f64 x & 63) xs) (map (\_ -> 1) xs)

def sort [n] (xs: [n]f64): []f64 =
  if n < 2 then xs
  else
    let pivot = xs[n / 2]
    let low = sort (filter (< pivot) xs)
    let high = sort (filter (> pivot) xs)
    in low ++ filter (== pivot) xs ++ high

entry sorted [n] (xs: [n]f64): ?[m].[m]f64 = sort xs

def double [n] (xs: [n]f64): []f64 =
  if n < 2 then map (* 2.0) xs else double (take (n / 2) xs) ++ double (drop (n / 2) xs)

-- Its calls become tasks.
entry doubled [n] (xs: [n]f64): ?[m].[m]f64 = double xs

-- Its passes become tasks.
entry both [n] [m] (xs: [n]f64) (ys: [m]f64): ([n]f64, f64) =
  (scan (\a x -> a * 0.5 + x) 0.0 xs, fold (\a y -> y - a) 0.0 ys)

-- Steps with buffers of their own: arrays that are made by turns, and an array that grows.
def rounds (k: i64): (i64, i64) =
  let (a, b) = loop (a, b) = (iota k, replicate k 1) for i < 5 do
    (tabulate k (\j -> a[j] + b[(j + 1) % k] + i), tabulate k (\j -> b[k - 1 - j] + i))
  let ys = loop (ys: []i64) = [k] for i < k do ys ++ [i * k]
  in (i64.sum a + i64.sum b, ys[length ys / 2])

entry buffered [n] (xs: [n]f64): [n]f64 =
  map (\x -> let (sum, middle) = rounds (i64.f64 x & 63) in f64.i64 (sum + middle)) xs

-- The same in tasks.
def parts [n] (xs: [n]f64): i64 =
  if n < 2 then i64.sum (map (\x -> (rounds (i64.f64 x & 63)).0) xs)
  else parts (take (n / 2) xs) + parts (drop (n / 2) xs)

entry buffered_parts [n] (xs: [n]f64): i64 = parts xs

-- A step fails when its buffers have arrays.
entry buffered_until [n] (xs: [n]f64) (last: i64): [n]f64 =
  map_index (\i x ->
    let k = (i64.f64 x & 63) + 1
    let a = loop a = iota k for t < 3 do tabulate k (\j -> a[(j + t) % k] + t)
    let ys = loop (ys: []i64) = [0] for j < k do ys ++ [a[j]]
    in f64.i64 (ys[if i == last then -1 - k else k])) xs

-- What fails: an index, in a pass and in one of the tasks; memory beyond the limit of the context; calls that end when they
-- are cancelled, in a pass and in a loop.

entry picked [n] [m] (xs: [n]f64) (is: [m]i64): [m]f64 = map (\i -> xs[i]) is

def broken [n] (xs: [n]f64): []f64 =
  if n < 2 then [xs[2 * n]]
  else
    let pivot = xs[n / 2]
    in broken (filter (< pivot) xs) ++ broken (filter (>= pivot) xs)

entry wrong [n] (xs: [n]f64): ?[m].[m]f64 = broken xs

entry large (n: i64): [n]f64 = map f64.i64 (iota n)

entry at_once (n: i64): f64 = reduce (+) 0.0 (map (\i -> f64.sqrt (f64.i64 i)) (iota n))

entry spin (n: i64): i64 = loop x = n while x != 0 do (x * 5 + 1) | 1

entry either [n] [m] [l] (xs: [n]f64) (is: [m]i64) (js: [l]i64): (f64, f64) =
  (fold (\a i -> a * 0.5 + xs[i]) 0.0 is, fold (\a j -> a * 0.25 + xs[j]) 0.0 js)

entry spin_both (n: i64) (m: i64): (i64, i64) =
  (loop x = 5 for i < n do (x * 5 + i) | 1, loop y = 7 for j < m do (y * 3 + j) | 1)
