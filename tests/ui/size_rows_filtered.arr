entry demo [n] [m] (xss: [n][m]i32): i64 = length (map (\row -> filter (> 0) row) xss)
