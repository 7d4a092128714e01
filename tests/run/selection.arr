-- Elements of a sorted array that are read by their rank. From 4,096 elements on, they are selected without a sort.

-- ==
-- entry: single
-- input { [3, 1, 2, 1] 2 } output { 1 3 2 [1, 1] [3, 2] 2 }
-- input { [5, 4] 0 } output { 4 5 4 [4, 5] [5, 4] 5 }
-- input { [5, 4] 2 } error: index 2 is out of bounds for an array of length 2
-- input { [5] 0 } error: index 1 is out of bounds for an array of length 1
-- input { empty([0]i32) 0 } error: index 0 is out of bounds for an array of length 0
entry single [n] (xs: [n]i32) (k: i64): (i32, i32, i32, [2]i32, [2]i32, i32) =
  (head (sort (<=) xs),
   xs |> sort (<=) |> last,
   (sort (<=) xs)[k],
   take 2 (sort (<=) xs),
   take 2 (sort (>=) xs),
   (sort (<=) xs)[length xs / 2])

-- | Some uses are in branches.
-- ==
-- entry: named
-- input { [4.0, -1.0, 2.5, 8.0] } output { 3.25 [-1.0] }
-- input { [4.0, -1.0, 2.5] } output { 2.5 [-1.0] }
-- input { empty([0]f64) } output { f64.nan empty([0]f64) }
entry named [n] (xs: [n]f64): (f64, []f64) =
  let s = sort (<=) xs
  let middle =
    if length s == 0 then f64.nan
    else if n % 2 == 0 then (s[n / 2 - 1] + s[length s / 2]) / 2
    else s[n / 2]
  in (middle, take (i64.min 1 n) s)

-- | The array that is sorted may be consumed afterwards.
-- ==
-- entry: consumed
-- input { 5 } output { 0 4 [9, 3, 2, 1, 0] }
-- compiled input { 4096 } output { 0 4095 [9, 4094, 4093, 4092, 4091] }
entry consumed (n: i64): (i64, i64, [5]i64) =
  let xs = map (\i -> n - 1 - i) (iota n)
  let s = sort (<=) xs
  let ys = xs with [0] = 9
  in (head s, last s, take 5 ys)

-- | A use that may run more than once needs the whole array.
-- ==
-- entry: repeated
-- input { [3, 1, 2] [0, 2, 0] } output { [1, 3, 1] 6 }
entry repeated [n] [m] (xs: [n]i32) (is: [m]i64): ([m]i32, i32) =
  let s = sort (<=) xs
  let t = sort (>=) xs
  in (map (\i -> s[i]) is, loop sum = 0 for i < n do sum + t[i])

-- | Most elements are equal.
-- ==
-- entry: sparse
-- compiled input { 4100 500 } output { true true true }
entry sparse (n: i64) (k: i64): (bool, bool, bool) =
  let xs =
    map
      (\i ->
        if i % 40 == 7 then f64.i64 (i * 7919 % 1003 - 500) else if i % 3 == 0 then -0.0 else 0.0)
      (iota n)
  let all = copy (sort (<=) xs)
  let s = sort (<=) xs
  let bits (x: f64) (y: f64) = f64.to_bits x == f64.to_bits y
  in (and (map2 bits (take k s) (take k all)), bits s[n / 2] all[n / 2], bits (last s) all[n - 1])

-- The last elements, in either order.
-- ==
-- entry: ends
-- input { [3, 1, 2, 1] 2 } output { [3, 2] [2, 3] [2, 3] }
-- input { [3, 1, 2, 1] 0 } output { empty([0]i32) empty([0]i32) empty([0]i32) }
-- input { [3, 1, 2, 1] 4 } output { [3, 2, 1, 1] [1, 1, 2, 3] [1, 1, 2, 3] }
entry ends [n] (xs: [n]i32) (k: i64): ([k]i32, []i32, []i32) =
  let s = sort (<=) xs
  in (xs |> sort (<=) |> reverse |> take k, drop (n - k) (sort (<=) xs), drop (length s - k) s)

-- ==
-- entry: too_many
-- input { [5] 1 } output { [5] }
-- input { [5] 2 } error: index 1 is out of bounds for an array of length 1
-- compiled input { [5] -1 } error: negative size -1
entry too_many [n] (xs: [n]i32) (k: i64): [k]i32 = take k (reverse (sort (<=) xs))

-- ==
-- entry: too_few
-- input { [5] 1 } output { empty([0]i32) }
-- input { [5] 2 } error: negative size -1 in generate
-- input { [5] -1 } error: index -1 is out of bounds for an array of length 1
entry too_few [n] (xs: [n]i32) (k: i64): []i32 = drop k (sort (<=) xs)

