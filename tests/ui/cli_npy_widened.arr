-- $ arrc run FILE same @half.npy @int8.npy @int8.npy @big.npy @one.npy
-- Each value of the file's type is one of the parameter's.
entry same [n] [m] [k] (xs: [n]f64) (ys: [n]i64) (zs: [n]f32) (us: [m][k]f64) (v: f64): ([n]f64, [n]i64, [n]f32, [m][k]f64, f64) =
  (xs, ys, zs, us, v)
