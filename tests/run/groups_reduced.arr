-- A reduction of each group of `group_collect` is a histogram: one pass over the elements, without the groups in memory.
-- `none` has the groups.

-- ==
-- entry: sums
-- input { 3i64 [0i64, 2i64, 0i64, 2i64, 2i64] [1, 2, 3, 4, 5] } output { [4, 0, 11] }
-- input { 2i64 empty([0]i64) empty([0]i64) } output { [0, 0] }
-- input { 0i64 empty([0]i64) empty([0]i64) } output { empty([0]i64) }
-- input { 2i64 [0i64, 2i64, -1i64] [1, 2, 3] } error: index 2 is out of bounds for an array of length 2
-- input { 2i64 [-1i64] [1] } error: index -1 is out of bounds for an array of length 2
-- input { -1i64 empty([0]i64) empty([0]i64) } error: negative size -1
-- structure ilp { clusters 1 arrays 0 } none { arrays 5 }
entry sums [n] (k: i64) (keys: [n]i64) (xs: [n]i64): [k]i64 =
  let (begins, grouped) = group_collect k (.0) (.1) (zip keys xs)
  in generate k (\g -> reduce (+) 0 grouped[begins[g]:begins[g + 1]])

-- The keys and values are computed in the pass of the histogram.
-- ==
-- entry: of_filter
-- input { [3, 1, -7, 5, 6, 4, 0] } output { [18, 10, 10] }
-- structure ilp { clusters 1 arrays 0 reads 1 }
entry of_filter [n] (xs: [n]i64): [3]i64 =
  let (begins, grouped) = group_collect 3 (% 3) (* 2) (filter (> 0) xs)
  in generate 3 (\g -> i64.sum grouped[begins[g]:begins[g + 1]])

-- A fold in order, of several arrays, after a map that uses the number of the group.
-- ==
-- entry: in_order
-- input { [1i64, 0i64, 1i64, 1i64] [1, 2, 3, 4] [5, 6, 7, 8] } output { [12, 742] [0, 8] }
-- structure ilp { clusters 1 arrays 0 }
entry in_order [n] (keys: [n]i64) (xs: [n]i64) (ys: [n]i64): ([2]i64, [2]i64) =
  let (begins, grouped) = group_collect 2 (.0) (.1) (zip keys (zip xs ys))
  let both g =
    let group = grouped[begins[g]:begins[g + 1]]
    in (fold (\acc (x, y) -> 10 * acc + x * y) 0 group,
        fold i64.max 0 (map (\(_, y) -> y * g) group))
  in unzip (generate 2 both)

-- The ends of the groups as arrays.
-- ==
-- entry: by_ends
-- input { 2i64 [1i64, 0i64, 1i64] [4, 5, 6] } output { [5, 6] }
-- structure ilp { clusters 1 arrays 0 }
entry by_ends [n] (k: i64) (keys: [n]i64) (xs: [n]i64): []i64 =
  let (begins, grouped) = group_collect k (.0) (.1) (zip keys xs)
  in map2 (\b e -> reduce i64.max 0 grouped[b:e]) (init begins) (tail begins)

-- The number of elements is a histogram too, in the same pass.
-- ==
-- entry: means
-- input { [0i64, 2i64, 2i64] [1.0, 2.0, 4.0] } output { [1.0, -1.0, 3.0] }
-- structure ilp { clusters 3 arrays 4 }
entry means [n] (keys: [n]i64) (xs: [n]f64): [3]f64 =
  let (begins, grouped) = group_collect 3 (.0) (.1) (zip keys xs)
  let mean g =
    let group = grouped[begins[g]:begins[g + 1]]
    in if length group == 0 then -1 else f64.sum group / f64.i64 (length group)
  in generate 3 mean

-- The greatest sum of a group.
-- ==
-- entry: greatest
-- input { [0i64, 2i64, 2i64] [7, 2, 4] } output { 7 }
-- structure ilp { clusters 2 arrays 1 }
entry greatest [n] (keys: [n]i64) (xs: [n]i64): i64 =
  let (begins, grouped) = group_collect 3 (.0) (.1) (zip keys xs)
  in fold i64.max 0 (map (\g -> reduce (+) 0 grouped[begins[g]:begins[g + 1]]) (iota 3))

-- Where the groups are needed as well, they are read.
-- ==
-- entry: with_groups
-- input { [1i64, 0i64, 1i64] [4, 5, 6] } output { [0i64, 1i64, 3i64] [5, 4, 6] [5, 10] }
entry with_groups [n] (keys: [n]i64) (xs: [n]i64): ([3]i64, [n]i64, [2]i64) =
  let (begins, grouped) = group_collect 2 (.0) (.1) (zip keys xs)
  in (begins, grouped, generate 2 (\g -> reduce (+) 0 grouped[begins[g]:begins[g + 1]]))

-- Only wanted groups are reduced: the value of another one may fail.
-- ==
-- entry: wanted
-- input { [1i64, 0i64, 1i64] [4, 0, 5] } output { [0, 45] }
entry wanted [n] (keys: [n]i64) (xs: [n]i64): [2]i64 =
  let (begins, grouped) = group_collect 2 (.0) (.1) (zip keys xs)
  in generate 2 (\g ->
       if g == 0 then 0 else reduce (+) 0 (map (\x -> 100 / x) grouped[begins[g]:begins[g + 1]]))

-- The elements of two groups together are no group.
-- ==
-- entry: two_groups
-- input { [1i64, 0i64, 2i64] [4, 5, 6] } output { [9, 10] }
entry two_groups [n] (keys: [n]i64) (xs: [n]i64): [2]i64 =
  let (begins, grouped) = group_collect 3 (.0) (.1) (zip keys xs)
  in generate 2 (\g -> reduce (+) 0 grouped[begins[g]:begins[g + 2]])

-- Fewer groups than keys: the steps go over other groups than their own.
-- ==
-- entry: fewer
-- input { [1i64, 0i64, 2i64] [4, 5, 6] } output { [5, 4] }
entry fewer [n] (keys: [n]i64) (xs: [n]i64): [2]i64 =
  let (begins, grouped) = group_collect 3 (.0) (.1) (zip keys xs)
  in generate 2 (\g -> reduce (+) 0 grouped[begins[g]:begins[g + 1]])

-- A value of the step beside the elements of its group.
-- ==
-- entry: beside
-- input { [1i64, 0i64, 1i64] [4, 5, 6] } output { [5, 20] }
entry beside [n] (keys: [n]i64) (xs: [n]i64): [2]i64 =
  let (begins, grouped) = group_collect 2 (.0) (.1) (zip keys xs)
  in generate 2 (\g ->
       let count = begins[g + 1] - begins[g]
       in reduce (+) 0 (map (* count) grouped[begins[g]:begins[g + 1]]))
