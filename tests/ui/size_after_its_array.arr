def later (xs: []f64) (n: i64): [n]f64 = xs
def pair (xs: []f64, n: i64) = map2 (+) xs (replicate n 1.0)
def part (n: i64, k: i64) (xs: [n]f64) = k + length xs
def rows (xs: [][]f64) (n: i64) = map (\row -> map2 (+) row (replicate n 1.0)) xs
#[noinline]
def apart (xs: []f64) (n: i64) = map2 (+) xs (replicate n 1.0)
def again (xs: [n]f64, n: i64): f64 = if n == 0 then 0 else again (xs, n - 1)
def down (n: i64, xs: [n]f64): f64 = if n == 0 then 0 else down (n - 1, xs)
external sum_of (n: i64, xs: [n]f64): f64
