-- $ arrc run FILE smallest [-1]
def lowest [n] (xs: [n]i64): i64 = head (filter (> 0) xs)

entry smallest [n] (xs: [n]i64): i64 = 2 * lowest xs + 1
