-- Consumers of an append consume its parts. Consumers of an `if` over arrays run in its branches.

def f (x: i64): i64 = 3 * x + 1
def p (x: i64): bool = x % 3 == 0

-- Two passes, and no array.
-- ==
-- entry: sum
-- input { [1, 2, 3] [3, 4, 6, 7] } output { 30 }
-- input { empty([0]i64) [3] } output { 3 }
-- input { [1] empty([0]i64) } output { 4 }
-- random input { [100]i64 [1000]i64 }
-- random input { [0]i64 [0]i64 }
-- structure ilp { clusters 2 reads 2 writes 0 } none { arrays 2 }
entry sum [n] [m] (a: [n]i64) (b: [m]i64): i64 = reduce (+) 0 (map f a ++ filter p b)

-- A fold keeps its order.
-- ==
-- entry: digits
-- input { [1, 2] [3, 4, 5] } output { 12345 }
-- input { empty([0]i64) [3] } output { 3 }
-- input { [7] empty([0]i64) } output { 7 }
-- structure ilp { clusters 2 arrays 0 }
entry digits [n] [m] (a: [n]i64) (b: [m]i64): i64 = fold (\acc x -> acc * 10 + x) 0 (map id a ++ b)

-- ==
-- entry: doubled squares kept running before
-- random input { [10]i64 [20]i64 }
-- random input { [0]i64 [20]i64 }
-- random input { [1000]i64 [0]i64 }
-- random input { [1000]i64 [10000]i64 }
-- random input { [0]i64 [0]i64 }
-- input { [1, 2, 3, 4, 5, 6] [9, 8, 7, 6, 5, 4, 3, 2, 1, 0] }
entry doubled [n] [m] (a: [n]i64) (b: [m]i64): ?[k].[k]i64 = map (* 2) (map f a ++ filter p b)
entry squares [n] [m] (a: [n]i64) (b: [m]i64): ?[k].[k]i64 =
  flatmap (\x -> map (* x) (iota (x % 4))) (map f a ++ filter p b)
entry kept [n] [m] (a: [n]i64) (b: [m]i64): ?[k].[k]i64 = filter p (map f a ++ b)
entry running [n] [m] (a: [n]i64) (b: [m]i64): ?[k].[k]i64 = filter p (scan (+) 0 (map f a ++ b))
entry before [n] [m] (a: [n]i64) (b: [m]i64): ?[k].[k]i64 =
  map (* 3) (exscan (+) 0 (filter p a ++ map f b ++ a))

-- Several appends of the same parts, and several consumers of each, share the passes.
-- ==
-- entry: several
-- random input { [100]i64 [1000]i64 }
-- random input { [0]i64 [10]i64 }
-- structure ilp { clusters 2 arrays 0 }
entry several [n] [m] (a: [n]i64) (b: [m]i64): (i64, i64, i64) =
  let l = map f a
  let r = map (* 5) b
  let both = l ++ r
  in (reduce (+) 0 both,
      reduce i64.max 0 (map2 (*) both (a ++ b)),
      reduce i64.min 0 (l ++ map (+ 1) r))

-- One pass, over one array.
-- ==
-- entry: thrice
-- random input { [100]i64 }
-- random input { [0]i64 }
-- structure ilp { clusters 1 reads 1 writes 0 }
entry thrice [n] (a: [n]i64): i64 =
  reduce (+) 0 (concat (map f a) (concat (filter p a) (map (+ 1) a)))

-- Positions go on in the second part.
-- ==
-- entry: positions
-- random input { [100]i64 [7]i64 }
-- random input { [0]i64 [7]i64 }
-- random input { [7]i64 [0]i64 }
entry positions [n] [m] (a: [n]i64) (b: [m]i64): (i64, i64, [n + m]i64) =
  let both = map f a ++ map (* 2) b
  in (fold_index (\acc i x -> acc + i * x) 0 both, length both, map_index (\i x -> x - i) both)

-- An array beside the append is read by index.
-- ==
-- entry: beside
-- random input { [8]i64 [8]i64 [16]i64 }
-- random input { [0]i64 [0]i64 [0]i64 }
entry beside [n] (a: [n]i64) (b: [n]i64) (c: [n + n]i64): i64 =
  reduce (+) 0 (map2 (*) (map f a ++ map (* 2) b) c)

