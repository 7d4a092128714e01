-- $ arrc run FILE demo '[1,2)'
-- A bracket of another shape.
entry demo [n] (xs: [n]i64): i64 = i64.sum xs
