def fact n = if n == 0 then 1 else n * fact (n - 1)
def even n = n == 0 || odd (n - 1)
def odd n = n != 0 && even (n - 1)
entry demo (x: i64): bool = fact x > 3 && even x
