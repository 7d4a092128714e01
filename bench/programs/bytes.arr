-- Texts and messages: counts over bytes, and a hash whose steps have loops and small arrays.

-- | The lines, the words and the characters of a text in UTF-8.
entry words_u8 [n] (text: [n]u8): (i64, i64, i64) =
  let space c = c == ' ' || c == '\n' || c == '\t'
  let begins i = !(space text[i]) && (i == 0 || space text[i - 1])
  in (count (== '\n') text, count begins (iota n), count (\c -> c & 0xC0 != 0x80) text)

def rotr (x: u32) (k: u32): u32 = (x >> k) | (x << (32 - k))

def round_constants: [64]u32 =
  [0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
   0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
   0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
   0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
   0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
   0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
   0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
   0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2]

-- | SHA-256 of messages of one block, which is padded already.
entry sha256_u32 [n] (blocks: [n][16]u32): [n][8]u32 =
  let ks = round_constants
  let digest block =
    let w =
      loop w = (block ++ replicate 48 0) :> [64]u32 for t in 16..<64 do
        let s0 = rotr w[t - 15] 7 ^ rotr w[t - 15] 18 ^ (w[t - 15] >> 3)
        let s1 = rotr w[t - 2] 17 ^ rotr w[t - 2] 19 ^ (w[t - 2] >> 10)
        in w with [t] = w[t - 16] + s0 + w[t - 7] + s1
    let start: [8]u32 =
      [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
       0x5be0cd19]
    let (a, b, c, d, e, f, g, h) =
      loop (a, b, c, d, e, f, g, h) =
          (start[0], start[1], start[2], start[3], start[4], start[5], start[6], start[7])
          for t < 64 do
        let t1 = h + (rotr e 6 ^ rotr e 11 ^ rotr e 25) + ((e & f) ^ (!e & g)) + ks[t] + w[t]
        let t2 = (rotr a 2 ^ rotr a 13 ^ rotr a 22) + ((a & b) ^ (a & c) ^ (b & c))
        in (t1 + t2, a, b, c, d + t1, e, f, g)
    in map2 (+) start [a, b, c, d, e, f, g, h]
  in map digest blocks
