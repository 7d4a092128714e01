-- $ arrc build FILE --emit=clusters,process,concrete
-- Consumers of an append consume its parts. Stored parts are written in place. Consumers of a choice run in its branches.
def f (x: i64): i64 = 3 * x + 1
def p (x: i64): bool = x % 3 == 0

entry sum [n] [m] (a: [n]i64) (b: [m]i64): i64 = reduce (+) 0 (map f a ++ filter p b)

entry digits [n] [m] (a: [n]i64) (b: [m]i64): i64 = fold (\acc x -> acc * 10 + x) 0 (map f a ++ b)

entry stored [n] [m] (a: [n]i64) (b: [m]i64): ?[k].[k]i64 = map f a ++ filter p b

entry chosen [n] (c: bool) (a: [n]i64): i64 = reduce (+) 0 (if c then filter p a else [])

-- Parts of a series run in its pass, and sides of a choice by flags where they are taken.
entry rises [n] (xs: [n]i64): i64 =
  let ys = filter p xs
  in reduce (+) 0 (map2 (-) (tail ys) (init ys))

entry combined [n] (xs: [n]i64): [n]i64 =
  combine (map p xs) (map f (filter p xs)) (filter (\x -> !(p x)) xs)
