-- Passes of few steps in a loop: a direct call where they are short, and the runtime where they are not.

-- | A map, a histogram and a filter in each turn.
-- ==
-- entry: turns
-- input { empty([0]i64) } output { empty([0]i64) 0i64 }
-- input { [3i64] } output { [9i64] 3i64 }
-- random input { [63]i64 } auto output
-- random input { [64]i64 } auto output
-- random input { [65]i64 } auto output
-- random input { [3000]i64 } auto output
-- random input { [40000]i64 } auto output
entry turns [n] (xs: [n]i64): ([n]i64, i64) =
  loop (xs, kept) = (xs, 0) for k < 3 do
    let ys = map (\x -> x + 2) xs
    let h = hist (+) 0 8 (map (\y -> y & 7) ys) ys
    in (ys, kept + length (filter (\y -> (y + h[k]) & 1 == 1) ys))
