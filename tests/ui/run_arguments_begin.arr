-- $ arrc run FILE demo 1,2]
-- A bracket that is missing at the beginning.
entry demo [n] (xs: [n]i64): i64 = i64.sum xs
