-- | The positive elements, their sum, and the sum of all (002, section 6.3).
entry filter_sum [n] (xs: [n]i64): ?[m].([m]i64, i64, i64) =
  let positive = filter (> 0) xs
  in (positive, reduce (+) 0 positive, reduce (+) 0 xs)