-- The append is a result as well, and one of its parts is.
-- ==
-- entry: results
-- random input { [100]i64 [70]i64 }
-- random input { [0]i64 [7]i64 }
entry results [n] [m] (a: [n]i64) (b: [m]i64): ([n]i64, [n + m]i64, i64, i64) =
  let l = map f a
  let both = l ++ map (* 2) b
  in (l, both, reduce (+) 0 both, if length both > 0 then both[0] else 0)

-- Records are several arrays.
-- ==
-- entry: records
-- random input { [100]i64 [70]f32 [100]f32 [70]i64 }
entry records [n] [m] (a: [n]i64) (x: [m]f32) (y: [n]f32) (b: [m]i64): (i64, f32) =
  let points = zip a y ++ filter (\(i, _) -> p i) (zip b x)
  in fold (\(s, t) (i, z) -> (s + i, if z > t then z else t)) (0, 0) points

-- Rows.
-- ==
-- entry: rows
-- input { [[1, 2], [3, 4]] [[5, 6]] } output { [3, 7, 11] [9, 12] }
-- input { empty([0][2]i64) [[5, 6]] } output { [11] [5, 6] }
entry rows [n] [m] (a: [n][2]i64) (b: [m][2]i64): ([n + m]i64, [2]i64) =
  let both = map (map (+ 0)) a ++ b
  in (map (reduce (+) 0) both, reduce (map2 (+)) [0, 0] both)

-- A producer writes behind what it is appended to.
-- ==
-- entry: stored
-- random input { [100]i64 [70]i64 }
-- random input { [0]i64 [70]i64 }
-- random input { [100]i64 [0]i64 }
-- random input { [10000]i64 [100000]i64 }
-- structure ilp { clusters 2 reads 2 writes 2 arrays 0 }
entry stored [n] [m] (a: [n]i64) (b: [m]i64): ?[k].[k]i64 = map f a ++ filter p b

-- ==
-- entry: stored_three stored_behind stored_twice stored_literals
-- random input { [100]i64 [70]i64 }
-- random input { [0]i64 [70]i64 }
-- random input { [100]i64 [0]i64 }
-- random input { [0]i64 [0]i64 }
-- random input { [100000]i64 [10000]i64 }
entry stored_three [n] [m] (a: [n]i64) (b: [m]i64): ?[k].[k]i64 =
  filter p a ++ map f b ++ filter (\x -> x % 7 == 0) b
entry stored_behind [n] [m] (a: [n]i64) (b: [m]i64): ?[k].[k]i64 = a ++ filter p b ++ a ++ map f b
entry stored_twice [n] [m] (a: [n]i64) (b: [m]i64): ?[k].([k]i64, [k]i64) =
  let c = map f a ++ filter p b
  in (c, map (+ 1) c)
entry stored_literals [n] [m] (a: [n]i64) (b: [m]i64): ?[k].[k]i64 =
  [n, m] ++ filter p a ++ [m] ++ scan (+) 0 b ++ [n]

-- In a loop, each step writes behind what the others wrote.
-- ==
-- entry: rounds
-- input { 0i64 [1, 2] } output { empty([0]i64) }
-- input { 3i64 [1, 2, 4] } output { [1, 2, 4, 2, 3, 6] }
-- random input { 10i64 [100]i64 }
entry rounds [n] (k: i64) (a: [n]i64): []i64 =
  loop all = [] for i < k do all ++ filter (\x -> x % (i + 1) == 0) (map (+ i) a)

-- Errors are those of the first element that fails.
-- ==
-- entry: fails
-- input { [1, 0] [2] } error: division by zero
-- input { [1] [0] } error: division by zero
-- input { [1] [2] } output { 30 }
entry fails [n] [m] (a: [n]i64) (b: [m]i64): i64 =
  reduce (+) 0 (map (20 /) a ++ map (\x -> 20 / x) b)

-- The consumer runs in both branches.
-- ==
-- entry: chosen
-- input { true [1, 2, 3] } output { 21 }
-- input { false [1, 2, 3] } output { 9 }
-- structure ilp { arrays 0 } none { arrays 1 }
entry chosen [n] (c: bool) (a: [n]i64): i64 = reduce (+) 0 (if c then map f a else map (+ 1) a)

-- ==
-- entry: nothing
-- input { true [1, 2, 3] } output { 3 1i64 }
-- input { false [1, 2, 3] } output { 0 0i64 }
-- structure ilp { arrays 0 }
entry nothing [n] (c: bool) (a: [n]i64): (i64, i64) =
  let xs = if c then filter p a else []
  in (reduce (+) 0 xs, length xs)

