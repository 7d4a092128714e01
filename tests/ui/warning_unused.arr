-- A `let` that nobody uses; names that begin with `_`, and parameters, are silent.
def spread [n] (xs: [n]f64) (unused: f64): (f64, f64) =
  let low = f64.minimum xs
  let high = f64.maximum xs
  let mean = f64.sum xs / f64.i64 n
  let _count = n
  in (low, high)

entry demo [n] (xs: [n]f64): f64 =
  let (low, high) = spread xs 0
  let {x, y = {z}} = {x = low, y = {z = low}}
  let twice a = a + a
  in high
