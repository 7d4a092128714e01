-- Linear algebra of vectors and matrices of f64. A matrix is an array of its rows.
--
--     import "linalg"
--     entry solution [n] (a: [n][n]f64) (b: [n]f64): [n]f64 = solve a b
--
-- Functions that need a regular matrix give `inf` or `nan` for a singular one.

-- | The inner product of two vectors.
def dot [n] (xs: [n]f64) (ys: [n]f64): f64 = f64.sum (map2 (*) xs ys)

-- | The sum of the magnitudes.
def norm_1 [n] (xs: [n]f64): f64 = f64.sum (map f64.abs xs)

-- | The length: the root of the sum of the squares.
def norm [n] (xs: [n]f64): f64 = f64.sqrt (dot xs xs)

-- | The largest magnitude; 0 of no numbers.
def norm_inf [n] (xs: [n]f64): f64 = reduce f64.max 0 (map f64.abs xs)

-- | The root of the sum of the squares of all elements.
def norm_frobenius [n] [m] (a: [n][m]f64): f64 = norm (flatten a)

-- | k times one vector and another one: k x + y.
def axpy [n] (k: f64) (xs: [n]f64) (ys: [n]f64): *[n]f64 = map2 (\x y -> k * x + y) xs ys

-- | The products of each element of one vector and each element of another one.
def outer [n] [m] (xs: [n]f64) (ys: [m]f64): *[n][m]f64 = map (\x -> map (* x) ys) xs

-- | The matrix with ones on the diagonal and zeros elsewhere.
def identity (n: i64): *[n][n]f64 = tabulate_2d n n (\i j -> f64.bool (i == j))

-- | The diagonal.
def diagonal [n] (a: [n][n]f64): *[n]f64 = map (\i -> a[i, i]) (iota n)

-- | The sum of the diagonal.
def trace [n] (a: [n][n]f64): f64 = f64.sum (diagonal a)

-- | A matrix times a vector.
def matvec [n] [m] (a: [n][m]f64) (xs: [m]f64): *[n]f64 = map (dot xs) a

-- | The transposed matrix times a vector, row by row: the matrix is read once, in order.
def matvec_t [n] [m] (a: [n][m]f64) (xs: [n]f64): *[m]f64 =
  loop ys = replicate m 0 for i < n do map2 (\y e -> y + xs[i] * e) ys a[i]

-- | The product of two matrices.
def mul [n] [m] [p] (a: [n][m]f64) (b: [m][p]f64): *[n][p]f64 =
  let columns = transpose b
  in map (\row -> map (dot row) columns) a

-- | The product of a matrix and another one transposed: the inner products of their rows.
def mul_nt [n] [m] [p] (a: [n][m]f64) (b: [p][m]f64): *[n][p]f64 = map (\row -> map (dot row) b) a

-- | The product of a transposed matrix and another one: the inner products of their columns.
def mul_tn [n] [m] [p] (a: [m][n]f64) (b: [m][p]f64): *[n][p]f64 = mul_nt (transpose a) (transpose b)

-- | The solution x of L x = b, where L is the part of a matrix on and below the diagonal.
def solve_lower [n] (l: [n][n]f64) (b: [n]f64): *[n]f64 =
  loop xs = copy b for i < n do
    xs with [i] = (loop x = xs[i] for k < i do x - l[i, k] * xs[k]) / l[i, i]

-- | The solution x of U x = b, where U is the part of a matrix on and above the diagonal.
def solve_upper [n] (u: [n][n]f64) (b: [n]f64): *[n]f64 =
  loop xs = copy b for j < n do
    let i = n - 1 - j
    in xs with [i] = (loop x = xs[i] for k in i + 1..<n do x - u[i, k] * xs[k]) / u[i, i]

