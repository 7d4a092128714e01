-- Elements that are read from sorted arrays by their rank.

-- | The ten greatest numbers, from the greatest one.
entry greatest_f64 [n] (xs: [n]f64): [10]f64 = take 10 (sort (>=) xs)

-- | The hundred smallest numbers, in order.
entry smallest_f64 [n] (xs: [n]f64): [100]f64 = take 100 (sort (<=) xs)

-- | The number in the middle.
entry middle_f64 [n] (xs: [n]f64): f64 = (sort (<=) xs)[n / 2]

-- | A grey image without its noise: the middle of each pixel and its eight neighbours.
entry median_filter_i32 [h] [w] (img: [h][w]i32): [h - 2][w - 2]i32 =
  tabulate_2d (h - 2) (w - 2)
    (\y x -> (sort (<=) (tabulate 9 (\k -> img[y + k / 3, x + k % 3])))[4])

-- | A signal without its noise: the middle of each five neighbours.
entry median_filter_f32 [n] (xs: [n]f32): [n - 4]f32 =
  generate (n - 4) (\i -> (sort (<=) (tabulate 5 (\k -> xs[i + k])))[2])
