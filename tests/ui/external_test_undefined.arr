-- $ arrc test FILE
-- ==
-- entry: f
-- input { 1.0 } output { 2.0 }
external twice (x: f64): f64
entry f (x: f64): f64 = twice x
