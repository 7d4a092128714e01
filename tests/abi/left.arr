-- An external that leaves by longjmp while the program holds arrays.
external leave [n] (xs: [n]i64): [n]i64

entry go (n: i64): i64 =
  let xs = map (* 2) (iota n)
  let ys = leave xs
  in i64.sum (map2 (*) xs ys) + xs[0]

entry count (n: i64): [n]i64 = map (+ 1) (iota n)
