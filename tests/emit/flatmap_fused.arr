-- $ arrc build FILE --emit=process,concrete
-- What a flatmap's function does once for an element is apart from what it does for each element of the part,
-- which is a loop in the loop. What comes after runs there too.
-- structure parts: none 3, ilp 1
entry parts [n] (xs: [n]i64): ?[m].([m]i64, i64) =
  let ys = flatmap (\x -> map (\i -> x * i) (iota (x * x))) xs
  in (filter (> 4) ys, i64.sum ys)

-- A filter at the end selects in the loop in the loop.
entry divisors [n] (xs: [n]i64): ?[m].[m]i64 =
  flatmap (\x -> filter (\d -> x % d == 0) (1...x)) xs

-- A part that is used again is an array of the step. Of few elements there is room for all.
entry around [n] (xs: [n]i64): ?[m][k].([m]i64, [k]i64) =
  (flatmap (\x -> let ys = iota x in map (+ i64.sum ys) ys) xs,
   flatmap (\x -> if x > 0 then [x - 1, x, x + 1] else [x]) xs)
