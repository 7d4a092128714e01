module type monoid = {
  type t
  val ne: t
  val op: t -> t -> t
}
-- An error in the text is reported once, however often the module is applied.
module sums (M: monoid) = {
  def total [n] (xs: [n]M.t): M.t = reduce M.op M.neutral xs
  def number (x: M.t): i64 = x
  def zero: M.t = M.ne
}
module i32_sum = sums { type t = i32 def op (a: t) (b: t): t = a + b def ne: t = 0 }
module f64_sum = sums { type t = f64 def op (a: t) (b: t): t = a + b def ne: t = 0 }
-- What is given is compared with the type of the parameter.
module lacks = sums { type t = i32 }
module differs = sums { type t = i32 def ne: i64 = 0 def op (a: t) (b: t): t = a }
entry f [n] (xs: [n]i32): i32 = i32_sum.total xs + i32_sum.zero
entry g [n] (xs: [n]f64): bool = f64_sum.zero
entry h (x: i32): i32 = lacks.zero + differs.zero
