-- $ arrc explain FILE
-- Arrays that are read at the number of the step: they are streams where the sizes are known to be equal.
entry sines [n] (xs: [n]f64) (ys: [n]f64): [n]f64 =
  let zs = map f64.sin xs
  in map (\i -> zs[i] * ys[i]) (iota n)

entry summed [n] (xs: [n]f64) (ys: [n]f64): f64 =
  let zs = map f64.sin xs
  in loop sum = 0 for i < n do sum + zs[i] * ys[i]

entry sized [n] [m] (xs: [n]f64) (ys: [m]f64): [m]f64 =
  let zs = scan (+) 0 xs
  in tabulate m (\i -> zs[i] - ys[i])

entry paired [n] [m] (xs: [n]f64) (ys: [m]f64): [m][2]f64 =
  let zs = scan (+) 0 xs
  in tabulate m (\i -> [zs[i], ys[i]])

-- Neighbours are read, too; a parameter is in memory anyway; and a filter's size is nobody else's.
entry smooth [n] (xs: [n]f64): [n]f64 =
  let zs = map f64.sin xs
  in map (\i -> if i == 0 then zs[i] else (zs[i] + zs[i - 1]) / 2) (iota n)

entry doubled [n] (xs: [n]f64): [n]f64 = map (\i -> xs[i] * 2) (iota n)

entry first [n] (xs: [n]f64): [n]f64 =
  let zs = filter (> 0) xs
  in map (\i -> zs[i]) (iota n)
