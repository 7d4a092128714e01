-- $ arrc build FILE --emit=clusters
-- Blocks nest: the branches of an `if` and the functions of combinators are clustered by themselves.
entry branches [n] (c: bool) (xs: [n]i64): ?[k].[k]i64 =
  if c then filter (> 0) (map (+ 1) xs) else map (* 2) xs

entry workers [n] (xs: [n]i64): [n]i64 =
  map (\x -> let below = filter (< x) xs in reduce (+) 0 below + length below) xs
