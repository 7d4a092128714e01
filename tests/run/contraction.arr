-- A product and a sum are rounded separately, except in a `reduce` that may be reassociated. A fused multiply-add would give
-- 2⁻²⁹ + 2⁻⁶⁰ instead of 2⁻²⁹.

-- ==
-- entry: scanned
-- input { [-1.0, 1.0000000009313226] [1.0, 1.0000000009313226] } output { true }
entry scanned [n] (xs: [n]f64) (ys: [n]f64): bool =
  (scan (+) 0 (map2 (*) xs ys))[1] == 1.862645149230957e-9

-- ==
-- entry: folded
-- input { [-1.0, 1.0000000009313226] [1.0, 1.0000000009313226] } output { true }
entry folded [n] (xs: [n]f64) (ys: [n]f64): bool =
  fold (\s (x, y) -> s + x * y) 0 (zip xs ys) == 1.862645149230957e-9

-- ==
-- entry: looped
-- input { [-1.0, 1.0000000009313226] [1.0, 1.0000000009313226] } output { true }
entry looped [n] (xs: [n]f64) (ys: [n]f64): bool =
  (loop s = 0.0 for i < n do s + xs[i] * ys[i]) == 1.862645149230957e-9

-- Many at once, a lane each.
-- ==
-- entry: in_lanes
-- input { [1.0000000009313226, 1.0000000009313226, 1.0000000009313226, 1.0000000009313226, 1.0000000009313226,
--   1.0000000009313226, 1.0000000009313226, 1.0000000009313226, 1.0000000009313226, 1.0000000009313226,
--   1.0000000009313226, 1.0000000009313226, 1.0000000009313226, 1.0000000009313226, 1.0000000009313226,
--   1.0000000009313226, 1.0000000009313226, 1.0000000009313226] 1i64 }
-- output { true }
entry in_lanes [n] (xs: [n]f64) (m: i64): bool =
  let ends = map (\x -> fold (\s _ -> s + x * x) (-1) (iota m)) xs
  in all (== 1.862645149230957e-9) ends

-- A `reduce` may use a fused multiply-add, so both results are right.
-- ==
-- entry: summed
-- input { [-1.0, 1.0000000009313226] [1.0, 1.0000000009313226] } output { true }
entry summed [n] (xs: [n]f64) (ys: [n]f64): bool =
  let sum = f64.sum (map2 (*) xs ys)
  in sum == 1.862645149230957e-9 || sum == 1.8626451500983188e-9

-- Nor is a term of a sum rounded in another way where something else uses the term or its product, or where it has two products.
-- ==
-- entry: seen
-- input { [1.0000000009313226] 1.1 } output { 1.862645149230957e-9 [1.862645149230957e-9] 1.862645149230957e-9 0.0 }
entry seen [n] (xs: [n]f64) (y: f64): (f64, [n]f64, f64, f64) =
  let terms = map (\x -> x * x - 1) xs
  let squares = map (\x -> x * x) xs
  let highest = reduce f64.max 0 squares
  in (f64.sum terms,
      terms,
      f64.sum (map (\s -> s - 1) squares) + 0 * highest,
      f64.sum (map (\x -> x * y - y * x) xs))

-- A term that only the sum uses may be rounded once.
-- ==
-- entry: terms
-- input { [1.0000000009313226] } output { true true }
-- input { [1.0000000009313226, 1.0000000009313226, 1.0000000009313226] } output { true true }
entry terms [n] (xs: [n]f64): (bool, bool) =
  let sum = f64.sum (map (\x -> x * x - 1) xs) / f64.i64 n
  let wider = f64.sum (map (\x -> 2 - (1 - (x * x - 1)) - 1) xs) / f64.i64 n
  let near (v: f64) = f64.abs (v - 1.862645149230957e-9) < 1e-15
  in (sum == 1.862645149230957e-9 || sum == 1.8626451500983188e-9, near wider)
