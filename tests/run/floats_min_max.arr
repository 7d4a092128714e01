-- Minimum and maximum of floats: NaN yields to a number, and -0 is below 0.

-- ==
-- entry: of_f64
-- input { 1.0 2.0 } output { 1.0 2.0 }
-- input { f64.nan 2.0 } output { 2.0 2.0 }
-- input { 2.0 f64.nan } output { 2.0 2.0 }
-- input { f64.nan f64.nan } output { f64.nan f64.nan }
-- input { -f64.inf f64.nan } output { -f64.inf -f64.inf }
-- input { -f64.inf f64.inf } output { -f64.inf f64.inf }
entry of_f64 (a: f64) (b: f64): (f64, f64) = (f64.min a b, f64.max a b)

-- The sign of a zero shows when dividing by it.
-- ==
-- entry: of_zeros
-- input { 0.0 -0.0 } output { -f64.inf f64.inf }
-- input { -0.0 0.0 } output { -f64.inf f64.inf }
entry of_zeros (a: f64) (b: f64): (f64, f64) = (1 / f64.min a b, 1 / f64.max a b)

-- ==
-- entry: of_f32
-- input { 1.0f32 f32.nan } output { 1.0f32 1.0f32 }
-- input { -1.0f32 1.0f32 } output { -1.0f32 1.0f32 }
entry of_f32 (a: f32) (b: f32): (f32, f32) = (f32.min a b, f32.max a b)

-- ==
-- entry: extremes
-- input { [3.0, f64.nan, -1.0, f64.nan] } output { -1.0 3.0 }
-- input { [f64.nan] } output { f64.inf -f64.inf }
-- input { empty([0]f64) } output { f64.inf -f64.inf }
entry extremes [n] (xs: [n]f64): (f64, f64) =
  (reduce f64.min f64.inf xs, reduce f64.max (-f64.inf) xs)

-- ==
-- entry: of_integers
-- input { -3 200u8 } output { -3 2 7u8 200u8 }
entry of_integers (a: i32) (b: u8): (i32, i32, u8, u8) =
  (i32.min a 2, i32.max a 2, u8.min b 7, u8.max b 7)

-- | A number or none, by its own number.
def extreme (k: i64): f64 =
  [f64.nan,
   -0.0,
   0.0,
   1.0,
   -1.0,
   f64.inf,
   -f64.inf,
   5.0e-324,
   -5.0e-324,
   2.5,
   f64.from_bits 0x7ff0000000000001][k % 11]

-- | Each with each, in a row that is made in vectors, by their bits.
-- ==
-- entry: bits
-- input { 121i64 } auto output
-- input { 5i64 } auto output
entry bits (n: i64): ([1][n]u64, [1][n]u64) =
  let a = tabulate_2d 1 n (\_ k -> extreme (k / 11))
  let b = tabulate_2d 1 n (\_ k -> extreme k)
  in (map2 (map2 (\x y -> f64.to_bits (f64.min x y))) a b,
      map2 (map2 (\x y -> f64.to_bits (f64.max x y))) a b)

-- | Limits that stay the same in a loop, by the bits of the results.
-- ==
-- entry: limited
-- input { 0i64 37i64 } auto output
-- input { 1i64 37i64 } auto output
-- input { 2i64 37i64 } auto output
-- input { 3i64 37i64 } auto output
-- input { 7i64 37i64 } auto output
-- input { 10i64 37i64 } auto output
entry limited (k: i64) (n: i64): ([n]u64, [n]u64, [n]u32, [n]u32, [n]u64) =
  let limit = extreme k
  let narrow =
    f32.from_bits
      (if k == 7 then 1u32 else if k == 8 then 0x80000001u32 else f32.to_bits (f32.f64 limit))
  let xs = tabulate n extreme
  let ys =
    tabulate n
      (\i ->
        f32.from_bits
          (if i % 11 == 7 then 1u32
           else if i % 11 == 8 then 0x80000001u32
           else f32.to_bits (f32.f64 xs[i])))
  in (map (\x -> f64.to_bits (f64.min limit x)) xs,
      map (\x -> f64.to_bits (f64.max x limit)) xs,
      map (\y -> f32.to_bits (f32.min y narrow)) ys,
      map (\y -> f32.to_bits (f32.max narrow y)) ys,
      map (\x -> f64.to_bits (f64.max (-limit) (f64.min limit x))) xs)

-- Reductions of numbers that are never -0, beside others: the sign of a zero shows when dividing by it.

-- | Numbers with zeros of both signs and without numbers among them.
def mixed (n: i64): [n]f64 =
  tabulate n
    (\i ->
      if i % 5 == 3 then f64.nan
      else if i % 3 == 0 then -0.0
      else if i % 3 == 1 then 0.0
      else f64.i64 (-(i % 7)))

-- ==
-- entry: magnitudes
-- input { [3.0, f64.nan, -7.0, -0.0] } output { 7.0 0.0 }
-- input { [f64.nan, -0.0] } output { 0.0 0.0 }
-- input { empty([0]f64) } output { 0.0 9.0 }
-- random input { [1000]f64 }
-- random input { [37]f64 }
entry magnitudes [n] (xs: [n]f64): (f64, f64) =
  (reduce f64.max 0 (map f64.abs xs), reduce f64.min 9 (map f64.abs xs))

