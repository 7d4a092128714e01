-- A few elements whose number is known when the program is compiled are put in order by exchanges.

-- | Both directions agree with sorts of an array whose length `one * n` is not known when the program is compiled.
def agree [n] 'a (bits: a -> u64) (up: a -> a -> bool) (down: a -> a -> bool) (one: i64)
    (xs: [n]a): bool =
  let m = one * n
  let same (xs: [n]a) (ys: [m]a) = all (\i -> bits xs[i] == bits ys[i]) (iota n)
  let ys = xs :> [m]a
  in same (sort up xs) (sort up ys) && same (sort down xs) (sort down ys)

-- ==
-- entry: integers_agree
-- random input { [40][16]i32 } output { true }
entry integers_agree [n] (xss: [n][16]i32): bool =
  let agrees (xs: [16]i32) =
    let one = n / 40
    let both xs = agree u64.i32 (<=) (>=) one xs
    in both (take 2 xs) && both (take 3 xs) && both (take 5 xs) && both (take 9 xs) && both xs
  in all agrees xss

-- ==
-- entry: types_agree
-- random input { [20][9]u8 } output { true }
entry types_agree [n] (xss: [n][9]u8): bool =
  let one = n / 20
  let agrees (xs: [9]u8) =
    agree u64.u8 (<=) (>=) one xs && agree u64.i8 (<=) (>=) one (map i8.u8 xs)
    && agree u64.u64 (<=) (>=) one (map (\x -> u64.u8 x * 0x0123456789abcdef) xs)
    && agree u64.bool (<=) (>=) one (map (> 100) xs)
  in all agrees xss

-- | Zeros of both signs, infinities and `nan` among numbers.
def special (x: u8): f64 =
  [1.5, -0.0, 0.0, f64.nan, -1.5, f64.inf, 0.0, -0.0, -f64.inf][i64.u8 (x % 9)]

-- | The bits agree, also of equal zeros.
-- ==
-- entry: floats_agree
-- random input { [40][16]u8 } output { true }
entry floats_agree [n] (xss: [n][16]u8): bool =
  let both xs = agree f64.to_bits (<=) (>=) (n / 40) xs
  let agrees (xs: [16]u8) =
    let xs = map special xs
    in both (take 2 xs) && both (take 3 xs) && both (take 9 xs) && both xs
  in all agrees xss

-- ==
-- entry: narrow_floats_agree
-- random input { [40][5]u8 } output { true }
entry narrow_floats_agree [n] (xss: [n][5]u8): bool =
  let agrees (xs: [5]u8) =
    agree (\x -> u64.u32 (f32.to_bits x)) (<=) (>=) (n / 40) (map (\x -> f32.f64 (special x)) xs)
  in all agrees xss

-- | The middle of nine neighbours, in one pass without memory for the nine.
-- ==
-- entry: middles
-- input { [[9, 1, 8, 2], [7, 3, 6, 4], [5, 5, 0, -1]] } output { [[5, 3]] }
-- input { [[1, 2], [3, 4], [5, 6]] } output { empty([1][0]i32) }
-- structure { clusters 1 allocations 1 }
entry middles [n] [m] (a: [n][m]i32): [n - 2][m - 2]i32 =
  tabulate_2d (n - 2) (m - 2) (\i j -> (sort (<=) (tabulate 9 (\k -> a[i + k / 3, j + k % 3])))[4])

-- | The middle of three neighbours. There may be a `nan` among them.
-- ==
-- entry: middles_of_floats
-- input { [3.0, f64.nan, -0.0, 0.0, f64.nan, f64.nan, f64.inf, f64.inf] }
-- output { [3.0, 0.0, 0.0, f64.nan, f64.nan, f64.inf] }
-- input { [1.0, 2.0] } output { empty([0]f64) }
entry middles_of_floats [n] (xs: [n]f64): [n - 2]f64 =
  generate (n - 2) (\i -> (sort (<=) [xs[i], xs[i + 1], xs[i + 2]])[1])

-- | The largest of the rows first.
-- ==
-- entry: turned_rows
-- input { [[1, 3, 2, 4], [4, 4, 9, 4]] } output { [[4, 3, 2, 1], [9, 4, 4, 4]] }
entry turned_rows [n] (xss: [n][4]i64): [n][4]i64 = map (\(xs: [4]i64) -> sort (>=) xs) xss
