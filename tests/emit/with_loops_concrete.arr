-- $ arrc build FILE --emit=concrete
-- The interior is a range of its own, in which nothing is tested and no index checked.
entry relax [n] [m] (a: [n][m]f64): [n][m]f64 =
  with { (. < iv < .) : (a[iv + [1, 0]] + a[iv - [1, 0]] + a[iv + [0, 1]] + a[iv - [0, 1]]) / 4 }
    : modarray a

-- A grid of single indices is a loop with steps.
entry every_third [n] (a: [n]f64): f64 =
  with { (. <= iv <= . step 3) : a[iv] } : fold (+, 0)
