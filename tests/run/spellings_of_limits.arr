-- Counts up to a limit, and the least and greatest numbers, with operators and with choices: see `spellings_of_rows.arr`.

-- ==
-- entry: counts counts_by_choice counts_by_next counts_of_hist counts_of_hist_by_choice
-- input { 2i64 [0i64, 1i64, 0i64, 0i64] } output { [2i32, 1i32] }
-- input { 3i64 empty([0]i64) } output { [0i32, 0i32, 0i32] }
-- input { 1i64 [1i64] } error: index 1 is out of bounds for an array of length 1
entry counts [n] (k: i64) (xs: [n]i64): [k]i32 =
  loop c = replicate k 0 for x in xs do c with [x] = i32.min 2 (c[x] + 1)

entry counts_by_choice [n] (k: i64) (xs: [n]i64): [k]i32 =
  loop c = replicate k 0 for x in xs do c with [x] = if c[x] + 1 > 2 then 2 else c[x] + 1

entry counts_by_next [n] (k: i64) (xs: [n]i64): [k]i32 =
  loop c = replicate k 0 for x in xs do c with [x] = (let d = c[x] + 1 in if d < 3 then d else 2)

entry counts_of_hist [n] (k: i64) (xs: [n]i64): [k]i32 =
  loop c = replicate k 0 for x in xs do c with [x] = i32.min (1 + c[x]) 2

entry counts_of_hist_by_choice [n] (k: i64) (xs: [n]i64): [k]i32 =
  loop c = replicate k 0 for x in xs do c with [x] = if 2 <= 1 + c[x] then 2 else c[x] + 1

-- ==
-- entry: least least_by_choice least_by_other_choice
-- input { [3i64, -1i64, 2i64] } output { -1i64 3i64 }
-- input { empty([0]i64) } output { 100i64 -100i64 }
entry least (xs: []i64): (i64, i64) = (reduce i64.min 100 xs, reduce i64.max (-100) xs)

entry least_by_choice (xs: []i64): (i64, i64) =
  (reduce (\a b -> if a < b then a else b) 100 xs,
   reduce (\a b -> if a < b then b else a) (-100) xs)

entry least_by_other_choice (xs: []i64): (i64, i64) =
  (reduce (\a b -> if b >= a then a else b) 100 xs,
   reduce (\a b -> if !(a > b) then b else a) (-100) xs)
