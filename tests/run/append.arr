-- `++`: of known and unknown sizes, with nothing on a side, several.

-- ==
-- entry: two
-- input { [1, 2] [3] } output { [1, 2, 3] 3i64 }
-- input { empty([0]i32) [3] } output { [3] 1i64 }
-- input { [1] empty([0]i32) } output { [1] 1i64 }
-- input { empty([0]i32) empty([0]i32) } output { empty([0]i32) 0i64 }
entry two [n] [m] (xs: [n]i32) (ys: [m]i32): ?[k].([k]i32, i64) =
  let zs = xs ++ ys
  in (zs, length zs)

-- The size of the result is the sum, and known to be.
-- ==
-- entry: known
-- input { [1, 2] [3] } output { [1, 2, 3] }
entry known [n] [m] (xs: [n]i32) (ys: [m]i32): [n + m]i32 = xs ++ ys

-- ==
-- entry: three
-- input { [1] [2] [3] } output { [1, 2, 3] }
entry three [a] [b] [c] (xs: [a]i32) (ys: [b]i32) (zs: [c]i32): ?[k].[k]i32 = xs ++ ys ++ zs

-- ==
-- entry: of_filters
-- input { [3, -1, 4, -5] } output { [-1, -5, 3, 4] }
-- input { [1] } output { [1] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry of_filters [n] (xs: [n]i32): ?[k].[k]i32 = filter (< 0) xs ++ filter (>= 0) xs

-- ==
-- entry: with_itself
-- input { [1, 2] } output { [1, 2, 1, 2] 6 }
-- input { empty([0]i32) } output { empty([0]i32) 0 }
entry with_itself [n] (xs: [n]i32): ?[k].([k]i32, i32) =
  let ys = xs ++ xs
  in (ys, reduce (+) 0 ys)

-- ==
-- entry: then_mapped
-- input { [1, 2] } output { [20, 30, 100] }
entry then_mapped [n] (xs: [n]i32): ?[k].[k]i32 = map (* 10) (map (+ 1) xs ++ [10])

-- ==
-- entry: of_pairs
-- input { [1] [true] } output { [1, 5] [true, false] }
entry of_pairs [n] (xs: [n]i32) (bs: [n]bool): ?[k].([k]i32, [k]bool) =
  unzip (zip xs bs ++ [(5, false)])

-- ==
-- entry: met
-- input { [1, 2] [3] } output { [2, 4, 6] }
entry met [n] [m] (xs: [n]i32) (ys: [m]i32): ?[k].[k]i32 = map2 (+) (xs ++ ys) (xs ++ ys)

-- ==
-- entry: several
-- input { [1i64, 2i64] empty([0]i64) [3i64] } output { [1i64, 2i64, 3i64, 1i64, 2i64] 5i64 [3i64, 1i64, 2i64, 1i64, 2i64] }
-- input { empty([0]i64) empty([0]i64) empty([0]i64) } output { empty([0]i64) 0i64 empty([0]i64) }
-- input { empty([0]i64) [4i64] empty([0]i64) } output { [4i64] 1i64 [4i64] }
entry several (a: []i64) (b: []i64) (c: []i64): ?[k][l].([k]i64, i64, [l]i64) =
  let all = a ++ b ++ c ++ a
  let ca = c ++ a
  in (all, length (b ++ a ++ c ++ a), ca ++ b ++ a)

-- ==
-- entry: rows
-- input { [[1i64, 2i64]] [[3i64, 4i64], [5i64, 6i64]] } output { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64], [1i64, 2i64]] }
entry rows [m] (a: [][m]i64) (b: [][m]i64): ?[k].[k][m]i64 = a ++ b ++ a

-- ==
-- entry: in_workers
-- input { [1i64, 2i64] 3i64 } output { [[1i64, 2i64, 0i64, 1i64, 2i64, 9i64], [1i64, 2i64, 1i64, 1i64, 2i64, 9i64], [1i64, 2i64, 2i64, 1i64, 2i64, 9i64]] }
-- input { empty([0]i64) 2i64 } output { [[0i64, 9i64], [1i64, 9i64]] }
entry in_workers [n] (xs: [n]i64) (m: i64) = map (\i -> xs ++ [i] ++ xs ++ [9]) (iota m)

