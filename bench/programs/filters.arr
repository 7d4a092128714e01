-- | The elements above a limit, their sum, and the sum of all (002, section 6.3).
entry filter_sum_i32 [n] (limit: i32) (xs: [n]i32): ?[m].([m]i32, i32, i32) =
  let kept = filter (> limit) xs
  in (kept, reduce (+) 0 kept, reduce (+) 0 xs)

-- | The elements above a limit when increased by one, so increased, and the largest of them
-- (002, section 6.4).
entry filter_max_i32 [n] (limit: i32) (xs: [n]i32): ?[m].([m]i32, i32) =
  let kept = filter (> limit) (map (+ 1) xs)
  in (kept, reduce i32.max 0 kept)

-- | The same of 64-bit integers.
entry filter_max_i64 [n] (limit: i64) (xs: [n]i64): ?[m].([m]i64, i64) =
  let kept = filter (> limit) (map (+ 1) xs)
  in (kept, reduce i64.max 0 kept)

-- | The elements above a limit, and those of them that are odd (002, section 6.5).
entry nested_filter_i32 [n] (limit: i32) (xs: [n]i32): ?[m][k].([m]i32, [k]i32) =
  let kept = filter (> limit) xs
  in (kept, filter (\x -> x & 1 == 1) kept)

-- | The sum of the elements above a limit, none of which is stored.
entry sum_above_i32 [n] (limit: i32) (xs: [n]i32): i32 = reduce (+) 0 (filter (> limit) xs)

-- | The same of floats.
entry sum_above_f64 [n] (limit: f64) (xs: [n]f64): f64 = reduce (+) 0 (filter (> limit) xs)
