module la = import "linalg"

-- | The factors L and U of a matrix in one, L without its diagonal of ones; in blocks of 32.
entry blocked_lu [n] (a: [n][n]f64): [n][n]f64 =
  loop a = copy a for s < (n + 31) / 32 do
    let b = 32 * s
    let e = i64.min (b + 32) n
    -- Factor the diagonal block and the columns below it.
    let a = loop a for k in b..<e do
      let a[k + 1:, k] = map (/ a[k, k]) a[k + 1:, k]
      let a[k + 1:, k + 1:e] =
        map2 (\row l -> map2 (\x u -> x - l * u) row a[k, k + 1:e]) a[k + 1:, k + 1:e] a[k + 1:, k]
      in a
    -- Solve for the rows to the right of the diagonal block.
    let a = loop a for i in b..<e do
      let a[i, e:] =
        loop row = a[i, e:] for k in b..<i do map2 (\x u -> x - a[i, k] * u) row a[k, e:]
      in a
    -- Subtract the product of both panels from the trailing matrix.
    let right = transpose a[b:e, e:]
    let a[e:, e:] =
      map2 (\row l -> map2 (\x r -> x - f64.sum (map2 (*) l r)) row right) a[e:, e:] a[e:, b:e]
    in a

-- | The factors of a matrix whose rows are exchanged, from the library.
entry library_lu [n] (a: [n][n]f64): ([n][n]f64, [n]i64) = let (f, rows, _) = la.lu a in (f, rows)

-- | The inverse of a matrix, from the library.
entry library_inverse [n] (a: [n][n]f64): [n][n]f64 = la.inverse a

-- | The factor of a symmetric matrix, from the library.
entry library_cholesky [n] (a: [n][n]f64): [n][n]f64 = la.cholesky a

-- | A multiple of a product and a multiple of another matrix, added.
entry scaled_product [n] (x: f64) (y: f64) (a: [n][n]f64) (b: [n][n]f64) (c: [n][n]f64): [n][n]f64 =
  let columns = transpose b
  in map2 (\row rest -> map2 (\column e -> x * f64.sum (map2 (*) row column) + y * e) columns rest)
       a c

-- | The products of many small matrices.
entry products_32 [n] (as: [n][32][32]f64) (bs: [n][32][32]f64): [n][32][32]f64 =
  let product a b = map (\row -> map (\column -> f64.sum (map2 (*) row column)) (transpose b)) a
  in map2 product as bs

-- | The solutions of many systems, each with three diagonals, by elimination and substitution.
entry tridiagonal [n] [m] (low: [n][m]f64) (mid: [n][m]f64) (high: [n][m]f64)
    (right: [n][m]f64): [n][m]f64 =
  let solve (a: [m]f64) (b: [m]f64) (c: [m]f64) (d: [m]f64): [m]f64 =
    let (cs, ds) =
      loop (cs, ds) = (replicate m 0, replicate m 0) for i < m do
        let (before, value) = if i == 0 then (0, 0) else (cs[i - 1], ds[i - 1])
        let k = 1 / (b[i] - a[i] * before)
        in (cs with [i] = c[i] * k, ds with [i] = (d[i] - a[i] * value) * k)
    in loop xs = ds for j < m - 1 do
         let i = m - 2 - j
         in xs with [i] = xs[i] - cs[i] * xs[i + 1]
  in map4 solve low mid high right

-- | One step of learning of a network with a hidden layer: the weights after it, and the error before it.
entry learn_step [n] [m] (rate: f64) (target: f64) (xs: [n]f64) (ws: [n][m]f64)
    (vs: [m]f64): ([n][m]f64, [m]f64, f64) =
  let sigmoid x = 1 / (1 + f64.exp (-x))
  let dot [k] (a: [k]f64) (b: [k]f64) = f64.sum (map2 (*) a b)
  let hidden = map (\column -> sigmoid (dot xs column)) (transpose ws)
  let out = sigmoid (dot hidden vs)
  let delta = out * (1 - out) * (target - out)
  let deltas = map2 (\h v -> h * (1 - h) * delta * v) hidden vs
  let ws' = map2 (\x row -> map2 (\w d -> w + rate * d * x) row deltas) xs ws
  let vs' = map2 (\v h -> v + rate * delta * h) vs hidden
  in (ws', vs', (target - out) * (target - out))
