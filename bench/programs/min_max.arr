-- | The least and the largest element (003, section 6).
entry min_max_i32 [n] (xs: [n]i32): (i32, i32) =
  (reduce i32.min i32.highest xs, reduce i32.max i32.lowest xs)

-- | The same of floats.
entry min_max_f64 [n] (xs: [n]f64): (f64, f64) =
  (reduce f64.min f64.inf xs, reduce f64.max (-f64.inf) xs)
