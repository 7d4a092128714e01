-- The library's `groups`, beside the same by filters.

import "groups"

-- ==
-- entry: of_numbers
-- input { [3, 1, 3, 2, 1] [1.0, 2.0, 4.0, 8.0, 16.0] }
-- output { [1, 2, 3] [0i64, 2i64, 3i64, 5i64] [1i64, 4i64, 3i64, 0i64, 2i64] }
-- input { [7] [1.0] } output { [7] [0i64, 1i64] [0i64] }
-- input { empty([0]i32) empty([0]f64) } output { empty([0]i32) [0i64] empty([0]i64) }
entry of_numbers [n] (keys: [n]i32) (values: [n]f64): ?[g].([g]i32, [g + 1]i64, [n]i64) =
  groups_by (.0) (<=) (zip keys values)

-- | Sums, means and counts of each group.
def agrees [n] 'k (le: k -> k -> bool) (pairs: [n](k, f64)): bool =
  let (keys, sums) = sums_by (.0) le (.1) pairs
  let (keys', means) = means_by (.0) le (.1) pairs
  let (keys'', counts) = counts_by (.0) le pairs
  let same i (k: k) (sum: f64) =
    let own = filter (\p -> le p.0 k && le k p.0) pairs
    let total = f64.sum (map (.1) own)
    let near x y = f64.abs (x - y) < 1e-9
    in near sum total && near means[i] (total / f64.i64 (length own)) && counts[i] == length own
       && le keys'[i] k && le k keys'[i] && le keys''[i] k && le k keys''[i]
  in length keys == length keys' && length keys == length keys''
     && and (map3 same (indices keys) keys sums)
     && i64.sum counts == n

-- | Keys of several types: numbers few and many, floats, and pairs.
-- ==
-- entry: agree
-- random input { [300]i64 [300]f64 } output { true true true true }
-- random input { [20]i64 [20]f64 } output { true true true true }
-- input { empty([0]i64) empty([0]f64) } output { true true true true }
entry agree [n] (xs: [n]i64) (values: [n]f64): (bool, bool, bool, bool) =
  let before (p: (bool, i64)) (q: (bool, i64)) = (p.0 == q.0 && p.1 <= q.1) || (!p.0 && q.0)
  in (agrees (<=) (zip (map (% 7) xs) values),
      agrees (>=) (zip (map (\x -> i32.i64 (x % 40)) xs) values),
      agrees (<=) (zip (map (\x -> f64.i64 (x % 3) / 2) xs) values),
      agrees before (zip (map (\x -> (x % 2 == 0, x % 3)) xs) values))

-- | Any operator, in order.
-- ==
-- entry: joined
-- input { [2, 1, 2] [10, 20, 30] } output { [1, 2] [20, 30] [20, 10] }
entry joined [n] (keys: [n]i32) (values: [n]i32): ?[g][h].([g]i32, [g]i32, [h]i32) =
  let (keys', greatest) = reduce_by (.0) (<=) (.1) i32.max i32.lowest (zip keys values)
  let (_, least) = reduce_by (.0) (<=) (.1) i32.min i32.highest (zip keys values)
  in (keys', greatest, least)

-- | The first elements, as if all were sorted.
-- ==
-- entry: tops
-- random input { [100]i64 } output { true }
-- random input { [5]i64 } output { true }
entry tops [n] (xs: [n]i64): bool =
  let pairs = zip (map (% 10) xs) (iota n)
  let le p q = p.0 >= q.0
  let same k = and (map2 (==) (top k le pairs) (take k (sort le pairs)))
  in same 0 && same 1 && same 3 && same n

-- ==
-- entry: too_many
-- input { 3i64 [1, 2] } error: out of bounds
entry too_many [n] (k: i64) (xs: [n]i32): [k]i32 = top k (<=) xs

-- ==
-- entry: tops_of_each
-- input { 2i64 [1, 2, 1, 1, 2] [1.0, 2.0, 3.0, 4.0, 5.0] } output { [1, 2] [0i64, 2i64, 4i64] [3i64, 2i64, 4i64, 1i64] }
-- input { 9i64 [1, 2, 1] [1.0, 2.0, 1.0] } output { [1, 2] [0i64, 2i64, 3i64] [0i64, 2i64, 1i64] }
-- input { 0i64 [1, 2] [1.0, 2.0] } output { [1, 2] [0i64, 0i64, 0i64] empty([0]i64) }
-- input { 2i64 empty([0]i32) empty([0]f64) } output { empty([0]i32) [0i64] empty([0]i64) }
entry tops_of_each [n] (count: i64) (keys: [n]i32) (values: [n]f64):
    ?[g][t].([g]i32, [g + 1]i64, [t]i64) =
  tops_by count (.0) (<=) (.1) (>=) (zip keys values)

-- | Besides the sort, five passes; the sums read the values where they are.
-- ==
-- entry: totals
-- input { [2, 1, 2] [1.0, 2.0, 4.0] } output { [1, 2] [2.0, 5.0] }
-- structure ilp { clusters 5 }
entry totals [n] (keys: [n]i32) (values: [n]f64): ?[g].([g]i32, [g]f64) =
  sums_by (.0) (<=) (.1) (zip keys values)
