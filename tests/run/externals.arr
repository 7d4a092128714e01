-- Functions of C that only compute: every type that can be passed, everywhere that a call can stand.
-- ==
-- link: externals.c

external twice (x: f64): f64
external nothing: ()
external answer: i64

-- | Each of them a little changed.
external every_scalar (a: bool) (b: i8) (c: i16) (d: i32) (e: i64) (f: u8) (g: u16) (h: u32)
    (i: u64) (j: f32) (k: f64):
    (bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64)

external middle [n] (xs: [n]f64): f64
external doubled [n] (xs: [n]i64): [n]i64
external count_up (n: i64): [n]i64
external odd_ones [n] (xs: [n]i64): ?[k].[k]i64
external digits: [5]i64
external every_second (xs: []i64): []i64
external transposed [n] [m] (a: [n][m]i64): [m][n]i64
external polar [n] (ps: [n]{x: i64, y: i64}): {ls: [n]i64, rs: [n]i64}
external short_of_one [n] (xs: [n]i64): [n]i64
external two_sizes (a: i64) (b: i64): ?[k].([k]i64, [k]i64)
external refuses (code: i64): i64
external leaves_memory (n: i64): i64

type shape = #box i64 i64 | #dot i64 | #none
external next_shape (s: shape): shape

-- ==
-- entry: scalar
-- input { 1.5 } output { 3.0 }
entry scalar (x: f64): f64 = twice x

-- ==
-- entry: without_anything
-- input { 3i64 } output { 45i64 }
entry without_anything (n: i64): i64 = let () = nothing in n + answer

-- ==
-- entry: scalars
-- input { true -128i8 -5i16 7i32 -9i64 255u8 7u16 4294967295u32 9u64 1.5f32 2.5 }
-- output { false 127i8 -6i16 6i32 -10i64 0u8 8u16 0u32 10u64 3f32 5.0 }
-- input { false 0i8 0i16 0i32 0i64 0u8 65535u16 0u32 18446744073709551615u64 -1f32 -1.0 }
-- output { true -1i8 -1i16 -1i32 -1i64 1u8 0u16 1u32 0u64 -2f32 -2.0 }
entry scalars (a: bool) (b: i8) (c: i16) (d: i32) (e: i64) (f: u8) (g: u16) (h: u32) (i: u64)
    (j: f32) (k: f64):
    (bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64) =
  every_scalar a b c d e f g h i j k

-- ==
-- entry: array_in
-- input { [3.0, 1.0, 2.0] } output { 3.0 }
-- input { [5.0] } output { 7.0 }
-- input { empty([0]f64) } error: the external `middle` failed: nothing has no middle
entry array_in [n] (xs: [n]f64): f64 = middle (map (+ 1) xs) + 1

-- ==
-- entry: array_out
-- input { [3i64, 1i64] } output { [7i64, 3i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry array_out [n] (xs: [n]i64): [n]i64 = map (+ 1) (doubled xs)

-- ==
-- entry: same_size
-- input { [3i64, 1i64] } output { [9i64, 3i64] }
entry same_size [n] (xs: [n]i64): [n]i64 = map2 (+) xs (doubled xs)

-- ==
-- entry: counted
-- input { 4i64 } output { [0i64, 1i64, 2i64, 3i64] 6i64 }
-- input { 0i64 } output { empty([0]i64) 0i64 }
-- input { -1i64 } error: the external `count_up` failed: an array of the negative size -1
entry counted (n: i64): ([n]i64, i64) =
  let xs = count_up n
  in (xs, reduce (+) 0 xs)

-- ==
-- entry: unknown_size
-- input { [3i64, 4i64, 5i64, 6i64] } output { [30i64, 50i64] 2i64 }
-- input { [2i64] } output { empty([0]i64) 0i64 }
entry unknown_size [n] (xs: [n]i64): ?[k].([k]i64, i64) =
  let ys = map (* 10) (odd_ones xs)
  in (ys, length ys)

-- ==
-- entry: borrowed
-- input { } output { [3i64, 1i64, 4i64, 1i64, 5i64] 14i64 }
entry borrowed: ([5]i64, i64) = let xs = digits in (xs, reduce (+) 0 xs)

-- ==
-- entry: with_gaps
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] } output { [1i64, 3i64, 5i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry with_gaps (xs: []i64): []i64 = every_second xs

-- ==
-- entry: matrices
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] } output { [[1i64, 4i64], [2i64, 5i64], [3i64, 6i64]] }
-- input { empty([0][2]i64) } output { empty([2][0]i64) }
entry matrices [n] [m] (a: [n][m]i64): [m][n]i64 = transposed a

-- ==
-- entry: records
-- input { [3i64, 1i64] [1i64, 5i64] } output { [4i64, 6i64] [2i64, -4i64] }
entry records [n] (xs: [n]i64) (ys: [n]i64): ([n]i64, [n]i64) =
  let {ls, rs} = polar (map2 (\y x -> {y, x}) ys xs)
  in (ls, rs)

