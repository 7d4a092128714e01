-- The names of a module seen as they are: in an expression, and in a file.

-- ==
-- entry: maths
-- input { 2.0 } output { 4.555806215962888 3.141592653589793 7.0 }
entry maths (x: f64): (f64, f64, f64) =
  let pi = 3.0
  in (f64.(sqrt x + pi), f64.(pi), f64.(let pi = 7 in pi * recip 1))

-- ==
-- entry: conversions
-- input { 7i64 2.9 } output { 7.5 2i64 9i64 2 }
entry conversions (n: i64) (x: f64): (f64, i64, i64, i32) =
  (f64.(i64 n + 0.5), i64.(f64 x), i64.(max (f64 x) (i64.max n 9)), i32.(f64.(floor x) |> f64))

module m = {
  type pair = (i64, i64)
  def k: i64 = 10
  def f (x: i64): i64 = x * k
  def (+++) (x: i64) (y: i64): i64 = x * 100 + y
  def swap ((a, b): pair): pair = (b, a)
  module inner = {
    def k: i64 = 1
  }
}

-- Local names are hidden by the module's, and hide them again.
-- ==
-- entry: scopes
-- input { 3i64 } output { 30i64 310i64 11i64 1i64 10i64 }
entry scopes (k: i64): (i64, i64, i64, i64, i64) =
  (m.(f 3),
   m.(3 +++ k),
   m.(let f x = x + inner.k in f k),
   m.(inner.(k)),
   m.inner.(m.(k)))

-- ==
-- entry: types
-- input { 1i64 2i64 } output { 2i64 1i64 }
entry types (a: i64) (b: i64): (i64, i64) = m.(swap ((a, b) : pair))

-- ==
-- entry: in_workers
-- input { [1.0, 4.0] } output { [1.0, 2.0] 5.0 }
entry in_workers [n] (xs: [n]f64): ([n]f64, f64) = (map (\x -> f64.(sqrt x)) xs, f64.(sum xs))

def before (x: f32): f32 = f32.sqrt x

open f32

-- From here on the names, the operators among them, are those of f32; the modules stay what they are.
-- ==
-- entry: in_a_file
-- input { 2.0f32 3i64 } output { 1.4142135f32 3.0f32 4i64 3.1415927f32 5.0f32 1.4142135f32 }
entry in_a_file (x: f32) (n: i64): (f32, f32, i64, f32, f32, f32) =
  (sqrt x, i64 n, i64.max n 4, pi, x + 3, before x)
