-- Floats become integers in vectors: around the limits of each type, and of bits at random.

-- | Numbers around the limits, and none: a power of two times a little less than one, one, or a little more.
def edge (k: i64): f64 =
  let power =
    [0.0, 1.0, 0.5, 128.0, 256.0, 32768.0, 65536.0, 2147483648.0, 4294967296.0, 4503599627370496.0,
     9007199254740992.0,
     9223372036854775808.0, 18446744073709551616.0, 1.0e300, 5.0e-324, f64.inf, f64.nan]
  let near = [1.0, 0.9999999999999999, 1.0000000000000002, 0.99609375, 1.00390625, 0.5, 1.5]
  let x = power[k % 17] * near[k / 17 % 7] + [0.0, 0.5, -0.5, -1.0][k / 119 % 4]
  in if k / 476 % 2 == 0 then x else -x

-- | Bits at random.
def bits (k: i64): u64 =
  let x = (u64.i64 k + 1u64) * 0x9e3779b97f4a7c15u64
  let x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u64
  in x ^ (x >> 27)

-- | Numbers whose exponent is at most 70 in magnitude, so that many are integers of some type.
def middle (k: i64): f64 =
  let x = bits k
  in f64.from_bits ((x & 0x800fffffffffffffu64) | ((953u64 + (x >> 53) % 141u64) << 52))

-- ==
-- entry: narrow
-- input { 952i64 0i64 } auto output
-- input { 1000i64 1i64 } auto output
-- input { 1003i64 2i64 } auto output
entry narrow (n: i64) (kind: i64): ([n]i8, [n]u8, [n]i16, [n]u16) =
  let xs =
    tabulate n
      (\k -> if kind == 0 then edge k else if kind == 1 then f64.from_bits (bits k) else middle k)
  in (map i8.f64 xs, map u8.f64 xs, map i16.f64 xs, map u16.f64 xs)

-- ==
-- entry: wide
-- input { 952i64 0i64 } auto output
-- input { 1000i64 1i64 } auto output
-- input { 1003i64 2i64 } auto output
entry wide (n: i64) (kind: i64): ([n]i32, [n]u32, [n]i64, [n]u64) =
  let xs =
    tabulate n
      (\k -> if kind == 0 then edge k else if kind == 1 then f64.from_bits (bits k) else middle k)
  in (map i32.f64 xs, map u32.f64 xs, map i64.f64 xs, map u64.f64 xs)

-- ==
-- entry: narrow_f32
-- input { 952i64 0i64 } auto output
-- input { 1000i64 1i64 } auto output
-- input { 1003i64 2i64 } auto output
entry narrow_f32 (n: i64) (kind: i64): ([n]i8, [n]u8, [n]i16, [n]u16) =
  let xs =
    tabulate n
      (\k ->
        if kind == 0 then f32.f64 (edge k)
        else if kind == 1 then f32.from_bits (u32.u64 (bits k))
        else f32.f64 (middle k))
  in (map i8.f32 xs, map u8.f32 xs, map i16.f32 xs, map u16.f32 xs)

-- ==
-- entry: wide_f32
-- input { 952i64 0i64 } auto output
-- input { 1000i64 1i64 } auto output
-- input { 1003i64 2i64 } auto output
entry wide_f32 (n: i64) (kind: i64): ([n]i32, [n]u32, [n]i64, [n]u64) =
  let xs =
    tabulate n
      (\k ->
        if kind == 0 then f32.f64 (edge k)
        else if kind == 1 then f32.from_bits (u32.u64 (bits k))
        else f32.f64 (middle k))
  in (map i32.f32 xs, map u32.f32 xs, map i64.f32 xs, map u64.f32 xs)

-- | Conversions one at a time, in a loop that no vector runs.
-- ==
-- entry: single
-- input { 952i64 } auto output
entry single (n: i64): (i64, u64, i32) =
  loop (a, b, c) = (0i64, 0u64, 0i32) for k < n do
    let x = edge (k)
    in (a ^ i64.f64 x * 3 + (a >> 7), b * 31u64 + u64.f64 x, (c * 17) ^ i32.f64 x)

-- | Integers with few and with many digits, and those between two floats.
def whole (k: i64): u64 =
  let x = bits k
  in if k % 4 == 0 then x
     else if k % 4 == 1 then x >> u64.i64 (k % 64)
     else if k % 4 == 2 then 0u64 - (x >> u64.i64 (k % 64))
     else (1u64 << u64.i64 (k % 64)) + ((u64.i64 k % 7u64) << u64.i64 (k / 64 % 16)) - 3u64

