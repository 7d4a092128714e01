-- | Vectors and matrices over any field.

-- | A field, with an order.
module type ordered_field = {
  type t
  val + : t -> t -> t
  val - : t -> t -> t
  val * : t -> t -> t
  val / : t -> t -> t
  val neg: t -> t
  val < : t -> t -> bool
  val i64: i64 -> t
  val abs: t -> t
}

local module type linear = {
  type t
  val dot [n]: [n]t -> [n]t -> t
  val outer [n] [m]: [n]t -> [m]t -> [n][m]t
  val matmul [n] [p] [m]: [n][p]t -> [p][m]t -> [n][m]t
  val cross: [3]t -> [3]t -> [3]t
  val kronecker [m] [n] [p] [q]: [m][n]t -> [p][q]t -> [m * p][n * q]t
  val identity: (n: i64) -> [n][n]t
  val largest [n]: [n]t -> (t, i64)
}

module mk_linear (T: ordered_field): linear with t = T.t = {
  type t = T.t

  let dot [n] (xs: [n]t) (ys: [n]t): t = T.(reduce (+) (i64 0) (map2 (*) xs ys))

  let matmul [n] [p] [m] (xss: [n][p]t) (yss: [p][m]t): [n][m]t =
    map (\xs -> map (dot xs) (transpose yss)) xss

  let outer [n] [m] (xs: [n]t) (ys: [m]t): [n][m]t = matmul (map (\x -> [x]) xs) [ys]

  let cross (xs: [3]t) (ys: [3]t): [3]t =
    T.([xs[1] * ys[2] - xs[2] * ys[1],
        xs[2] * ys[0] - xs[0] * ys[2],
        xs[0] * ys[1] - xs[1] * ys[0]])

  let kronecker [m] [n] [p] [q] (xss: [m][n]t) (yss: [p][q]t): [m * p][n * q]t =
    map (map (\x -> map (map (T.* x)) yss)) xss |> map transpose |> flatten |> map flatten

  let identity (n: i64): [n][n]t =
    tabulate n (\i -> tabulate n (\j -> if i == j then T.i64 1 else T.i64 0))

  let largest [n] (xs: [n]t): (t, i64) =
    let later (a, i) (b, j) = if a T.< b || i < 0 then (b, j) else (a, i)
    in foldl later (T.i64 0, -1) (zip (map T.abs xs) (iota n))
}
