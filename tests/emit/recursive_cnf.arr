-- $ arrc build FILE --emit=cnf
-- A recursive function becomes one function for each way it is used: here with two operators.
def iterate 'a (k: i64) (f: a -> a) (x: a): a = if k == 0 then x else iterate (k - 1) f (f x)

entry demo (k: i64) (x: i64) (y: f64): (i64, f64) = (iterate k (* 2) x, iterate k (+ 0.5) y)