-- What ends is extended, and what is appended is written behind it: one array for all.
-- ==
-- entry: extended
-- input { [true] [false] false true } output { [true, false, false, true, true] }
-- input { empty([0]bool) empty([0]bool) true false } output { [true, false, true] }
-- allocates 1
entry extended [n] [m] (xs: [n]bool) (ys: [m]bool) (a: bool) (b: bool): ?[k].[k]bool =
  let both = xs ++ ys in both ++ [a, b, true]

-- Nothing that is not kept is read, nor is it checked whether it is there.
-- ==
-- entry: read_where_kept
-- input { [10, 20] [0, -9, 1, 77, 1] [true, false, true, false, true] } output { [10, 20, 20] 50 }
-- input { [10, 20] [0, -9, 1, 77, 2] [true, false, true, false, true] } error: index 2 is out of bounds
entry read_where_kept [n] [m] (table: [n]i32) (is: [m]i64) (keep: [m]bool): ?[k].([k]i32, i32) =
  let (kept, _) = unzip (filter (\(_, k) -> k) (zip is keep))
  let ys = gather table kept
  in (ys, sum ys)

-- What consumes an append may also read it whole: an element or the length in its worker, or the right side of a `cross`.
-- ==
-- entry: read_whole
-- input { [1, 2] [5] } output { 51i64 }
-- input { [1] empty([0]i64) } output { 5i64 }
entry read_whole [n] [m] (xs: [n]i64) (ys: [m]i64): i64 =
  let zs = map (* 2) xs ++ map (* 3) ys
  in reduce (+) 0 (map (\z -> z * zs[0] + length zs) zs)

-- ==
-- entry: crossed_with_itself
-- input { [1, 2] [5] } output { 450i64 }
-- input { empty([0]i64) [5] } output { 226i64 }
entry crossed_with_itself [n] [m] (xs: [n]i64) (ys: [m]i64): i64 =
  let zs = map (* 2) xs ++ map (* 3) ys
  in reduce (+) 0 (map (\(x, y) -> x * y + 1) (cross zs zs))

-- ==
-- entry: searched
-- input { [1, 2] [2, 5] } output { [3i64, 2, 1] }
-- input { [4] empty([0]i64) } output { [1i64] }
entry searched [n] [m] (xs: [n]i64) (ys: [m]i64): []i64 =
  let zs = map (+ 1) xs ++ map (* 3) (filter (> 3) ys)
  in map (\z -> count (>= z) zs) zs

-- ==
-- entry: pairs
-- input { 7i64 } output { [7i64, 7, 7, 7, -1, -1, -1, -1, 7, 7, 7, 7, -1, -1, -1, -1] [7i64, -1, 7, -1, 7, -1, 7, -1, 7, -1, 7, -1, 7, -1, 7, -1] }
entry pairs (c: i64): ([16]i64, [16]i64) =
  let part = [c, -1]
  let both = part ++ part
  let (left, right) = unzip (cross both both)
  in (left :> [16]i64, right :> [16]i64)

-- Each array is twice as long as the one before it, or a little longer.
-- ==
-- entry: doubled
-- input { [1, 2] [7] } output { 1168i64 1168i64 11i64 }
-- input { empty([0]i64) empty([0]i64) } output { 0i64 0i64 0i64 }
entry doubled [n] [m] (xs: [n]i64) (ys: [m]i64): (i64, i64, i64) =
  let a = xs ++ xs
  let a = a ++ a
  let a = a ++ ys ++ a
  let a = a ++ a ++ xs
  let a = ys ++ a ++ a
  let b = a ++ a ++ a ++ a
  let b = b ++ b ++ b ++ b
  in (length (map (+ 1) b ++ a) - length a,
      length (b :> [16 * (34 * n + 5 * m)]i64),
      reduce i64.max 0 (map (+ 4) (a ++ a)))

-- The length does not depend on the order of the parts.
-- ==
-- entry: orders
-- input { [1, 2] [7] } output { [10i64, 5, 10, 9, 4, 10] }
entry orders [n] [m] (xs: [n]i64) (ys: [m]i64): []i64 =
  let a = xs ++ xs ++ ys ++ ys
  let b = ys ++ xs ++ ys ++ xs
  in take 6 (map2 (+) (map (+ 1) xs ++ ys ++ xs ++ ys) (map (+ 1) (b :> [2 * n + 2 * m]i64)) ++ a)

