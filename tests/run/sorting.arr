-- `sort`, `sort_by_key` and `order_of`, beside a definition that counts for each element those that come before it. Comparisons
-- that are an operator take another way from a number of elements on, which depends on the width of the type.

-- | How many elements come before that at i.
def rank [n] 'a (le: a -> a -> bool) (xs: [n]a) (i: i64): i64 =
  count (\j -> if j < i then le xs[j] xs[i] else j > i && !(le xs[i] xs[j])) (iota n)

def naive [n] 'a (le: a -> a -> bool) (xs: [n]a): [n]a =
  scatter (copy xs) (map (rank le xs) (iota n)) xs

def equal [n] 'a (eq: a -> a -> bool) (xs: [n]a) (ys: [n]a): bool = and (map2 eq xs ys)

-- | Both directions.
def agree [n] 'a (eq: a -> a -> bool) (up: a -> a -> bool) (down: a -> a -> bool) (xs: [n]a): bool =
  equal eq (sort up xs) (naive up xs) && equal eq (sort down xs) (naive down xs)

-- ==
-- entry: agree_i64
-- input { empty([0]i64) } output { true }
-- input { [3i64] } output { true }
-- input { [3i64, -9223372036854775808i64, 0i64, 9223372036854775807i64, -1i64, 3i64] } output { true }
-- random input { [8]i64 } output { true }
-- random input { [17]i64 } output { true }
-- random input { [63]i64 } output { true }
-- random input { [64]i64 } output { true }
-- random input { [301]i64 } output { true }
entry agree_i64 [n] (xs: [n]i64): bool = agree (==) (<=) (>=) xs

-- | Few values, of which most digits are equal.
-- ==
-- entry: agree_few
-- random input { [300]i64 } output { true }
entry agree_few [n] (xs: [n]i64): bool =
  agree (==) (<=) (>=) (map (% 7) xs) && agree (==) (<=) (>=) (map (\x -> (x % 3 - 1) * 1000000) xs)
  && agree (==) (<=) (>=) (map (\_ -> 5i64) xs)

-- ==
-- entry: agree_f64
-- random input { [63]f64 } output { true }
-- random input { [300]f64 } output { true }
entry agree_f64 [n] (xs: [n]f64): bool = agree (==) (<=) (>=) (map (\x -> 1e10 * (x - 0.5)) xs)

-- | Comparisons that are an operator, however they are written, and one that is none.
-- ==
-- entry: forms
-- random input { [300]i32 } output { true }
entry forms [n] (xs: [n]i32): bool =
  let upwards (x: i32) (y: i32): bool = x <= y
  let up = sort (<=) xs
  in equal (==) (sort (\x y -> y >= x) xs) up && equal (==) (sort upwards xs) up
     && equal (==) (reverse (sort (\x y -> !(x < y)) xs)) up

-- | Equal keys keep the order of their elements.
-- ==
-- entry: stable
-- random input { [300]i64 } output { true }
-- random input { [20]i64 } output { true }
entry stable [n] (xs: [n]i64): bool =
  let keys = map (% 4) xs
  let by le = equal (==) (order_of le keys) (naive (\i j -> le keys[i] keys[j]) (iota n))
  let pairs = zip keys (iota n)
  in by (<=) && by (>=) && by (\x y -> x / 2 <= y / 2)
     && equal (==) (sort_by_key (.0) (<=) pairs) (naive (\p q -> p.0 <= q.0) pairs)
     && equal (==) (sort_by_key (.0) (>=) pairs) (naive (\p q -> p.0 >= q.0) pairs)

-- | Pairs in the order of their first part and then of their second one.
-- ==
-- entry: pairs
-- random input { [50]i64 } output { true }
-- random input { [9]i64 } output { true }
entry pairs [n] (xs: [n]i64): bool =
  let before p q = p.0 < q.0 || (p.0 == q.0 && p.1 <= q.1)
  let ps = map (\x -> (x % 5, f64.i64 x)) xs
  in equal (==) (sort before ps) (naive before ps)

