def f (xs: [3]f64) = filter (\x -> x + 1) xs
