-- Matrices that change in place, row by row. The steps go over rows, and read the elements of their own row alone.

-- ==
-- entry: scaled
-- random input { [1][1]f64 3i64 } auto output
-- random input { [7][5]f64 4i64 } auto output
-- random input { [33][70]f64 2i64 } auto output
-- random input { [300][300]f64 2i64 } auto output
-- input { empty([0][3]f64) 2i64 } output { empty([0][3]f64) }
-- input { empty([3][0]f64) 2i64 } output { empty([3][0]f64) }
-- structure { allocated 1 }
entry scaled [n] [m] (a: [n][m]f64) (k: i64): [n][m]f64 =
  loop a for _ < k do map (map (\x -> 0.5 * x + 1)) a

-- ==
-- entry: added
-- random input { [7][5]i64 [7][5]i64 } auto output
-- random input { [40][64]i64 [40][64]i64 } auto output
-- structure { allocated 1 }
entry added [n] [m] (a: [n][m]i64) (b: [n][m]i64): [n][m]i64 =
  loop a for i < n do map2 (map2 (\x y -> x + i * y)) a b

-- The sum of a row is complete before its first element changes.
-- ==
-- entry: shares
-- random input { [1][1]f64 } auto output
-- random input { [9][4]f64 } auto output
-- random input { [21][37]f64 } auto output
-- structure { allocated 1 }
entry shares [n] [m] (a: [n][m]f64): [n][m]f64 =
  loop a for _ < 3 do map (\row -> let s = 1 + f64.sum (map f64.abs row) in map (/ s) row) a

-- ==
-- entry: softmax
-- random input { [5][9]f64 } auto output
-- random input { [2][40]f64 } auto output
entry softmax [n] [m] (a: [n][m]f64): [n][m]f64 =
  let a = map (scan (+) 0) a
  let all = f64.sum (flatten a)
  in map (\row ->
       let most = reduce f64.max (-f64.inf) row
       let powers = map (\x -> f64.exp (x - most)) row
       let sum = f64.sum powers
       in map (\p -> all * p / sum) powers)
       a

-- Sums of outer products: the accumulator is a matrix.
-- ==
-- entry: products
-- input { [[1.0, 2.0], [3.0, -1.0]] } output { [[10.0, -1.0], [-1.0, 5.0]] [[10.0, -1.0], [-1.0, 5.0]] }
-- random input { [1][1]f64 } auto output
-- input { empty([0][2]f64) } output { [[0.0, 0.0], [0.0, 0.0]] [[0.0, 0.0], [0.0, 0.0]] }
-- structure { allocated 3 }
entry products [n] [m] (x: [n][m]f64): ([m][m]f64, [m][m]f64) =
  let zeros = replicate m (replicate m 0)
  in (reduce (map2 (map2 (+))) zeros (map (\row -> map (\a -> map (* a) row) row) x),
      loop sum = zeros for row in x do map2 (\a -> map2 (\b s -> s + a * b) row) row sum)

-- Elements of other columns or rows are read: the matrix stays as it was until the end.
-- ==
-- entry: mirrored
-- random input { [4][7]i64 } auto output
-- random input { [9][32]i64 } auto output
entry mirrored [n] [m] (a: [n][m]i64): ([n][m]i64, [n][m]i64, [n][m]i64) =
  (loop a for i < 3 do map (\row -> map (\j -> row[m - 1 - j] + i) (iota m)) a,
   loop a for _ < 3 do map (\i -> map2 (+) a[i] a[(i + 1) % n]) (iota n),
   loop a for _ < 3 do map2 (map2 (+)) a (rotate 1 a))

-- The matrix is needed afterwards.
-- ==
-- entry: kept
-- random input { [4][7]i64 } auto output
entry kept [n] [m] (a: [n][m]i64): ([n][m]i64, [n][m]i64) =
  let a = map (scan (+) 0) a
  in (map (map (* 2)) a, a)

-- Types of other sizes, and flags.
-- ==
-- entry: types
-- random input { [4][7]i32 [5][33]bool } auto output
entry types [n] [m] [k] [l] (a: [n][m]i32) (b: [k][l]bool): ([n][m]i32, [k][l]bool, [n][m]f32) =
  (loop a for i < 4 do map (map (\x -> 3 * x - i)) a,
   loop b for _ < 3 do map (\row -> let some = or row in map (\x -> some && !x) row) b,
   map (map f32.i32) (loop a for _ < 2 do map (map (^ 5)) a))

-- A step that fails leaves nothing behind.
-- ==
-- entry: fails
-- input { [[1i64, 2i64], [3i64, 4i64]] 7i64 } output { [[2i64, 2i64], [3i64, 3i64]] }
-- input { [[1i64, 2i64], [0i64, 4i64]] 7i64 } error: division
entry fails [n] [m] (a: [n][m]i64) (x: i64): [n][m]i64 =
  loop a for _ < 2 do map (map (\y -> x // y % 4)) a
