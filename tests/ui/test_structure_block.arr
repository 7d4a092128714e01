-- $ arrc test FILE
-- ==
-- structure normalise { clusters 2 }
-- structure f.els { clusters 2 }
entry normalize [n] (xs: [n]i64): [n]i64 = map (/ reduce (+) 0 xs) xs
