-- $ COLUMNS=1 arrc check FILE
entry total [n] (xs: [n]f64) = f64.sum (map (\x -> x + missing) xs) + f64.product xs
