-- Elements of each type in order, few and many of them, and the numbers that they are sorted by.

-- | How many elements come before that at i.
def rank [n] 'a (le: a -> a -> bool) (xs: [n]a) (i: i64): i64 =
  count (\j -> if j < i then le xs[j] xs[i] else j > i && !(le xs[i] xs[j])) (iota n)

def naive [n] 'a (le: a -> a -> bool) (xs: [n]a): [n]a =
  scatter (copy xs) (map (rank le xs) (iota n)) xs

def equal [n] 'a (eq: a -> a -> bool) (xs: [n]a) (ys: [n]a): bool = and (map2 eq xs ys)

-- | Both directions.
def agree [n] 'a (eq: a -> a -> bool) (up: a -> a -> bool) (down: a -> a -> bool) (xs: [n]a): bool =
  equal eq (sort up xs) (naive up xs) && equal eq (sort down xs) (naive down xs)

-- ==
-- entry: agree_i32
-- random input { [31]i32 } output { true }
-- random input { [32]i32 } output { true }
-- random input { [301]i32 } output { true }
entry agree_i32 [n] (xs: [n]i32): bool = agree (==) (<=) (>=) xs

-- ==
-- entry: agree_i16
-- random input { [15]i16 } output { true }
-- random input { [16]i16 } output { true }
-- random input { [100]i16 } output { true }
entry agree_i16 [n] (xs: [n]i16): bool = agree (==) (<=) (>=) xs

-- ==
-- entry: agree_i8
-- random input { [7]i8 } output { true }
-- random input { [8]i8 } output { true }
-- random input { [300]i8 } output { true }
entry agree_i8 [n] (xs: [n]i8): bool = agree (==) (<=) (>=) xs

-- ==
-- entry: agree_u64
-- random input { [300]u64 } output { true }
entry agree_u64 [n] (xs: [n]u64): bool = agree (==) (<=) (>=) xs

-- ==
-- entry: agree_u8
-- random input { [300]u8 } output { true }
entry agree_u8 [n] (xs: [n]u8): bool = agree (==) (<=) (>=) xs

-- ==
-- entry: agree_bool
-- random input { [7]bool } output { true }
-- random input { [40]bool } output { true }
entry agree_bool [n] (xs: [n]bool): bool = agree (==) (<=) (>=) xs

-- ==
-- entry: agree_f32
-- random input { [31]f32 } output { true }
-- random input { [101]f32 } output { true }
entry agree_f32 [n] (xs: [n]f32): bool = agree (==) (<=) (>=) (map (\x -> 1e10 * (x - 0.5)) xs)

-- | Numbers in the order of the elements.
-- ==
-- entry: orders
-- input { [-1i8, 0i8, -128i8, 127i8] [0u8, 255u8] [-1i16] [-1i32] [0i64] }
-- output { [127u8, 128u8, 0u8, 255u8] [0u8, 255u8] [32767u16] [2147483647u32] [9223372036854775808u64] }
entry orders [n] [m] (a: [n]i8) (b: [m]u8) (c: [1]i16) (d: [1]i32) (e: [1]i64):
    ([n]u8, [m]u8, [1]u16, [1]u32, [1]u64) =
  (map i8.order a, map u8.order b, map i16.order c, map i32.order d, map i64.order e)

-- ==
-- entry: float_orders
-- input { [1.0, -1.0, 0.0, -0.0, f64.inf, -f64.inf, f64.nan] [1.5f32, -1.5f32, -0.0f32, f32.nan, -f32.inf] }
-- output { [0xbff0000000000000u64, 0x400fffffffffffffu64, 0x8000000000000000u64, 0x8000000000000000u64, 0xfff0000000000000u64, 0x000fffffffffffffu64, 0xffffffffffffffffu64]
--          [0xbfc00000u32, 0x403fffffu32, 0x80000000u32, 0xffffffffu32, 0x007fffffu32] }
entry float_orders [n] [m] (a: [n]f64) (b: [m]f32): ([n]u64, [m]u32) =
  (map f64.order a, map f32.order b)

-- | What is known of a comparison: the width of its keys, and keys in its order.
-- ==
-- entry: known_orders
-- input { [-1i16, 2i16] } output { 16i64 16i64 16i64 16i64 [0x7fffu64, 0x8002u64] [0x8000u64, 0x7ffdu64] }
-- input { empty([0]i16) } output { 16i64 16i64 16i64 16i64 empty([0]u64) empty([0]u64) }
entry known_orders [n] (xs: [n]i16): (i64, i64, i64, i64, [n]u64, [n]u64) =
  (order_bits (<=) xs,
   order_bits (\x y -> y <= x) xs,
   order_bits (<) xs,
   order_bits (\p q -> p.0 <= q.0) (zip xs xs),
   map (order_key (<=)) xs,
   map (order_key (>=)) xs)
