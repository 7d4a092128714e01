-- $ arrc build FILE --emit=process
-- What the block around has joined is simplified: equal conditions select once, what two workers both compute is
-- computed once, and so are the branches of one condition. Before: joined_cnf.arr.
-- structure conditions: none 4, ilp 1
-- structure rows.as: none 4, ilp 1
-- structure workers.as: none 4, ilp 1
-- structure branches.then: none 2, ilp 1
-- structure deeper: none 2, ilp 1
entry conditions [n] (xs: [n]i64) (ys: [n]i64): (i64, i64) =
  let as = filter (> 0) xs
  let bs = map (.1) (filter (\(x, _) -> 0 < x) (zip xs ys))
  in (reduce (+) 0 as, reduce (*) 1 bs)

entry rows [n] [m] (xss: [n][m]f64): ([n]f64, [n]f64) =
  let as = map (\xs -> reduce (+) 0 (map f64.exp xs)) xss
  let bs = map (\xs -> reduce f64.max 0 (map f64.exp xs)) xss
  in (as, bs)

entry workers [n] [m] (xs: [n]i64) (ys: [m]i64): ([n]i64, [n]i64) =
  let as = map (\x -> reduce (+) 0 (map (* x) ys)) xs
  let bs = map (\x -> reduce i64.max 0 (map (* x) ys)) xs
  in (as, bs)

entry branches [n] (c: bool) (xs: [n]i64): (i64, i64) =
  let a = if c then reduce (+) 0 xs else 0
  let b = if c then reduce (*) 1 xs else 1
  in (a, b)

entry deeper [n] [m] (c: bool) (xss: [n][m]i64): ([n]i64, [n]i64) =
  let as = map (\xs -> if c then reduce (+) 0 (map (* 3) xs) else 0) xss
  let bs = map (\xs -> if c then reduce (*) 1 (map (* 3) xs) else 1) xss
  in (as, bs)
