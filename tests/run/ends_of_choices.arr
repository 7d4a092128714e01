-- The first and the last element of an append or of a choice, and folds that begin with it, need no array in memory.
def f (x: i64): i64 = 3 * x + 1
def p (x: i64): bool = x % 3 == 0

-- ==
-- entry: ends
-- input { [1, 2] [4, 6, 9] } output { 4 9 }
-- input { [1, 2] [4] } output { 4 7 }
-- input { empty([0]i64) [4, 6, 9] } output { 6 9 }
-- input { empty([0]i64) [4, 7] } error: index 0 is out of bounds for an array of length 0
-- structure ilp { clusters 2 arrays 0 } none { arrays 2 }
entry ends [n] [m] (xs: [n]i64) (zs: [m]i64): (i64, i64) =
  let a = map f xs ++ filter p zs
  in (head a, last a)

-- ==
-- entry: greatest
-- input { [1, 2] [4, 6, 9] } output { 3 }
-- input { [1, 2] [4, 6] } output { 1 }
-- input { empty([0]i64) [4] } error: index 0 is out of bounds for an array of length 0
-- structure ilp { clusters 2 arrays 0 }
entry greatest [n] [m] (xs: [n]i64) (zs: [m]i64): i64 = argmax (<=) (map f xs ++ filter p zs)

-- ==
-- entry: chosen
-- input { true [1, 2] } output { 1 4 7 }
-- input { false [1, 3, 9, 9, 2] } output { 1 3 9 }
-- input { false [1] } error: index 0 is out of bounds for an array of length 0
-- structure ilp { arrays 0 }
-- structure chosen.then ilp { clusters 1 arrays 0 }
-- structure chosen.else ilp { clusters 1 arrays 0 }
entry chosen [n] (c: bool) (xs: [n]i64): (i64, i64, i64) =
  let a = if c then map f xs else filter p xs
  in (argmax (<=) a, head a, last a)

-- Of three constructors.
-- ==
-- entry: matched
-- input { 0 [1, 2] } output { 7 }
-- input { 1 [1, 3] } error: index -1 is out of bounds for an array of length 0
-- input { 2 [1, 3, 2] } output { 3 }
-- structure ilp { arrays 0 }
entry matched [n] (k: i64) (xs: [n]i64): i64 =
  last (match k case 0 -> map f xs case 1 -> [] case _ -> filter p xs)

-- ==
-- entry: counted
-- input { true [0, 1] } output { [0, 1, 0, 0] }
-- input { false [0, 3, 3] } output { [1, 0, 0, 2] }
-- structure ilp { clusters 0 arrays 0 }
-- structure counted.then ilp { clusters 1 arrays 0 }
-- structure counted.else ilp { clusters 1 arrays 0 }
entry counted [n] (c: bool) (xs: [n]i64): [4]i64 =
  let a = if c then map f xs else filter p xs
  in hist (+) 0 4 a (map (const 1) a)

-- The last element of a slice that is given by its length, and of a cross.
-- ==
-- entry: of_slice
-- input { 2 [1, 3, 6, 9, 12] } output { 12 }
-- input { 1 [1, 3, 6, 9, 12] } output { 6 }
-- input { 0 [1, 3] } error: index -1 is out of bounds for an array of length 0
-- structure ilp { clusters 1 arrays 0 }
entry of_slice [n] (k: i64) (xs: [n]i64): i64 = last (filter p xs)[k:2 * k]

-- ==
-- entry: of_cross
-- input { [1, 2] [3, 5] } output { 10 }
-- input { [1, 2] empty([0]i64) } error: index -1 is out of bounds for an array of length 0
-- structure ilp { clusters 1 arrays 0 }
entry of_cross [n] [m] (xs: [n]i64) (zs: [m]i64): i64 = last (map (\(x, y) -> x * y) (cross xs zs))

-- Where the append is a result, its ends are read from it.
-- ==
-- entry: stored
-- input { [1, 2] [4, 6] } output { [4, 7, 6] 6 }
entry stored [n] [m] (xs: [n]i64) (zs: [m]i64): ?[k].([k]i64, i64) =
  let a = map f xs ++ filter p zs
  in (a, last a)
