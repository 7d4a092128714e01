-- | Discrete Fourier transforms, over the complex numbers of any type of reals.

import "complex"

local module type transform = {
  type real
  type complex
  val transform [n]: [n]complex -> [n]complex
  val inverse [n]: [n]complex -> [n]complex
  val transform_re [n]: [n]real -> [n]complex
}

module mk_fourier (R: real): transform with real = R.t with complex = (R.t, R.t) = {
  module complex = mk_complex R
  type real = R.t
  type complex = complex.complex

  let turned [n] (sign: R.t) (zs: [n]complex) (k: i64): complex =
    let angle (j: i64): R.t = let at = j * k % n in R.(sign * i64 2 * pi * i64 at / i64 n)
    in complex.sum
         (map2 (\j z -> z complex.* complex.mk (R.cos (angle j)) (R.sin (angle j))) (iota n) zs)

  let transform [n] (zs: [n]complex): [n]complex = map (turned (R.i32 (-1)) zs) (iota n)

  let inverse [n] (zs: [n]complex): [n]complex =
    let scale = R.(i32 1 / i64 n)
    in map (complex.* complex.mk_re scale) (map (turned (R.i32 1) zs) (iota n))

  let transform_re [n] (xs: [n]real): [n]complex = transform (map complex.mk_re xs)
}
