module m = { def f (x: i64): i64 = x }
def a = nothing.(1 + 2)
def b (x: {y: i64}) = x.(y)
def c = f64.(sqroot 2)
def d = m.inner.(f 1)
def e = m.(g 1)
def h (x: i64) = (x + 1).(f 2)