-- | The factors L and U of a matrix with its rows exchanged: L below the diagonal, without its ones, and U on and above
-- it; the row of the matrix that each row comes from; and 1 or -1, for an even or odd permutation of the rows. In each
-- column the pivot is the element of the largest magnitude.
def lu [n] (a: [n][n]f64): (*[n][n]f64, *[n]i64, f64) =
  loop (a, rows, sign) = (copy a, iota n, 1) for k < n do
    let larger (i, x) (j, y) = if y > x then (j, y) else (i, x)
    let (p, _) = fold larger (k, f64.abs a[k, k]) (map (\i -> (i, f64.abs a[i, k])) (k + 1..<n))
    let (a, rows) =
      if p == k then (a, rows)
      else let (upper, lower) = (copy a[k], copy a[p])
           let (first, second) = (rows[k], rows[p])
           in ((a with [k] = lower) with [p] = upper, (rows with [k] = second) with [p] = first)
    let pivot = a[k, k]
    let a[k + 1:, k] = map (/ pivot) a[k + 1:, k]
    let a[k + 1:, k + 1:] =
      map2 (\row l -> map2 (\x u -> x - l * u) row a[k, k + 1:]) a[k + 1:, k + 1:] a[k + 1:, k]
    in (a, rows, if p == k then sign else -sign)

-- | The solution x of A x = b, from the factors of A.
def solve_lu [n] (factors: [n][n]f64, rows: [n]i64, _: f64) (b: [n]f64): *[n]f64 =
  let forward =
    loop xs = gather b rows for i < n do
      xs with [i] = loop x = xs[i] for k < i do x - factors[i, k] * xs[k]
  in solve_upper factors forward

-- | The solution x of A x = b.
def solve [n] (a: [n][n]f64) (b: [n]f64): *[n]f64 = solve_lu (lu a) b

-- | The determinant.
def determinant [n] (a: [n][n]f64): f64 =
  let (factors, _, sign) = lu a
  in sign * f64.product (diagonal factors)

-- | The inverse: the solutions for the columns of the identity.
def inverse [n] (a: [n][n]f64): *[n][n]f64 =
  let factors = lu a
  in transpose (map (solve_lu factors) (identity n))

-- | The factor L of a symmetric, positive definite matrix, which is L times L transposed; zeros above the diagonal.
-- Only the elements on and below the diagonal are read. For a matrix that is not positive definite, `nan`.
def cholesky [n] (a: [n][n]f64): *[n][n]f64 =
  loop l = tabulate_2d n n (\i j -> if j <= i then a[i, j] else 0) for k < n do
    let root = f64.sqrt l[k, k]
    let l[k:, k] = map (/ root) l[k:, k]
    in loop l for i in k + 1..<n do
         let l[i, k + 1:i + 1] = map2 (\x y -> x - l[i, k] * y) l[i, k + 1:i + 1] l[k + 1:i + 1, k]
         in l

-- | The solution x of A x = b, from the factor L of A.
def solve_cholesky [n] (l: [n][n]f64) (b: [n]f64): *[n]f64 = solve_upper (transpose l) (solve_lower l b)

-- | The x for which A x is nearest to b. A has at least as many rows as columns, which are independent. The method uses
-- reflections (A. Householder), which do not square the condition number as A transposed times A does. An error at run
-- time if A has fewer rows than columns.
def least_squares [n] [m] (a: [n][m]f64) (b: [n]f64): *[m]f64 =
  let (r, y) =
    loop (a, b) = (copy a, copy (assert (n >= m) b)) for k < m do
      let column = a[k:, k]
      let size = norm column
      let head = if a[k, k] > 0 then a[k, k] + size else a[k, k] - size
      let v = copy (column with [0] = head)
      let square = dot v v
      let factor = if square == 0 then 0 else 2 / square
      let along = matvec_t a[k:, k:] v
      let a[k:, k:] = map2 (\row e -> map2 (\x t -> x - factor * e * t) row along) a[k:, k:] v
      let step = factor * dot v b[k:]
      let b[k:] = map2 (\x e -> x - step * e) b[k:] v
      in (a, b)
  in solve_upper (tabulate_2d m m (\i j -> r[i, j])) (take m y)
