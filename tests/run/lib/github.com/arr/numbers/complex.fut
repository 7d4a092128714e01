-- | Complex numbers over any type of reals.

-- | What a module of complex numbers has.
module type complex = {
  type real
  type complex
  type t = complex
  val mk: real -> real -> complex
  val mk_re: real -> complex
  val re: complex -> real
  val im: complex -> real
  val conj: complex -> complex
  val mag: complex -> real
  val + : complex -> complex -> complex
  val - : complex -> complex -> complex
  val * : complex -> complex -> complex
  val sum [n]: [n]complex -> complex
}

module mk_complex (T: real):
    (complex
      with real = T.t
      with complex = (T.t, T.t)) = {
  type real = T.t
  type complex = (T.t, T.t)
  type t = complex

  let mk (a: real) (b: real) = (a, b)
  let mk_re (a: real) = (a, T.i32 0)
  let re ((a, _): complex) = a
  let im ((_, b): complex) = b
  let conj ((a, b): complex) = T.((a, neg b))
  let mag ((a, b): complex) = T.(sqrt (a * a + b * b))
  let ((a, b): complex) + ((c, d): complex) = T.((a + c, b + d))
  let (-) ((a, b): complex) ((c, d): complex) = T.((a - c, b - d))
  let (*) ((a, b): complex) ((c, d): complex) = T.((a * c - b * d, b * c + a * d))
  let sum (zs: []complex) = reduce (+) (mk_re (T.i32 0)) zs
}
