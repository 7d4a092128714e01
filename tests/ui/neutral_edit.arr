entry total [n] (xs: [n]i64): i64 = reduce (+) 100 xs
entry piped [n] (xs: [n]f64): f64 = xs |> reduce (+) 2.5
entry product [n] (xs: [n]i64): i64 = 1 + 2 * reduce (*) 3 xs
entry written [n] (xs: [n]i64): i64 = (reduce_comm (\a b -> b + a) (7) xs) % 10
entry mapped [n] (xs: [n]i64): i64 = reduce (+) 1 (map (\x -> x * x) xs)
