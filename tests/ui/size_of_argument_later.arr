def sums [n] (xs: [2*n]i32) (ys: [n+n]i32): [2*n]i32 = map2 (+) xs ys
def wrong [n] [m] (xs: [2*n]i32) (ys: [m]i32) = map2 (+) xs ys
