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
entry horner_f64 [n] [m] (cs: [m]f64) (xs: [n]f64): [n]f64 =
  map (\x -> fold (\acc c -> acc * x + c) 0 cs) xs

-- | The force on each of some bodies on a line.
entry bodies_f64 [n] (xs: [n]f64): [n]f64 =
  map (\x -> f64.sum (map (\y -> let d = y - x in d / (d * d + 0.01)) xs)) xs

-- | A product of matrices.
entry product_f64 [h] [k] [w] (a: [h][k]f64) (b: [k][w]f64): [h][w]f64 =
  map (\row -> map (\col -> f64.sum (map2 (*) row col)) (transpose b)) a

-- | The same product, with names for rows and counts for columns.
entry product_of_counts_f64 [h] [k] [w] (a: [h][k]f64) (b: [k][w]f64): [h][w]f64 =
  tabulate h
    (\i -> let row = a[i] in tabulate w (\j -> f64.sum (map2 (\l x -> x * b[l, j]) (iota k) row)))

-- | Damped oscillators after ten steps of the method of Runge and Kutta, each with a state of four numbers.
entry oscillators_f64 [n] (states: [n][4]f64) (ks: [n]f64): [n][4]f64 =
  let h = 0.01
  let slope (k: f64) (y: [4]f64): [4]f64 =
    [y[1], -k * y[0] - 0.1 * y[1] + y[2], 0.5 * y[3] - y[2] * y[0], k * y[0] - 0.2 * y[3]]
  let plus (y: [4]f64) (s: f64) (d: [4]f64): [4]f64 = map2 (\a b -> a + s * b) y d
  in map2 (\y k ->
       loop y for _ < 10 do
         let d1 = slope k y
         let d2 = slope k (plus y (h / 2) d1)
         let d3 = slope k (plus y (h / 2) d2)
         let d4 = slope k (plus y h d3)
         in tabulate 4 (\i -> y[i] + h / 6 * (d1[i] + 2 * d2[i] + 2 * d3[i] + d4[i]))) states ks
