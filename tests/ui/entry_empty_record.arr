entry demo {} (x: i64): i64 = x

def deep {} (n: i64): i64 = if n == 0 then 0 else deep {} (n - 1)

entry calls (n: i64): i64 = deep {} n