-- Three parts beside an array without parts, the first and the last of one size, in six ways. Each must also have a plan of passes over chunks.
-- ==
-- entry: beside beside_right beside_helper beside_lengths beside_loop beside_branch beside_pairs
-- input { [1i64, 2i64, 3i64] [10i64, 20i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64] } output { 204i64 }
-- input { empty([0]i64) [10i64, 20i64] [1i64, 2i64] } output { 50i64 }
-- input { [1i64] empty([0]i64) [3i64, 4i64] } output { 10i64 }
-- input { empty([0]i64) empty([0]i64) empty([0]i64) } output { 0i64 }
entry beside [n] [m] (xs: [n]i64) (ys: [m]i64) (ws: [n + m + n]i64): i64 =
  i64.sum (map2 (*) (map (+ 1) xs ++ ys ++ xs) ws)

entry beside_right [n] [m] (xs: [n]i64) (ys: [m]i64) (ws: [n + m + n]i64): i64 =
  i64.sum (map2 (*) (map (+ 1) xs ++ (ys ++ xs)) ws)

def three_parts [n] [m] (xs: [n]i64) (ys: [m]i64): ?[k].[k]i64 = map (+ 1) xs ++ ys ++ xs

entry beside_helper [n] [m] [k] (xs: [n]i64) (ys: [m]i64) (ws: [k]i64): i64 =
  let parts = three_parts xs ys
  in i64.sum (map (\i -> parts[i] * ws[i]) (iota (length parts)))

entry beside_lengths [n] [m] [k] (xs: [n]i64) (ys: [m]i64) (ws: [k]i64): i64 =
  let a = map (+ 1) xs
  let from = length a + length ys
  let first = i64.sum (map2 (\x i -> x * ws[i]) a (iota (length a)))
  let second = i64.sum (map (\i -> ys[i] * ws[length a + i]) (iota (length ys)))
  in first + second + i64.sum (map (\i -> xs[i] * ws[from + i]) (iota (length a)))

entry beside_loop [n] [m] (xs: [n]i64) (ys: [m]i64) (ws: [n + m + n]i64): i64 =
  loop s = 0 for k < 1 do s + i64.sum (map2 (*) (map (+ (1 + k)) xs ++ ys ++ map (+ s) xs) ws)

entry beside_branch [n] [m] (xs: [n]i64) (ys: [m]i64) (ws: [n + m + n]i64): i64 =
  if i64.sum ws >= 0
  then (let a = map (+ 1) xs in i64.sum (map2 (*) (a ++ ys ++ map (\x -> x - 1) a) ws))
  else length xs

entry beside_pairs [n] [m] (xs: [n]i64) (ys: [m]i64) (ws: [n + m + n]i64): i64 =
  let parts = zip (map (+ 1) xs) xs ++ zip ys ys ++ map (\x -> (x, x)) xs
  in i64.sum (map (\((a, _), w) -> a * w) (zip parts ws))

-- The size of the first and the last part is computed, so no array from outside has it.
-- ==
-- entry: beside_computed
-- input { [1i64, 2i64, 3i64] [10i64, 20i64] } output { 547i64 }
-- input { empty([0]i64) empty([0]i64) } output { 23i64 }
entry beside_computed [n] [m] (xs: [n]i64) (ys: [m]i64): i64 =
  let l = i64.sum xs % 2 + 2
  let a = iota l
  let z = map (+ 1) a ++ ys ++ map (* 2) a
  let w = map (+ 3) a ++ ys ++ map (* 5) a
  in i64.sum (map (\(a, b) -> a * b) (zip z w))
     + i64.sum (map2 (*) z (map (\i -> i % 3) (iota (length z))))

-- The same in a loop whose steps have arrays of different sizes.
-- ==
-- entry: beside_in_loop
-- input { [1i64, 2i64, 3i64] [10i64, 20i64] 3i64 } output { 83i64 }
-- input { [4i64] empty([0]i64) 2i64 } output { 653i64 }
entry beside_in_loop [n] [m] (xs: [n]i64) (ys: [m]i64) (k: i64): i64 =
  loop s = 0 for i < k do
    let a = map (\j -> xs[j % n] + s) (iota (n + i))
    let z = map (+ 1) a ++ ys ++ map (* 2) a
    in i64.sum (map2 (*) z (map (\i -> i % 3 + s) (iota (length z)))) % 1000
