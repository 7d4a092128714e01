def clamp (lo: i64) (hi: i64) (x: i64): i64 = i64.max lo (i64.min hi x)
def a (x: i64): i64 = clamp -1 1 x
def b (x: i64): i64 = clamp -2 -1 x
def c (x: f64): f64 = f64.abs -x
