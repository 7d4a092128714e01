-- Several steps run at once, one in each lane. They have loops, make rows, append arrays, and test conditions that all lanes share.

-- SHA-256 of a block: the schedule is an array that a fold changes. The first input is "abc".
-- ==
-- entry: sha256
-- input { [[0x61626380, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x18]] }
-- output { [[0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223, 0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad]] }
-- input { empty([0][16]u32) } output { empty([0][8]u32) }
entry sha256 [n] (blocks: [n][16]u32): [n][8]u32 = map digest blocks

def rotr (x: u32) (k: u32): u32 = (x >> k) | (x << (32 - k))

def digest (block: [16]u32): [8]u32 =
  let ks = round_constants
  let w =
    loop w = (block ++ replicate 48 0) :> [64]u32 for t in 16..<64 do
      let s0 = rotr w[t - 15] 7 ^ rotr w[t - 15] 18 ^ (w[t - 15] >> 3)
      let s1 = rotr w[t - 2] 17 ^ rotr w[t - 2] 19 ^ (w[t - 2] >> 10)
      in w with [t] = w[t - 16] + s0 + w[t - 7] + s1
  let start: [8]u32 =
    [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]
  let round (a, b, c, d, e, f, g, h) t =
    let t1 = h + (rotr e 6 ^ rotr e 11 ^ rotr e 25) + ((e & f) ^ (!e & g)) + ks[t] + w[t]
    let t2 = (rotr a 2 ^ rotr a 13 ^ rotr a 22) + ((a & b) ^ (a & c) ^ (b & c))
    in (t1 + t2, a, b, c, d + t1, e, f, g)
  let (a, b, c, d, e, f, g, h) =
    loop s = (start[0], start[1], start[2], start[3], start[4], start[5], start[6], start[7])
        for t < 64 do
      round s t
  in map2 (+) start [a, b, c, d, e, f, g, h]

-- The first 32 bits of the fractions of the cube roots of the first primes.
def round_constants: [64]u32 =
  [0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
   0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
   0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
   0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
   0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
   0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
   0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
   0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2]

-- Digests of many blocks, for lengths around those of vectors.
-- ==
-- entry: many
-- input { 0i64 } output { 0u32 }
-- input { 1i64 } output { 3684283103u32 }
-- input { 3i64 } output { 2423993776u32 }
-- input { 8i64 } output { 844065009u32 }
-- input { 21i64 } output { 2848680030u32 }
-- input { 50i64 } output { 472217696u32 }
entry many (n: i64): u32 =
  let blocks = tabulate_2d n 16 (\i j -> u32.i64 (i * 40503 + j * 69069 + i * j))
  in reduce (^) 0 (flatten (map_index (\i d -> map (* (2 * u32.i64 i + 1)) d) (sha256 blocks)))

-- The condition tests the counter of the loop, and a remainder of the counter is an index. One input makes a step fail.
-- ==
-- entry: ways
-- input { 16i64 19i64 } output { 2241928731u32 }
-- input { 16i64 3i64 } output { 2732215410u32 }
-- input { 14i64 19i64 } error: index 14 is out of bounds for an array of length 14
entry ways (m: i64) (n: i64): u32 =
  let words = map (\j -> u32.i64 (j * j + 1)) (iota m)
  let rows = tabulate_2d n 16 (\i j -> u32.i64 (i * 31 + j))
  let mix (row: [16]u32): [4]u32 =
    let (a, b, c, d) =
      loop (a, b, c, d) = (1u32, 2u32, 3u32, 4u32) for i < 64 do
        let (f, g) =
          if i < 16 then ((b & c) | (!b & d), i)
          else if i < 32 then ((d & b) | (!d & c) | words[i % 16], (5 * i + 1) % 16)
          else if i < 48 then (b ^ c ^ d, (3 * i + 5) % 16)
          else (c ^ (b | !d), (7 * i) % 16)
        in (d, b + rotr (a + f + row[g]) (u32.i64 i % 31), b, c)
    in [a, b, c, d]
  in reduce (^) 0 (flatten (map mix rows))

-- A branch on the step's number that holds an array which it changes, in a loop whose length differs from step to step.
-- ==
-- entry: changed
-- input { [0i64, 5i64, 9i64, 1i64, 2i64, 3i64, 8i64, 7i64, 6i64, 4i64, 0i64] }
-- output { [0i64, 5077655i64, 5237167i64, 2832031i64, 4414062i64, 4761718i64, 5206728i64, 5173042i64, 5137186i64, 5003124i64, 0i64] }
-- input { [3i64, 10i64, 9i64, 1i64, 2i64, 3i64, 8i64, 7i64, 6i64, 4i64, 0i64] } error: index 9 is out of bounds for an array of length 9
entry changed [n] (ks: [n]i64): [n]i64 =
  let of_step k =
    let a = loop a = replicate 9 k for i < k do
      if i == 0 then a with [0] = 7
      else if i % 2 == 0 then a with [i] = a[i - 1] + k
      else a with [i] = a[i - 1] * 3
    in loop s = 0 for i < 9 do s * 5 + a[i]
  in map of_step ks

-- Parts that all steps share, and a number of the step, in one array.
-- ==
-- entry: streams
-- input { 13i64 } output { 3534579325u32 }
-- input { -1i64 } error: negative size -1 in iota
entry streams (n: i64): u32 =
  let key = map (\i -> u32.i64 (i * i * 77 + 3)) (iota 5)
  let stream i =
    let s = ([1u32, 2, 3] ++ key ++ [u32.i64 i]) :> [9]u32
    let t =
      loop t = s for k < 20 do
        let t[k % 9] = t[k % 9] + t[(k + 4) % 9]
        let t[(k + 1) % 9] = rotr t[(k + 1) % 9] 7 ^ t[k % 9]
        in t
    in map2 (+) s t
  in reduce (^) 0
       (flatten (map_index (\i row -> map (* (2 * u32.i64 i + 1)) row) (map stream (iota n))))
