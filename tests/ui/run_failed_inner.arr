-- $ arrc run --interpret FILE each [1,2] 0
entry each [n] (xs: [n]i64) (y: i64): [n]i64 = map (\x -> 3 + (x + 1) % y) xs
