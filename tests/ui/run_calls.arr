-- $ arrc run FILE down 3
def step (n: i64): i64 = if n == 0 then 1 / n else 1 + step (n - 1)

entry down (n: i64): i64 = step n
