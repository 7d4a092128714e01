module type shape = {
  type t
  type u [n]
  val area: t -> f64
  val (<+>): t -> t -> t
  module parts: { val count: i64 }
}
module square: shape = {
  type t = f64
  def area (a: t): f64 = a * a
  local def (<+>) (a: t) (b: t): t = a + b
}
module circle: shape = {
  type t = f64
  type u [n] = [n]f64
  def area (a: t): f64 = a * a
  def (<+>) (a: t) (b: t): t = a + b
  module parts = {}
}
-- Their items are known nevertheless.
entry f (x: i64): i64 = square.parts.count + circle.parts.count + x
entry g: f64 = square.area 2
