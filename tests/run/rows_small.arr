-- Small arrays of constant shape in the steps of a loop: their elements are in registers.

-- ==
-- entry: literal
-- input { [1.0, 2.0] } output { [6.0, 12.0] }
-- allocates 1
-- input { empty([0]f64) } output { empty([0]f64) }
-- structure { clusters 1 arrays 0 loops 1 allocations 1 }
entry literal [n] (xs: [n]f64): [n]f64 = map (\x -> f64.sum [x, x * 2, x * 3]) xs

-- ==
-- entry: stencil
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] } output { [[21i64, 27i64, 33i64], [30i64, 36i64, 42i64]] }
-- allocates 1
-- input { [[7i64]] } output { [[63i64]] }
-- structure { loops 2 }
entry stencil [h] [w] (img: [h][w]i64): [h][w]i64 =
  let clamp = \x hi -> i64.min (i64.max x 0) hi
  in tabulate_2d h w (\y x ->
       i64.sum
         (flatten
            (tabulate_2d 3 3
               (\dy dx -> img[clamp (y + dy - 1) (h - 1), clamp (x + dx - 1) (w - 1)]))))

-- ==
-- entry: rotate3
-- input { [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]] [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] }
-- output { [[2.0, 3.0, 1.0], [5.0, 6.0, 4.0]] }
-- allocates 1
-- structure { loops 1 allocations 1 }
entry rotate3 [n] (m: [3][3]f64) (ps: [n][3]f64): [n][3]f64 =
  map (\p -> map (\r -> f64.sum (map2 (*) r p)) m) ps

-- ==
-- entry: column_sums
-- input { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } output { [9i64, 12i64] }
-- allocates 1
-- input { empty([0][2]i64) } output { [0i64, 0i64] }
-- structure { loops 1 allocations 1 }
entry column_sums [n] (xss: [n][2]i64): [2]i64 = reduce (map2 (+)) (replicate 2 0) xss

-- The accumulator is taken apart where it is folded in order, too.
-- ==
-- entry: horner
-- input { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } output { [135i64, 246i64] }
-- allocates 1
entry horner [n] (xss: [n][2]i64): [2]i64 = fold (map2 (\a x -> a * 10 + x)) [0, 0] xss

-- ==
-- entry: columns
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] } output { [6i64, 12i64, 20i64] }
-- allocates 1
-- structure { loops 1 allocations 1 }
entry columns [n] (xs: [2][n]i64): [n]i64 =
  map (\v -> v[0] * v[1] + (v[1] - v[0] - 1)) (transpose xs)

-- Scans, gathers, updates, slices and appends of small arrays.
-- ==
-- entry: all_of_them
-- input { [1i64, 2i64] } output { [[1i64, 3i64, 6i64, 10i64, 7i64], [2i64, 5i64, 9i64, 14i64, 7i64]] }
-- allocates 1
entry all_of_them [n] (xs: [n]i64): [n][5]i64 =
  map (\x ->
    let a = scan (+) 0 [x, x + 1, x + 2, x + 3]
    let b = a ++ [100]
    in b with [4] = 7) xs

-- ==
-- entry: chosen
-- input { [1i64, -2i64] } output { [5i64, 6i64] }
-- allocates 1
entry chosen [n] (xs: [n]i64): [n]i64 =
  map (\x ->
    let v = if x > 0 then [x, x * 4] else [0 - x, 2 - x]
    in v[0] + v[1]) xs

-- What a loop carries.
-- ==
-- entry: powers
-- input { [1i64, 2i64, 5i64] } output { [[1i64, 1i64], [2i64, 1i64], [8i64, 5i64]] }
-- allocates 1
entry powers [n] (ks: [n]i64): [n][2]i64 =
  map (\k -> loop v = [1, 0] for _i < k do [v[0] + v[1], v[0]]) ks

