-- | The sum of all pixels above and to the left of each pixel: an integral image.
entry integral_f32 [h] [w] (a: [h][w]f32): [h][w]f32 =
  transpose (map (scan (+) 0) (transpose (map (scan (+) 0) a)))

-- | A layer of a neural network: each result combines windows of 3 by 3 of all channels.
entry channels_f32 [c] [h] [w] [k] (x: [c][h][w]f32) (f: [k][c][3][3]f32): [k][h - 2][w - 2]f32 =
  tabulate_3d k (h - 2) (w - 2) (\o i j ->
    f32.sum (tabulate c (\q ->
      f32.sum
        (tabulate 3 (\u -> f32.sum (tabulate 3 (\v -> x[q, i + u, j + v] * f[o, q, u, v])))))))

-- | The most value of things that weigh at most `most`.
entry knapsack_i64 [n] (weights: [n]i64) (values: [n]i64) (most: i64): i64 =
  let best = loop best = replicate (most + 1) 0 for i < n do
    map
      (\c ->
        if c >= weights[i] then i64.max best[c] (best[c - weights[i]] + values[i]) else best[c])
      (iota (most + 1))
  in best[most]
