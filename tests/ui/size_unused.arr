-- $ arrc check FILE
-- Size parameters of one name, and those that a type does not use.
type samples [n] = f64
type pair [n] [m] = ([n]f64, f64)
type hidden [n] = ?[n].[n]f64
type used [n] [m] = [n]f64 -> [m]f64

def twice [n] [n] (xs: [n]f64): i64 = n
type both [n] [n] = [n]f64
entry local_use (xs: []f64): i64 = let f [m] [m] (ys: [m]f64) = m in f xs