-- ==
-- entry: mapped
-- input { true 1i64 [1, 2, 3] } output { [8, 14, 20] [4, 7, 10] }
-- input { false 1i64 [1, 2, 3] } output { [4, 6, 8] [2, 3, 4] }
entry mapped [n] (c: bool) (k: i64) (a: [n]i64): ([n]i64, [n]i64) =
  let xs = if c then map f a else map (+ k) a
  in (map (* 2) xs, xs)

-- Branches in branches.
-- ==
-- entry: matched
-- input { 0i64 [1, 2, 3] } output { 21 }
-- input { 1i64 [1, 2, 3] } output { 3 }
-- input { 2i64 [1, 2, 3] } output { 0 }
-- input { 3i64 [1, 2, 3] } output { 25 }
-- structure ilp { arrays 0 }
entry matched [n] (k: i64) (a: [n]i64): i64 =
  let xs =
    match k
    case 0 -> map f a
    case 1 -> filter p a
    case 2 -> []
    case _ -> map (+ 1) a ++ map f (filter p a) ++ map (* 0) a ++ filter p (map (+ 5) a)
  in reduce (+) 0 xs

-- What also needs something that is known only after the choice stays behind it.
-- ==
-- entry: after
-- input { true [1, 2, 3] } output { [-17, -14, -11] 21 }
-- input { false [1, 2, 3] } output { [-7, -6, -5] 9 }
entry after [n] (c: bool) (a: [n]i64): ([n]i64, i64) =
  let xs = if c then map f a else map (+ 1) a
  let total = reduce (+) 0 xs
  let half = map (\x -> x - total) xs
  in (half, total)

-- A consumer of the choice and of another array.
-- ==
-- entry: both_sides
-- input { true [1, 2, 3] } output { 6 48 }
-- input { false [1, 2, 3] } output { 6 20 }
entry both_sides [n] (c: bool) (a: [n]i64): (i64, i64) =
  let g = map (* 1) a
  let xs = if c then map f a else map (+ 1) a
  in (reduce (+) 0 g, reduce (+) 0 (map2 (*) g xs) - 0)

-- Positions in what a filter keeps are known in its pass.
-- ==
-- entry: indexed_sum
-- input { [3, 1, 6, 9] } output { 24 }
-- random input { [100]i64 }
-- random input { [0]i64 }
-- structure ilp { clusters 1 arrays 0 } stream { clusters 2 }
entry indexed_sum [n] (a: [n]i64): i64 =
  reduce (+) 0 (map (\(i, x) -> i * x) (indexed (filter p a)))

-- ==
-- entry: with_positions
-- input { [3, 1, 6, 9] } output { [3, 6, 9] 24 2 [0, 2, 4] }
-- random input { [100]i64 }
-- random input { [0]i64 }
-- structure ilp { clusters 1 reads 1 writes 2 arrays 0 }
entry with_positions [n] (a: [n]i64): ?[k].([k]i64, i64, i64, [k]i64) =
  let ys = filter p a
  let (_, at) = fold_index (\(most, at) i y -> if y > most then (y, i) else (most, at)) (0, -1) ys
  let twice = generate (length ys) (\i -> 2 * i)
  in (ys, fold_index (\acc i y -> acc + i * y) 0 ys, at, twice)

-- ==
-- entry: flat_positions
-- random input { [20]i64 }
-- random input { [0]i64 }
-- structure ilp { clusters 1 arrays 0 }
entry flat_positions [n] (a: [n]i64): i64 =
  fold_index (\acc i y -> acc + i * y) 0 (map (+ 1) (flatmap (\x -> map (* x) (iota (x % 4))) a))

-- The last position needs the length, and so waits for the filter.
-- ==
-- entry: backwards
-- input { [3, 1, 6, 9] } output { [2, 1, 0] }
-- random input { [100]i64 }
entry backwards [n] (a: [n]i64): ?[k].[k]i64 =
  let ys = filter p a
  let k = length ys
  in generate k (\i -> k - 1 - i)