-- A loop with a condition.
-- ==
-- entry: halves
-- input { [9i64, 64i64] } output { [[1i64, 3i64], [1i64, 6i64]] }
-- allocates 1
entry halves [n] (xs: [n]i64): [n][2]i64 =
  map (\x -> loop v = [x, 0] while v[0] > 1 do [v[0] // 2, v[1] + 1]) xs

-- An index that is known at run time only needs the array in memory.
-- ==
-- entry: looked_up
-- input { [0i64, 1i64, 2i64] } output { [10i64, 21i64, 32i64] }
-- input { [3i64] } error: index 3
entry looked_up [n] (is: [n]i64): [n]i64 = map (\i -> let a = [i + 10, i + 20, i + 30] in a[i]) is

-- A matrix product needs no rows of the transposed matrix.
-- ==
-- entry: product
-- input { [[1i64, 2i64], [3i64, 4i64]] [[5i64, 6i64, 7i64], [8i64, 9i64, 10i64]] }
-- output { [[21i64, 24i64, 27i64], [47i64, 54i64, 61i64]] }
-- allocates 1
-- structure { allocations 1 }
entry product [n] [k] [m] (a: [n][k]i64) (b: [k][m]i64): [n][m]i64 =
  map (\r -> map (\c -> i64.sum (map2 (*) r c)) (transpose b)) a

-- What one step needs is in one buffer for all steps.
-- ==
-- entry: scratch
-- input { 4i64 3i64 } output { 64i64 }
-- input { 3i64 3i64 } output { 39i64 }
-- allocates 1
-- input { 0i64 3i64 } output { 0i64 }
-- input { 3i64 0i64 } output { 0i64 }
entry scratch (n: i64) (k: i64): i64 =
  i64.sum (map (\i ->
    let a = scan (+) 0 (map (+ i) (iota k))
    in i64.sum (map (\j -> a[k - 1 - j] + 1) (iota k))) (iota n))

-- Its length may be another one in each step.
-- ==
-- entry: triangle
-- input { 5i64 } output { [0i64, 0i64, 2i64, 8i64, 20i64] }
-- allocates 2
entry triangle (n: i64): [n]i64 =
  map (\i ->
    let a = scan (+) 0 (generate i (\j -> i - j - 1))
    in fold (\s j -> s + a[i - 1 - j]) 0 (iota i)) (iota n)

-- An accumulator that is an array is updated where it is.
-- ==
-- entry: counted
-- input { [1i64, 0i64, 2i64, 1i64] } output { [1i64, 2i64, 1i64] [2i64, 2i64, 1i64] }
-- allocates 2
entry counted [n] (ks: [n]i64): ([3]i64, [3]i64) =
  let count = \z -> fold (\acc k -> acc with [k] = acc[k] + 1) z ks
  let zeros = replicate 3 0
  in (count zeros, count (zeros with [0] = 1))

-- What others still use is not overwritten.
-- ==
-- entry: kept
-- input { [1i64, 2i64] [[1i64, 1i64], [2i64, 2i64]] } output { [4i64, 5i64] [1i64, 2i64] }
-- allocates 2
entry kept [m] [n] (z: [m]i64) (xss: [n][m]i64): ([m]i64, [m]i64) =
  (fold (map2 (+)) z xss, z)

-- A scan of rows shows each of them.
-- ==
-- entry: running
-- input { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } output { [[1i64, 2i64], [4i64, 6i64], [9i64, 12i64]] }
-- allocates 2
entry running [n] [m] (xss: [n][m]i64): [n][m]i64 = scan (map2 (+)) (replicate m 0) xss

-- One that somebody keeps is not overwritten.
-- ==
-- entry: best_row
-- input { [[1i64, 5i64], [3i64, -9i64], [-5i64, 6i64]] } output { [1i64, 5i64] [[1i64, 5i64], [4i64, -4i64], [-1i64, 2i64]] }
entry best_row [n] [m] (xss: [n][m]i64): ([m]i64, [n][m]i64) =
  let sums = scan (map2 (+)) (replicate m 0) xss
  in (fold (\best row -> if row[1] > best[1] then row else best) (replicate m 0) sums, sums)

-- One that excludes the row of its own place shows what was before.
-- ==
-- entry: before
-- input { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } output { [[0i64, 0i64], [1i64, 2i64], [4i64, 6i64]] }
entry before [n] [m] (xss: [n][m]i64): [n][m]i64 = exscan (map2 (+)) (replicate m 0) xss
