-- $ arrc --message-format=json run FILE element [1,2,3,4,5] 7
entry element [n] (xs: [n]i64) (i: i64): i64 =
  let ys = map (+ 1) xs
  in ys[i] * 2