-- 002, appendix A.6: the points left of a line, and the position of the farthest of them.
-- ==
-- entry: filter_max
-- input { 0.0 0.0 10.0 0.0 [1.0, 5.0, 3.0, 7.0] [1.0, -5.0, 3.0, 2.0] } output { [1.0, 3.0, 7.0] [1.0, 3.0, 2.0] 1i64 }
-- input { 0.0 0.0 10.0 0.0 empty([0]f64) empty([0]f64) } output { empty([0]f64) empty([0]f64) 0i64 }
-- random input { 0.1 0.2 0.9 0.8 [1000]f64 [1000]f64 }
-- structure ilp { clusters 1 reads 2 writes 2 arrays 0 } none { clusters 4 }
entry filter_max [n] (x1: f64) (y1: f64) (x2: f64) (y2: f64) (xs: [n]f64)
    (ys: [n]f64): ?[k].([k]f64, [k]f64, i64) =
  let cross = map2 (\x y -> (x1 - x) * (y2 - y) - (y1 - y) * (x2 - x)) xs ys
  let kept = filter (\(_, _, c) -> c > 0) (zip3 xs ys cross)
  let (pxs, pys, pcs) = unzip3 kept
  let (at, _) = fold_index (\(at, most) i c -> if c > most then (i, c) else (at, most)) (0, 0) pcs
  in (pxs, pys, at)

-- The ends of what a filter or a scan gives are found in its pass.
-- ==
-- entry: first_of last_of total farthest least_two
-- random input { [100]i64 }
-- input { [3, 9, 1, 6, 9] }
-- input { [1, 3] }
entry first_of [n] (a: [n]i64): i64 = head (map (+ 1) (filter p a))
entry last_of [n] (a: [n]i64): i64 = last (map (* 2) (filter p a))
entry total [n] (a: [n]i64): i64 = last (scan (+) 0 (map f a))
entry farthest [n] (a: [n]i64): i64 = argmax (<=) (filter p a)
entry least_two [n] (a: [n]i64): (i64, i64, i64) =
  let ys = map (% 1000) (filter p a)
  in (argmin (<=) ys, argmax (<=) ys, head ys + last ys)

-- ==
-- structure first_of { clusters 1 reads 1 arrays 0 }
-- structure last_of { clusters 1 reads 1 arrays 0 }
-- structure total { clusters 1 reads 1 arrays 0 }
-- structure farthest { clusters 1 reads 1 arrays 0 }
-- structure least_two { clusters 1 reads 1 arrays 0 }
-- entry: first_of last_of farthest least_two
-- input { [1, 2, 4] } error: out of bounds for an array of length 0
-- input { empty([0]i64) } error: out of bounds for an array of length 0
-- entry: total
-- input { empty([0]i64) } error: index -1 is out of bounds for an array of length 0

-- Positions in lanes: the place of the greatest, the first of them, and sums by place, for filters in filters.
-- ==
-- entry: places
-- input { [3, 9, 1, 6, 9] } output { 1i64 9i64 13i64 3i64 }
-- random input { [100]i64 }
-- random input { [1000]i64 }
-- random input { [0]i64 }
-- structure ilp { clusters 1 arrays 0 }
entry places [n] (a: [n]i64): (i64, i64, i64, i64) =
  let ys = filter p a
  let greater (i, y) (j, z) = if z > y || (z == y && j < i) then (j, z) else (i, y)
  let (at, most) = reduce greater (i64.highest, i64.lowest) (indexed ys)
  let zs = filter (> 5) ys
  in (at, most, reduce (+) 0 (map (\(i, z) -> i + z % 7) (indexed zs)), length zs)

-- Positions behind a filtered part of an append, and the ends of gathered arrays and of products.
-- ==
-- entry: all_positions ends_of_gathered ends_of_pairs
-- random input { [100]i64 [7]i64 }
-- input { [1, 2, 3] [4, 6] }
entry all_positions [n] [m] (a: [n]i64) (b: [m]i64): ?[k].(i64, [k]i64) =
  let c = filter p a ++ map f b ++ filter p b
  in (fold_index (\s i x -> s + i * x) 0 c, map_index (\i x -> i - x) c)
entry ends_of_gathered [n] [m] (a: [n]i64) (b: [m]i64): (i64, i64, i64) =
  let c = gather b (map (\x -> i64.abs (x % m)) a)
  in (head c, last c, argmax (<=) c)
entry ends_of_pairs [n] [m] (a: [n]i64) (b: [m]i64): (i64, i64, i64) =
  let c = map (\(x, y) -> x * 3 - y) (cross a b)
  in (head c, last c, argmin (<=) c)

