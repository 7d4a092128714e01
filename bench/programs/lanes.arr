-- | How many steps each point of the plane stays near 0: the Mandelbrot set.
entry escape_f32 [n] (as: [n]f32) (bs: [n]f32): [n]i32 =
  map2 (\a b ->
    let (_, _, k) = loop (x, y, k) = (0, 0, 0) while k < 256 && x * x + y * y < 4 do
      (x * x - y * y + a, 2 * x * y + b, k + 1)
    in k) as bs

-- | Where each random walk of 50 steps ends: a Monte Carlo simulation.
entry paths_f64 [n] (seeds: [n]i32): [n]f64 =
  map (\seed ->
    let (_, at) = loop (s, at) = (u32.i32 seed, 0) for _ < 50 do
      let a = s ^ (s << 13)
      let b = a ^ (a >> 17)
      let c = b ^ (b << 5)
      in (c, at * 0.99 + f64.u32 c * 2.0e-10)
    in at) seeds

-- | A polynomial of degree 50 at each point.
entry horner_f64 [n][m] (cs: [m]f64) (xs: [n]f64): [n]f64 =
  map (\x -> fold (\acc c -> acc * x + c) 0 cs) xs

-- | The force on each of some bodies on a line.
entry bodies_f64 [n] (xs: [n]f64): [n]f64 =
  map (\x -> f64.sum (map (\y -> let d = y - x in d / (d * d + 0.01)) xs)) xs

-- | A product of matrices.
entry product_f64 [h][k][w] (a: [h][k]f64) (b: [k][w]f64): [h][w]f64 =
  map (\row -> map (\col -> f64.sum (map2 (*) row col)) (transpose b)) a
