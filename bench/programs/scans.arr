-- | The sums of all prefixes of an array increased by one.
entry scan_i32 [n] (xs: [n]i32): [n]i32 = scan (+) 0 (map (+ 1) xs)

-- | The sums of all prefixes of an array doubled.
entry scan_f64 [n] (xs: [n]f64): [n]f64 = scan (+) 0 (map (* 2) xs)
