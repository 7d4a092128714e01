-- $ arrc check FILE
-- What a function gives may be an array that it holds.
def applied 't (op: t -> t) (x: t): t = op x
def of_any 't (op: t -> t) (x: t): *t = applied op (copy x)
def rows [n] (op: i64 -> [n]i64): [n]i64 = op 1
def of_rows [n] (op: i64 -> [n]i64): *[n]i64 = rows op
