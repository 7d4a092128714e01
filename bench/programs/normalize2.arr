-- | Each element divided by the sum of all, and by the sum of the positive ones (001, section 1.5.1).
entry normalize2_i32 [n] (xs: [n]i32): ([n]i32, [n]i32) =
  let sum1 = reduce (+) 0 xs
  let sum2 = reduce (+) 0 (filter (> 0) xs)
  in (map (/ sum1) xs, map (/ sum2) xs)

-- | The same of 64-bit integers.
entry normalize2_i64 [n] (xs: [n]i64): ([n]i64, [n]i64) =
  let sum1 = reduce (+) 0 xs
  let sum2 = reduce (+) 0 (filter (> 0) xs)
  in (map (/ sum1) xs, map (/ sum2) xs)

-- | The same of floats.
entry normalize2_f64 [n] (xs: [n]f64): ([n]f64, [n]f64) =
  let sum1 = reduce (+) 0 xs
  let sum2 = reduce (+) 0 (filter (> 0) xs)
  in (map (/ sum1) xs, map (/ sum2) xs)
