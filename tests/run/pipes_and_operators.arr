-- `|>`, `<|`, names as operators, operators of one's own, and how tightly operators bind.

def (<+>) (a: (i32, i32)) (b: (i32, i32)): (i32, i32) = (a.0 + b.0, a.1 + b.1)

def minus (a: i32) (b: i32): i32 = a - b

-- ==
-- entry: pipes
-- input { [1i64, -2i64, 3i64] } output { 40i64 }
-- input { empty([0]i64) } output { 0i64 }
entry pipes [n] (xs: [n]i64): i64 = xs |> filter (> 0) |> map (* 10) |> reduce (+) 0

-- ==
-- entry: backwards
-- input { 5 } output { 4 }
entry backwards (x: i32): i32 = i32.abs <| minus 1 <| x

-- ==
-- entry: backquotes
-- input { 10 3 2 } output { 5 }
entry backquotes (a: i32) (b: i32) (c: i32): i32 = a `minus` b `minus` c

-- ==
-- entry: own
-- input { 1 2 } output { 4 6 }
entry own (a: i32) (b: i32): (i32, i32) = (a, b) <+> (a, b) <+> (2, 2)

-- ==
-- entry: precedence
-- input { 2 3 4 } output { 14 20 -5 2 11 true }
entry precedence (a: i32) (b: i32) (c: i32): (i32, i32, i32, i32, i32, bool) =
  (a + b * c, (a + b) * c, a - b - c, c / b + 1 % a, a + b ** 2, a + b < c * 2 && b > a || false)

-- ==
-- entry: bitwise_precedence
-- input { 6 3 } output { 7 24 true }
entry bitwise_precedence (a: i32) (b: i32): (i32, i32, bool) =
  (a & b | 5, a << 1 + 1, a & 2 == 2)

-- Application binds tighter than any operator, and a minus in front tighter than the infix ones.
-- ==
-- entry: application
-- input { 3 } output { -1 2 -9 }
entry application (x: i32): (i32, i32, i32) = (i32.abs x - 4, i32.abs (x - 5), -x * x)

-- ==
-- entry: composed
-- input { [1i64, -2i64, 3i64] 5 } output { [10i64, 30i64] 12 12 }
entry composed [n] (xs: [n]i64) (x: i32): ?[k].([k]i64, i32, i32) =
  let positive = filter (> 0) >-> map (* 10)
  in (positive xs, ((+ 1) >-> (* 2)) x, ((* 2) <-< (+ 1)) x)
