-- $ arrc check --strict FILE
entry differences [n] (xs: [n]i64): i64 = reduce (\x y -> x - y) 0 xs
entry averages [n] (xs: [n]f64): f64 = reduce (\x y -> (x + y) / 2) 0 xs
entry scanned [n] (xs: [n]i64): [n]i64 = scan (\x y -> 2 * x + y) 0 xs
entry before [n] (xs: [n]f32): [n]f32 = exscan (\x y -> x * y + x) 1 xs
entry from_ten [n] (xs: [n]i64): i64 = reduce (+) 10 xs
entry above_zero [n] (xs: [n]i32): i32 = reduce i32.max 0 xs
entry first_only [n] (xs: [n]i64): i64 = reduce (\x _ -> x) 0 xs
entry pairs [n] (xs: [n](i64, f64)): (i64, f64) =
  reduce (\(i, x) (j, y) -> (i + j, x - y)) (0, 0) xs
entry records [n] (xs: [n]{a: i64, b: bool}): {a: i64, b: bool} =
  reduce (\p q -> {a = if q.b then p.a else q.a, b = p.b && q.b}) {a = 0, b = true} xs
entry rows [n] [m] (xss: [n][m]i64): [m]i64 = reduce (map2 (-)) (replicate m 0) xss
entry scaled [n] (k: i64) (xs: [n]i64): i64 = reduce (\x y -> x + k * y) 0 xs
entry in_steps [n] [m] (xss: [n][m]i64): [n]i64 = map (\xs -> reduce (\x y -> x * 3 + y) 0 xs) xss
def power x y = x ** i64.abs (y % 3)
entry named [n] (xs: [n]i64): i64 = reduce power 1 xs
entry bools [n] (xs: [n]bool): bool = reduce (\x y -> !x || y) true xs
entry bytes [n] (xs: [n]u8): u8 = reduce (\x y -> (x + y) / 2) 0 xs
