-- Combinators in the functions of combinators.

-- A reduction for each element, over an array from outside.
-- ==
-- entry: ranks
-- input { [30, 10, 20] } output { [2i64, 0i64, 1i64] }
-- input { [5] } output { [0i64] }
-- input { empty([0]i32) } output { empty([0]i64) }
entry ranks [n] (xs: [n]i32): [n]i64 = map (\x -> reduce (+) 0 (map (\y -> i64.bool (y < x)) xs)) xs

-- An `iota` for each element.
-- ==
-- entry: triangles
-- input { [0i64, 1i64, 4i64, 10i64] } output { [0i64, 0i64, 6i64, 45i64] }
-- input { [3i64, -1i64] } error: negative size -1( in iota)?$
-- input { empty([0]i64) } output { empty([0]i64) }
entry triangles [n] (xs: [n]i64): [n]i64 = map (\x -> reduce (+) 0 (iota x)) xs

-- A filter for each element: only its length and its sum leave the function.
-- ==
-- entry: below
-- input { [1, 5, 3] } output { [0i64, 2i64, 1i64] [0, 4, 1] }
entry below [n] (xs: [n]i32): ([n]i64, [n]i32) =
  unzip (map (\x -> let smaller = filter (< x) xs in (length smaller, reduce (+) 0 smaller)) xs)

-- ==
-- entry: any_equal
-- input { [1, 2, 3, 4] [4, 2] } output { [2, 4] }
-- input { [1, 2] empty([0]i32) } output { empty([0]i32) }
entry any_equal [n] [m] (xs: [n]i32) (ys: [m]i32): ?[k].[k]i32 =
  filter (\x -> reduce (||) false (map (== x) ys)) xs

-- An array that is made, and read at random, for each element.
-- ==
-- entry: looked_up
-- input { [0i64, 1i64, 2i64] } output { [0i64, 1i64, 4i64] }
-- input { [3i64] } error: index 3 is out of bounds for an array of length 3
entry looked_up [n] (xs: [n]i64): [n]i64 =
  map (\x -> let squares = map (\i -> i * i) (iota 3) in squares[x]) xs

-- A product of matrices that are held in flat arrays.
-- ==
-- entry: matmul
-- input { 2i64 [1, 2, 3, 4] [5, 6, 7, 8] } output { [19, 22, 43, 50] }
-- input { 1i64 [3] [4] } output { [12] }
-- input { 0i64 empty([0]i32) empty([0]i32) } output { empty([0]i32) }
entry matmul [k] (n: i64) (a: [k]i32) (b: [k]i32): ?[m].[m]i32 =
  map (\ij ->
    let (i, j) = (ij / n, ij % n)
    in reduce (+) 0 (map (\l -> a[i * n + l] * b[l * n + j]) (iota n)))
    (iota (n * n))

-- Three deep.
-- ==
-- entry: three_deep
-- input { 3i64 } output { [0i64, 0i64, 1i64] }
-- input { 4i64 } output { [0i64, 0i64, 1i64, 4i64] }
entry three_deep (n: i64): [n]i64 =
  map (\x -> reduce (+) 0 (map (\y -> reduce (+) 0 (map (\z -> z) (iota y))) (iota (x + 1))))
    (iota n)

-- A fold whose function folds.
-- ==
-- entry: fold_in_fold
-- input { [1i64, 2i64, 3i64] } output { 16i64 }
-- input { empty([0]i64) } output { 0i64 }
entry fold_in_fold [n] (xs: [n]i64): i64 =
  fold (\acc x -> acc + fold (\a y -> a + y * (if y < x then 1 else 2)) 0 (filter (<= x) xs)) 0 xs

-- A `++` in the function of a map.
-- ==
-- entry: appended
-- input { [1, 2] } output { [4i64, 4i64] [4, 5] }
entry appended [n] (xs: [n]i32): ([n]i64, [n]i32) =
  unzip (map (\x -> let ys = xs ++ [x, 0] in (length ys, reduce (+) 0 ys)) xs)

-- A conditional around combinators in a function.
-- ==
-- entry: by_case
-- input { [1, -2, 3] } output { [2, -2, 2] }
entry by_case [n] (xs: [n]i32): [n]i32 =
  map (\x -> if x > 0 then i32.i64 (length (filter (> 0) xs)) else reduce i32.min i32.highest xs) xs
