-- $ arrc test FILE
-- ==
-- entry: differences
-- input { [1i64] }
-- input { [5i64, 3i64, 2i64] }
entry differences [n] (xs: [n]i64): i64 = reduce (\x y -> x - y) 0 xs

-- ==
-- entry: from_ten
-- input { [1i64, 2i64] }
entry from_ten [n] (xs: [n]i64): i64 = reduce (+) 10 xs

-- ==
-- entry: lawful
-- input { [0.1, 0.2, 0.3, 1e9, -0.7] }
entry lawful [n] (xs: [n]f64): f64 = (reduce (\(x, i) (y, j) -> (x + y, i + j)) (0, 0) (zip xs (iota n))).0

-- ==
-- entry: scanned
-- input { [1i64, 2i64, 3i64, 4i64] }
entry scanned [n] (xs: [n]i64): [n]i64 = scan (\x y -> 2 * x + y) 0 xs
