-- A function that is passed beside arrays: what it gives is no array, or is written into another one.

def applied [n] 't (op: t -> t) (xs: [n]t): [n]t = map op xs

def twice [n] 't (op: t -> t) (xs: [n]t): *[]t = applied op (map op xs)

def least [n] (le: i64 -> i64 -> bool) (xs: [n]i64): [n]i64 =
  map (\x -> if all (le x) xs then x else 0) xs

def fresh_least [n] (le: i64 -> i64 -> bool) (xs: [n]i64): *[n]i64 = least le (map (+ 1) xs)

-- ==
-- entry: both
-- input { [1i64, 2i64] } output { [9i64, 4i64] [2i64, 9i64] }
entry both [n] (xs: [n]i64): ([]i64, [n]i64) =
  (twice (+ 1) xs with [0] = 9, fresh_least (<=) xs with [1] = 9)
