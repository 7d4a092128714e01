-- $ arrc test FILE
-- Made up values are the same every time.
-- ==
-- entry: first
-- random input { [3]f64 [2]u8 bool 7 } output { [0.12152684143560777, 0.5526745035133085, 0.5189896463245001] }
entry first [n] [m] (xs: [n]f64) (bytes: [m]u8) (yes: bool) (k: i32): [n]f64 = xs
