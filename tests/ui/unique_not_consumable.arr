def set [n] (xs: *[n]i64): *[n]i64 = xs with [0] = 1

def table: [3]i64 = [1, 2, 3]

entry parameter [n] (xs: [n]i64): [n]i64 = set xs

entry row [n] [m] (xss: [n][m]i64): [m]i64 = set (xss[0])

entry constant: [3]i64 = set table

entry worker [n] (xs: *[n]i64) (is: [n]i64): [n]i64 = map (\i -> (set xs)[i]) is

entry steps [n] (xs: *[n]i64): i64 = loop acc = 0 for i < n do acc + (set xs)[i]
