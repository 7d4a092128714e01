module m = {
  def f (x: i64): i64 = x +
  def g (x: i64): bool = x
entry e (x: i64): bool = m.f x
