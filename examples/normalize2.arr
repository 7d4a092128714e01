-- An array divided by the sum of its elements, and by the sum of its positive elements.
--
-- Shows the best clustering that there is where greedy fusion misses it: five combinators in two
-- passes, {sum1 gts sum2} and {ys1 ys2}, with `gts` never stored. Also shows an error at run time:
-- a sum that is zero.
--
--     arrc run examples/normalize2.arr normalize2 '[10, -20, 30]'
--
-- How many loops each strategy makes, which the tests hold it to:
-- ==
-- structure normalize2 none { clusters 5 } stream { clusters 4 } megiddo { clusters 3 } ilp { clusters 2 }

-- | Each element divided by the sum of all, and by the sum of the positive ones, rounded towards
-- negative infinity. A sum of zero is an error, unless there is no element to divide.
entry normalize2 [n] (xs: [n]i64): ([n]i64, [n]i64) =
  let sum1 = reduce (+) 0 xs
  let gts = filter (> 0) xs
  let sum2 = reduce (+) 0 gts
  let ys1 = map (/ sum1) xs
  let ys2 = map (/ sum2) xs
  in (ys1, ys2)
