-- $ arrc check FILE
-- Entries whose types nothing tells.
entry same x = x
entry pairs = map (\x -> (x, x))
entry counted xs = length xs
entry in_tuple = (id, 2)
entry given g = g 1i64
entry sized (n: i32) (xs: [n]f64): [n]f64 = xs
