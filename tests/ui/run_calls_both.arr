-- $ arrc run FILE search [1,2,3]
def at [n] (xs: [n]i64) (i: i64): i64 = xs[i]

def find [n] (xs: [n]i64) (i: i64): i64 = if at xs i == 9 then i else find xs (i + 1)

def start [n] (xs: [n]i64): i64 = find xs 0

entry search [n] (xs: [n]i64): i64 = start xs
