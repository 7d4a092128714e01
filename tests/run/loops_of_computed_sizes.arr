-- What a loop carries has a size that is computed from numbers. A step makes the next array, and computes its size again.

-- ==
-- entry: with_tabulate with_map with_replicate with_generate in_fold
-- input { 2i64 5i64 } output { [3.0, 3.0, 3.0] }
-- input { 5i64 5i64 } output { empty([0]f64) }
-- input { 3i64 2i64 } error: negative size -1 in replicate
entry with_tabulate (k: i64) (n: i64): [n - k]f64 =
  loop o = replicate (n - k) 0 for _t < 3 do tabulate (n - k) (\i -> o[i] + 1)

entry with_map (k: i64) (n: i64): [n - k]f64 =
  loop o = replicate (n - k) 0 for _t < 3 do map (+ 1) o

entry with_replicate (k: i64) (n: i64): [n - k]f64 =
  loop o = replicate (n - k) 0 for _t < 3 do map2 (+) (replicate (n - k) 1) o

entry with_generate (k: i64) (n: i64): [n - k]f64 =
  loop o = replicate (n - k) 0 for _t < 3 do map2 (\i x -> x + f64.i64 (i - i + 1)) (iota (n - k)) o

entry in_fold (k: i64) (n: i64): [n - k]f64 =
  loop o = replicate (n - k) 0 for _x in [1, 2, 3] do tabulate (n - k) (\i -> o[i] + 1)

-- Rows, products of sizes, and two arrays.
-- ==
-- entry: rows
-- input { 1i64 3i64 } output { [[2i64, 2i64], [2i64, 2i64]] [4i64, 4i64, 4i64] }
entry rows (k: i64) (n: i64): ([n - k][2 * k]i64, [k * n]i64) =
  loop (a, b) = (replicate (n - k) (replicate (2 * k) 0), replicate (k * n) 2) for _t < 2 do
    (tabulate_2d (n - k) (2 * k) (\i j -> a[i, j] + 1), tabulate (k * n) (\i -> b[i] + 1))

-- ==
-- entry: by_while
-- input { 1i64 3i64 } output { [4i64, 4i64] }
entry by_while (k: i64) (n: i64): [n - k]i64 =
  (loop (o, c) = (replicate (n - k) 0, 0) while c < 4 do
     (tabulate (n - k) (\i -> o[i] + 1), c + 1)).0

-- Several carried arrays have one size, which changes in each step.
-- ==
-- entry: pairs_by_name pairs_by_use pairs_in_a_record rows_and_columns counted
-- input { [5, 1, 7, 2, 9] [1, 2, 3, 4, 5] } output { 3 [6, 10, 14] }
-- input { [1, 2] [1, 1] } output { 1 [3] }
-- input { empty([0]i64) empty([0]i64) } output { 0 empty([0]i64) }
entry pairs_by_name [n] (xs: [n]i64) (ys: [n]i64): (i64, []i64) =
  let (a, b) =
    loop [k] (a: [k]i64, b: [k]i64) = (xs, ys) while any (\(x, y) -> x <= y) (zip a b) do
      unzip (filter (\(x, y) -> x > y) (zip a b))
  in (length b, map2 (+) a b)

entry pairs_by_use [n] (xs: [n]i64) (ys: [n]i64): (i64, []i64) =
  let (a, b) =
    loop (a, b) = (xs, ys) while or (map2 (<=) a b) do
      unzip (filter (\(x, y) -> x > y) (zip a b))
  in (length a, map2 (+) a b)

entry pairs_in_a_record [n] (xs: [n]i64) (ys: [n]i64): (i64, []i64) =
  let r =
    loop r = {left = xs, right = ys} while or (map2 (<=) r.left r.right) do
      let (left, right) = unzip (filter (\(x, y) -> x > y) (zip r.left r.right))
      in {left, right}
  in (length r.right, map2 (+) r.left r.right)

entry rows_and_columns [n] (xs: [n]i64) (ys: [n]i64): (i64, []i64) =
  let (rows, b) =
    loop [k] (rows: [k][2]i64, b: [k]i64) = (map (\x -> [x, -x]) xs, ys)
        while or (map2 (\r y -> r[0] <= y) rows b) do
      unzip (filter (\(r, y) -> r[0] > y) (zip rows b))
  in (length rows, map2 (\r y -> r[0] + y) rows b)

entry counted [n] (xs: [n]i64) (ys: [n]i64): (i64, []i64) =
  let (a, b, steps) =
    loop [k] (a: [k]i64, b: [k]i64, steps: i64) = (xs, ys, 0) for _ < 2 do
      let (a', b') = unzip (filter (\(x, y) -> x > y) (zip a b))
      in (a', b', steps + k - length a')
  in (n - steps, map2 (+) a b)

-- Arrays of one size that only one branch changes.
-- ==
-- entry: changed_in_a_branch
-- input { 3i64 [1, 2] } output { 16i64 16i64 }
-- input { 1i64 [1, 2] } output { 2i64 2i64 }
entry changed_in_a_branch [n] (k: i64) (xs: [n]i64): (i64, i64) =
  let (a, b) =
    loop [q] (b: [q]i64, c: [q]i64) = (xs, xs) for _ < 3 do
      if k > 2 then (b ++ c, c ++ b) else (b, c)
  in (length a, length b)

-- ==
-- entry: changed_in_a_case
-- input { 5i64 [1, 5, 3] } output { [40, 24] }
-- input { 0i64 [1, 5, 3] } output { [1, 5, 3] }
entry changed_in_a_case [n] (k: i64) (xs: [n]i64) =
  (loop (a, b) = (xs, xs) for i < k do
     let c = filter (> i) (map2 (+) a b)
     in match i case 0 -> (a, b) case 1 -> (a, b) case _ -> (c, c)).1

-- ==
-- entry: rows_changed_in_a_branch
-- input { 2i64 [[1, 2], [3, 4]] } output { 16i64 4i64 }
-- input { 0i64 [[1, 2], [3, 4]] } output { 4i64 2i64 }
entry rows_changed_in_a_branch [n] [m] (k: i64) (xss: [n][m]i64): (i64, i64) =
  let (a, b) =
    loop (a, b) = (xss, map (map (+ 1)) xss) for i < k do
      let c = map2 (map2 (+)) a b
      in if i % 2 == 0 then (c ++ c, b ++ b) else (map (\r -> r ++ r) a, map (\r -> r ++ r) b)
  in (length (flatten a), length b[0])
