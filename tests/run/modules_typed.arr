-- Modules with types, and modules that are given others.

module type counter = {
  type t
  val new: t
  val up: t -> t
  val at: t -> i64
}

module counter (S: {val step: i64}): counter = {
  type t = {n: i64}
  def new: t = {n = 0}
  def up (c: t): t = {n = c.n + S.step}
  def at (c: t): i64 = c.n
}

module ones = counter {def step = 1i64}
module twos = counter {def step = 2i64}

-- ==
-- entry: counted
-- input { 5i64 } output { 5i64 10i64 }
entry counted (n: i64): (i64, i64) =
  (ones.at (loop c = ones.new for _i < n do ones.up c),
   twos.at (loop c = twos.new for _i < n do twos.up c))

-- What an entry takes and gives is what a hidden type stands for.
-- ==
-- entry: shown
-- input { 7i64 } output { 8i64 }
entry shown (c: ones.t): ones.t = ones.up c

-- A parametric module that is given another one, and one that is written in place.
module both (M: (S: {val step: i64}) -> counter) = {
  module a = M {def step = 1i64}
  module b = M {def step = 10i64}
  def sum (n: i64): i64 = a.at (a.up a.new) + b.at (loop c = b.new for _i < n do b.up c)
}

module written = both (\(S: {val step: i64}): counter -> {
  type t = i64
  def new: t = 100
  def up (x: t): t = x + S.step
  def at (x: t): i64 = x
})
module declared = both counter

-- ==
-- entry: higher_order
-- input { 2i64 } output { 21i64 221i64 }
entry higher_order (n: i64): (i64, i64) = (declared.sum n, written.sum n)

-- Modules in modules, and types that `with` fixes in them.
module type pairs = {
  module first: counter
  module second: counter
  type pair = (first.t, second.t)
  val make: first.t -> second.t -> pair
  val total: pair -> i64
}

module pairs: pairs with first.t = i64 = {
  module first = {
    type t = i64
    def new: t = 0
    def up (x: t): t = x + 1
    def at (x: t): i64 = x
  }
  module second = ones
  type pair = (i64, ones.t)
  def make (a: i64) (b: ones.t): pair = (a, b)
  def total ((a, b): pair): i64 = a + ones.at b
}

-- ==
-- entry: nested
-- input { 4i64 } output { 6i64 5i64 }
entry nested (x: i64): (i64, i64) =
  let pair = pairs.make (pairs.first.up x) (pairs.second.up pairs.second.new)
  in (pairs.total pair, pair.0)

-- Hidden types with sizes and types, and of functions.
module type arrays = {
  type^ fn 'a 'b
  type arr [n] 'a
  val make [n] 'a: [n]a -> arr [n] a
  val join [n] [m] 'a: arr [n] a -> arr [m] a -> arr [n + m] a
  val count [n] 'a: arr [n] a -> i64
  val fn 'a 'b: (a -> b) -> fn a b
  val each [n] 'a 'b: fn a b -> arr [n] a -> [n]b
}

module arrays: arrays = {
  type^ fn 'a 'b = a -> b
  type arr [n] 'a = [n]a
  def make [n] 'a (xs: [n]a): [n]a = xs
  def join [n] [m] 'a (xs: [n]a) (ys: [m]a): [n + m]a = xs ++ ys
  def count [n] 'a (_: [n]a): i64 = n
  def fn 'a 'b (f: a -> b): a -> b = f
  def each [n] 'a 'b (f: a -> b) (xs: [n]a): [n]b = map f xs
}

-- ==
-- entry: hidden_arrays
-- input { [1, 2] [3] } output { [2, 4, 6] 3i64 }
-- input { empty([0]i32) empty([0]i32) } output { empty([0]i32) 0i64 }
entry hidden_arrays [n] [m] (xs: [n]i32) (ys: [m]i32): ([n + m]i32, i64) =
  let all = arrays.join (arrays.make xs) (arrays.make ys)
  in (arrays.each (arrays.fn (* 2)) all, arrays.count all)