-- ==
-- entry: zeros
-- input { 0 } output { [-f64.inf, f64.inf, f64.inf, f64.inf, -f64.inf, f64.inf] }
-- input { 1 } output { [f64.inf, f64.inf, f64.inf, -f64.inf, -f64.inf, f64.inf] }
-- input { 100 } auto output
-- input { 67 } auto output
entry zeros (n: i64): [6]f64 =
  let xs = mixed n
  let low = map (f64.min 0) xs
  let signed = map (\x -> -f64.abs x) xs
  in map (1 /)
       [reduce f64.max (-0.0) (map f64.abs xs),
        reduce f64.max 0 xs,
        reduce f64.max 0 low,
        reduce f64.min 0 signed,
        reduce f64.max (-0.0) signed,
        reduce f64.max 0 (map (\x -> x * x - 4) xs)]

-- The greatest change in a row, and of all rows.
-- ==
-- entry: of_rows
-- input { [[3.0, -1.0], [f64.nan, 5.0]] } output { [2.0, 4.0] 4.0 }
-- random input { [9][41]f64 }
-- random input { [3][200]f64 }
entry of_rows [n] [m] (a: [n][m]f64): ([n]f64, f64) =
  let changes = map (\row -> reduce f64.max 0 (map (\x -> f64.abs (x - 1)) row)) a
  in (changes, reduce f64.max 0 changes)

-- A zero of the other sign at each place in turn, among zeros, numbers and NaN of both signs.

-- | Zeros of one sign, and what does not change an extreme: `s` is 1 for a minimum and -1 for a maximum.
def around (s: f64) (i: i64): f64 =
  if i % 4 == 1 then 0.0 * s
  else if i % 4 == 2 then s * f64.i64 i
  else if i % 8 == 3 then -f64.nan
  else if i % 8 == 7 then f64.nan
  else 0.0 * s

-- | Whether the zero at each place is found, and none is where there is none.
-- ==
-- entry: lone_zeros
-- input { 0i64 } output { true true true }
-- input { 1i64 } auto output
-- input { 3i64 } auto output
-- input { 16i64 } auto output
-- input { 37i64 } auto output
-- input { 131i64 } auto output
entry lone_zeros (n: i64): (bool, bool, bool) =
  let least xs = f64.to_bits (reduce f64.min f64.inf xs)
  let most xs = f64.to_bits (reduce f64.max (-f64.inf) xs)
  let (low, high) = loop (low, high) = (true, true) for p < n do
    let l = least (tabulate n (\i -> if i == p then -0.0 else around 1 i))
    let h = most (tabulate n (\i -> if i == p then 0.0 else around (-1) i))
    in (low && l == f64.to_bits (-0.0), high && h == f64.to_bits 0.0)
  let none =
    n == 0
    || (least (tabulate n (around 1)) == f64.to_bits 0.0
        && most (tabulate n (around (-1))) == f64.to_bits (-0.0))
  in (low, high, none)

-- | The bits of both extremes of arrays, in one pass and with a sum beside them.
-- ==
-- entry: both
-- input { [0.0, -0.0, 1.0, 2.0, 0.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0] } auto output
-- input { [0.0, f64.nan, 1.0, 2.0, 0.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0] } auto output
-- input { [-0.0, -1.0, -0.0, -2.0, -4.0, -3.0, -4.0, -5.0, 0.0, -7.0, -8.0, -9.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -0.0] } auto output
-- input { [f64.nan, f64.nan, f64.nan, f64.nan, f64.nan, f64.nan, f64.nan, f64.nan, f64.nan, f64.nan, f64.nan, f64.nan, f64.nan, f64.nan, f64.nan, f64.nan] } auto output
-- random input { [1000]f64 }
entry both [n] (xs: [n]f64): (u64, u64, f64) =
  (f64.to_bits (reduce f64.min f64.inf xs),
   f64.to_bits (reduce f64.max (-f64.inf) xs),
   f64.sum (map (\x -> if x > 2 then 1 else 0) xs))

-- ==
-- entry: both_f32
-- input { [0.0f32, -0.0f32, 1.0f32, 2.0f32, 0.0f32, 3.0f32, 4.0f32, 5.0f32, 6.0f32, 7.0f32, 8.0f32, 9.0f32, 1.0f32, 1.0f32, 1.0f32, 0.0f32, 1.0f32, 1.0f32, 1.0f32] } auto output
-- input { [-0.0f32, -1.0f32, -0.0f32, -2.0f32, -4.0f32, -3.0f32, -4.0f32, -5.0f32, 0.0f32, -7.0f32, -8.0f32, -9.0f32, -1.0f32, -1.0f32, -1.0f32, -1.0f32, -1.0f32] } auto output
-- random input { [1000]f32 }
entry both_f32 [n] (xs: [n]f32): (u32, u32) =
  (f32.to_bits (reduce f32.min f32.inf xs), f32.to_bits (reduce f32.max (-f32.inf) xs))

-- | The extremes of what a filter keeps.
-- ==
-- entry: of_kept
-- input { 200i64 } auto output
-- input { 31i64 } auto output
entry of_kept (n: i64): (bool, bool) =
  let low k =
    f64.to_bits
      (reduce f64.min f64.inf
         (filter (\x -> x < 5) (tabulate n (\i -> if i == k then -0.0 else around 1 i))))
  let high k =
    f64.to_bits
      (reduce f64.max (-f64.inf)
         (filter (\x -> x > -5) (tabulate n (\i -> if i == k then 0.0 else around (-1) i))))
  in loop (l, h) = (true, true) for k < n do
       (l && low k == f64.to_bits (-0.0), h && high k == f64.to_bits 0.0)
