-- $ arrc test FILE
-- Made up values are the same every time.
-- ==
-- entry: first
-- random input { [3]f64 [2]u8 bool 7 } output { [0.8833108082136426, 0.43152799704850997, 0.026433771592597743] }
entry first [n] [m] (xs: [n]f64) (bytes: [m]u8) (yes: bool) (k: i32): [n]f64 = xs