-- ==
-- entry: branches
-- input { true } output { 1i64 }
-- input { false } output { 0i64 }
entry branches (b: bool): i64 = ones.at (if b then ones.up ones.new else ones.new)

-- Values whose sizes only they know.
module type bag = {
  type~ bag
  val make: []i64 -> bag
  val kept: (i64 -> bool) -> bag -> bag
  val size: bag -> i64
}

module bag: bag = {
  type~ bag = []i64
  def make (xs: []i64): bag = xs
  def kept [n] (p: i64 -> bool) (xs: [n]i64): bag = filter p xs
  def size [n] (_: [n]i64): i64 = n
}

-- ==
-- entry: bags
-- input { [1i64, -2i64, 3i64] true } output { 2i64 1i64 }
-- input { [1i64, -2i64, 3i64] false } output { 3i64 1i64 }
entry bags [n] (xs: [n]i64) (b: bool): (i64, i64) =
  let all = bag.make xs
  let some = if b then bag.kept (> 0) all else all
  let few = loop few = all for i < 2 do bag.kept (> i) few
  in (bag.size some, bag.size few)

-- A value may be more general than its type says, and an ascription hides names.
module narrow: {val twice: i64 -> i64 val length: f64} = {
  def twice 'a (x: a): a = x
  def length: f64 = 0.5
  def (+) (a: i64) (_: i64): i64 = a
}
open narrow

-- ==
-- entry: narrowed
-- input { 3i64 } output { 4i64 0.5 }
entry narrowed (x: i64): (i64, f64) = (twice x + 1, length)

-- The modules of scalar types.
module squares (T: numeric) = {
  def sum [n] (xs: [n]T.t): T.t = T.sum (map (\x -> T.(x * x)) xs)
  def largest [n] (xs: [n]T.t): T.t = reduce T.max T.lowest xs
}
module squares_u8 = squares u8
module squares_f64 = squares f64
module halves (R: real) = {
  def half (x: R.t): R.t = R.(x / i32 2)
  def root (x: R.t): R.t = R.sqrt x
}
module halves_f32 = halves f32
module parity (I: integral) = {
  def odd (x: I.t): bool = I.(x & i32 1 == i32 1)
  def ones (x: I.t): i32 = I.popc x
}
module parity_i16 = parity i16
module bits (F: float) = {
  def sign (x: F.t): i32 = F.get_bit (F.num_bits i32.- 1) x
  def back (b: F.int_t): F.t = F.from_bits b
}
module bits_f64 = bits f64
module truth (B: from_prim) = {def of (x: i64): B.t = B.i64 x}
module truth_bool = truth bool

-- ==
-- entry: scalars
-- input { [3u8, 4u8] [1.5, 2.5] 9f32 7i16 -1.0 }
-- output { 25u8 2.5 4.5f32 3f32 true 3 1 true }
entry scalars [n] [m] (a: [n]u8) (b: [m]f64) (c: f32) (d: i16) (e: f64):
    (u8, f64, f32, f32, bool, i32, i32, bool) =
  (squares_u8.sum a,
   squares_f64.largest b,
   halves_f32.half c,
   halves_f32.root c,
   parity_i16.odd d,
   parity_i16.ones d,
   bits_f64.sign e,
   truth_bool.of 2)

-- ==
-- entry: bits_of
-- input { 4607182418800017408u64 } output { 1.0 }
entry bits_of (x: u64): f64 = bits_f64.back x

-- A definition in a `let`, with its operator between its parameters.
module modular (P: {val m: i64}) = {
  let (a: i64) + (b: i64): i64 = (a i64.+ b) % P.m
  #[noinline]
  let power (x: i64) (n: i64): i64 = loop y = 1 for _i < n do (y * x) % P.m
}
module seven = modular {let m = 7i64}

-- ==
-- entry: modulo
-- input { 5i64 } output { 3i64 6i64 }
entry modulo (x: i64): (i64, i64) = (x seven.+ x, seven.power x 3)
