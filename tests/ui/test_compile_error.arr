-- $ arrc test FILE
-- ==
-- error: A0301.*size
def f [n] (xs: [n]i64): [n]i64 = map2 (+) xs (filter (> 0) xs)