-- | What is no number is above all numbers, and zeros of both signs keep their order; for few and for many elements.
-- ==
-- entry: not_numbers
-- input { [1.0, f64.nan, -f64.inf, 0.0, -0.0, 0.0, f64.inf, -1.0] }
-- output { [-f64.inf, -1.0, 0.0, -0.0, 0.0, 1.0, f64.inf, f64.nan] [f64.nan, f64.inf, 1.0, 0.0, -0.0, 0.0, -1.0, -f64.inf] true }
entry not_numbers [n] (xs: [n]f64): ([n]f64, [n]f64, bool) =
  let bits = map f64.to_bits
  let many [m] (xs: [m]f64): [40 * m]f64 = flatten (replicate 40 xs)
  -- Each element of the short array 40 times, zeros in the order in which they stand.
  let each [m] (xs: [m]f64): [m * 40]f64 = flatten (map (\x -> replicate 40 x) xs)
  let order = map (\x -> f64.order x) (sort (<=) (many xs))
  in (sort (<=) xs,
      sort (>=) xs,
      and (map2 (==) order (map f64.order (each (sort (<=) xs)) :> [40 * n]u64))
      && and (map2 (==) (bits (sort (\x y -> x <= y) xs)) (bits (sort (<=) xs))))

-- | By digits as by merging, of more elements than are counted one by one.
-- ==
-- entry: many
-- input { 2000i64 } output { true }
-- input { 1025i64 } output { true }
entry many (n: i64): bool =
  let xs = generate n (\i -> (i * 0x5851_f42d_4c95_7f2d) >> 20)
  in equal (==) (sort (<=) xs) (sort (\x y -> !(y < x)) xs)

-- | Already in order, and the other way round.
-- ==
-- entry: in_order
-- input { 100i64 } output { true }
-- input { 300i64 } output { true }
entry in_order (n: i64): bool =
  let le x y = !(y < x)
  in equal (==) (sort le (iota n)) (iota n) && equal (==) (sort (<=) (iota n)) (iota n)
     && equal (==) (sort le (reverse (iota n))) (iota n)
     && equal (==) (sort (<=) (reverse (iota n))) (iota n)

-- | Rows in the order of their first elements.
-- ==
-- entry: rows
-- input { [[3i64, 1i64], [1i64, 2i64], [2i64, 3i64]] } output { [[1i64, 2i64], [2i64, 3i64], [3i64, 1i64]] }
entry rows [n] (xss: [n][2]i64): [n][2]i64 = sort_by_key (\row -> row[0]) (<=) xss

-- ==
-- entry: runs
-- input { [1, 1, 2, 3, 3, 3, 1] } output { [1, 2, 3, 1] [2i64, 1i64, 3i64, 1i64] [1, 2, 3, 1] }
-- input { [5] } output { [5] [1i64] [5] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i64) empty([0]i32) }
entry runs [n] (xs: [n]i32): ?[k][m].([k]i32, [k]i64, [m]i32) =
  let (values, counts) = run_lengths (==) xs
  in (values, counts, unique (==) xs)

-- One pass, which reads the array and its runs' first elements.
-- ==
-- entry: only_runs
-- input { [1, 1, 2, 3, 3, 3, 1] } output { [1, 2, 3, 1] [2, 1, 3, 1] }
-- random input { [0]i64 }
-- random input { [1]i64 }
-- random input { [5000]i64 }
-- structure ilp { clusters 1 arrays 0 }
entry only_runs [n] (xs: [n]i64): ?[k].([k]i64, [k]i64) = run_lengths (\x y -> x % 4 == y % 4) xs

-- | Many numbers, which networks do not sort: in order, and the same numbers as before.
-- ==
-- entry: longer
-- random input { [129]i64 } output { true }
-- random input { [2000]i64 } output { true }
entry longer [n] (xs: [n]i64): bool =
  let up = sort (<=) xs
  let hash (x: i64): i64 = (x ^ (x >> 17)) * 6364136223846793005
  let order = order_of (<=) xs
  in all (\i -> i == 0 || up[i - 1] <= up[i]) (iota n) && equal (==) (reverse (sort (>=) xs)) up
     && i64.sum (map hash xs) == i64.sum (map hash up) && equal (==) (gather xs order) up
     && all (\i -> i == 0 || up[i - 1] < up[i] || order[i - 1] < order[i]) (iota n)

-- | Each row in order, in its place of the matrix.
-- ==
-- entry: each_row
-- input { [[3.0, f64.nan, -1.0, 2.0], [0.0, -0.0, 0.0, -2.0]] } output { [[-1.0, 2.0, 3.0, f64.nan], [-2.0, 0.0, -0.0, 0.0]] [2.0, -0.0] }
-- input { empty([0][3]f64) } output { empty([0][3]f64) empty([0]f64) }
entry each_row [n] [m] (xss: [n][m]f64): ([n][m]f64, [n]f64) =
  (map (sort (<=)) xss, map (\xs -> (sort (<=) xs)[m / 2 - 1]) xss)
