module type ordered = {
  include monoid
  type^ key
  val (<=) 'a [n]: [n]a -> key -> bool
  module inner: monoid
}
module sums (M: monoid): {
  val total [n]: [n]M.t -> M.t
} = {
  def total [n] (xs: [n]M.t): M.t = reduce M.op M.ne xs
  def twice [n] (xs: [n]M.t) = M.op (total xs) (total xs)
}
module i32_sum = sums {
  type t = i32
  def op (a: t) (b: t): t = a + b
  def ne: t = 0
}
module typed: monoid with t = i32 with u = f64 = {
  def ne: i32 = 0
}
module function = \(m: monoid) -> { def x = m.ne }
open sums (typed)
local open (sums i32_sum)
local module type hidden = { val x: i32 }
module narrow = (typed: monoid)
entry f [n] (xs: [n]i32): i32 = i32_sum.total xs + typed.ne
