-- One mistake each, and several uses of what depends on it.
def over (x: f64): i64 = x / 2
entry result (xs: []f64): []f64 = map2 (+) (map over xs) (map over xs)

entry annotated (xs: []f64): i64 =
  let small: i64 = map (< 1.0) xs
  in small + length small

entry looped (n: i64): f64 =
  let (a, b) = loop (a, b) = (0, 1) for _ < n do (b, f64.i64 a + 1.0)
  let c = a + b
  in f64.sqrt c + c

def norm (v: (f64, f64)): f64 = f64.sqrt (v.0 * v.0 + v.1 * v.1)
entry argument (x: f64) (y: f64): []f64 =
  let n = norm x
  let scaled = map (/ n) [x, y]
  in map (* f64.sum scaled) scaled

entry sizes [n] [m] (xs: [n]f64) (ys: [m]f64): f64 =
  let sums = map2 (+) xs ys
  in f64.sum (map2 (*) sums xs)

entry branches (xs: []f64) (flag: bool): f64 =
  let scale = if flag then 2.0 else "two"
  in f64.sum (map (* scale) xs) * scale + f64.sqrt scale

entry operands (a: i64) (b: f64): f64 =
  let c = a * b
  let d = c + b
  in d * c + f64.sqrt d
