-- $ arrc run --plot out.svg --plot-as=points FILE squares 3
-- Points are pairs.
entry squares (n: i64): [n]i64 = map (\i -> i * i) (iota n)
