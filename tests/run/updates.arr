-- `a with [i] = v` and `let a[i] = v`: a value; the old array stays what it is.

-- ==
-- entry: one
-- input { [1i64, 2i64, 3i64] 1i64 9i64 } output { [1i64, 9i64, 3i64] }
-- input { [1i64] 0i64 9i64 } output { [9i64] }
-- input { [1i64] 1i64 9i64 } error: index 1 is out of bounds for an array of length 1
-- input { [1i64] -1i64 9i64 } error: index -1 is out of bounds
-- input { empty([0]i64) 0i64 9i64 } error: index 0 is out of bounds
entry one [n] (xs: [n]i64) (i: i64) (v: i64): [n]i64 = xs with [i] = v

-- ==
-- entry: old_stays
-- input { [1i64, 2i64] } output { [1i64, 2i64] [7i64, 2i64] [1i64, 8i64] }
entry old_stays [n] (xs: [n]i64): ([n]i64, [n]i64, [n]i64) = (xs, xs with [0] = 7, xs with [1] = 8)

-- ==
-- entry: made_here
-- input { [1i64, 2i64] } output { [2i64, 4i64] [7i64, 4i64] }
entry made_here [n] (xs: [n]i64): ([n]i64, [n]i64) =
  let ys = map (* 2) xs
  let zs = ys with [0] = 7
  in (ys, zs)

-- ==
-- entry: read_before
-- input { [1i64, 2i64] } output { 4i64 [7i64, 4i64] 6i64 }
entry read_before [n] (xs: [n]i64): (i64, [n]i64, i64) =
  let ys = map (* 2) xs
  let s = reduce (+) 0 ys
  let y = ys[1]
  let ys = ys with [0] = 7
  in (y, ys, s)

-- ==
-- entry: let_form
-- input { [1i64, 2i64, 3i64] } output { [3i64, 2i64, 1i64] }
entry let_form [n] (xs: [n]i64): [n]i64 =
  let t = xs[0]
  let xs[0] = xs[n - 1]
  let xs[n - 1] = t
  in xs

-- ==
-- entry: chain
-- input { [1i64, 2i64, 3i64] } output { [4i64, 5i64, 3i64] }
entry chain [n] (xs: [n]i64): [n]i64 = xs with [0] = 4 with [1] = 5

-- ==
-- entry: last_wins
-- input { [1i64] } output { [5i64] }
entry last_wins [n] (xs: [n]i64): [n]i64 = xs with [0] = 4 with [0] = xs[0] + 4

-- ==
-- entry: of_pairs
-- input { [1i64, 2i64] [true, true] } output { [1i64, 9i64] [true, false] }
entry of_pairs [n] (xs: [n]i64) (bs: [n]bool): ([n]i64, [n]bool) =
  unzip (zip xs bs with [1] = (9, false))

-- ==
-- entry: of_records
-- input { [1.0f32, 2.0f32] } output { [1.0f32, 5.0f32] [0i8, 3i8] }
entry of_records [n] (xs: [n]f32): ([n]f32, [n]i8) =
  let rs = map (\x -> {x, k = 0i8}) xs
  let rs[1] = {x = 5, k = 3}
  in (map (.x) rs, map (.k) rs)

-- ==
-- entry: of_bools
-- input { [true, true, true] } output { [true, false, true] }
entry of_bools [n] (bs: [n]bool): [n]bool = bs with [1] = false

-- ==
-- entry: fill
-- input { 4i64 } output { [0i64, 1i64, 4i64, 9i64] }
-- input { 0i64 } output { empty([0]i64) }
entry fill (n: i64): [n]i64 = loop a = replicate n 0 for i < n do a with [i] = i * i

