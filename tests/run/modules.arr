-- Modules in a file: names, types, nesting, opening, hiding, operators.

module m = {
  def k: i64 = 3
  def f (x: i64): i64 = x * k
  type pair = (i64, i64)
  module n = {
    def g (x: i64): i64 = f x + k
    def k: i64 = 100
  }
  def (+++) (x: i64) (y: i64): i64 = x * 10 + y
  def swap ((a, b): pair): pair = (b, a)
}

-- ==
-- entry: values
-- input { 5i64 } output { 15i64 115i64 3i64 100i64 }
entry values (x: i64): (i64, i64, i64, i64) = (m.f x, m.n.g x, m.k, m.n.k)

-- ==
-- entry: types
-- input { 1i64 2i64 } output { 2i64 1i64 }
entry types (a: i64) (b: i64): (i64, i64) =
  let p: m.pair = (a, b)
  in m.swap p

-- ==
-- entry: operators
-- input { 1i64 2i64 } output { 12i64 12i64 12i64 12i64 123i64 }
entry operators (a: i64) (b: i64): (i64, i64, i64, i64, i64) =
  (a m.+++ b, m.(+++) a b, (m.+++ b) a, (a m.+++) b, a m.+++ b m.+++ 3)

-- ==
-- entry: quoted
-- input { [1i64, 2i64, 3i64] } output { [3i64, 6i64, 9i64] 4i64 }
entry quoted [n] (xs: [n]i64): ([n]i64, i64) = (m.f `map` xs, 1 `i64.max` 4)

module sizes = {
  def count [n] 'a (_: [n]a): i64 = n
  type row [n] = [n]i64
}

-- ==
-- entry: sizes_of
-- input { [1i64, 2i64] } output { 2i64 [2i64, 3i64] }
entry sizes_of [n] (xs: sizes.row [n]): (i64, sizes.row [n]) = (sizes.count xs, map (+ 1) xs)

-- A name of an opened module is known from there on.
module low = {
  def v: i64 = 1
  def only_low: i64 = 10
}
module high = {
  def v: i64 = 2
}
open low
def before: i64 = v
open high
def after: i64 = v

-- ==
-- entry: opened
-- input { } output { 1i64 2i64 10i64 }
entry opened: (i64, i64, i64) = (before, after, only_low)

-- Another name of a module, and of that of a type.
module alias = m.n
module real = f64
module num = i64

-- ==
-- entry: aliases
-- input { 4.0 [1i64, 2i64] } output { 200i64 2.0 3i64 7i64 }
entry aliases [n] (x: f64) (xs: [n]i64): (i64, f64, i64, i64) =
  (alias.g 0 + 100, real.sqrt x, num.sum xs, num.(+) 3 4)

-- What is opened in a module is seen through it, unless it is local.
module outer = {
  module inner = {
    def shown: i64 = 7
  }
  module other = {
    def not_shown: i64 = 8
  }
  open inner
  local open other
  def both: i64 = shown + not_shown
}

-- ==
-- entry: reopened
-- input { } output { 7i64 15i64 }
entry reopened: (i64, i64) = (outer.shown, outer.both)

-- A variable hides a module, and a definition hides one of the prelude.
module prelude_like = {
  def head [n] (xs: [n]i64): i64 = length xs
  def use [n] (xs: [n]i64): i64 = head xs
}

-- ==
-- entry: hiding
-- input { [5i64, 6i64] } output { 2i64 5i64 9i64 }
entry hiding [n] (xs: [n]i64): (i64, i64, i64) =
  let m = {k = 9i64}
  in (prelude_like.use xs, head xs, m.k)

-- Recursion in a module, and between a module and what is around it.
module rec = {
  def fac (n: i64): i64 = if n <= 1 then 1 else n * fac (n - 1)
  def down (n: i64): i64 = if n <= 0 then 0 else up (n - 1) + 1
}
def up (n: i64): i64 = if n <= 0 then 0 else rec.down (n - 1) + 10

-- ==
-- entry: recursion
-- input { 5i64 } output { 120i64 23i64 }
entry recursion (n: i64): (i64, i64) = (rec.fac n, rec.down n)

-- The modules of scalar types with qualified operators.
-- ==
-- entry: scalar_operators
-- input { 7 2 } output { 9 3 1 true }
entry scalar_operators (a: i32) (b: i32): (i32, i32, i32, bool) =
  (a i32.+ b, i32.(/) a b, (i32.% b) a, a i32.> b)

-- Modules inside workers.
-- ==
-- entry: in_workers
-- input { [1i64, -2i64, 3i64] } output { [3i64, 9i64] 36i64 }
-- input { empty([0]i64) } output { empty([0]i64) 0i64 }
entry in_workers [n] (xs: [n]i64): ?[k].([k]i64, i64) =
  let kept = filter (\x -> m.f x > 0) xs
  in (map m.f kept, reduce (+) 0 (map (\x -> if x > 0 then m.n.g 0 - 100 + 18 else 0) kept))
