-- $ arrc explain FILE
-- An array that each step of a pass allocates: one appended to another, one that is changed where another still needs it, and one
-- that becomes the accumulator of the next step.
entry appended [n] (xs: [n]i64): [n]i64 =
  map (\x -> let ys = filter (> 2) (iota x) ++ iota 3 in ys[length ys / 2]) xs

entry next_one [n] [m] (xs: [n]i64) (z: [m]i64): [m]i64 =
  fold (\acc x -> map (\i -> acc[(i + x) % m]) (iota m)) z xs

-- Most need no memory of their own.
entry none [n] (xs: [n]i64) (m: i64): [n]i64 =
  map (\x -> let ys = scan (+) 0 (iota m) in ys[x % m] + i64.sum [x, x + 1]) xs