-- ==
-- entry: prefix_sums
-- input { [1i64, 2i64, 3i64] } output { [1i64, 3i64, 6i64] }
-- input { [1i64] } output { [1i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry prefix_sums [n] (xs: [n]i64): [n]i64 =
  loop a = xs for i < n - 1 do a with [i + 1] = a[i] + a[i + 1]

-- ==
-- entry: reversed
-- input { [1i64, 2i64, 3i64, 4i64] } output { [4i64, 3i64, 2i64, 1i64] [1i64, 2i64, 3i64, 4i64] }
entry reversed [n] (xs: [n]i64): ([n]i64, [n]i64) =
  let ys = loop a = xs for i < n do a with [n - 1 - i] = xs[i]
  in (ys, xs)

-- ==
-- entry: sieve
-- input { 20i64 } output { [2i64, 3i64, 5i64, 7i64, 11i64, 13i64, 17i64, 19i64] }
-- input { 2i64 } output { empty([0]i64) }
entry sieve (n: i64): ?[k].[k]i64 =
  let prime =
    loop prime = replicate n true for d < n do
      if d < 2 || !prime[d] then prime
      else let (prime, _) =
             loop (prime, m) = (prime, d * d) while m < n do (prime with [m] = false, m + d)
           in prime
  in filter (\i -> i >= 2 && prime[i]) (iota n)

-- ==
-- entry: insertion_sort
-- input { [3i64, 1i64, 2i64, 5i64, 4i64] } output { [1i64, 2i64, 3i64, 4i64, 5i64] }
-- input { [1i64] } output { [1i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry insertion_sort [n] (xs: [n]i64): [n]i64 =
  loop a = xs for i < n do
    let (a, _) =
      loop (a, j) = (a, i) while j > 0 && a[j - 1] > a[j] do
        let t = a[j]
        let a[j] = a[j - 1]
        let a[j - 1] = t
        in (a, j - 1)
    in a

-- ==
-- entry: conditional
-- input { [1i64, 2i64, 3i64] 1i64 } output { [1i64, 0i64, 3i64] 4i64 }
-- input { [1i64, 2i64, 3i64] 7i64 } output { [1i64, 2i64, 3i64] 6i64 }
entry conditional [n] (xs: [n]i64) (i: i64): ([n]i64, i64) =
  let a = map (+ 0) xs
  let b = if i < n then a with [i] = 0 else a
  in (b, reduce (+) 0 b)

-- ==
-- entry: conditional_kept
-- input { [1i64, 2i64] true } output { [5i64, 2i64] [1i64, 2i64] }
-- input { [1i64, 2i64] false } output { [1i64, 2i64] [1i64, 2i64] }
entry conditional_kept [n] (xs: [n]i64) (c: bool): ([n]i64, [n]i64) =
  let a = map (+ 0) xs
  let b = if c then a with [0] = 5 else a
  in (b, a)

-- ==
-- entry: shared_then_replaced
-- input { [1i64, 2i64] true } output { [1i64, 2i64] [9i64, 2i64] }
-- input { [1i64, 2i64] false } output { [0i64, 0i64] [9i64, 2i64] }
entry shared_then_replaced [n] (xs: [n]i64) (c: bool): ([n]i64, [n]i64) =
  let a = map (+ 0) xs
  let b = if c then a else map (* 0) xs
  let a2 = a with [0] = 9
  in (b, a2)

-- ==
-- entry: two_from_one
-- input { [1i64, 2i64] } output { [8i64, 2i64] [9i64, 2i64] }
entry two_from_one [n] (xs: [n]i64): ([n]i64, [n]i64) =
  let a = map (+ 0) xs
  in (a with [0] = 8, a with [0] = 9)

-- ==
-- entry: pair_of_one
-- input { [1i64, 2i64] } output { [1i64, 5i64] [4i64, 2i64] }
entry pair_of_one [n] (xs: [n]i64): ([n]i64, [n]i64) =
  loop (a, b) = (xs, xs) for _i < 1 do (a with [1] = 5, b with [0] = 4)

-- ==
-- entry: swapping
-- input { [1i64, 2i64] [3i64, 4i64] 3i64 } output { [3i64, 1i64] [1i64, 2i64] }
entry swapping [n] (xs: [n]i64) (ys: [n]i64) (k: i64): ([n]i64, [n]i64) =
  loop (a, b) = (xs, ys) for i < k do (b, a with [1] = i)

-- ==
-- entry: keeps_every_step
-- input { [0i64, 0i64] 2i64 } output { [0i64, 1i64] [0i64, 0i64] }
entry keeps_every_step [n] (xs: [n]i64) (k: i64): ([n]i64, [n]i64) =
  loop (a, before) = (xs, xs) for i < k do (a with [i] = i, a)

-- ==
-- entry: in_worker
-- input { [1i64, 2i64, 3i64] } output { [11i64, 12i64, 13i64] }
entry in_worker [n] (xs: [n]i64): [n]i64 =
  map (\x -> let a = [0, x] let a[0] = 10 in a[0] + a[1]) xs

-- ==
-- entry: in_worker_of_outer
-- input { [1i64, 2i64, 3i64] } output { [106i64, 106i64, 106i64] [1i64, 2i64, 3i64] }
entry in_worker_of_outer [n] (xs: [n]i64): ([n]i64, [n]i64) =
  let a = map (+ 0) xs
  in (map (\x -> reduce (+) 0 (a with [x - 1] = x + 100)) xs, a)

def set [n] (a: [n]i64) (i: i64): [n]i64 =
  if i == n then a else set (a with [i] = i) (i + 1)

-- ==
-- entry: recursive
-- input { [7i64, 7i64, 7i64] } output { [0i64, 1i64, 2i64] [7i64, 7i64, 7i64] }
entry recursive [n] (xs: [n]i64): ([n]i64, [n]i64) = (set xs 0, xs)

-- ==
-- entry: read_then_write
-- input { [5i64, 6i64, 7i64] } output { [6i64, 7i64, 5i64] }
entry read_then_write [n] (xs: [n]i64): [n]i64 =
  loop a = xs for i < n - 1 do
    let x = a[i]
    let y = a[i + 1]
    in a with [i] = y with [i + 1] = x

-- ==
-- entry: pass_between
-- input { [1i64, 2i64] 3i64 } output { [7i64, 2i64] }
entry pass_between [n] (xs: [n]i64) (k: i64): [n]i64 =
  loop a = xs for _i < k do
    let s = reduce (+) 0 (map (+ 0) a)
    in a with [0] = s - 2 + a[0] - a[0] + 2 - a[1] + a[1]

-- ==
-- entry: append_then_write
-- input { 3i64 } output { [10i64, 1i64, 2i64] }
entry append_then_write (n: i64): ?[m].[m]i64 =
  loop a = [] for i < n do
    let a = a ++ [i]
    in a with [0] = i + 8

-- ==
-- entry: dead_update
-- input { [1i64] } output { 1i64 }
entry dead_update [n] (xs: [n]i64): i64 =
  let _ = xs with [0] = 0
  in xs[0]

-- ==
-- entry: fails_in_loop
-- input { [1i64, 2i64] 2i64 } output { [0i64, 1i64] }
-- input { [1i64, 2i64] 3i64 } error: index 2 is out of bounds for an array of length 2
entry fails_in_loop [n] (xs: [n]i64) (k: i64): [n]i64 = loop a = xs for i < k do a with [i] = i

-- ==
-- entry: a_million
-- input { 1000000i64 } output { 999999i64 }
entry a_million (n: i64): i64 =
  let a = loop a = [0, 0, 0] for i < n do a with [i % 3] = i
  in i64.max a[0] (i64.max a[1] a[2])

-- Views of what is updated in a branch: they keep the old values.

-- ==
-- entry: row_in_branch
-- input { [[1i64, 2i64], [3i64, 4i64]] true } output { 106i64 }
entry row_in_branch (xss: [2][2]i64) (c: bool): i64 =
  let yss = map (map (+ 1)) xss
  let row = yss[0]
  in if c then
       let zss = yss with [0, 0] = 50
       let both = zss[0, 0] * 2
       in both + i64.sum row + zss[1, 1] - 4
     else i64.sum row + i64.sum (flatten yss)

-- ==
-- entry: flat_in_branch
-- input { [[1i64, 2i64], [3i64, 4i64]] true } output { [2i64, 3i64, 4i64, 5i64] 50i64 }
entry flat_in_branch (xss: [2][2]i64) (c: bool): ([4]i64, i64) =
  let yss = map (map (+ 1)) xss
  let row = flatten yss
  in if c then
       let zss = yss with [0, 0] = 50
       in (map (+ 0) row, zss[0, 0])
     else (row, 1)

-- The new value is a view of the updated array, which may have another owner before the update.

-- ==
-- entry: row_of_carried
-- input { 0i64 [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } output { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] }
-- input { 1i64 [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } output { [[5i64, 6i64], [5i64, 6i64], [1i64, 2i64]] }
-- input { 2i64 [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } output { [[1i64, 2i64], [3i64, 4i64], [1i64, 2i64]] }
-- input { 3i64 [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } error: index 3 is out of bounds for an array of length 3
entry row_of_carried [m] (x: i64) (v0: [3][m]i64): [3][m]i64 =
  let w = loop v = v0 for _ < x do reverse v
  in w with [x] = w[0]

-- ==
-- entry: row_of_carried_and_kept
-- input { 1i64 [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] }
-- output { [[5i64, 6i64], [5i64, 6i64], [1i64, 2i64]] [[5i64, 6i64], [3i64, 4i64], [1i64, 2i64]] }
entry row_of_carried_and_kept [m] (x: i64) (v0: [3][m]i64): ([3][m]i64, [3][m]i64) =
  let w = loop v = v0 for _ < x do reverse v
  in (w with [x] = w[0], w)

-- ==
-- entry: row_of_row
-- input { 1i64 [[[1i64], [2i64]], [[3i64], [4i64]]] } output { [[[3i64], [4i64]], [[4i64], [2i64]]] }
entry row_of_row [k] (x: i64) (v0: [2][2][k]i64): [2][2][k]i64 =
  let w = loop v = v0 for _ < x do reverse v
  let row = w[0]
  in w with [x, 0] = row[1]

-- ==
-- entry: row_and_its_sum
-- input { 1i64 [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } output { [[11i64, 6i64], [5i64, 6i64], [1i64, 2i64]] }
entry row_and_its_sum [m] (x: i64) (v0: [3][m]i64): [3][m]i64 =
  let w = loop v = v0 for _ < x do reverse v
  let row = w[0]
  let sum = i64.sum row
  in (w with [x] = row) with [0, 0] = sum

-- ==
-- entry: row_in_one_branch
-- input { 1i64 [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } output { [[5i64, 6i64], [3i64, 4i64], [1i64, 2i64]] }
-- input { 2i64 [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } output { [[1i64, 2i64], [3i64, 4i64], [1i64, 2i64]] }
entry row_in_one_branch [m] (x: i64) (v0: [3][m]i64): [3][m]i64 =
  let w = loop v = v0 for _ < x do reverse v
  let row = w[0]
  in if x > 1 then w with [x] = row else w

-- ==
-- entry: part_of_carried
-- input { 1i64 [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } output { [[5i64, 6i64], [6i64, 3i64], [1i64, 2i64]] }
entry part_of_carried (x: i64) (v0: [3][2]i64): [3][2]i64 =
  let w = loop v = v0 for _ < x do reverse v
  in w with [x] = (flatten w)[1:3]

-- ==
-- entry: part_of_another_shape
-- input { 1i64 [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } output { [[5i64, 6i64], [1i64, 2i64], [1i64, 2i64]] }
entry part_of_another_shape (x: i64) (v0: [3][2]i64): [3][2]i64 =
  let w = loop v = v0 for _ < x do reverse v
  let halves: [2][3]i64 = unflatten (flatten w)
  in w with [x] = halves[1][1:]

-- Views of what a loop carries, in the loop: they keep the old values.

-- ==
-- entry: flat_in_loop
-- input { 3i64 4i64 } output { [[0i64, 5i64, 6i64, 7i64], [10i64, 11i64, 12i64, 13i64], [20i64, 21i64, 22i64, 23i64], [30i64, 31i64, 32i64, 33i64]] }
entry flat_in_loop (x: i64) (n: i64): [n][n]i64 =
  let xs = map (\i -> map (+ i * 10) (iota n)) (iota n)
  let flat = flatten xs
  in loop a = xs for i < x do a with [0, i + 1] = flat[i] + 5

-- ==
-- entry: rows_in_loop
-- input { 3i64 4i64 } output { [0i64, 5i64, 15i64, 25i64] }
entry rows_in_loop (x: i64) (n: i64): [n]i64 =
  let xs = map (* 10) (iota n)
  let rows: [1][n]i64 = unflatten (xs :> [1 * n]i64)
  in loop a = xs for i < x do a with [i + 1] = rows[0, i] + 5

-- ==
-- entry: slice_in_loop
-- input { 2i64 4i64 } output { [0i64, 21i64, 31i64, 30i64] }
entry slice_in_loop (x: i64) (n: i64): [n]i64 =
  let xs = map (* 10) (iota n)
  let part = xs[1:n]
  in loop a = xs for i < x do a with [i + 1] = part[i] + part[0] + 1

-- ==
-- entry: flat_in_while
-- input { 3i64 2i64 } output { [[0i64, 5i64], [6i64, 15i64]] 11i64 }
entry flat_in_while (x: i64) (n: i64): ([n][n]i64, i64) =
  let xs = map (\i -> map (+ i * 10) (iota n)) (iota n)
  let flat = flatten xs
  let (a, _) =
    loop (a, i) = (xs, 0) while i < x do (a with [(i + 1) / n, (i + 1) % n] = flat[i] + 5, i + 1)
  in (a, flat[n * n - 1])

-- ==
-- entry: flat_in_bins
-- input { 3i64 } output { [[0i64, 1i64, 2i64], [43i64, 44i64, 45i64], [20i64, 21i64, 22i64]] }
entry flat_in_bins (n: i64): [n][n]i64 =
  let xs = map (\i -> map (+ i * 10) (iota n)) (iota n)
  let flat = flatten xs
  in reduce_by_index xs (map2 (+)) (replicate n 0) (replicate n 1)
       (map (\i -> map (\_ -> flat[n + i]) (iota n)) (iota n))
