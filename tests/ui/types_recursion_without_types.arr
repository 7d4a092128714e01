def f n = if n == 0 then 0 else f (n - 1)
def g (n: i64): i64 = h n
def h n = g n
