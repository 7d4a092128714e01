-- $ arrc test FILE
-- ==
-- entry: total
-- input { [1, 2, 3] } output { 6 }
-- input { empty([0]i64) } output { 0i64 }
-- input { [1,
--          2,
--          3] }
-- output {
--   6
-- }
entry total [n] (xs: [n]i64): i64 = reduce (+) 0 xs

-- ==
-- entry: floats
-- input { 0.1 0.2 } output { 0.3 0.30000001f64 }
-- input { inf -inf } output { nan nan }
-- input { 0x1.8p1 nan } output { nan nan }
entry floats (x: f64) (y: f64): (f64, f64) = (x + y, y + x)
