-- `assert`, and sizes that are checked.

-- ==
-- entry: half
-- input { 8i64 } output { 4i64 }
-- input { 7i64 } error: assertion failed: n % 2 == 0, where n is 7
entry half (n: i64): i64 = assert (n % 2 == 0) (n / 2)

-- The condition is looked at before the value is computed.
-- ==
-- entry: before
-- input { 8i64 2i64 } output { 4i64 }
-- input { 8i64 0i64 } error: assertion failed: d != 0, where d is 0
entry before (n: i64) (d: i64): i64 = assert (d != 0) (n / d)

-- ==
-- entry: several
-- input { 1i32 2.5 true } output { 1 }
-- input { 3i32 2.5 true } error: where x is 3 and y is 2.5 and ok is true
-- input { 1i32 0.25 true } error: where x is 1 and y is 0.25 and ok is true
-- input { 1i32 1e300 false } error: where x is 1 and y is .* and ok is false
entry several (x: i32) (y: f64) (ok: bool): i32 = assert (f64.i32 x < y && ok) x

-- ==
-- entry: unsigned_value
-- input { 18446744073709551615u64 } error: where x is 18446744073709551615
-- input { 3u64 } output { 3u64 }
entry unsigned_value (x: u64): u64 = assert (x < 10) x

-- ==
-- entry: narrow
-- input { -3i8 0.1f32 } error: where x is -3 and y is 0.1
entry narrow (x: i8) (y: f32): i8 = assert (f32.i8 x > y) x

-- ==
-- entry: in_a_worker
-- input { [1, 2, 3] } output { [2, 4, 6] }
-- input { [1, -2, 3] } error: assertion failed: x > 0, where x is -2
-- input { empty([0]i32) } output { empty([0]i32) }
entry in_a_worker [n] (xs: [n]i32): [n]i32 = map (\x -> assert (x > 0) (x * 2)) xs

-- ==
-- entry: in_a_filter
-- input { [1, 2, 3] } output { [2, 3] 5 }
-- input { [1, -2, 3] } error: where x is -2
entry in_a_filter [n] (xs: [n]i32): ?[k].([k]i32, i32) =
  let ys = filter (\x -> assert (x > 0) (x > 1)) xs
  in (ys, i32.sum ys)

-- Only what the filter lets through is looked at.
-- ==
-- entry: behind_a_filter
-- input { [1, -2, 3] } output { [1, 3] }
-- input { [1, -2, 3, 99] } error: where x is 99
entry behind_a_filter [n] (xs: [n]i32): ?[k].[k]i32 =
  map (\x -> assert (x < 50) x) (filter (> 0) xs)

-- ==
-- entry: in_a_fold
-- input { [1, 2, 3] } output { 6 }
-- input { [5, 6, 7] } error: where acc is 11
entry in_a_fold [n] (xs: [n]i32): i32 = fold (\acc x -> assert (acc < 11) (acc + x)) 0 xs

-- An accumulator that only an assertion looks at is computed all the same.
-- ==
-- entry: watched
-- input { [1, 2, 3] } output { 3 }
-- input { [1, 20, 3] } error: where low is 20
entry watched [n] (xs: [n]i32): i32 =
  let (_, count) =
    fold (\(low, count) x -> assert (low < 10) (i32.max low x, count + 1)) (0, 0) xs
  in count

-- ==
-- entry: in_a_branch
-- input { true 3 } output { 3 }
-- input { false 3 } output { 4 }
-- input { true -3 } error: where x is -3
-- input { false -3 } output { -2 }
entry in_a_branch (strict: bool) (x: i32): i32 = if strict then assert (x > 0) x else x + 1

-- Both branches give the same; the assertion stays.
-- ==
-- entry: same_either_way
-- input { true 3 } output { 3 }
-- input { true -3 } error: where x is -3
-- input { false -3 } output { -3 }
entry same_either_way (strict: bool) (x: i32): i32 = if strict then assert (x > 0) x else x

-- ==
-- entry: lazily
-- input { true 3 } output { true }
-- input { true -3 } error: where x is -3
-- input { false -3 } output { false }
entry lazily (strict: bool) (x: i32): bool = strict && assert (x > 0) (x < 5)

-- ==
-- entry: of_arrays
-- input { [1, 2, 3] } output { [1, 2, 3] 3i64 }
-- input { [1, 2] } error: assertion failed: n > 2, where n is 2
entry of_arrays [n] (xs: [n]i32): ([n]i32, i64) =
  let ys = assert (n > 2) xs
  in (ys, length ys)

-- ==
-- entry: of_pairs
-- input { 1 2 } output { 1 2 }
-- input { 2 1 } error: where a is 2 and b is 1
entry of_pairs (a: i32) (b: i32): (i32, i32) = assert (a < b) (a, b)

-- After a reduction, before another.
-- ==
-- entry: between
-- input { [1.0, 3.0] } output { [0.25, 0.75] }
-- input { [1.0, -1.0] } error: assertion failed: total != 0(\.0)?, where total is 0\.0
entry between [n] (xs: [n]f64): [n]f64 =
  let total = f64.sum xs
  in assert (total != 0) (map (/ total) xs)

def walk (n: i64): i64 = if n == 0 then 0 else assert (n < 5) (1 + walk (n - 1))

