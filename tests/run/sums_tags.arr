-- Tags that a caller passes: those that stand for no constructor are errors. They are numbered by name.

type shape = #circle f64 | #box f64 f64 | #dot

def area (s: shape): f64 =
  match s
  case #circle r -> r * r
  case #box w h -> w * h
  case #dot -> 0

-- ==
-- entry: one
-- input { 0i64 2.0 3.0 5.0 } output { 6.0 }
-- input { 1i64 2.0 3.0 5.0 } output { 25.0 }
-- input { 2i64 2.0 3.0 5.0 } output { 0.0 }
-- input { 3i64 2.0 3.0 5.0 } error: 3 is no tag of `#box | #circle | #dot`: these are 0 to 2
-- input { -1i64 2.0 3.0 5.0 } error: -1 is no tag of `#box | #circle | #dot`
entry one (s: shape): f64 = area s

-- ==
-- entry: many
-- input { [0i64, 2i64] [2.0, 2.0] [3.0, 3.0] [5.0, 5.0] } output { 6.0 }
-- input { empty([0]i64) empty([0]f64) empty([0]f64) empty([0]f64) } output { 0.0 }
-- input { [0i64, 9i64] [2.0, 2.0] [3.0, 3.0] [5.0, 5.0] } error: 9 is no tag of `#box
-- input { [-4i64, 0i64] [2.0, 2.0] [3.0, 3.0] [5.0, 5.0] } error: -4 is no tag of `#box
entry many [n] (ss: [n]shape): f64 = f64.sum (map area ss)

-- ==
-- entry: rows
-- input { [[0i64, 1i64], [1i64, 0i64]] } output { [1i64, 1i64] }
-- input { [[0i64, 1i64], [5i64, 0i64]] } error: 5 is no tag of `#off | #on`: these are 0 to 1
-- input { empty([0][2]i64) } output { empty([0]i64) }
entry rows [n] [m] (xss: [n][m](#on | #off)): [n]i64 = map (\xs -> count (\x -> x == #on) xs) xss

-- ==
-- entry: inside
-- input { 1i64 7i64 1i64 1i64 } output { 8i64 }
-- input { 1i64 7i64 2i64 0i64 } error: 2 is no tag of `#no | #yes`
-- input { 0i64 7i64 9i64 0i64 } output { 0i64 }
-- input { 4i64 7i64 1i64 0i64 } error: 4 is no tag of `#none | #some`
entry inside (p: (#some i64 (#yes i64 | #no) | #none)): i64 =
  match p
  case #some n (#yes k) -> n + k
  case #some n #no -> n
  case #none -> 0
