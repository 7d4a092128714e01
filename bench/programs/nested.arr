-- | The sum of a small literal for each element.
entry literal_sum [n] (xs: [n]f64): [n]f64 = map (\x -> f64.sum [x, x * x, x + 1]) xs

-- | The sum of each short row.
entry row_sums [n] (xss: [n][3]f64): [n]f64 = map f64.sum xss

-- | Each point turned.
entry rotate_rows [n] (m: [3][3]f64) (ps: [n][3]f64): [n][3]f64 =
  map (\p -> map (\r -> f64.sum (map2 (*) r p)) m) ps

-- | The sum of each of five columns.
entry column_sums_5 [n] (xss: [n][5]f64): [5]f64 = reduce (map2 (+)) (replicate 5 0) xss

-- | The sum of each of many columns.
entry column_sums_m [n] [m] (xss: [n][m]f64): [m]f64 = reduce (map2 (+)) (replicate m 0) xss

-- | Five arrays as the columns of a matrix, a row at a time.
entry combine_columns [n] (xs: [5][n]f64): [n]f64 =
  map (\v -> v[0] * v[1] + v[2] * v[3] + v[4]) (transpose xs)

-- | The mean of the neighbourhood of each pixel. Outside, the image continues with the pixels of its edge.
entry blur_3x3 [h] [w] (img: [h][w]f64): [h][w]f64 =
  let clamp x hi = i64.min (i64.max x 0) hi
  in tabulate_2d h w (\y x ->
       f64.sum (flatten (tabulate_2d 3 3 (\dy dx ->
         img[clamp (y + dy - 1) (h - 1), clamp (x + dx - 1) (w - 1)]))) / 9)

-- | How often each digit occurs, counted by updates.
entry count_by_updates [n] (ks: [n]i32): [10]i64 =
  fold (\acc k -> let k = i64.i32 k in acc with [k] = acc[k] + 1) (replicate 10 0) ks

-- | For each element, an array of running sums is made and read backwards, and its greatest is taken.
entry best_of_paths [n] (xs: [n]f64): [n]f64 =
  map (\x ->
    let path = scan (+) 0 (tabulate 40 (\j -> x * f64.i64 j - 7))
    in fold (\best j -> f64.max best (path[39 - j] * path[j])) 0 (iota 40)) xs
