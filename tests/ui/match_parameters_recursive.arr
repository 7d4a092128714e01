-- A parameter fits every value, in functions that call themselves too.
entry demo (3: i64): i64 = demo 3
def even (n: i64) (#some x: #some i64 | #none): bool = if n == 0 then true else odd (n - 1) (#some x)
def odd (n: i64) (s: #some i64 | #none): bool = if n == 0 then false else even (n - 1) s
entry both (n: i64): bool = even n (#some 1)
entry wide (300: u8): i64 = wide 3