-- ==
-- entry: recursive
-- input { 4i64 } output { 4i64 }
-- input { 7i64 } error: assertion failed: n < 5, where n is 7
entry recursive (n: i64): i64 = walk n

def positive (x: i32): i32 = assert (x > 0) x

-- ==
-- entry: named
-- input { [1, 2] } output { [1, 2] }
-- input { [1, 0] } error: where x is 0
entry named [n] (xs: [n]i32): [n]i32 = map positive xs

-- ==
-- entry: always
-- input { 1 } output { 1 }
entry always (x: i32): i32 = assert true x

-- ==
-- entry: never
-- input { 1 } error: assertion failed: false
entry never (x: i32): i32 = assert false x

-- A size that is said with `:>`.

-- ==
-- entry: three
-- input { [1, 2, 3] } output { [1, 2, 3] }
-- input { [1, 2] } error: cannot be \[3\]i32: the array's length is 2
entry three [n] (xs: [n]i32): [3]i32 = xs :> [3]i32

-- ==
-- entry: equal
-- input { [1, 2] [3, 4] } output { [4, 6] }
-- input { [1, 2] [3] } error: cannot be \[n\]i32: the array's length is 1 and n is 2
entry equal [n] [m] (xs: [n]i32) (ys: [m]i32): [n]i32 = map2 (+) xs (ys :> [n]i32)

-- ==
-- entry: with_arithmetic
-- input { [1, 2] [3, 4, 5] } output { [3, 4, 5] }
-- input { [1, 2] [3] } error: cannot be \[n\+1\]i32: the array's length is 1 and n\+1 is 3
entry with_arithmetic [n] [m] (xs: [n]i32) (ys: [m]i32): [n + 1]i32 = ys :> [n + 1]i32

-- ==
-- entry: of_a_filter
-- input { [1, 2, 3] } output { [2, 4, 6] }
-- input { [1, -2, 3] } error: cannot be \[n\]i32: the array's length is 2 and n is 3
entry of_a_filter [n] (xs: [n]i32): [n]i32 = map2 (+) xs (filter (> 0) xs :> [n]i32)

-- ==
-- entry: of_a_tuple
-- input { [1] [2.5, 3.5] } output { [1] [2.5, 3.5] }
-- input { [1] [2.5] } error: cannot be \[2\]f64: the array's length is 1
entry of_a_tuple [n] [m] (xs: [n]i32) (ys: [m]f64): ([1]i32, [2]f64) =
  (xs, ys) :> ([1]i32, [2]f64)

-- ==
-- entry: of_records
-- input { [1, 2] [2.5, 3.5] } output { [1, 2] [2.5, 3.5] }
-- input { [1] [2.5] } error: cannot be \[2\].*: the array's length is 1
entry of_records [n] (xs: [n]i32) (ys: [n]f64): ([2]i32, [2]f64) =
  let both = map2 (\x y -> {x, y}) xs ys :> [2]{x: i32, y: f64}
  in (map (.x) both, map (.y) both)

-- ==
-- entry: in_a_worker_too
-- input { [2i64, 2i64] } output { [1i64, 1i64] }
-- input { [2i64, 3i64] } error: cannot be \[2\]i64: the array's length is 3
entry in_a_worker_too [n] (xs: [n]i64): [n]i64 =
  map (\x -> i64.sum (iota x :> [2]i64)) xs

-- ==
-- entry: known_already
-- input { [1, 2] } output { [1, 2] }
entry known_already [n] (xs: [n]i32): [n]i32 = xs :> [n]i32

-- The element is the position itself, and the check is all that is left of the function.
-- ==
-- entry: of_positions
-- input { 3i64 } output { [0i64, 1i64, 2i64] }
-- input { 5i64 } error: where i is 3
entry of_positions (n: i64): [n]i64 = tabulate n (\i -> assert (i < 3) i)

-- ==
-- entry: of_positions_mapped
-- input { 3i64 } output { 3i64 }
-- input { 5i64 } error: where i is 3
entry of_positions_mapped (n: i64): i64 = i64.sum (map (\i -> assert (i < 3) i) (iota n))

-- ==
-- entry: of_indices
-- input { [7i64, 8i64] 2i64 } output { 1i64 }
-- input { [7i64, 8i64] 3i64 } error: index 2 is out of bounds
entry of_indices [n] (xs: [n]i64) (m: i64): i64 =
  i64.sum (tabulate m (\i -> let _ = assert (xs[i] > 0) 0 in i))

-- Positions that are checked where they are made, and read an array.
-- ==
-- entry: of_positions_that_read
-- input { [5i64, 6i64, 7i64] } output { [5i64, 6i64, 7i64] [7i64, 6i64, 5i64] 18i64 }
-- input { [5i64, 6i64, 7i64, 8i64] } error: where i is 3
entry of_positions_that_read [n] (xs: [n]i64): ([n]i64, [n]i64, i64) =
  let is = tabulate n (\i -> assert (i < 3) i)
  let js = map (\i -> assert (i < 3) i) (iota n)
  in (map (\i -> xs[i]) is, map (\i -> xs[n - 1 - i]) js, i64.sum (map (\i -> xs[i]) js))

-- ==
-- entry: of_positions_read_alone
-- input { [5i64, 6i64, 7i64, 8i64] } error: where i is 3
entry of_positions_read_alone [n] (xs: [n]i64): [n]i64 =
  map (\i -> xs[i]) (tabulate n (\i -> assert (i < 3) i))
