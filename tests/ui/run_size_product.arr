-- $ arrc run FILE first 4294967296 4294967296 []
entry first (n: i64) (m: i64) (xs: [n * m]f64): f64 =
  let rows: [n][m]f64 = unflatten xs in rows[0, 0]
