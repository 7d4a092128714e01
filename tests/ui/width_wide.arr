-- $ COLUMNS=240 arrc check FILE
entry total [n] (first: [n]f64) (second: [n]f64) = f64.sum (map2 (\one other -> one * other + one - other * one + other * one + one * missing) first second) + f64.product first
