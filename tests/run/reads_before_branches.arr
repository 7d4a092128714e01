-- In the steps whose neighbour is there, a branch reads it early: the results and the errors stay the same.

-- ==
-- entry: neighbours
-- input { [1, 9, 3, 8, 8, 2] } output { [true, true, true, true, false, true] [1, 9, 9, 8, 8, 8] }
-- input { [9] } output { [true] [9] }
-- input { empty([0]i64) } output { empty([0]bool) empty([0]i64) }
entry neighbours [n] (xs: [n]i64): ([n]bool, [n]i64) =
  unzip
    (map (\(i, x) -> (i == 0 || x < 7 || xs[i - 1] < 7, if i > 0 && x < 7 then xs[i - 1] else x))
       (indexed xs))

-- A position outside is an error only if the branch is taken.
-- ==
-- entry: outside
-- input { 1 [1, 9, 3, 8] } output { [9, 9, 8, 8] }
-- input { 1 [1, 9, 3, 3] } error: index 4 is out of bounds for an array of length 4
-- input { -2 [9, 9, 3, 3] } output { [9, 9, 9, 9] }
-- input { -2 [9, 2, 3, 3] } error: index -1 is out of bounds for an array of length 4
entry outside [n] (by: i64) (xs: [n]i64): [n]i64 =
  map (\(i, x) -> if x < 7 then xs[i + by] else x) (indexed xs)

-- Nested filters, and a histogram of what both keep.
-- ==
-- entry: ends
-- input { [1, 2, 9, 3, 9, 9, 4] } output { [0, 2, 1, 0] }
entry ends [n] (xs: [n]i64): [4]i64 =
  let letters = map (< 7) xs
  let begins = map_index (\i letter -> i == 0 || !letter || !letters[i - 1]) letters
  let lengths = filter (> 0) (segmented_reduce (+) 0 begins (map i64.bool letters))
  in hist (+) 0 4 lengths (map (const 1) lengths)
