module type monoid = {
  type t
  val zero: t
  val sum: t -> t -> t
}
module sums (m: monoid) = {
  def one: i64 = 1
}
module plain = { def two: i64 = 2 }
module applied = plain plain
open sums
module inner = sums.inner
module given (M: (P: monoid) -> monoid) = M plain
module wrong = given plain
module late = later plain
module later (m: monoid) = { def three: i64 = 3 }
entry f (x: i64): i64 = x + sums.one + applied.two
entry g (x: i64): i64 = sums + x
