-- $ arrc test FILE
-- ==
-- entry: f
-- input { 1 } output { 1 }
-- input { 2 } output { 2 }
entry f (x: i64): i64 = y
