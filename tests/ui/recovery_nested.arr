entry e [n] (xs: [n]i64): i64 =
  let a = reduce (+) 0 (map (\x -> x * (x + 1) xs)
  let b = a + 1
  in b
