-- Sums, counts and products of a function of the element.
entry positives [n] (xs: [n]f64): f64 = reduce (\acc x -> if x > 0 then acc + 1 else acc) 0 xs
entry others [n] (xs: [n]i64): i64 = reduce (\acc x -> if x > 0 then acc else 1 + acc) 0 (map (+ 1) xs)
entry nested [n] (xs: [n]f64): i64 = i64.f64 (reduce (\s x -> let y = x * x in s + y + 1) 0 xs)
entry piped [n] (xs: [n]f64): f64 = xs |> map (+ 1) |> reduce (\acc x -> acc + (f64.abs x)) 0
entry squares [n] (xs: [n]i64): [n]i64 = scan (\acc x -> acc + x * x) 0 xs
entry growth [n] (xs: [n]f64): f64 = reduce (\p x -> p * (1 + x)) 1 xs
entry largest [n] (xs: [n]i64): i64 = reduce (\acc x -> i64.max acc (i64.abs x)) 0 xs
-- Operators that go from the left.
entry alternating [n] (xs: [n]i64): i64 = reduce_comm (\a x -> x - a) 0 xs
def step (a: i32) (x: i32): i32 = (a * 31 + x) % 1000
entry hash [n] (xs: [n]i32): i32 = reduce step 7 xs
entry decayed [n] (xs: [n]f64): [n]f64 = scan (\a x -> a * 0.5 + x) 0 xs
-- Operators that another function hands on.
def total [n] 'a (op: a -> a -> a) (z: a) (xs: [n]a): a = reduce op z xs
entry totals [n] (xs: [n]i64): (i64, i64, i64) = (total (\a x -> a - x) 0 xs, total (+) 0 xs, total (\p q -> p * 2 + q) 0 xs)
entry segments [n] (flags: [n]bool) (xs: [n]i64): [n]i64 = segmented_scan (\a x -> a - x) 0 flags xs
entry grid [n] [m] (a: [n][m]i64): i64 = with { (0 <= iv < shape a) : a[iv] } : fold (\p q -> p - q, 0)
-- Initial values that count more than once.
entry from_ten [n] (xs: [n]i64): i64 = reduce (+) 10 xs
entry doubled [n] (xs: [n]f64): f64 = reduce (*) 2 xs
entry scanned [n] (xs: [n]i64): [n]i64 = exscan (+) 1 xs
