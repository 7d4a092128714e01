-- $ arrc run FILE middle [1,2,3] 7
def element [n] (xs: [n]i64) (i: i64): i64 = xs[i]

def twice [n] (xs: [n]i64) (i: i64): i64 = element xs i * 2

entry middle [n] (xs: [n]i64) (i: i64): i64 = twice (map (+ 1) xs) i
