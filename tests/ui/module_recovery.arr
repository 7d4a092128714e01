module type a = { type t val f t -> t }
module type b = { type t, val g: t }
module type c = { val f: i64 -> }
module m : = { def x: i64 = 1 }
module n (P) = { def y: i64 = P.x }
module o = f (
entry e (x: i64): i64 = x + m.x
module p : a = { type t = i64 def f (x: t) = x def h: i64 = true }
module q = p { def x: i64 = }
entry g (x: i64): bool = x
