-- Folds that keep or exchange the arrays that they carry, over elements that are dear to compute.

-- ==
-- entry: unchanged
-- input { [1.0f32, 2.0f32] } output { [1.0f32, 2.0f32] }
entry unchanged [n] (xs: [n]f32) =
  fold (\a _ -> a) xs (map (\i -> loop v = 0.0f64 for _ < i do v + 1.5) (iota n))

-- ==
-- entry: swapped
-- input { [1, 2, 3] } output { [9, 9, 9] [1, 2, 3] }
-- input { [1, 2] } output { [1, 2] [9, 9] }
entry swapped [n] (xs: [n]i64): ([n]i64, [n]i64) =
  fold (\(a, b) _ -> (b, a)) (xs, replicate n 9)
    (map (\x -> loop v = 0.0f64 for _ < x do v + 1.5) xs)

-- ==
-- entry: swapped_where_some
-- input { [1, -2, 3, 4] } output { [9, 9, 9, 9] [1, -2, 3, 4] }
entry swapped_where_some [n] (xs: [n]i64): ([n]i64, [n]i64) =
  fold (\(a, b) _ -> (b, a)) (xs, replicate n 9) (filter (> 0) xs)

-- ==
-- entry: swapped_where_dear
-- input { [1, -2, 3, 4] } output { [9, 9, 9, 9] [1, -2, 3, 4] }
entry swapped_where_dear [n] (xs: [n]i64): ([n]i64, [n]i64) =
  fold (\(a, b) y -> if y > 100.0 then (a, b) else (b, a)) (xs, replicate n 9)
    (map (\x -> f64.sin (f64.i64 x)) (filter (> 0) xs))
