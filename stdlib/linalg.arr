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
def mul_tn [n] [m] [p] (a: [m][n]f64) (b: [m][p]f64): *[n][p]f64 = mul (transposed a) b

-- A transposed matrix in memory of its own, in the order in which the rows of a product read it.
#[noinline]
local def transposed [n] [m] (a: [n][m]f64): [m][n]f64 = transpose a

-- | The solution x of L x = b, where L is the part of a matrix on and below the diagonal.
def solve_lower [n] (l: [n][n]f64) (b: [n]f64): *[n]f64 =
  loop xs = copy b for i < n do xs with [i] = (xs[i] - dot l[i, :i] xs[:i]) / l[i, i]

-- | The solution x of U x = b, where U is the part of a matrix on and above the diagonal.
def solve_upper [n] (u: [n][n]f64) (b: [n]f64): *[n]f64 =
  loop xs = copy b for j < n do
    let i = n - 1 - j
    in xs with [i] = (xs[i] - dot u[i, i + 1:] xs[i + 1:]) / u[i, i]

-- The number of columns in a block of a factorisation. The rest of the matrix is updated once for each block, by a product
-- with panels that stay in the first-level cache.
local def width: i64 = 32
local def blocks (n: i64): i64 = (n + width - 1) / width

-- | The factors L and U of a matrix with its rows exchanged: L below the diagonal, without its ones, and U on and above
-- it; the row of the matrix that each row comes from; and 1 or -1, for an even or odd permutation of the rows. In each
-- column the pivot is the element of the largest magnitude.
def lu [n] (a: [n][n]f64): (*[n][n]f64, *[n]i64, f64) =
  loop (a, rows, sign) = (copy a, iota n, 1) for s < blocks n do
    let from = width * s
    let to = i64.min (from + width) n
    -- Factor the columns of the block.
    let (a, rows, sign) = loop (a, rows, sign) for k in from..<to do
      let larger (i, x) (j, y) = if y > x then (j, y) else (i, x)
      let (p, _) = fold larger (k, f64.abs a[k, k]) (map (\i -> (i, f64.abs a[i, k])) (k + 1..<n))
      let (a, rows) =
        if p == k then (a, rows)
        else ((a with [k] = a[p]) with [p] = a[k], (rows with [k] = rows[p]) with [p] = rows[k])
      let pivot = a[k, k]
      let a[k + 1:, k] = map (/ pivot) a[k + 1:, k]
      let a[k + 1:, k + 1:to] =
        map2 (\row l -> map2 (\x u -> x - l * u) row a[k, k + 1:to]) a[k + 1:, k + 1:to]
          a[k + 1:, k]
      in (a, rows, if p == k then sign else -sign)
    -- Solve for the rows to the right of its square.
    let a = loop a for i in from..<to do
      let a[i, to:] =
        loop row = a[i, to:] for k in from..<i do map2 (\x u -> x - a[i, k] * u) row a[k, to:]
      in a
    -- Subtract the product of both from the rest.
    let right = transpose a[from:to, to:]
    let a[to:, to:] =
      map2 (\row l -> map2 (\x r -> x - dot l r) row right) a[to:, to:] a[to:, from:to]
    in (a, rows, sign)

-- | The solution x of A x = b, from the factors of A.
def solve_lu [n] (factors: [n][n]f64, rows: [n]i64, _: f64) (b: [n]f64): *[n]f64 =
  let forward = loop xs = gather b rows for i < n do xs with [i] = xs[i] - dot factors[i, :i] xs[:i]
  in solve_upper factors forward

-- | The solutions X of A X = B, from the factors of A: a column for each column of B.
def solve_lu_all [n] [m] (factors: [n][n]f64, rows: [n]i64, _: f64) (b: [n][m]f64): *[n][m]f64 =
  let x = loop x = gather b rows for s < blocks n do
    let from = width * s
    let to = i64.min (from + width) n
    let x = loop x for i in from..<to do
      let x[i] = loop row = x[i] for k in from..<i do map2 (\e r -> e - factors[i, k] * r) row x[k]
      in x
    let solved = transpose x[from:to]
    let x[to:] = map2 (\row l -> map2 (\e r -> e - dot l r) row solved) x[to:] factors[to:, from:to]
    in x
  in loop x for s < blocks n do
       let to = n - width * s
       let from = i64.max (to - width) 0
       let x = loop x for j < to - from do
         let i = to - 1 - j
         let row =
           loop row = x[i] for k in i + 1..<to do map2 (\e r -> e - factors[i, k] * r) row x[k]
         let x[i] = map (/ factors[i, i]) row
         in x
       let solved = transpose x[from:to]
       let x[:from] =
         map2 (\row u -> map2 (\e r -> e - dot u r) row solved) x[:from] factors[:from, from:to]
       in x

-- | The solution x of A x = b.
def solve [n] (a: [n][n]f64) (b: [n]f64): *[n]f64 = solve_lu (lu a) b

-- | The solutions X of A X = B: a column for each column of B.
def solve_all [n] [m] (a: [n][n]f64) (b: [n][m]f64): *[n][m]f64 = solve_lu_all (lu a) b

-- | The determinant.
def determinant [n] (a: [n][n]f64): f64 =
  let (factors, _, sign) = lu a
  in sign * f64.product (diagonal factors)

-- | The inverse: the solutions for the columns of the identity.
def inverse [n] (a: [n][n]f64): *[n][n]f64 = solve_all a (identity n)

-- | The factor L of a symmetric, positive definite matrix, which is L times L transposed; zeros above the diagonal.
-- Only the elements on and below the diagonal are read. For a matrix that is not positive definite, `nan`.
def cholesky [n] (a: [n][n]f64): *[n][n]f64 =
  let l = loop l = tabulate_2d n n (\i j -> if j <= i then a[i, j] else 0) for s < blocks n do
    let from = width * s
    let to = i64.min (from + width) n
    -- Factor the columns of the block.
    let l = loop l for k in from..<to do
      let root = f64.sqrt l[k, k]
      let l[k:, k] = map (/ root) l[k:, k]
      let column = l[k + 1:to, k]
      let l[k + 1:, k + 1:to] =
        map2 (\row x -> map2 (\e y -> e - x * y) row column) l[k + 1:, k + 1:to] l[k + 1:, k]
      in l
    -- Subtract the products of the rows behind it, as many rows at once as a block has.
    let panel = l[to:, from:to]
    in loop l for r < blocks (n - to) do
         let top = to + width * r
         let end = i64.min (top + width) n
         let l[top:end, to:end] =
           map2 (\row p -> map2 (\x q -> x - dot p q) row panel[:end - to]) l[top:end, to:end]
             panel[top - to:end - to]
         in l
  -- The squares on the diagonal were updated as a whole.
  in loop l for i < n do
       let end = i64.min (width * (i / width + 1)) n
       let l[i, i + 1:end] = replicate (end - i - 1) 0
       in l

-- The solution x of L' x = b, where L' is a matrix transposed, and L its part on and below the diagonal: row by row of L.
local def solve_lower_t [n] (l: [n][n]f64) (b: [n]f64): *[n]f64 =
  loop xs = copy b for j < n do
    let i = n - 1 - j
    let x = xs[i] / l[i, i]
    let xs[:i] = map2 (\e u -> e - x * u) xs[:i] l[i, :i]
    in xs with [i] = x

-- | The solution x of A x = b, from the factor L of A.
def solve_cholesky [n] (l: [n][n]f64) (b: [n]f64): *[n]f64 = solve_lower_t l (solve_lower l b)

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
