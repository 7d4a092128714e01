-- The library's `linalg`, beside definitions by sums, and by what solutions must satisfy.

import "linalg"

def near (x: f64) (y: f64): bool = f64.abs (x - y) <= 1e-9 * (1 + f64.abs y)

def all_near [n] (xs: [n]f64) (ys: [n]f64): bool = and (map2 near xs ys)

def near_2 [n] [m] (a: [n][m]f64) (b: [n][m]f64): bool = all_near (flatten a) (flatten b)

-- | The product by its definition.
def product [n] [m] [p] (a: [n][m]f64) (b: [m][p]f64): [n][p]f64 =
  tabulate_2d n p (\i j -> fold (+) 0 (map (\k -> a[i, k] * b[k, j]) (iota m)))

-- ==
-- entry: vectors
-- input { [3.0, -4.0] [1.0, 2.0] } output { -5.0 7.0 5.0 4.0 [7.0, -6.0] [[3.0, 6.0], [-4.0, -8.0]] }
-- input { empty([0]f64) empty([0]f64) } output { 0.0 0.0 0.0 0.0 empty([0]f64) empty([0][0]f64) }
entry vectors [n] (xs: [n]f64) (ys: [n]f64): (f64, f64, f64, f64, [n]f64, [n][n]f64) =
  (dot xs ys, norm_1 xs, norm xs, norm_inf xs, axpy 2 xs ys, outer xs ys)

-- ==
-- entry: of_matrix
-- input { [[1.0, 2.0], [3.0, -4.0]] } output { [1.0, -4.0] -3.0 [[1.0, 0.0], [0.0, 1.0]] true }
-- input { empty([0][0]f64) } output { empty([0]f64) 0.0 empty([0][0]f64) true }
entry of_matrix [n] (a: [n][n]f64): ([n]f64, f64, [n][n]f64, bool) =
  (diagonal a,
   trace a,
   identity n,
   near (norm_frobenius a ** 2) (f64.sum (map (\x -> x * x) (flatten a))))

-- | Products of all kinds.
-- ==
-- entry: products
-- random input { [5][7]f64 [7][3]f64 [7]f64 [5]f64 } output { true true true true true }
-- random input { [17][33]f64 [33][16]f64 [33]f64 [17]f64 } output { true true true true true }
-- random input { [1][1]f64 [1][1]f64 [1]f64 [1]f64 } output { true true true true true }
-- input { empty([0][2]f64) [[1.0], [2.0]] [1.0, 2.0] empty([0]f64) } output { true true true true true }
entry products [n] [m] [p] (a: [n][m]f64) (b: [m][p]f64) (x: [m]f64)
    (y: [n]f64): (bool, bool, bool, bool, bool) =
  let by_rows [k] [l] (c: [k][l]f64) (z: [l]f64) =
    map (\i -> fold (+) 0 (map (\j -> c[i, j] * z[j]) (iota l))) (iota k)
  in (near_2 (mul a b) (product a b),
      near_2 (mul_nt a (transpose b)) (product a b),
      near_2 (mul_tn (transpose a) b) (product a b),
      all_near (matvec a x) (by_rows a x),
      all_near (matvec_t a y) (by_rows (transpose a) y))

-- | Solutions, with rows that have to be exchanged.
-- ==
-- entry: solved
-- input { [[0.0, 2.0, 1.0], [1.0, 1.0, 3.0], [4.0, -2.0, 1.0]] [1.0, 2.0, 3.0] } output { [0.875, 0.375, 0.25] 16.0 }
-- input { [[2.0]] [3.0] } output { [1.5] 2.0 }
-- input { [[0.0, 1.0], [1.0, 0.0]] [3.0, 4.0] } output { [4.0, 3.0] -1.0 }
-- input { empty([0][0]f64) empty([0]f64) } output { empty([0]f64) 1.0 }
entry solved [n] (a: [n][n]f64) (b: [n]f64): ([n]f64, f64) = (solve a b, determinant a)

-- | The factors make the matrix with its rows exchanged, no multiplier is above 1, the solution satisfies the equations, and the
-- inverse times the matrix is the identity.
-- ==
-- entry: factored
-- random input { [1][1]f64 [1]f64 } output { true true true true }
-- random input { [6][6]f64 [6]f64 } output { true true true true }
-- random input { [19][19]f64 [19]f64 } output { true true true true }
-- random input { [32][32]f64 [32]f64 } output { true true true true }
-- random input { [33][33]f64 [33]f64 } output { true true true true }
-- random input { [75][75]f64 [75]f64 } output { true true true true }
entry factored [n] (a: [n][n]f64) (b: [n]f64): (bool, bool, bool, bool) =
  let (f, rows, _) = lu a
  let l = tabulate_2d n n (\i j -> if j < i then f[i, j] else if i == j then 1 else 0)
  let u = tabulate_2d n n (\i j -> if j >= i then f[i, j] else 0)
  let close [k] (xs: [k]f64) (ys: [k]f64) = and (map2 (\x y -> f64.abs (x - y) < 1e-6) xs ys)
  in (near_2 (product l u) (gather a rows),
      and (map (\x -> f64.abs x <= 1) (flatten l)),
      close (matvec a (solve a b)) b,
      and (map2 close (mul (inverse a) a) (identity n)))

