def f x = x
type t = i64
def f y = y
type t = f64
