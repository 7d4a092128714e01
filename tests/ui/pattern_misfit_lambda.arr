-- What does not fit is told once, and not looked at for cases that are missing.
entry four (a: []i64) (b: []i64) (c: []i64) (d: []i64) =
  map (\(w, 1, z) -> (z, w)) (zip4 a b c d)

type p = {x: i64, y: i64}

entry three (ps: []p): []i64 = map (\{x, z = 1, y} -> x + y) ps
entry typed (a: []i64) (b: []i64) (c: []i64) =
  map (\((w, 1): (i64, i64)) -> w) (zip3 a b c)
entry four2 (a: i64) = match (a, a, a) case ((1, 2): (i64, i64)) -> 1 case _ -> 2
entry four3 (a: i64) = match (a, a, a) case (1, 2, ({x}: {x:i64})) -> 1 case (1, 3, (1,2): (i64, i64)) -> 2
entry four4 (a: i64) = let (x: i32, {y}) = (a, {z = 2}) in x
def g (f: (i64, bool) -> i64) = f (1, true)
entry five = g (\(a, b, 1) -> a)
entry six = g (\((a, 1, c): (i64, i64, i64)) -> a)
type t = #a i64 i64 | #b
entry seven (x: t): i64 = match x case #a (1, 2) -> 1 case #a 1 2 3 -> 4 case #b {} -> 3 case {} -> 2 case () -> 5
