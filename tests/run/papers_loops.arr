-- The examples of 003 with the loops that it states. `none` has the loops before fusion, an `iota` among them. An array of section 5.5
-- that is cheap to compute would be computed where it is read, so that example is asserted of `megiddo`. Section 6.3, on effects, is
-- in effects.arr.

-- Section 2.1: two loops over one range are one.
-- ==
-- entry: horizontal
-- input { [1, 2, 3] } output { [2, 4, 6] 6 }
-- structure ilp { clusters 1 arrays 0 loops 1 }
entry horizontal [n] (xs: [n]i64): ([n]i64, i64) = (map (* 2) xs, reduce (+) 0 xs)

-- Section 2.2: the consumer computes what it takes.
-- ==
-- entry: vertical
-- input { } output { [0, 10, 28, 54, 88, 130, 180, 238, 304, 378] }
-- structure ilp { clusters 1 arrays 0 loops 1 } none { clusters 3 arrays 2 }
entry vertical: [10]i64 =
  let prod = generate 10 (\i -> 2 * i + 3)
  in map_index (\i x -> 2 * i * x) prod

-- The producer is needed as well.
-- ==
-- entry: both
-- input { } output { [3, 5, 7, 9, 11, 13, 15, 17, 19, 21] [0, 10, 28, 54, 88, 130, 180, 238, 304, 378] }
-- structure ilp { clusters 1 arrays 0 loops 1 }
entry both: ([10]i64, [10]i64) =
  let prod = generate 10 (\i -> 2 * i + 3)
  in (prod, map_index (\i x -> 2 * i * x) prod)

-- Section 4.1: a loop with several results.
-- ==
-- entry: fat
-- input { } output { [0, 2, 4, 6, 8, 10, 12, 14, 16, 18] [3, 5, 7, 9, 11, 13, 15, 17, 19, 21] }
-- structure ilp { clusters 1 arrays 0 loops 1 }
entry fat: ([10]i64, [10]i64) = (generate 10 (\i -> 2 * i), generate 10 (\i -> 2 * i + 3))

-- Section 5.5: the third array depends on the second, so not all three can be one loop.
-- ==
-- entry: between
-- input { 3i64 } output { [1, 2, 3] [2, 3, 4] [3, 4, 5] }
-- structure megiddo { clusters 2 arrays 0 }
entry between (n: i64): ([n]i64, [n]i64, [n]i64) =
  let arr1 = generate n (\i -> i + 1)
  let arr2 = generate n (\i -> i + 2)
  in (arr1, arr2, map (\x -> x + arr2[0]) arr1)

-- Section 6.1: of equal ranges, that of the producer and the same constant.
-- ==
-- entry: real_and_reconstructed
-- structure ilp { clusters 1 arrays 0 loops 1 }
entry real_and_reconstructed: ([100]i64, [100]i64) =
  let prod = generate 100 (\i -> i + 1)
  in (generate (length prod) (\i -> prod[i] * 2), generate 100 (\i -> prod[i] * 3))

-- Sections 6.2 and 6.4: the only use of the producer is its element at the step's own position.
-- ==
-- entry: one_to_one
-- input { } output { [26, 41, 56, 71, 86, 101, 116, 131, 146, 161] }
-- structure ilp { clusters 1 arrays 0 loops 1 } none { clusters 2 arrays 1 }
entry one_to_one: [10]i64 =
  let prod = generate 10 (\i -> i * 3 + 4)
  in generate (length prod) (\i -> prod[i] * 5 + 6)

-- ==
-- entry: one_to_one_kept
-- structure ilp { clusters 1 arrays 0 loops 1 }
entry one_to_one_kept: ([10]i64, [10]i64) =
  let prod = generate 10 (\i -> i * 3 + 4)
  in (prod, generate (length prod) (\i -> prod[i] * 5 + 6))

-- Section 6.5: a consumer that depends on another one is not in its loop.
-- ==
-- entry: several_consumers
-- input { [1, 2, 3] } output { [3, 4, 5] [4, 6, 8] [36, 48, 60] }
-- structure ilp { clusters 2 arrays 0 }
entry several_consumers [n] (xs: [n]i64): ([n]i64, [n]i64, [n]i64) =
  let p = map (+ 1) xs
  let c1 = map (+ 1) p
  let total = reduce (+) 0 c1
  in (c1, map (* 2) p, map (\x -> x * total) c1)

-- Several producers and one consumer.
-- ==
-- entry: several_producers
-- structure ilp { clusters 1 arrays 0 loops 1 }
entry several_producers: ([100]i64, [100]i64) =
  let p1 = generate 100 (\i -> i + 1)
  let p2 = generate 100 (\i -> i + 2)
  let c = generate (length p1) (\k -> p1[k] + p2[k] + k)
  in (c, generate 100 (\k -> p1[k] + p2[k] + 2 * k))

-- The fusion with the producer has priority over that of the producers: the other one has a loop.
-- ==
-- entry: other_index
-- structure ilp { clusters 2 arrays 1 }
entry other_index: [99]i64 =
  let prod = generate 99 (\i -> i + 1)
  let other = generate 100 (\i -> i + 2)
  in generate (length prod) (\i -> other[i + 1] + prod[i])

-- Section 6.7: a filter, and a fold that would divide by zero where the filter keeps nothing.
-- ==
-- entry: collect
-- input { } output { [7, 8, 9, 10, 11, 12, 13, 14, 15, 16] }
-- structure ilp { clusters 1 arrays 0 loops 1 }
entry collect: [10]i64 = generate 10 (\i -> i + 3) |> map (+ 4)