-- ==
-- entry: floats
-- input { 4000i64 } auto output
-- input { 13i64 } auto output
entry floats (n: i64): ([n]f64, [n]f64, [n]f32, [n]f32) =
  (tabulate n (\k -> f64.i64 (i64.u64 (whole k))),
   tabulate n (\k -> f64.u64 (whole k)),
   tabulate n (\k -> f32.i64 (i64.u64 (whole k))),
   tabulate n (\k -> f32.u64 (whole k)))

-- ==
-- entry: floats_of
-- input { [0i64, -1i64, 9223372036854775807i64, -9223372036854775808i64, 9007199254740993i64, -9007199254740995i64, 4294967296i64, -4294967297i64, 4503599627370497i64, 5i64, 6i64] } auto output
entry floats_of [n] (xs: [n]i64): ([n]f64, [n]f64, f64) =
  (map f64.i64 xs, map (\x -> f64.u64 (u64.i64 x)) xs, f64.sum (map (\x -> f64.i64 (x % 1000)) xs))

-- | To a position and back, in steps with loops.
-- ==
-- entry: across
-- input { 50i64 } auto output
entry across (n: i64): [n]f64 =
  tabulate n (\k -> loop x = f64.i64 k * 1.5 for j < k % 7 do x + f64.i64 (i64.f64 (x * 0.7) - j))

-- | Positions within limits, computed from floats: the limits make 32 bits enough, but not where one is wider.
-- ==
-- entry: limited
-- input { 952i64 0i64 } auto output
-- input { 1003i64 1i64 } auto output
-- input { 1003i64 2i64 } auto output
entry limited (n: i64) (kind: i64): ([n]i64, [n]i64, [n]i64, [n]i64) =
  let xs =
    tabulate n
      (\k -> if kind == 0 then edge k else if kind == 1 then f64.from_bits (bits k) else middle k)
  in (map (\x -> i64.max 0 (i64.min 63 (i64.f64 x))) xs,
      map (\x -> i64.min 2147483647 (i64.max (-2147483648) (i64.f64 x))) xs,
      map (\x -> i64.max 0 (i64.min 2147483648 (i64.f64 x))) xs,
      map (\x -> i64.max 7 (i64.min 3 (i64.f64 x))) xs)

-- ==
-- entry: limited_f32
-- input { 952i64 0i64 } auto output
-- input { 1003i64 2i64 } auto output
entry limited_f32 (n: i64) (kind: i64): ([n]i64, [n]f32) =
  let xs = tabulate n (\k -> f32.f64 (if kind == 0 then edge k else middle k))
  in (map (\x -> i64.max (-9) (i64.min 63 (i64.f32 x))) xs,
      map (\x -> let i = i64.max 0 (i64.min 15 (i64.f32 x)) in x - f32.i64 i) xs)

-- | Numbers that the program keeps within limits inside of a type, at its ends, or outside.
-- ==
-- entry: within
-- input { 952i64 0i64 } auto output
entry within (n: i64) (kind: i64): ([n]u8, [n]i8, [n]i16, [n]u32, [n]i64, [n]i64, [n]i64, [n]u64) =
  let xs =
    tabulate n
      (\k -> if kind == 0 then edge k else if kind == 1 then f64.from_bits (bits k) else middle k)
  in (map (\x -> u8.f64 (f64.max 0 (f64.min 255.9 x))) xs,
      map (\x -> i8.f64 (f64.min 127.9 (f64.max (-128) x))) xs,
      map (\x -> i16.f64 (f64.max (-32768.5) (f64.min 40000 x))) xs,
      map (\x -> u32.f64 (f64.min 4294967295.5 (f64.max 0 x))) xs,
      map (\x -> i64.f64 (f64.min 2147483647 (f64.max (-2147483648) x))) xs,
      map (\x -> i64.f64 (f64.min 9.0e18 (f64.max (-9223372036854775808) x))) xs,
      map (\x -> i64.f64 (f64.min 7 x)) xs,
      map (\x -> u64.f64 (f64.max 0 (f64.min 18446744073709549568 x))) xs)

-- | The same from narrow floats: the limits may be rounded to the next number above those of the type.
-- ==
-- entry: within_narrow
-- input { 952i64 0i64 } auto output
entry within_narrow (n: i64) (kind: i64): ([n]u8, [n]i32, [n]i64, [n]i64) =
  let xs = tabulate n (\k -> f32.f64 (if kind == 0 then edge k else middle k))
  in (map (\x -> u8.f32 (f32.max 0 (f32.min 255 x))) xs,
      map (\x -> i32.f32 (f32.max 0 (f32.min 2147483647 x))) xs,
      map (\x -> i64.f32 (f32.min 2147483647 (f32.max (-2147483648) x))) xs,
      map (\x -> i64.f32 (f32.max (-1) (f32.min 63 x))) xs)
