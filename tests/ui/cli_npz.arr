-- $ arrc run FILE same @pair.npz:xs @pair.npz:is
-- The first is stored as it is, the second compressed.
entry same [n] (xs: [n]f64) (is: [n]i64): ([n]f64, [n]i64) = (xs, is)
