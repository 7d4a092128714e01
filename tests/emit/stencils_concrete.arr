-- $ arrc build FILE --emit=concrete
-- The steps between the edges have a range of their own, without tests and checks; rows are made where they
-- belong, and the largest change is found in the pass that makes them.
entry convolution [n] (xs: [n]f64): [n]f64 =
  map3 (\l c r -> 0.25 * l + 0.5 * c + 0.25 * r) (rotate (-1) xs) xs (rotate 1 xs)

entry relaxation [n] (a: [n][n]f64): ([n][n]f64, f64) =
  let b = tabulate_2d n n (\i j -> if i > 0 && i < n - 1 then a[i - 1, j] + a[i + 1, j] else a[i, j])
  in (b, reduce f64.max 0 (map2 (\x y -> f64.abs (y - x)) (flatten a) (flatten b)))
