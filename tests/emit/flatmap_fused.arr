-- $ arrc build FILE --emit=process,concrete
-- What a flatmap's function does once for an element is apart from what it does for each element of the part,
-- which is a loop in the loop. What comes after runs there too.
-- structure parts: none 3, ilp 1
entry parts [n] (xs: [n]i64): ?[m].([m]i64, i64) =
  let ys = flatmap (\x -> map (\i -> x * i) (iota (x * x))) xs
  in (filter (> 4) ys, i64.sum ys)

-- What is no range, and no map over one, is an array of the step.
entry divisors [n] (xs: [n]i64): ?[m].[m]i64 =
  flatmap (\x -> filter (\d -> x % d == 0) (1...x)) xs
