entry demo [n] [m] (xs: [n]i64) (ys: [m]i64): bool = xs == ys
