-- $ arrc run FILE normalise 3
entry normalize (x: i64): i64 = x
entry total (x: i64): i64 = 2 * x
