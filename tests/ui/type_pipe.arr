entry demo [n] (xs: [n]f64): f64 = xs |> map (+ 1) |> filter (* 2) |> reduce (+) 0
