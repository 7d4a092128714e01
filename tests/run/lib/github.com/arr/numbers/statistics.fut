-- | Statistics over any type of reals.

module type statistics = {
  type t
  val mean [n]: [n]t -> t
  val variance: []t -> t
  val stddev: []t -> t
}

module mk_statistics (R: real): statistics with t = R.t = {
  type t = R.t

  let mean [n] (vs: [n]t): t = if n == 0 then R.i32 0 else R.(sum vs / i64 n)
  let sq (x: t): t = R.(x * x)

  let variance [n] (vs: [n]t): t =
    if n < 2 then R.i32 0
    else let m = mean vs
         let xs = map (\x -> R.(sq (x - m))) vs
         in R.sum xs R./ R.i64 (n - 1)

  let stddev vs = variance vs |> R.sqrt
}