-- | The solutions for the columns of a matrix, which may be wider or narrower than a tile.
-- ==
-- entry: solved_all
-- random input { [5][5]f64 [5][1]f64 } output { true }
-- random input { [40][40]f64 [40][3]f64 } output { true }
-- random input { [70][70]f64 [70][25]f64 } output { true }
-- input { empty([0][0]f64) empty([0][2]f64) } output { true }
entry solved_all [n] [m] (a: [n][n]f64) (b: [n][m]f64): bool =
  let close [k] (xs: [k]f64) (ys: [k]f64) = and (map2 (\x y -> f64.abs (x - y) < 1e-6) xs ys)
  in and (map2 close (product a (solve_all a b)) b)

-- | Of a singular matrix.
-- ==
-- entry: singular
-- input { [[1.0, 2.0], [2.0, 4.0]] } output { 0.0 }
entry singular [n] (a: [n][n]f64): f64 = determinant a

-- | Symmetric, positive definite: a matrix times its transpose, and the identity.
-- ==
-- entry: definite
-- random input { [7][7]f64 [7]f64 } output { true true true }
-- random input { [1][1]f64 [1]f64 } output { true true true }
-- random input { [18][18]f64 [18]f64 } output { true true true }
-- random input { [67][67]f64 [67]f64 } output { true true true }
entry definite [n] (m: [n][n]f64) (b: [n]f64): (bool, bool, bool) =
  let a = map2 (map2 (+)) (mul_nt m m) (identity n)
  let l = cholesky a
  let zeros = and (flatten (tabulate_2d n n (\i j -> j <= i || l[i, j] == 0)))
  in (near_2 (mul_nt l l) a, zeros, all_near (matvec a (solve_cholesky l b)) b)

-- ==
-- entry: triangles
-- input { [[2.0, 9.0], [1.0, 4.0]] [2.0, 9.0] } output { [1.0, 2.0] [-9.125, 2.25] }
entry triangles [n] (a: [n][n]f64) (b: [n]f64): ([n]f64, [n]f64) =
  (solve_lower a b, solve_upper a b)

-- | What is left is orthogonal to the columns, which is so for the nearest point alone.
-- ==
-- entry: fitted
-- random input { [9][4]f64 [9]f64 } output { true }
-- random input { [20][1]f64 [20]f64 } output { true }
-- random input { [5][5]f64 [5]f64 } output { true }
entry fitted [n] [m] (a: [n][m]f64) (b: [n]f64): bool =
  let x = least_squares a b
  let left = map2 (-) b (matvec a x)
  in and (map (\e -> f64.abs e < 1e-7) (matvec_t a left))

-- ==
-- entry: line
-- input { [0.0, 1.0, 2.0, 3.0] [1.0, 3.0, 5.0, 7.0] } output { true }
entry line [n] (xs: [n]f64) (ys: [n]f64): bool =
  all_near (least_squares (map (\x -> [1, x]) xs) ys) [1, 2]

-- ==
-- entry: too_few
-- input { [[1.0, 2.0]] [1.0] } error: n >= m
entry too_few [n] [m] (a: [n][m]f64) (b: [n]f64): [m]f64 = least_squares a b

-- | Products of what is computed on the way: one pass each, and no arrays.
-- ==
-- entry: angle
-- input { [1.0, 0.0] [1.0, 1.0] } output { 0.5 }
-- structure ilp { clusters 1 arrays 0 reads 2 } none { clusters 6 arrays 3 }
entry angle [n] (xs: [n]f64) (ys: [n]f64): f64 = dot xs ys ** 2 / (dot xs xs * dot ys ys)

-- | A product with a vector, and its length: one pass, and no array.
-- ==
-- entry: length_of_product
-- input { [[3.0, 0.0], [0.0, 4.0]] [1.0, 1.0] } output { 5.0 }
-- structure ilp { clusters 1 arrays 0 }
entry length_of_product [n] [m] (a: [n][m]f64) (x: [m]f64): f64 = norm (matvec a x)

-- | Products of matrices: one pass over the rows, and one more for what has to be transposed.
-- ==
-- entry: squares
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [[7.0, 10.0], [15.0, 22.0]] [[5.0, 11.0], [11.0, 25.0]] }
-- structure by_rows { clusters 1 arrays 0 }
-- structure squares { clusters 2 arrays 1 }
entry squares [n] (a: [n][n]f64): ([n][n]f64, [n][n]f64) = (mul a a, mul_nt a a)

entry by_rows [n] [m] [p] (a: [n][m]f64) (b: [p][m]f64): [n][p]f64 = mul_nt a b
