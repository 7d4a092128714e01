-- Programs over data larger than memory, besides examples/quickhull.arr.

-- | Each element divided by the sum, and by the sum of the positive ones: two passes.
entry normalize2 [n] (xs: [n]i64): ([n]i64, [n]i64) =
  let gts = filter (> 0) xs
  in (map (/ reduce (+) 0 xs) xs, map (/ reduce (+) 0 gts) xs)

-- | How often each of 0 … k - 1 occurs: one pass.
entry histogram [n] (k: i64) (xs: [n]i64): [k]i64 = hist (+) 0 k xs (map (\_ -> 1) xs)

-- | The slope and the intercept of a logistic regression of y > 0.5 on x, by steps of gradient descent: one pass a step.
entry logistic [n] (steps: i64) (xs: [n]f64) (ys: [n]f64): (f64, f64) =
  loop (w, b) = (0, 0) for _ < steps do
    let error x y = 1 / (1 + f64.exp (-(w * x + b))) - (if y > 0.5 then 1 else 0)
    let errors = map2 error xs ys
    in (w - f64.sum (map2 (*) errors xs) / f64.i64 n, b - f64.sum errors / f64.i64 n)
