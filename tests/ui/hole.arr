def scale: f64 = 2.5
def half (x: f64): f64 = x / 2
entry f [n] (xs: [n]f64) (k: f64) (m: i64): [n]f64 = map (\x -> x * ???) xs
entry g [n] (xs: [n]i64): i64 = reduce ??? 0 xs
entry h [n] (xs: [n]i64): [n]i64 = ???
