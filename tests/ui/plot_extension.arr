-- $ arrc run --plot out.jpg FILE squares 3
entry squares (n: i64): [n]i64 = map (\i -> i * i) (iota n)
