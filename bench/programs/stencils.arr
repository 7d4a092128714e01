-- | One step of a periodic convolution, and the largest change: the test of convergence (004).
entry convolution_f64 [n] (xs: [n]f64): ([n]f64, f64) =
  let smooth l c r = 0.25 * l + 0.5 * c + 0.25 * r
  let ys = map3 smooth (rotate (-1) xs) xs (rotate 1 xs)
  in (ys, reduce f64.max 0 (map2 (\x y -> f64.abs (y - x)) xs ys))

-- | One step of a relaxation on a square, whose edge stays, and the largest change.
entry relaxation_f64 [n] (a: [n][n]f64): ([n][n]f64, f64) =
  let inner i j = i > 0 && j > 0 && i < n - 1 && j < n - 1
  let b = tabulate_2d n n (\i j ->
    if inner i j then 0.25 * (((a[i - 1, j] + a[i + 1, j]) + a[i, j - 1]) + a[i, j + 1])
    else a[i, j])
  in (b, reduce f64.max 0 (map2 (\x y -> f64.abs (y - x)) (flatten a) (flatten b)))
