entry demo [n] (xs: [n]i64): i64 = reduce (+) 0 (map (\x -> \y -> x) xs)
def f (x: i64): i64 = x
entry demo2: i64 = f + 1
entry demo3 (x: i64): (i64, i64 -> i64) = (x, f)
