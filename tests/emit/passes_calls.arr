-- $ arrc build FILE --emit=passes
-- A function that calls itself has a plan of its own. What nothing uses behind a call ends there.
def sorted [n] (xs: [n]i64): ?[k].[k]i64 =
  if n <= 1 then xs
  else
    let p = xs[n / 2]
    in sorted (filter (< p) xs) ++ filter (== p) xs ++ sorted (filter (> p) xs)
entry quicksort [n] (xs: [n]i64): ?[k].[k]i64 = sorted xs
