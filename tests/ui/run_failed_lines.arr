-- $ arrc run FILE window [1,2,3] 2
entry window [n] (xs: [n]i64) (from: i64): i64 =
  i64.sum
    xs[from:
       from + 2] + 1
