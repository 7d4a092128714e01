def endless (n: i64) = endless (n - 1)
def rows (n: i64) = if n <= 1 then [n] else rows (n / 2) ++ [n]
def count n = if n == 0 then 0 else count (n - 1)
def mixed (n: i64) = if n == 0 then 1i64 else f64.i64 (mixed (n - 1))
def first (n: i64) = if n == 0 then true else second (n - 1)
def second n = !(first n)
