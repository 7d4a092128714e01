-- $ arrc build FILE --emit=concrete
-- Arrays are released after their last use, in each branch, and what a block yields is handed over.
entry demo [n] (c: bool) (xs: [n]i64): ?[k].[k]i64 =
  let total = reduce (+) 0 (map (* 2) xs)
  let large = filter (> total) xs
  let ys = gather xs large
  in if c then ys else large ++ [length ys]
