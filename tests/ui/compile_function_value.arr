def pick (up: bool): i64 -> i64 = if up then (+ 1) else (+ -1)

entry main (up: bool) (x: i64): i64 = pick up x
