module type counter = { type t val new: t val up: t -> t val at: t -> i64 }
module one: counter = { type t = i64 def new: t = 0 def up (x: t): t = x + 1 def at (x: t): i64 = x }
module two: counter = { type t = i64 def new: t = 0 def up (x: t): t = x + 2 def at (x: t): i64 = x }
module type vectors = { type vec [n] 'a val make 'a: (n: i64) -> a -> vec [n] a val first [n] 'a: vec [n] a -> a val both [n] 'a: vec [n] a -> vec [n] a -> vec [n] a }
module vectors: vectors = {
  type vec [n] 'a = [n]a
  def make 'a (n: i64) (x: a): [n]a = replicate n x
  def first [n] 'a (xs: [n]a): a = xs[0]
  def both [n] 'a (xs: [n]a) (_: [n]a): [n]a = xs
}
def a: i64 = one.new
def b: one.t = 1
def c = one.at two.new
def d = one.new + one.new
def e = one.new == one.new
def f (x: one.t): i64 = x
def g (x: one.t) = x.0
def h = match one.new case 0 -> 1 case _ -> 2
def i = vectors.both (vectors.make 2 1i64) (vectors.make 3 1i64)
def j = vectors.both (vectors.make 2 1i64) (vectors.make 2 1f64)
def k (xs: vectors.vec [3] i64) = xs[0]
def l = one.down one.new
entry m: i64 = one.at (one.up one.new)
