-- | Numbers that look random: engines, and distributions that draw from an engine.

local let mixed (x: i32): i32 =
  let x = ((x >>> 16) ^ x) * 0x45d9f3b
  in (x >>> 16) ^ x

module type rng_engine = {
  -- | The integers of the engine.
  module int: integral
  -- | Its state.
  type rng
  val rng_from_seed [n]: [n]i32 -> rng
  val split_rng: (n: i64) -> rng -> [n]rng
  val join_rng [n]: [n]rng -> rng
  val rand: rng -> (rng, int.t)
  val min: int.t
  val max: int.t
}

module type rng_distribution = {
  module engine: rng_engine
  module num: numeric
  type distribution
  val rand: distribution -> engine.rng -> (engine.rng, num.t)
}

module linear_congruential_engine (T: integral) (P: {
  val a: T.t
  val c: T.t
  val m: T.t
}): rng_engine with int.t = T.t with rng = T.t = {
  type t = T.t
  type rng = t
  module int = T

  let rand (x: rng): (rng, t) =
    let rng' = (P.a T.* x T.+ P.c) T.%% P.m
    in (rng', rng')

  let rng_from_seed [n] (seed: [n]i32) =
    let seed' = loop seed' = T.i32 1 for i < n do
      ((seed' T.>>> T.i32 16) T.^ seed') T.^ T.i32 (seed[i] ^ 0b1010101010101)
    in (rand seed').0

  let split_rng (n: i64) (x: rng): [n]rng = map (\i -> x T.^ T.i32 (mixed (i32.i64 i))) (iota n)
  let join_rng [n] (xs: [n]rng): rng = reduce (T.^) (T.i32 0) xs
  let min = T.i32 0
  let max = P.m
}

-- | An engine that uses `r` of each `p` numbers of another one.
module discard_block_engine (K: {val p: i64 val r: i64}) (E: rng_engine):
    rng_engine with int.t = E.int.t = {
  module int = E.int
  type rng = (E.rng, i64)
  let min = E.min
  let max = E.max
  let rng_from_seed [n] (xs: [n]i32) = (E.rng_from_seed xs, 0i64)
  let split_rng (n: i64) ((rng, i): rng): [n]rng = map (\rng' -> (rng', i)) (E.split_rng n rng)
  let join_rng [n] (rngs: [n]rng): rng =
    let (rngs', is) = unzip rngs
    in (E.join_rng rngs', reduce i64.max 0 is)
  let rand ((rng, i): rng): (rng, int.t) =
    let (rng, i) = if i >= K.r then (loop rng for _j < K.p - i do (E.rand rng).0, 0) else (rng, i)
    let (rng, x) = E.rand rng
    in ((rng, i + 1), x)
}

-- | An engine that gives the numbers of another one in another order.
module shuffle_order_engine (K: {val k: i64}) (E: rng_engine):
    rng_engine with int.t = E.int.t = {
  type t = E.int.t
  module int = E.int
  type rng = (E.rng, [K.k]t)

  let build_table (rng: E.rng): rng =
    let xs = replicate K.k (int.i32 0)
    in loop (rng, xs) for i < K.k do
         let (rng, x) = E.rand rng
         in (rng, xs with [i] = x)

  let rng_from_seed [n] (xs: [n]i32) = build_table (E.rng_from_seed xs)
  let split_rng (n: i64) ((rng, _): rng): [n]rng = map build_table (E.split_rng n rng)
  let join_rng [n] (rngs: [n]rng) =
    let (rngs', _) = unzip rngs
    in build_table (E.join_rng rngs')
  let rand ((rng, table): rng): (rng, int.t) =
    let (rng, x) = E.rand rng
    let i = int.to_i64 x % K.k
    let (rng, y) = E.rand rng
    in #[unsafe] ((rng, (copy table) with [i] = y), table[i])
  let min = E.min
  let max = E.max
}

module minstd_rand: rng_engine with int.t = u32 =
  linear_congruential_engine u32 {
    let a = 48271u32
    let c = 0u32
    let m = 2147483647u32
  }

module discarding: rng_engine with int.t = u32 =
  discard_block_engine {
    let p = 7i64
    let r = 3i64
  } minstd_rand

module knuth_b: rng_engine with int.t = u32 =
  shuffle_order_engine {let k = 16i64} minstd_rand

module uniform_int_distribution (D: integral) (E: rng_engine):
    rng_distribution
      with num.t = D.t
      with engine.rng = E.rng
      with distribution = (D.t, D.t) = {
  let to_D (x: E.int.t) = D.i64 (E.int.to_i64 x)
  module engine = E
  module num = D
  type distribution = (D.t, D.t)

  let rand ((lo, hi): distribution) (rng: E.rng) =
    let (rng, x) = E.rand rng
    in (rng, D.(lo + to_D x % (hi - lo + i64 1)))
}

module uniform_real_distribution (R: real) (E: rng_engine):
    rng_distribution
      with num.t = R.t
      with engine.rng = E.rng
      with distribution = (R.t, R.t) = {
  let to_R (x: E.int.t) = R.i64 (E.int.to_i64 x)
  module engine = E
  module num = R
  type distribution = (num.t, num.t)

  let rand ((lo, hi): distribution) (rng: E.rng) =
    let (rng', x) = E.rand rng
    let x' = R.((to_R x - to_R E.min) / (to_R E.max - to_R E.min))
    in (rng', R.(lo + x' * (hi - lo)))
}
