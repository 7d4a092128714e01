-- The size that one branch makes says nothing about the other one.
def ones [n] (u: ()): [n]i64 = replicate n 1
entry bound (c: bool) (n: i64) = if c then (let m = n / 2 in iota m) else ones ()
entry made (k: i64) (xs: []i64) = match k case 0 -> ones () case 1 -> filter (> 1) xs case _ -> filter (> 0) xs