-- ==
-- entry: emptied
-- input { 0i64 [1, 2, 3] } output { [5, 8, 11] 3 }
-- input { 1i64 [1, 2, 3] } output { empty([0]i64) 0 }
-- input { 2i64 [1, 2, 3] } output { [4] 1 }
entry emptied [n] (k: i64) (a: [n]i64): ?[k].([k]i64, i64) =
  let xs = match k case 0 -> map f a case 1 -> [] case _ -> filter p a
  let ys = filter (> 0) (map (+ 1) xs)
  in (ys, i64.sum (flatmap (\x -> [x - x, 1]) ys))

-- Both ends of a series, and its length, in one pass.
-- ==
-- entry: both_ends
-- input { [3, 1, 6, 9] } output { 3 9 3i64 }
-- input { [6] } output { 6 6 1i64 }
-- input { [1] } error: index 0 is out of bounds for an array of length 0
-- structure ilp { clusters 1 reads 1 writes 0 arrays 0 }
entry both_ends [n] (a: [n]i64): (i64, i64, i64) =
  let ys = filter p a
  in (head ys, last ys, length ys)

-- ==
-- entry: ends_and_more
-- input { [3, 1, 6, 9] } output { 3 9 2i64 18 27 }
-- input { [1] } error: index 0 is out of bounds for an array of length 0
-- random input { [1000]i64 }
-- structure ilp { clusters 1 reads 1 writes 0 arrays 0 }
entry ends_and_more [n] (a: [n]i64): (i64, i64, i64, i64, i64) =
  let ys = filter p a
  let zs = map (* 3) ys
  in (head ys, last ys, argmax (<=) ys, reduce i64.max i64.lowest (map (* 2) ys), last zs)

-- Of records, all columns have ends.
-- ==
-- entry: ends_of_records
-- input { [3, 1, 6, 9] [1.0, 2.0, 3.0, 0.5] } output { 3 1.0 9 0.5 2i64 }
-- input { [1] [1.0] } error: index 0 is out of bounds for an array of length 0
-- structure ilp { clusters 1 reads 2 writes 0 arrays 0 }
entry ends_of_records [n] (a: [n]i64) (b: [n]f64): (i64, f64, i64, f64, i64) =
  let ys = filter (\(x, _) -> p x) (zip a b)
  let (x, s) = head ys
  let (y, t) = last ys
  in (x, s, y, t, argmin (\l r -> l.1 + f64.i64 l.0 * 0.001 <= r.1 + f64.i64 r.0 * 0.001) ys)

-- Both ends of a scan and of a flatmap.
-- ==
-- entry: ends_of_others
-- input { [1, 2, 3] } output { 1 6 0 6 }
-- structure ilp { clusters 1 arrays 0 }
entry ends_of_others [n] (a: [n]i64): (i64, i64, i64, i64) =
  let ys = scan (+) 0 a
  let zs = flatmap (\x -> map (* x) (iota x)) a
  in (head ys, last ys, head zs, last zs)

-- The bins of a choice in a choice are filled in each branch.
-- ==
-- entry: bins_of_cases bins_of_chain
-- input { 0 [0, 0, 1] } output { [0, 4, 0, 0] }
-- input { 1 [0, 0, 1] } output { [0, 0, 0, 0] }
-- input { 2 [1, 2, 3, 6] } output { [0, 0, 0, 6] }
-- random input { 0 [1000]i64 }
-- random input { 2 [1000]i64 }
-- random input { 2 [0]i64 }
-- structure bins_of_cases ilp { arrays 0 }
-- structure bins_of_chain ilp { arrays 0 }
entry bins_of_cases [n] (k: i64) (xs: [n]i64): [4]i64 =
  let a: []i64 = match k case 0 -> map f xs case 1 -> [] case _ -> filter p xs
  in hist (+) 0 4 a (map (* 2) a)
entry bins_of_chain [n] (k: i64) (xs: [n]i64): [4]i64 =
  let a: []i64 = if k == 0 then map f xs else if k == 1 then [] else filter p xs
  in hist (+) 0 4 a (map (* 2) a)

