-- Arrays that are computed where they are read by index (003, SimpleIndex).

-- | The results of a map, backwards.
entry reversed_f64 [n] (xs: [n]f64): [n]f64 = reverse (map (\x -> x * x + 1) xs)

-- | The sum of the absolute differences of neighbours.
entry variation_f64 [n] (xs: [n]f64): f64 =
  let p = map (\x -> x * x) xs
  in f64.sum (map2 (\x y -> f64.abs (x - y)) (tail p) (init p))

-- | The mean of three neighbouring results of a map; the ends stay.
entry smoothed_f64 [n] (xs: [n]f64): [n]f64 =
  let p = map (\x -> x * x) xs
  in tabulate n (\i -> if i == 0 || i == n - 1 then p[i] else (p[i - 1] + p[i] + p[i + 1]) / 3)

-- | The results of a map less their mean, which is known only after the whole map.
entry centred_f64 [n] (xs: [n]f64): [n]f64 =
  let p = map (\x -> x * x + 1) xs
  let mean = f64.sum p / f64.i64 n
  in map (\x -> x - mean) p

-- | The rows of a matrix whose columns a map makes.
entry flipped_f64 [h] [w] (xs: [h][w]f64): [w][h]f64 = transpose (map (map (\x -> x * x + 1)) xs)
