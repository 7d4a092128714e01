def f (x: i64): i64 = x
def f (x: i64) (y: i64): i64 = x + y
entry f (x: i64): i64 = x
type t = i64
type t = f64