-- ==
-- entry: filtered_fold
-- input { 5i64 } output { 1.0 }
-- structure ilp { clusters 1 arrays 0 loops 1 } none { arrays 3 }
entry filtered_fold (n: i64): f64 =
  let prod = map (\i -> i - 2) (filter (!= 2) (iota n))
  in fold (\x y -> x + f64.i64 (2 / y)) 0.5 prod + 0.5

-- Section 6.9: empty and singleton parts, choices, and flatmaps of flatmaps.
-- ==
-- entry: empty_choice
-- input { true [1, 12, 13] } output { [26, 28] 25 }
-- input { false [1, 12, 13] } output { empty([0]i64) 0 }
-- structure ilp { arrays 0 }
-- structure empty_choice.then ilp { clusters 1 arrays 0 }
entry empty_choice [n] (cond: bool) (xs: [n]i64): ?[k].([k]i64, i64) =
  let p = if cond then filter (> 10) xs else []
  in (map (\x -> 2 * x + 2) p, reduce (+) 0 p)

-- ==
-- entry: singletons
-- input { [1, 2] } output { [3, 4] 7 }
-- structure ilp { clusters 1 arrays 0 }
entry singletons [n] (xs: [n]i64): ?[k].([k]i64, i64) =
  let p = flatmap (\x -> [x + 2]) xs
  let c = flatmap (\x -> [x]) p
  in (c, reduce (+) 0 c)

-- ==
-- entry: collect_of_collect
-- input { [1, 2, 7] } output { [1, 2, 4, 3, 2, 4, 3, 4, 8] 31 }
-- structure ilp { clusters 1 arrays 0 }
entry collect_of_collect [n] (xs: [n]i64): ?[k].([k]i64, i64) =
  let p = flatmap (\x -> if x > 5 then [] else map (+ x) (iota 3)) xs
  let c = flatmap (\y -> if y % 2 == 0 then [y, 2 * y] else [y]) p
  in (c, reduce (+) 0 c)

-- Section 6.10: the condition of a filter is tested once for it and for its consumer.
-- ==
-- entry: if_fusion
-- input { 13i64 } output { [12, 13] [14, 15] }
-- structure ilp { clusters 1 arrays 0 loops 1 }
entry if_fusion (n: i64): ?[k].([k]i64, [k]i64) =
  let arr0 = map (+ 1) (filter (> 10) (iota n))
  in (arr0, map (+ 2) arr0)

-- Section 6.11: rows of rows, and an inner array that no longer depends on the outer one and is made once.
-- ==
-- entry: fixpoint
-- input { 2i64 3i64 } output { [[1, 2, 3], [1, 2, 3]] }
-- structure ilp { clusters 1 arrays 0 }
entry fixpoint (n: i64) (m: i64): [n][m]i64 =
  let range = generate n (\_ -> generate m (\j -> j + 1))
  in generate n (\k -> generate m (\l -> range[k, l]))

-- ==
-- entry: independent_row
-- input { 2i64 3i64 } output { [[3, 4, 5], [3, 4, 5]] }
-- structure ilp { clusters 2 arrays 1 }
entry independent_row (n: i64) (m: i64): [n][m]i64 =
  let a1 = generate n (const 1)
  let a2 = generate m (+ 2)
  in generate n (\i -> generate m (\j -> a1[i] + a2[j]))

-- Section 7: a consumer in both branches, a larger stencil, and appends.
-- ==
-- entry: both_branches
-- input { true [1, 12] } output { 26 }
-- input { false [1, 12] } output { 15 }
-- structure ilp { arrays 0 }
-- structure both_branches.then ilp { clusters 1 arrays 0 }
-- structure both_branches.else ilp { clusters 1 arrays 0 }
entry both_branches [n] (cond: bool) (xs: [n]i64): i64 =
  reduce (+) 0 (if cond then map (* 2) xs else map (+ 1) xs)

-- ==
-- entry: stencil
-- input { [1, 2, 3] } output { [7, 15] }
-- structure ilp { clusters 1 arrays 0 }
entry stencil [n] (xs: [n]i64): []i64 =
  let prod = map (\x -> x * x + 1) xs
  in generate (n - 1) (\i -> prod[i] + prod[i + 1])

-- ==
-- entry: appended
-- input { [1, 2] [3] } output { [2, 3, 4] }
-- structure ilp { clusters 2 arrays 0 }
entry appended [n] [m] (a: [n]i64) (b: [m]i64): []i64 = map (+ 1) (a ++ b)

-- Buckets that are reduced are histograms.
-- ==
-- entry: bucket_reduce
-- input { [3, 1, 6, 5, 7] } output { [9, 8, 5] }
-- structure ilp { clusters 1 reads 1 writes 1 arrays 0 }
entry bucket_reduce [n] (xs: [n]i64): [3]i64 =
  group_reduce 3 (\x -> x % 3) id (+) 0 (filter (!= 0) xs)

-- Buckets that are collected, of which each is then reduced, are the same histogram.
-- ==
-- entry: bucket_collect
-- input { [3, 1, 6, 5, 7] } output { [18, 16, 10] }
-- structure ilp { clusters 2 reads 2 writes 2 arrays 1 }
entry bucket_collect [n] (xs: [n]i64): [3]i64 =
  let (begins, grouped) = group_collect 3 (\x -> x % 3) id (filter (!= 0) xs)
  in generate 3 (\g -> 2 * reduce (+) 0 grouped[begins[g]:begins[g + 1]])
