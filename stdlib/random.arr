-- Random numbers: functions of a key and a position, so that they are the same in whatever order they are computed.
--
--     import "random"
--     entry noise (seed: i64) (n: i64): [n]f64 = normals (key seed) n
--
-- The generator is Philox4x32-10 (J. Salmon, M. Moraes, R. Dror, D. Shaw: Parallel random numbers: as easy as 1, 2, 3,
-- 2011). A key and a position give a block of 128 bits, and each number takes a block of its own. Numbers of different
-- kinds from one key are made of the same bits: use a key for one thing, and `split` it for others.

-- | The key of a sequence of numbers: different keys have different sequences.
type key = {k0: u32, k1: u32}

-- | A block: 128 random bits.
type block = {x0: u32, x1: u32, x2: u32, x3: u32}

-- | The block of Philox4x32-10 for a key and a counter of 128 bits.
def philox (key: key) (counter: block): block =
  let mixed (c: block) (k0: u32) (k1: u32): block =
    { x0 = u32.mul_hi 0xCD9E8D57 c.x2 ^ c.x1 ^ k0
    , x1 = 0xCD9E8D57 * c.x2
    , x2 = u32.mul_hi 0xD2511F53 c.x0 ^ c.x3 ^ k1
    , x3 = 0xD2511F53 * c.x0 }
  let round (i: u32) (c: block): block = mixed c (key.k0 + i * 0x9E3779B9) (key.k1 + i * 0xBB67AE85)
  in counter
     |> round 0
     |> round 1
     |> round 2
     |> round 3
     |> round 4
     |> round 5
     |> round 6
     |> round 7
     |> round 8
     |> round 9

-- The first word of a counter is the purpose of its block: the numbers of a key, or keys made from it.
local def block_at (purpose: u32) (tries: u32) (k: key) (i: i64): block =
  philox k {x0 = u32.i64 i, x1 = u32.i64 (i >> 32), x2 = tries, x3 = purpose}

local def joined (high: u32) (low: u32): u64 = (u64.u32 high << 32) | u64.u32 low

-- | The key of a seed.
def key (seed: i64): key = {k0 = u32.i64 seed, k1 = u32.i64 (seed >> 32)}

-- | The i-th of the keys that a key is split into. Their numbers have nothing to do with each other, nor with those of
-- the key.
def split (k: key) (i: i64): key =
  let b = block_at 1 0 k i
  in {k0 = b.x0, k1 = b.x1}

-- | 64 random bits: the i-th of a key.
def bits_at (k: key) (i: i64): u64 =
  let b = block_at 0 0 k i
  in joined b.x1 b.x0

-- 53 bits as a number from 0 up to but without 1.
local def unit (bits: u64): f64 = f64.u64 (bits >> 11) * 0x1p-53

-- | The i-th number of a key, from 0 up to but without 1; all multiples of 2 to the power -53 are equally likely.
def uniform_at (k: key) (i: i64): f64 = unit (bits_at k i)

-- | The i-th normal number of a key, with mean 0 and deviation 1, after G. Box and M. Muller.
def normal_at (k: key) (i: i64): f64 =
  let b = block_at 0 0 k i
  let radius = f64.sqrt (-2 * f64.log (1 - unit (joined b.x1 b.x0)))
  in radius * f64.cos (2 * f64.pi * unit (joined b.x3 b.x2))

-- | The i-th exponential number of a key, with mean 1.
def exponential_at (k: key) (i: i64): f64 = -(f64.log (1 - uniform_at k i))

-- | The i-th number of a key from 0 up to but without `count`, each equally likely. It is the upper half of a product.
-- If the lower half would make some numbers likelier than others, there is another try (D. Lemire, 2019). An error at
-- run time if `count` is not positive.
def below_at (count: i64) (k: key) (i: i64): i64 =
  let count = u64.i64 (assert (count > 0) count)
  let uneven = (0 - count) % count
  let bits (tries: u32) = let b = block_at 0 tries k i in joined b.x1 b.x0
  let (_, chosen) =
    loop (tries, chosen) = (0u32, bits 0) while chosen * count < uneven do
      (tries + 1, bits (tries + 1))
  in i64.u64 (u64.mul_hi chosen count)

-- | n times 64 random bits.
def random_bits (k: key) (n: i64): *[n]u64 = generate n (bits_at k)

-- | n numbers from 0 up to but without 1.
def uniforms (k: key) (n: i64): *[n]f64 = generate n (uniform_at k)

-- | n normal numbers, with mean 0 and deviation 1.
def normals (k: key) (n: i64): *[n]f64 = generate n (normal_at k)

-- | n exponential numbers, with mean 1.
def exponentials (k: key) (n: i64): *[n]f64 = generate n (exponential_at k)

-- | n integers from `low` up to but without `high`, each equally likely; an error at run time if there is none.
def integers (k: key) (low: i64) (high: i64) (n: i64): *[n]i64 =
  generate n (\i -> low + below_at (high - low) k i)

-- | The numbers 0 to n - 1 in a random order. They are sorted by 64 random bits each, so that all orders are equally
-- likely, unless two numbers have equal bits, which happens with a probability below n² / 2⁶⁵.
def permutation (k: key) (n: i64): *[n]i64 = order_of (<=) (random_bits k n)

-- | The elements in a random order.
def shuffle [n] 'a (k: key) (xs: [n]a): *[n]a = gather xs (permutation k n)

-- | `count` of the elements, each at most once, in a random order; an error at run time if there are fewer.
def sample [n] 'a (k: key) (count: i64) (xs: [n]a): *[count]a =
  gather xs (take count (permutation k n))
