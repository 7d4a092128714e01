-- $ arrc check FILE
-- A size that is needed before the argument is computed that tells it.
def add_positions [n]: [n]i64 -> [n]i64 = map2 (+) (iota n)

entry late [n] (xs: [n]i64): i64 = i64.sum (id add_positions (filter (> 0) xs))
