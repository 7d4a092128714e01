entry longer (xs: [4]i64): [4]i64 = xs with [1:3] = [7, 8, 9]
entry scalar (xs: [4]i64): [4]i64 = xs with [1:3] = 7
entry elements [n] (xs: [n]i64) (ys: [n]f64): [n]i64 = xs with [:] = ys
entry rows [n] [m] (xss: [n][m]i64) (ys: [n]i64): [n][m]i64 = xss with [0:2] = ys
entry in_let (xs: [4]i64): [4]i64 =
  let xs[::2] = [1.5, 2.5]
  in xs
