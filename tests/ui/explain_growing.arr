-- $ arrc explain FILE
-- A call tells that scratch buffers grow if their lengths differ between steps.
entry varfilter [n] (xs: [n]i64): [n]i64 =
  map (\x -> let ys = filter (> 2) (iota (x + 5)) in i64.sum (map (\i -> ys[(i * 7) % length ys]) (iota (length ys)))) xs
entry varscan [n] (xs: [n]i64): [n]i64 =
  map (\x -> let ys = scan (+) 0 (iota (x + 5)) in i64.sum (map (\i -> ys[(i * 7) % length ys]) (iota (length ys)))) xs
entry fixed [n] (k: i64) (xs: [n]i64): [n]i64 =
  map (\x -> let ys = scan (+) 0 (map (* x) (iota k)) in i64.sum (map (\i -> ys[(i * 7) % k]) (iota k))) xs
