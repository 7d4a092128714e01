-- $ arrc run --plot out.svg --plot-as=pie FILE squares 3
entry squares (n: i64): [n]i64 = map (\i -> i * i) (iota n)
