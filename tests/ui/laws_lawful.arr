-- An initial value that is not neutral, but may be used as often as one likes.
entry above_zero [n] (xs: [n]i64): i64 = reduce i64.max 0 xs
entry below [n] (xs: [n]f64): f64 = reduce f64.min 100 xs
-- Operators that are associative for all elements that there are.
entry saturated [n] (xs: [n]i64): i64 = reduce (\a b -> i64.min 255 (a + b)) 0 (map i64.abs xs)
entry best [n] (xs: [n]i64): i64 =
  let join (s, p, q, b) (t, u, v, c) = (s + t, i64.max p (s + u), i64.max v (q + t), i64.max (q + u) (i64.max b c))
  let ends x = let m = i64.max 0 x in (x, m, m, m)
  let (_, _, _, best) = reduce join (0, 0, 0, 0) (map ends xs)
  in best
entry first_of [n] (xs: [n]i64): (i64, i64) =
  let some = filter (\p -> p.1 > 0) (zip (iota n) xs)
  in reduce (\(i, x) (j, y) -> if i >= 0 then (i, x) else (j, y)) (-1, 0) some
-- Operators whose results differ by rounding only, or for integers that overflow.
entry rounded [n] (xs: [n]f64): f64 = reduce (\a b -> a + b - a * b) 0 xs
entry mean [n] (xs: [n]f64): (f64, f64) =
  let join (n, m) (k, l) = if n + k == 0 then (0, 0) else (n + k, (n * m + k * l) / (n + k))
  in reduce join (0, 0) (map (\x -> (1, x)) xs)
-- An operator that takes too many steps to be tried.
entry costly [n] (xs: [n]i64): i64 = reduce (\a x -> i64.sum (iota (i64.abs (a * 1000000 + x)))) 0 xs
entry farthest [n] (xs: [n]u64): i64 = reduce (\a b -> if a == b then a else i64.max a b) 0 (map (\i -> i * 2) (order_of (<=) xs))
