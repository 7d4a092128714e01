-- Powers.
entry squared (i: i64) (u: u8): (i64, u8) = (i ^ 2, u ^ 3)
entry powers (n: i64): [n]i64 = map (\i -> 2 ^ i) (iota n)
entry scaled (n: i32): i32 = n * 10 ^ 6
entry area (x: i64) (y: i64): i64 = (x + y) ^ 2 + 1
entry cubes [n] (xs: [n]i64): i64 = i64.sum (map (\x -> 3 * x ^ 3 - 1) xs)
-- Quotients.
entry ratio (a: i64) (b: i64): f64 = f64.i64 (a / b)
entry mean [n] (xs: [n]i32): f32 = f32.i32 (i32.sum xs / i32.i64 n)
entry inverse (a: i64) (b: i64): f64 = 100.0 * f64.i64 (a / b)
entry percent (a: i64) (b: i64): f64 = f64.i64 (100 * (a / (b + 1)) * 2)
entry piped (a: i64) (b: i64): f64 = (a + 1) / b |> f64.i64
entry half (n: i64): f64 = f64.i64 (n / 2) ** 2
entry mapped [n] (xs: [n]i64): [n]f64 = map (\x -> f64.i64 (x / n)) xs
entry rooted (a: i64) (b: i64): f64 = f64.sqrt (f64.i64 (a / (b + 1)))
-- Constants.
entry negative (x: u8): u8 = x + -4
entry all_ones (x: u64): [2]u64 = [x, (-1)]
entry power: i32 = 10 ** 10
entry sum: u8 = 200 + 100
entry below (x: u16): bool = x == 0 - 1
-- Comparisons.
entry never (x: u8): bool = x < 0
entry always (x: u64) (xs: []i64): bool = x >= 0 && length xs > 0
entry exchanged (x: u32): bool = 0 <= x
entry wrapped (x: u8): bool = x > -1
entry highest (x: i8): i64 = if x > 127 then 1 else if 127 >= x then 2 else 3
def endless (x: u8): u8 = loop x while x >= 0 do x - 1
entry ends (x: u8): u8 = endless x
