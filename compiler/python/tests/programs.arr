-- | The sum of the products at each place.
--
-- A second line.
-- ==
-- entry: dot
-- input { [1f64] [2f64] } output { 2f64 }
entry dot [n] (xs: [n]f64) (ys: [n]f64): f64 = reduce (+) 0 (map2 (*) xs ys)

entry add3 [n] (xs: [n]f64) (ys: [n]f64) (zs: [n]f64): [n]f64 = map3 (\x y z -> x + y + z) xs ys zs
entry above [n] (xs: [n]f64) (bound: f64): ?[k].[k]f64 = filter (> bound) xs
entry element [n] (xs: [n]i64) (i: i64): i64 = xs[i]
entry divide (a: i64) (b: i64): i64 = a / b
entry rows [n] [m] (a: [n][m]f64): [n]f64 = map f64.sum a
entry turn [n] [m] (a: [n][m]f32): [m][n]f32 = transpose a
entry twofold [n] (xs: [n]f64): [n]f64 = map (* 2) xs
entry same [n] (xs: [n]f64): [n]f64 = xs
entry twice [n] (xs: [n]i64): ([n]i64, [n]i64) = let ys = map (+ 1) xs in (ys, ys)
entry farthest [n] (ps: [n]{x: f64, y: f64}): {x: f64, y: f64} =
  reduce (\p q -> if p.x * p.x + p.y * p.y >= q.x * q.x + q.y * q.y then p else q) {x = 0, y = 0} ps
entry swapped [n] (ps: [n](f64, i64)): ([n]i64, [n]f64) =
  (map (\(_, b) -> b) ps, map (\(a, _) -> a) ps)
entry points [n] (ps: [n](f64, f64)): [n]f64 = map (\(a, b) -> a * b) ps
entry nested (p: {at: (i64, bool), lambda: f32}): (i64, {yes: bool, lambda: f32}) =
  (p.at.0, {yes = p.at.1, lambda = p.lambda})
entry root (x: f64): #none | #some f64 = if x < 0 then #none else #some (f64.sqrt x)
entry value (x: #none | #some f64): f64 = match x case #none -> 0 - 1 case #some y -> y
entry roots [n] (xs: [n]f64): [n](#none | #some f64) =
  map (\x -> if x < 0 then #none else #some (f64.sqrt x)) xs
entry values [n] (xs: [n](#none | #some f64)): f64 =
  f64.sum (map (\x -> match x case #none -> 0 case #some y -> y) xs)
entry packed (full: bool): #box i64 []f64 | #no (i64, bool) =
  if full then #box 3 [1, 2] else #no (4, true)
entry unpacked (b: #box i64 []f64 | #no (i64, bool)): f64 =
  match b case #box i a -> f64.i64 i + f64.sum a case #no (i, _) -> f64.i64 i
entry checked (n: i64): i64 = assert (n > 3) n
entry down (n: i64): i64 = if n == 0 then 0 else 1 + down (n - 1)
entry count (n: i64): i64 = loop i = 0 while i < n do i + 1
entry fib (n: i64): i64 = if n < 2 then n else fib (n - 1) + fib (n - 2)
entry ones (n: i64): [n]f64 = replicate n 1
entry none: [0]f64 = []
