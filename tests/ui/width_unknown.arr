-- $ COLUMNS=wide arrc check FILE
def above [n] (xs: [n]f64) = filter (> 0) xs
entry together [n] (xs: [n]f64): [n]f64 = map2 (+) xs (above xs)