-- A choice that is appended to another array is written in its place by each branch, and its consumers need no array.
-- ==
-- entry: choice_before choice_behind
-- input { true [1, 2] [5] } output { [4, 7, 5] }
-- input { false [1, 3] [5] } output { [3, 5] }
-- random input { true [1000]i64 [100]i64 }
-- random input { false [1000]i64 [0]i64 }
-- random input { false [0]i64 [100]i64 }
entry choice_before [n] [m] (c: bool) (xs: [n]i64) (zs: [m]i64): ?[k].[k]i64 =
  (if c then map f xs else filter p xs) ++ zs
entry choice_behind [n] [m] (c: bool) (xs: [n]i64) (zs: [m]i64): ?[k].[k]i64 =
  reverse (zs ++ (if c then reverse (map f xs) else filter p (reverse xs)))

-- ==
-- entry: sum_of_choice
-- input { true [1, 2] [5] } output { 16 }
-- input { false [1, 3] [5] } output { 8 }
-- random input { true [1000]i64 [100]i64 }
-- structure ilp { arrays 0 }
entry sum_of_choice [n] [m] (c: bool) (xs: [n]i64) (zs: [m]i64): i64 =
  i64.sum ((if c then map f xs else filter p xs) ++ zs)

-- Bins are filled in each branch, so that several passes over them need no array more than one does.
-- ==
-- entry: bins_of_appended_cases
-- input { 0 [0, 0, 1] [5] } output { [2, 6, 0, 0] 16 }
-- input { 1 [0, 0, 1] [5] } output { [0, 2, 0, 0] 7 }
-- random input { 0 [1000]i64 [100]i64 }
-- random input { 2 [1000]i64 [0]i64 }
-- structure ilp { clusters 0 arrays 0 }
entry bins_of_appended_cases [n] [m] (k: i64) (xs: [n]i64) (zs: [m]i64): ([4]i64, i64) =
  let a: []i64 = match k case 0 -> map f xs case 1 -> [] case _ -> filter p xs
  let b = a ++ zs
  in (hist (+) 0 4 (map (% 4) b) (map (const 2) b), i64.sum (map (\x -> x + x % 3) b))

-- A step reads the element before its own behind a test of the position. A scan hands the element on, so the array is not stored.
-- ==
-- entry: before_them
-- input { [5i64, 5i64, 1i64, 5i64, 7i64, 7i64, 2i64] } output { [5i64, 7i64] [0i64, 0i64, 0i64, 2i64, 0i64] [0i64, 1i64, 1i64, 0i64, 1i64] }
-- input { [1i64, 2i64] } output { empty([0]i64) empty([0]i64) empty([0]i64) }
-- input { [9i64] } output { [9i64] [0i64] [0i64] }
-- random input { [1000]i64 } auto output
-- structure { clusters 1 arrays 0 }
entry before_them [n] (xs: [n]i64): ?[k][m].([k]i64, [m]i64, [m]i64) =
  let ys = filter (\x -> x % 10 > 3) xs
  let steps = map_index (\i y -> if i > 0 then y - ys[i - 1] else 0) ys
  let longs =
    map_index
      (\i y -> if i == 0 || y > 100 then 0 else if ys[i - 1] == y || ys[i] < 6 then 1 else 0) ys
  in (unique (==) ys, steps, longs)

-- A read before the first element is an error. A read of a later element needs the array in memory.
-- ==
-- entry: before_first
-- input { [5i64, 1i64, 7i64] false } output { [5i64, 7i64] }
-- input { [5i64, 1i64, 7i64] true } error: index -1 is out of bounds
-- input { [1i64] true } output { empty([0]i64) }
entry before_first [n] (xs: [n]i64) (all: bool): ?[k].[k]i64 =
  let ys = filter (> 3) xs
  in map_index
       (\i y -> if all then y + ys[i - 1] else if i + 1 < length ys then ys[i + 1] - 2 else y) ys

-- The keys of a histogram of a choice are made in its branches, and so is the other factor of a product.
-- ==
-- entry: keyed_choice
-- input { true [1i64, 2i64, 3i64] [0i64, 1i64, 8i64] } output { [8i64, 4i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64] 64i64 }
-- input { false [1i64, 2i64, 3i64] [0i64, 1i64, 8i64] } output { [6i64, 3i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64] 44i64 }
-- structure { arrays 0 }
entry keyed_choice [n] (c: bool) (xs: [n]i64) (ks: [n]i64): ([8]i64, i64) =
  let ys = if c then map (* 2) xs else map (+ 1) xs
  in (hist (+) 0 8 (map (% 8) ks) ys, i64.sum (map2 (*) (map (+ 1) ks) ys))
