-- Many small matrices.

-- | The products of many pairs of matrices.
entry products_4 [n] (as: [n][4][4]f64) (bs: [n][4][4]f64): [n][4][4]f64 =
  let product a b = map (\row -> map (\column -> f64.sum (map2 (*) row column)) (transpose b)) a
  in map2 product as bs

-- | The eigenvalues of symmetric matrices, by Jacobi's method: each step makes an element beside the diagonal zero.
entry eigenvalues_3 [n] (as: [n][3][3]f64): [n][3]f64 =
  let rotated p q (a: [3][3]f64) =
    let t =
      if a[p, q] == 0 then 0
      else let theta = (a[q, q] - a[p, p]) / (2 * a[p, q])
           in (if theta < 0 then -1 else 1) / (f64.abs theta + f64.sqrt (theta * theta + 1))
    let c = 1 / f64.sqrt (t * t + 1)
    let s = t * c
    let turn x y i = if i == p then c * x - s * y else s * x + c * y
    let rows =
      tabulate_2d 3 3 (\i j -> if i == p || i == q then turn a[p, j] a[q, j] i else a[i, j])
    in tabulate_2d 3 3
         (\i j -> if j == p || j == q then turn rows[i, p] rows[i, q] j else rows[i, j])
  let eigenvalues a =
    let a = loop a for _k < 5i32 do rotated 1 2 (rotated 0 2 (rotated 0 1 a))
    in [a[0, 0], a[1, 1], a[2, 2]]
  in map eigenvalues as
