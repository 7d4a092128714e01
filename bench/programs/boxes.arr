-- Windows and boxes whose size the caller gives.

import "stencil"

-- | The mean of each k consecutive numbers.
entry window_means_f64 [n] (k: i64) (xs: [n]f64): [n - k]f64 =
  tabulate (n - k) (\i -> f64.sum xs[i:i + k] / f64.i64 k)

-- | The largest of each k consecutive numbers.
entry window_maxima_i32 [n] (k: i64) (xs: [n]i32): [n - k]i32 =
  tabulate (n - k) (\i -> i32.maximum xs[i:i + k])

-- | The weighted sums of the boxes of an image.
entry boxes_f32 [n] [m] [k] [l] (image: [n + k][m + l]f32) (weights: [k][l]f32): [n][m]f32 =
  tabulate_2d n m (\i j ->
    f32.sum (flatten (tabulate_2d k l (\p q -> weights[p, q] * image[i + p, j + q]))))

-- | The mean around each pixel, in which near and similar pixels have more weight: a bilateral filter.
entry similar_f64 [n] [m] (r: i64) (image: [n][m]f64): [n - 2 * r][m - 2 * r]f64 =
  tabulate_2d (n - 2 * r) (m - 2 * r) (\i j ->
    let c = image[i + r, j + r]
    let (ws, vs) = unzip (flatten (tabulate_2d (2 * r + 1) (2 * r + 1) (\p q ->
      let x = image[i + p, j + q]
      let far = f64.i64 ((p - r) * (p - r) + (q - r) * (q - r))
      let w = 1 / ((1 + (x - c) * (x - c)) * (1 + 0.5 * far))
      in (w, w * x))))
    in f64.sum vs / f64.sum ws)

-- | The weighted sum around each element; the edge is repeated.
entry correlated_f64 [n] [m] [k] [l] (image: [n][m]f64) (weights: [k][l]f64): [n][m]f64 =
  correlate_2 #clamp weights image
