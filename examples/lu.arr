-- Equations with a full matrix, by its factors L and U, which are found block by block.
--
-- Shows updates of blocks of a matrix in place, a product of blocks within them, and functions that take and give a
-- matrix that nothing else uses.
--
--     arrc run examples/lu.arr solve '[[4, 1], [2, 3]]' '[[9], [13]]'
--
-- There is no exchange of rows, so the matrix has to be such that none is needed: one whose diagonal outweighs the rest of
-- each row, or a symmetric, positive definite one.

-- | How many columns are eliminated together.
def width: i64 = 32

-- | Columns b to e - 1 eliminated from the rows below them, only within these columns.
def panel [n] (b: i64) (e: i64) (a: *[n][n]f64): *[n][n]f64 =
  loop a for k in b..<e do
    let a[k + 1:, k] = map (/ a[k, k]) a[k + 1:, k]
    let a[k + 1:, k + 1:e] =
      map2 (\row l -> map2 (\x u -> x - l * u) row a[k, k + 1:e]) a[k + 1:, k + 1:e] a[k + 1:, k]
    in a

-- | Rows b to e - 1 right of the diagonal block: multiples of the rows above it in the block are subtracted from each.
def right_of [n] (b: i64) (e: i64) (a: *[n][n]f64): *[n][n]f64 =
  loop a for i in b..<e do
    let a[i, e:] = loop row = a[i, e:] for k in b..<i do map2 (\x u -> x - a[i, k] * u) row a[k, e:]
    in a

-- | The part below and right of the block, from which the product of the two parts before is subtracted.
def rest [n] (b: i64) (e: i64) (a: *[n][n]f64): *[n][n]f64 =
  let columns = transpose a[b:e, e:]
  let a[e:, e:] =
    map2 (\row l -> map2 (\x u -> x - f64.sum (map2 (*) l u)) row columns) a[e:, e:] a[e:, b:e]
  in a

-- | The factors of a matrix in one: U on and above the diagonal, L below it, without its ones.
-- ==
-- entry: factors
-- input { [[2.0, 1.0], [4.0, 5.0]] } output { [[2.0, 1.0], [2.0, 3.0]] }
-- input { [[4.0, 2.0, 8.0], [2.0, 5.0, 6.0], [1.0, 4.5, 9.0]] }
-- output { [[4.0, 2.0, 8.0], [0.5, 4.0, 2.0], [0.25, 1.0, 5.0]] }
-- input { empty([0][0]f64) } output { empty([0][0]f64) }
-- input { [[1.0, 2.0]] } error: must be equal
entry factors [n] (a: [n][n]f64): [n][n]f64 =
  loop a = copy a for step < (n + width - 1) / width do
    let b = width * step
    let e = i64.min (b + width) n
    in rest b e (right_of b e (panel b e a))

-- | The product of L and U.
-- ==
-- entry: product_of
-- input { [[2.0, 1.0], [2.0, 3.0]] } output { [[2.0, 1.0], [4.0, 5.0]] }
entry product_of [n] (lu: [n][n]f64): [n][n]f64 =
  let lower = tabulate_2d n n (\i j -> if i > j then lu[i, j] else if i == j then 1 else 0)
  let upper = tabulate_2d n n (\i j -> if i <= j then lu[i, j] else 0)
  in map (\row -> map (\column -> f64.sum (map2 (*) row column)) (transpose upper)) lower

-- | The determinant of the matrix that has these factors: the product of the diagonal.
-- ==
-- entry: determinant
-- input { [[2.0, 1.0], [4.0, 5.0]] } output { 6.0 }
-- input { empty([0][0]f64) } output { 1.0 }
entry determinant [n] (a: [n][n]f64): f64 =
  let lu = factors a
  in f64.product (map (\i -> lu[i, i]) (iota n))

-- | The columns x for which L U x is each column of b.
def substituted [n] [m] (lu: [n][n]f64) (b: [n][m]f64): [n][m]f64 =
  let forward =
    loop xs = copy b for i < n do
      xs with [i] = loop row = xs[i] for k < i do map2 (\x y -> x - lu[i, k] * y) row xs[k]
  in loop xs = forward for j < n do
       let i = n - 1 - j
       let row = loop row = xs[i] for k in i + 1..<n do map2 (\x y -> x - lu[i, k] * y) row xs[k]
       in xs with [i] = map (/ lu[i, i]) row

-- | The solutions of A x = b for each column b, and the largest residual.
-- ==
-- entry: solve
-- input { [[4.0, 1.0], [2.0, 3.0]] [[9.0], [13.0]] } output { [[1.4], [3.4]] 0.0 }
-- input { [[2.0]] empty([1][0]f64) } output { empty([1][0]f64) 0.0 }
entry solve [n] [m] (a: [n][n]f64) (b: [n][m]f64): ([n][m]f64, f64) =
  let xs = substituted (factors a) b
  let residual i j = f64.abs (f64.sum (map2 (*) a[i] (transpose xs)[j]) - b[i, j])
  in (xs, f64.maximum (flatten (tabulate_2d n m residual)) |> f64.max 0)
