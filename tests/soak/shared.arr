-- What shared.c calls from several threads with one context.

entry scaled [n] (by: f64) (xs: [n]f64): [n]f64 = map (* by) xs

entry total [n] (xs: [n]f64): f64 = reduce (+) 0.0 xs

def sort [n] (xs: [n]f64): []f64 =
  if n < 2 then xs
  else
    let pivot = xs[n / 2]
    in sort (filter (< pivot) xs) ++ filter (== pivot) xs ++ sort (filter (> pivot) xs)

-- It takes and frees small arrays in its steps.
entry sorted [n] (xs: [n]f64): ?[m].[m]f64 = sort xs
