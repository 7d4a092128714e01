def g (p: (i64, i64)): i64 = p.0 + p.1
def h (x: i64): i64 = x
entry pair (n: i64) (k: i64): i64 =
  let p = (n k)
  in g p) + 1
entry chained (n: i64) (k: i64): i64 =
  let m = n
  let p = (m k)
  in g p + h
entry element (xs: []i64) (x: i64): bool = let y = x + 1 in y in xs
