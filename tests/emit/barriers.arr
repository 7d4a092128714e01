-- $ arrc build FILE --emit=graph,clusters
-- Recursive calls, `++` and literals run by themselves, and nothing fuses across them.
def halves [n] (xs: [n]i64): ?[m].[m]i64 =
  if n < 2 then xs else halves (filter (\x -> x % 2 == 0) (map (/ 2) xs)) ++ [n]

entry demo [n] (xs: [n]i64): i64 = reduce (+) 0 (map (+ 1) (halves (map (* 4) xs)))