-- | Of many elements: of different ones, of a few values, and of equal ones; and from those of a sorted array that is in memory.
-- ==
-- entry: ends_of_many
-- compiled input { 5000 5000 [0, 1, 10, 624, 625, 626, 5000] } output { true }
-- compiled input { 5000 3 [0, 1, 10, 625, 626] } output { true }
-- compiled input { 4096 1 [1, 512, 513, 4096] } output { true }
entry ends_of_many (n: i64) (m: i64) (ks: []i64): bool =
  let xs = map (\i -> f64.i64 (i * 7919 % m) - 100) (iota n)
  let upwards = sort (<=) xs
  let downwards = sort (>=) xs
  let agree (k: i64): bool =
    let highest = take k (reverse (sort (<=) xs))
    let lowest = take k (reverse (sort (>=) xs))
    let rest = drop (n - k) (sort (<=) xs)
    in all id
         (map
            (\i ->
              highest[i] == upwards[n - 1 - i] && lowest[i] == downwards[n - 1 - i]
              && rest[i] == upwards[n - k + i]) (iota k))
       && length rest == k
  in (loop good = true for k in ks do good && agree k)

-- Slices, and their errors.
-- ==
-- entry: sliced
-- input { [3, 1, 2, 1] 2 } output { [1, 1] [2, 3] [1] [3, 2] }
-- input { [3, 1, 2, 1] 4 } output { [1, 1, 2, 3] empty([0]i32) [1, 2, 3] [3, 2, 1, 1] }
-- input { [3, 1, 2, 1] 1 } output { [1] [1, 2, 3] empty([0]i32) [3] }
-- compiled input { [3, 1, 2, 1] 5 } error: slice :5 is out of bounds for an array of length 4
entry sliced [n] (xs: [n]i32) (k: i64): ([k]i32, []i32, []i32, [k]i32) =
  ((sort (<=) xs)[:k], (sort (<=) xs)[k:], (sort (<=) xs)[1:k], (reverse (sort (<=) xs))[:k])

-- Elements with equal keys keep their order, also where they are selected.
-- ==
-- entry: keyed
-- input { 12 3 } output { true true true true }
-- input { 1 0 } output { true true true true }
-- input { 0 0 } error: index 0 is out of bounds for an array of length 0
-- compiled input { 4096 100 } output { true true true true }
-- compiled input { 5000 700 } output { true true true true }
-- compiled input { 20000 1 } output { true true true true }
entry keyed (n: i64) (k: i64): (bool, bool, bool, bool) =
  let xs = map (\i -> ((i * 7919) % 97 - 48, i)) (iota n)
  let up = copy (sort_by_key (.0) (<=) xs)
  let down = copy (sort_by_key (.0) (>=) xs)
  let is_same (a: (i64, i64)) (b: (i64, i64)) = a.0 == b.0 && a.1 == b.1
  let are_same [m] [l] (a: [m](i64, i64)) (b: [l](i64, i64)) =
    m == l && and (map2 is_same a (b :> [m](i64, i64)))
  let named = sort_by_key (.0) (<=) xs
  in (is_same (head named) up[0] && is_same named[n / 2] up[n / 2]
      && are_same (drop (length named - k) named) up[n - k:],
      are_same (take k (sort_by_key (\(a, _) -> 2 * a) (>=) xs)) down[:k]
      && are_same (sort_by_key (.0) (>=) xs)[k / 2:k] down[k / 2:k],
      are_same (take k (sort (\p q -> p.0 <= q.0) xs)) up[:k]
      && are_same (reverse (sort (\(a, _) (b, _) -> b <= a) xs))[:k] (reverse down)[:k],
      are_same (sort (\p q -> q.0 <= p.0) xs)[n - k:] down[n - k:]
      && is_same (last (sort (\p q -> p.0 <= q.0) xs)) up[n - 1])

-- | Records by a field; `nan` is above all numbers.
-- ==
-- entry: fields
-- input { [2.0, f64.nan, -1.0, 0.0, -0.0] } output { [-1.0, 0.0] [2, 3] 1 [1, 0, 3, 4, 2] }
-- input { [2.0, 1.0] } output { [1.0, 2.0] [1, 0] 0 [0, 1] }
entry fields [n] (xs: [n]f64): ([2]f64, [2]i64, i64, [n]i64) =
  let ps = map_index (\i x -> {x = x, at = i}) xs
  let (few, all) = (take 2 (sort (\p q -> p.x <= q.x) ps), sort (\p q -> p.x >= q.x) ps)
  in (map (.x) few, map (.at) few, (last (sort (\p q -> q.x >= p.x) ps)).at, map (.at) all)

-- | One element, or some next to each other, without any other use of the sorted array: zeros of both signs and `nan` among them.
-- ==
-- entry: each_alone
-- input { 1 1 } output { true true }
-- input { 40 5 } output { true true }
-- compiled input { 2000 1000 } output { true true }
-- compiled input { 17000 16000 } output { true true }
entry each_alone (n: i64) (m: i64): (bool, bool) =
  let number (i: i64): f64 =
    let k = i * 7919 % m - 2
    in if k == -1 then f64.nan else if k == 0 && i % 2 == 0 then -0.0 else f64.i64 k
  let xs = map number (iota n)
  let all = copy (sort (<=) xs)
  let is_same (x: f64) (y: f64) = f64.to_bits x == f64.to_bits y
  let ranks = map (\i -> i * (n - 1) / 7) (iota 8)
  let end (k: i64): i64 = i64.min n (k + 3)
  in (and (map (\k -> is_same (sort (<=) xs)[k] all[k]) ranks),
      and
        (map
           (\k ->
             let part = (sort (<=) xs)[k:end k]
             in and (map (\i -> is_same part[i] all[k + i]) (iota (end k - k)))) ranks))
