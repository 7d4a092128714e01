-- Loops in loops whose steps run across lanes. What the inner loop carries is the same in all lanes at first; in later steps of the outer loop
-- it differs.

-- ==
-- entry: of_a_while
-- input { 3i64 [1, 5, 9, 2, 7, 3, 8, 20, 4] } output { [2, 17, 17, 2, 17, 17, 17, 77, 17] }
-- input { 0i64 [1, 2] } output { [2, 2] }
entry of_a_while [n] (k: i64) (xs: [n]i64): [n]i64 =
  map
    (\x ->
      loop a = 2 while a < x do let b = loop b = 9 for _ < k do a + b in if b > 9 then a + b else x)
    xs

-- ==
-- entry: of_a_count
-- input { 3i64 [1, 5, 9, 2, 7, 3, 8, 20, 4] } output { [6, 126, 2046, 14, 510, 30, 1022, 4194302, 62] }
entry of_a_count [n] (k: i64) (xs: [n]i64): [n]i64 =
  map (\x -> loop a = 2 for _ < x do a + (loop b = a for j < k - 2 do b + 2 * j + 2)) xs

-- ==
-- entry: of_a_condition
-- input { 3i64 [1, 5, 9, 2, 7, 3, 8, 20, 4] } output { [2, 5, 9, 2, 7, 3, 8, 20, 4] }
entry of_a_condition [n] (k: i64) (xs: [n]i64): [n]i64 =
  map (\x -> loop a = 2 while (loop b = 0 for _ < k do if b < a then b + a else b) < x do a + 1) xs

-- ==
-- entry: of_floats
-- input { 2i64 [1.0, 5.0, 9.0, 2.0, 7.0, 3.0, 8.0, 20.0, 4.0] }
-- output { [2.0, 8.0, 16.0, 2.0, 8.0, 4.0, 8.0, 32.0, 4.0] }
entry of_floats [n] (k: i64) (xs: [n]f64): [n]f64 =
  map
    (\x ->
      loop a = 2.0 while a < x do
        a + (loop b = 0.0 for i < k do if i > 0 || a > 2.0 && k > 5 then b + a / 2.0 * 2.0 else b))
    xs

-- ==
-- entry: of_pairs
-- input { 3i64 [1, 5, 9, 2, 7, 3, 8, 20, 4] } output { [2, 11, 11, 2, 11, 11, 11, 47, 11] }
entry of_pairs [n] (k: i64) (xs: [n]i64): [n]i64 =
  map (\x -> loop a = 2 while a < x do (loop (b, c) = (3, 1) for _ < k do (b + a, c + 0 * b)).0 + a)
    xs
