def closer (a: (i64, f64)) (b: (i64, f64)): (i64, f64) = if a.1 - b.1 > 1 then b else a
entry nearest [n] (is: [n]i64) (vs: [n]f64): ([8]i64, [8]f64) =
  unzip (hist closer (0, 0) 8 is (zip (iota n) vs))
