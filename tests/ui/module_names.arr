module m = {
  def area (r: f64): f64 = r * r
  local def hidden (x: i64): i64 = x
  module inner = { def depth: i64 = 2 }
}
module r = import "lib/round"
entry member (r: f64): f64 = m.are r
entry local_member (x: i64): i64 = m.hidden x
entry imported_local (x: i64): i64 = r.hidden x
entry nested (x: i64): i64 = x + r.nested.dept
entry no_module (x: f64): f64 = f46.sqrt x
entry value (x: i64): i64 = x + m.inner
entry ty (x: m.t): i64 = x
open undefined_module
open member
module n = m.inne