-- ==
-- entry: sums
-- input { 2i64 3i64 } output { 6i64 }
entry sums (a: i64) (b: i64): i64 =
  match next_shape (#box a b)
  case #dot n -> n
  case #box _ _ -> -1
  case #none -> -2

-- Sizes that are not what the declaration says.
-- ==
-- entry: wrong_size
-- input { empty([0]i64) } output { empty([0]i64) }
-- input { [1i64, 2i64, 3i64] } error: the array that the external `short_of_one` gave has the length 2, but is declared to be \[n\]i64, and n is 3
entry wrong_size [n] (xs: [n]i64): [n]i64 = short_of_one xs

-- ==
-- entry: wrong_second_size
-- input { 2i64 2i64 } output { [0i64, 2i64] }
-- input { 2i64 3i64 } error: the array `out1` that the external `two_sizes` gave has the length 3, but is declared to be \[k\]i64, and k is 2
entry wrong_second_size (a: i64) (b: i64): []i64 =
  let (xs, ys) = two_sizes a b
  in map2 (+) xs ys

-- Failures: nothing is left, and the next call goes on.
-- ==
-- entry: codes
-- input { 0i64 } output { 7i64 }
-- input { 3i64 } error: the external `refuses` failed with the code 3
-- input { -1i64 } error: the external `refuses` failed with the code -1
entry codes (code: i64): i64 = refuses code

-- ==
-- entry: left_memory
-- input { 3i64 } output { 3i64 }
-- input { 6i64 } error: the external `leaves_memory` failed: too many
entry left_memory (n: i64): i64 = leaves_memory n

-- ==
-- entry: late_failure
-- input { 3i64 } output { [0i64, 1i64, 2i64] [3i64, 3i64, 3i64] }
-- input { 9i64 } error: the external `leaves_memory` failed: too many
entry late_failure (n: i64): ([n]i64, [n]i64) =
  let xs = count_up n
  in (xs, map (\_ -> leaves_memory n) xs)

-- In workers, branches, loops and recursive functions.
-- ==
-- entry: in_map
-- input { [1.0, 2.5] } output { [2.0, 5.0] [4.0, 10.0] }
-- input { empty([0]f64) } output { empty([0]f64) empty([0]f64) }
entry in_map [n] (xs: [n]f64): ([n]f64, [n]f64) = (map twice xs, map (\x -> twice (twice x)) xs)

-- ==
-- entry: on_rows
-- input { [[3.0, 1.0, 2.0], [6.0, 5.0, 4.0]] } output { [1.0, 5.0] }
entry on_rows [n] [m] (rows: [n][m]f64): [n]f64 = map middle rows

-- ==
-- entry: rows_out
-- input { [[3i64, 1i64], [6i64, 5i64]] } output { [[6i64, 2i64], [12i64, 10i64]] }
-- input { empty([0][2]i64) } output { empty([0][2]i64) }
entry rows_out [n] [m] (rows: [n][m]i64): [n][m]i64 = map doubled rows

-- ==
-- entry: in_filter
-- input { [1.0, 3.0, 2.0] } output { [3.0, 2.0] }
entry in_filter [n] (xs: [n]f64): []f64 = filter (\x -> twice x > 3) xs

-- ==
-- entry: in_reduce
-- input { [1.0, 3.0] } output { 8.0 }
entry in_reduce [n] (xs: [n]f64): f64 = reduce (+) 0 (map twice xs)

-- ==
-- entry: in_fold
-- input { [1.0, 3.0] } output { 5.0 }
entry in_fold [n] (xs: [n]f64): f64 = fold (\acc x -> twice acc + x) 0 xs

-- ==
-- entry: in_branch
-- input { true 3.0 } output { 6.0 }
-- input { false 3.0 } output { 3.0 }
entry in_branch (c: bool) (x: f64): f64 = if c then twice x else x

-- ==
-- entry: in_loop
-- input { 3i64 1.5 } output { 12.0 }
-- input { 0i64 1.5 } output { 1.5 }
entry in_loop (n: i64) (x: f64): f64 = loop y = x for _i < n do twice y

-- ==
-- entry: array_in_loop
-- input { 3i64 [1i64, 2i64] } output { [8i64, 16i64] }
entry array_in_loop [n] (k: i64) (xs: [n]i64): [n]i64 = loop ys = xs for _i < k do doubled ys

def power (n: i64) (x: f64): f64 = if n <= 0 then x else power (n - 1) (twice x)

-- ==
-- entry: in_recursion
-- input { 4i64 1.0 } output { 16.0 }
entry in_recursion (n: i64) (x: f64): f64 = power n x

def apply 'a 'b (f: a -> b) (x: a): b = f x

-- ==
-- entry: as_value
-- input { [3.0, 1.0, 2.0] } output { 2.0 }
entry as_value [n] (xs: [n]f64): f64 = (xs |> apply middle |> apply twice)

-- What an external gives is a value like others: it can be changed, and what is shared stays.
-- ==
-- entry: updated
-- input { 3i64 } output { [0i64, 1i64, 2i64] [9i64, 1i64, 2i64] }
entry updated (n: i64): ([n]i64, [n]i64) =
  let xs = count_up n
  in (xs, xs with [0] = 9)
