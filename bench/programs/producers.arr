-- | The sum of the squares of one array, to which the positive numbers of another are appended.
entry append_sum_f64 [n] [m] (xs: [n]f64) (ys: [m]f64): f64 =
  reduce (+) 0 (map (\x -> x * x) xs ++ filter (> 0) ys)

-- | The same, as an array.
entry append_store_f64 [n] [m] (xs: [n]f64) (ys: [m]f64): ?[k].[k]f64 =
  map (\x -> x * x) xs ++ filter (> 0) ys

-- | The sum of an array that a condition chooses.
entry choice_sum_f64 [n] (k: i64) (xs: [n]f64): f64 =
  reduce (+) 0 (if k > 0 then map (\x -> x * x + 1) xs else if k < 0 then filter (> 0) xs else [])

-- | The sums of all prefixes that are positive.
entry scan_filter_i64 [n] (xs: [n]i64): ?[k].[k]i64 = filter (> 0) (scan (+) 0 xs)

-- | The mean of each prefix.
entry running_mean_f64 [n] (xs: [n]f64): [n]f64 =
  map2 (\sum i -> sum / f64.i64 (i + 1)) (scan (+) 0 xs) (indices xs)

-- | The distances of neighbours, squared.
entry differences_f64 [n] (xs: [n]f64): []f64 =
  map2 (\x y -> (x - y) * (x - y)) (tail xs) (init xs)

-- | The sums of the positive numbers, by their remainders.
entry filtered_histogram_i64 [n] (xs: [n]i64): [64]i64 =
  let ys = filter (> 0) (map (\x -> 3 * x + 1) xs)
  in hist (+) 0 64 (map (% 64) ys) ys

-- | The number of words of each length: runs of numbers below 400.
entry word_lengths_i64 [n] (text: [n]i64): [64]i64 =
  let letters = map (< 400) text
  let begins = map_index (\i letter -> i == 0 || !letter || !letters[i - 1]) letters
  let lengths = filter (> 0) (segmented_reduce (+) 0 begins (map i64.bool letters))
  in hist (+) 0 64 lengths (map (const 1) lengths)

-- | The sum of the products of neighbours among the positive numbers.
entry kept_neighbours_i64 [n] (xs: [n]i64): i64 =
  let ys = filter (> 0) xs
  in reduce (+) 0 (map2 (*) (tail ys) (init ys))

-- | The points left of a line, and the position of the farthest of them (002, appendix A.6).
entry hull_position_f64 [n] (x1: f64) (y1: f64) (x2: f64) (y2: f64) (xs: [n]f64)
    (ys: [n]f64): ?[k].([k]f64, [k]f64, i64) =
  let cross = map2 (\x y -> (x1 - x) * (y2 - y) - (y1 - y) * (x2 - x)) xs ys
  let (pxs, pys, pcs) = unzip3 (filter (\(_, _, c) -> c > 0) (zip3 xs ys cross))
  let farther (i, c) (j, d) = if d > c || (d == c && j < i) then (j, d) else (i, c)
  let (at, _) = reduce farther (i64.highest, 0) (indexed pcs)
  in (pxs, pys, at)
