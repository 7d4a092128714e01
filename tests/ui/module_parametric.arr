module type monoid = {
  type t
  val zero: t
}
module sums (m: monoid) = {
  def one: i64 = 1
}
module typed: monoid = {
  def two: i64 = 2
}
entry f (x: i64): i64 = x + sums.one + typed.two
