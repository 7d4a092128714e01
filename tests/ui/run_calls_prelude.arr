-- $ arrc run FILE first empty([0]i64)
entry first [n] (xs: [n]i64): i64 = head xs
