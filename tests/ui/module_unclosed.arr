module m = {
  def f: i64 = 1
  def g: i64 = (2 + 3
  module n = {
    def h: i64 = 4
}
entry f (x: i64): i64 = x
