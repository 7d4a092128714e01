-- $ arrc explain --verbose FILE
-- Parts of an array that differ in size by a constant, and so can never be of one size.
entry differences [n] (a: [n]f64): f64 =
  let p = map f64.sin a
  in f64.sum (map2 (-) (tail p) (init p))

entry never [n] (a: [n]f64): [n]f64 =
  let p = map f64.sqrt (tail a)
  in map2 (+) a (p :> [n]f64)
