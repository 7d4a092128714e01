-- Another array in scope has the right size: a parameter, a `let`, a part of a pair.
entry parameter [n] [m] (xs: [n]f64) (ys: [m]f64) (zs: [n]f64): [n]f64 = map2 (+) xs ys
entry bound [n] [m] (xs: [n]f64) (ys: [m]f64): f64 =
  let doubled = map (* 2) xs
  in f64.sum (map2 (*) xs ys)
entry pair [n] [m] (xs: [n]i64) (ys: [m]i64) (p: ([n]i64, i64)): [n]i64 = let (zs, k) = p in map2 (\x y -> x + y + k) xs ys
def dot [n] (xs: [n]f64) (ys: [n]f64): f64 = f64.sum (map2 (*) xs ys)
entry first [n] [m] (a: [n][m]f64) (x: [n]f64) (y: [m]f64): f64 = dot x a[0]
-- `transpose` gives it, or takes it away.
entry product [n] [m] (a: [n][m]f64) (b: [n][m]f64): [n][n]f64 = map (\r -> map (\c -> dot r c) (transpose b)) a
entry columns [n] [m] (a: [n][m]f64) (x: [n]f64): [m]f64 = map (\c -> dot c x) a
entry column [n] [m] (a: [n][m]f64) (x: [n]f64): f64 = dot x a[0]
-- Nothing else fits.
entry unknown [n] [m] (xs: [n]f64) (ys: [m]f64): f64 = dot xs ys
