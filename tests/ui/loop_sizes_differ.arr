-- Two carried arrays have one size in a step, but not before the first one, or not after each one.

entry before [n] (xs: [n]i64) (ys: [n]i64): i64 =
  let zs = filter (> 0) ys
  let (a, _) =
    loop (a, b) = (xs, zs) while or (map2 (<) a b) do
      unzip (filter (\(x, y) -> x > y) (zip a b))
  in length a

entry after [n] (xs: [n]i64): i64 =
  let (a, _) =
    loop (a, b) = (xs, xs) while or (map2 (==) a b) do
      (filter (> 0) a, filter (> 0) b)
  in length a

entry after_by_name [n] (xs: [n]i64): i64 =
  let (a, _) = loop [k] (a: [k]i64, b: [k]i64) = (xs, xs) while k > 1 do (a[1:], a)
  in length a
