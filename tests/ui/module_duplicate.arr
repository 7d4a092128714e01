module m = { def f: i64 = 1 }
def m (x: i64): i64 = x
module n = {
  type t = i64
  type t = f64
  def f: i64 = 1
  def f: i64 = 2
}
entry f (x: i64): i64 = x
