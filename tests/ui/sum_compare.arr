type column [n] = #ints ([n]i64) | #none

def same [n] [m] (a: column [n]) (b: column [m]): bool = a == b

entry demo [n] (xs: [n]i64): bool = same (#ints xs) (#ints (filter (> 0) xs))
