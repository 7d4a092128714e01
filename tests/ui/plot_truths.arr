-- $ arrc run --plot out.svg FILE even 3
entry even (n: i64): [n]bool = map (\i -> i % 2 == 0) (iota n)
