def sum_to n = if n == 0 then 0 else n + sum_to (n - 1)

entry demo (n: i64): i64 = sum_to n
