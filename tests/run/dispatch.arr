-- Many cases of one number: tables of constants and searches.

-- ==
-- entry: table
-- input { [0, 3, 9, 10, -1, 5] } output { [5, 8, 14, 100, 100, 10] }
entry table (xs: []i32): []i32 =
  map (\x ->
    match x
    case 0 -> 5
    case 1 -> 6
    case 2 -> 7
    case 3 -> 8
    case 4 -> 9
    case 5 -> 10
    case 6 -> 11
    case 7 -> 12
    case 8 -> 13
    case 9 -> 14
    case _ -> 100) xs

-- A default that is computed, and may fail.
-- ==
-- entry: table_else
-- input { [0i64, 7i64, 8i64] [3i64, 4i64, 2i64] } output { [5i64, 12i64, 4i64] }
-- input { [0i64, 9i64] [3i64, 0i64] } error: division by zero
entry table_else (xs: []i64) (ys: []i64): []i64 =
  map2 (\x y ->
    match x
    case 0 -> 5
    case 1 -> 6
    case 2 -> 7
    case 3 -> 8
    case 4 -> 9
    case 5 -> 10
    case 6 -> 11
    case 7 -> 12
    case _ -> x / y) xs ys

-- Numbers between the cases.
-- ==
-- entry: holes
-- input { [-3i8, -2i8, 0i8, 1i8, 12i8, 13i8, 127i8, -128i8] } output { [1.5, 0.0, 2.5, 0.0, 9.5, 0.0, 0.0, 0.0] }
entry holes (xs: []i8): []f64 =
  map (\x ->
    match x
    case -3 -> 1.5
    case 0 -> 2.5
    case 2 -> 3.5
    case 4 -> 4.5
    case 6 -> 5.5
    case 8 -> 6.5
    case 10 -> 7.5
    case 11 -> 8.5
    case 12 -> 9.5
    case _ -> 0.0) xs

-- Far apart, and computed.
-- ==
-- entry: sparse
-- input { [1u64, 1000u64, 18446744073709551615u64, 5u64, 0u64, 9223372036854775808u64] } output { [2u64, 1001u64, 18446744073709551608u64, 50u64, 0u64, 9223372036854775809u64] }
entry sparse (xs: []u64): []u64 =
  map (\x ->
    match x
    case 1 -> x + 1
    case 10 -> x + 2
    case 100 -> x + 3
    case 1000 -> x + 1
    case 10000 -> x + 5
    case 100000 -> x + 6
    case 9223372036854775808 -> x + 1
    case 18446744073709551615 -> x - 7
    case 77 -> x
    case other -> other * 10) xs

-- Twice the same number: the first case has it.
-- ==
-- entry: chain
-- input { [3i64, 1i64, 8i64, 9i64] } output { [30i64, 10i64, 7i64, 0i64] }
entry chain (xs: []i64): []i64 =
  map (\x ->
    if x == 1 then 10
    else if 2 == x then 20
    else if x == 3 then 30
    else if x == 3 then 31
    else if x == 4 then 40
    else if x == 5 then 50
    else if x == 6 then 60
    else if x == 7 then 70
    else if x == 8 then 7
    else 0) xs

-- Branches that make arrays of their own sizes, and one that is never run.
-- ==
-- entry: arrays
-- input { 3i64 } output { [3i64, 3i64, 3i64] }
-- input { 7i64 } output { [7i64] }
-- input { 20i64 } output { empty([0]i64) }
-- input { 0i64 } error: division by zero
entry arrays (x: i64): []i64 =
  if x == 0 then replicate (1 / x) x
  else if x == 1 then [1]
  else if x == 2 then [2, 2]
  else if x == 3 then [3, 3, 3]
  else if x == 4 then [4]
  else if x == 5 then [5]
  else if x == 6 then [6, 6]
  else if x == 7 then [7]
  else if x == 8 then iota 8
  else []

-- All constructors, with and without a rest, and payloads.
type day = #mon | #tue | #wed | #thu | #fri | #sat | #sun | #none i64 | #other (i64, i64)
def day (x: i64): day =
  match x
  case 0 -> #mon
  case 1 -> #tue
  case 2 -> #wed
  case 3 -> #thu
  case 4 -> #fri
  case 5 -> #sat
  case 6 -> #sun
  case 7 -> #none 12
  case _ -> #other (x, 2 * x)

-- ==
-- entry: days
-- input { [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64] } output { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 12i64, 24i64] }
entry days (xs: []i64): []i64 =
  map (\x ->
    match day x
    case #mon -> 1
    case #tue -> 2
    case #wed -> 3
    case #thu -> 4
    case #fri -> 5
    case #sat -> 6
    case #sun -> 7
    case #none a -> a
    case #other (a, b) -> a + b) xs

-- ==
-- entry: weekend
-- input { [0i64, 5i64, 6i64, 7i64, 9i64] } output { [false, true, true, false, true] }
entry weekend (xs: []i64) =
  map (\x ->
    match day x
    case #mon -> false
    case #tue -> false
    case #wed -> false
    case #thu -> false
    case #fri -> false
    case #sat -> true
    case #sun -> true
    case #none _ -> false
    case #other (a, _) -> a > 8) xs

-- Results of several components.
-- ==
-- entry: pairs
-- input { 4i64 } output { 8i64 0.5 }
-- input { 40i64 } output { 0i64 1.5 }
entry pairs (x: i64): (i64, f64) =
  match x
  case 0 -> (1, 1.0)
  case 1 -> (2, 1.0)
  case 2 -> (3, 1.0)
  case 3 -> (5, 1.0)
  case 4 -> (8, 0.5)
  case 5 -> (13, 1.0)
  case 6 -> (21, 1.0)
  case 7 -> (34, 1.0)
  case _ -> (0, 1.5)

-- Many neighbouring numbers, with computed values.
-- ==
-- entry: neighbours
-- input { [-11i32, -10i32, -9i32, 0i32, 7i32, 48i32, 49i32, 50i32, 1000i32] } output { [89i32, 270i32, 87i32, -87i32, 87i32, -87i32, 21i32, 150i32, 1100i32] }
entry neighbours (xs: []i32): []i32 =
  map (\x ->
    let y = x + 100
    in match x
       case -10 -> y * 3
       case -9 -> y - 4
       case -8 -> 5 - y
       case -7 -> (y & 6) + 1
       case -6 -> y * 7
       case -5 -> y - 8
       case -4 -> 9 - y
       case -3 -> (y & 10) + 1
       case -2 -> y * 11
       case -1 -> y - 12
       case 0 -> 13 - y
       case 1 -> (y & 14) + 1
       case 2 -> y * 15
       case 3 -> y - 16
       case 4 -> 17 - y
       case 5 -> (y & 18) + 1
       case 6 -> y * 19
       case 7 -> y - 20
       case 8 -> 21 - y
       case 9 -> (y & 22) + 1
       case 10 -> y * 23
       case 11 -> y - 24
       case 12 -> 25 - y
       case 13 -> (y & 26) + 1
       case 14 -> y * 27
       case 15 -> y - 28
       case 16 -> 29 - y
       case 17 -> (y & 30) + 1
       case 18 -> y * 31
       case 19 -> y - 32
       case 20 -> 33 - y
       case 21 -> (y & 34) + 1
       case 22 -> y * 35
       case 23 -> y - 36
       case 24 -> 37 - y
       case 25 -> (y & 38) + 1
       case 26 -> y * 39
       case 27 -> y - 40
       case 28 -> 41 - y
       case 29 -> (y & 42) + 1
       case 30 -> y * 43
       case 31 -> y - 44
       case 32 -> 45 - y
       case 33 -> (y & 46) + 1
       case 34 -> y * 47
       case 35 -> y - 48
       case 36 -> 49 - y
       case 37 -> (y & 50) + 1
       case 38 -> y * 51
       case 39 -> y - 52
       case 40 -> 53 - y
       case 41 -> (y & 54) + 1
       case 42 -> y * 55
       case 43 -> y - 56
       case 44 -> 57 - y
       case 45 -> (y & 58) + 1
       case 46 -> y * 59
       case 47 -> y - 60
       case 48 -> 61 - y
       case 49 -> (y & 62) + 1
       case _ -> y) xs

-- Many constructors, of which each has its case.
type code =
    #c0 i64
  | #c1 i64
  | #c2 i64
  | #c3 i64
  | #c4 i64
  | #c5 i64
  | #c6 i64
  | #c7 i64
  | #c8 i64
  | #c9 i64
  | #c10 i64
  | #c11 i64
  | #c12 i64
  | #c13 i64
  | #c14 i64
  | #c15 i64
  | #c16 i64
  | #c17 i64
  | #c18 i64
  | #c19 i64
  | #c20 i64
  | #c21 i64
  | #c22 i64
  | #c23 i64
  | #c24 i64
  | #c25 i64
  | #c26 i64
  | #c27 i64
  | #c28 i64
  | #c29 i64
  | #c30 i64
  | #c31 i64
  | #c32 i64
  | #c33 i64
  | #c34 i64
  | #c35 i64
  | #c36 i64
  | #c37 i64
  | #c38 i64
  | #c39 i64
  | #c40 i64
  | #c41 i64
  | #c42 i64
  | #c43 i64
  | #c44 i64
def code (x: i64): code =
  match x % 45
  case 0 -> #c0 (x + 0)
  case 1 -> #c1 (x + 1)
  case 2 -> #c2 (x + 2)
  case 3 -> #c3 (x + 3)
  case 4 -> #c4 (x + 4)
  case 5 -> #c5 (x + 5)
  case 6 -> #c6 (x + 6)
  case 7 -> #c7 (x + 7)
  case 8 -> #c8 (x + 8)
  case 9 -> #c9 (x + 9)
  case 10 -> #c10 (x + 10)
  case 11 -> #c11 (x + 11)
  case 12 -> #c12 (x + 12)
  case 13 -> #c13 (x + 13)
  case 14 -> #c14 (x + 14)
  case 15 -> #c15 (x + 15)
  case 16 -> #c16 (x + 16)
  case 17 -> #c17 (x + 17)
  case 18 -> #c18 (x + 18)
  case 19 -> #c19 (x + 19)
  case 20 -> #c20 (x + 20)
  case 21 -> #c21 (x + 21)
  case 22 -> #c22 (x + 22)
  case 23 -> #c23 (x + 23)
  case 24 -> #c24 (x + 24)
  case 25 -> #c25 (x + 25)
  case 26 -> #c26 (x + 26)
  case 27 -> #c27 (x + 27)
  case 28 -> #c28 (x + 28)
  case 29 -> #c29 (x + 29)
  case 30 -> #c30 (x + 30)
  case 31 -> #c31 (x + 31)
  case 32 -> #c32 (x + 32)
  case 33 -> #c33 (x + 33)
  case 34 -> #c34 (x + 34)
  case 35 -> #c35 (x + 35)
  case 36 -> #c36 (x + 36)
  case 37 -> #c37 (x + 37)
  case 38 -> #c38 (x + 38)
  case 39 -> #c39 (x + 39)
  case 40 -> #c40 (x + 40)
  case 41 -> #c41 (x + 41)
  case 42 -> #c42 (x + 42)
  case 43 -> #c43 (x + 43)
  case _ -> #c44 x

-- ==
-- entry: codes
-- input { [0i64, 1i64, 44i64, 45i64, 46i64, 89i64, 90i64, 1234i64] } output { [0i64, 3i64, 1936i64, 45i64, 93i64, 3961i64, 90i64, 25041i64] }
entry codes (xs: []i64): []i64 =
  map (\x ->
    match code x
    case #c0 v -> v * 1 - 0
    case #c1 v -> v * 2 - 1
    case #c2 v -> v * 3 - 2
    case #c3 v -> v * 4 - 3
    case #c4 v -> v * 5 - 4
    case #c5 v -> v * 6 - 5
    case #c6 v -> v * 7 - 6
    case #c7 v -> v * 8 - 7
    case #c8 v -> v * 9 - 8
    case #c9 v -> v * 10 - 9
    case #c10 v -> v * 11 - 10
    case #c11 v -> v * 12 - 11
    case #c12 v -> v * 13 - 12
    case #c13 v -> v * 14 - 13
    case #c14 v -> v * 15 - 14
    case #c15 v -> v * 16 - 15
    case #c16 v -> v * 17 - 16
    case #c17 v -> v * 18 - 17
    case #c18 v -> v * 19 - 18
    case #c19 v -> v * 20 - 19
    case #c20 v -> v * 21 - 20
    case #c21 v -> v * 22 - 21
    case #c22 v -> v * 23 - 22
    case #c23 v -> v * 24 - 23
    case #c24 v -> v * 25 - 24
    case #c25 v -> v * 26 - 25
    case #c26 v -> v * 27 - 26
    case #c27 v -> v * 28 - 27
    case #c28 v -> v * 29 - 28
    case #c29 v -> v * 30 - 29
    case #c30 v -> v * 31 - 30
    case #c31 v -> v * 32 - 31
    case #c32 v -> v * 33 - 32
    case #c33 v -> v * 34 - 33
    case #c34 v -> v * 35 - 34
    case #c35 v -> v * 36 - 35
    case #c36 v -> v * 37 - 36
    case #c37 v -> v * 38 - 37
    case #c38 v -> v * 39 - 38
    case #c39 v -> v * 40 - 39
    case #c40 v -> v * 41 - 40
    case #c41 v -> v * 42 - 41
    case #c42 v -> v * 43 - 42
    case #c43 v -> v * 44 - 43
    case #c44 v -> v * 45 - 44) xs

-- Comparisons with neighbouring numbers, in the order of the numbers.
-- ==
-- entry: below
-- input { [-5i64, -1i64, 0i64, 1i64, 20i64, 43i64, 44i64, 45i64, 99i64] 3i64 } output { [11i64, 7i64, 9i64, 11i64, 49i64, 95i64, 3i64, 3i64, 3i64] }
entry below (xs: []i64) (y: i64): []i64 =
  map
    (\x ->
      if x < 0 then y * 2 - x
      else if x < 1 then y * 3 - x
      else if x < 2 then y * 4 - x
      else if x < 3 then y * 5 - x
      else if x < 4 then y * 6 - x
      else if x < 5 then y * 7 - x
      else if x < 6 then y * 8 - x
      else if x < 7 then y * 9 - x
      else if x < 8 then y * 10 - x
      else if x < 9 then y * 11 - x
      else if x < 10 then y * 12 - x
      else if x < 11 then y * 13 - x
      else if x < 12 then y * 14 - x
      else if x < 13 then y * 15 - x
      else if x < 14 then y * 16 - x
      else if x < 15 then y * 17 - x
      else if x < 16 then y * 18 - x
      else if x < 17 then y * 19 - x
      else if x < 18 then y * 20 - x
      else if x < 19 then y * 21 - x
      else if x < 20 then y * 22 - x
      else if x < 21 then y * 23 - x
      else if x < 22 then y * 24 - x
      else if x < 23 then y * 25 - x
      else if x < 24 then y * 26 - x
      else if x < 25 then y * 27 - x
      else if x < 26 then y * 28 - x
      else if x < 27 then y * 29 - x
      else if x < 28 then y * 30 - x
      else if x < 29 then y * 31 - x
      else if x < 30 then y * 32 - x
      else if x < 31 then y * 33 - x
      else if x < 32 then y * 34 - x
      else if x < 33 then y * 35 - x
      else if x < 34 then y * 36 - x
      else if x < 35 then y * 37 - x
      else if x < 36 then y * 38 - x
      else if x < 37 then y * 39 - x
      else if x < 38 then y * 40 - x
      else if x < 39 then y * 41 - x
      else if x < 40 then y * 42 - x
      else if x < 41 then y * 43 - x
      else if x < 42 then y * 44 - x
      else if x < 43 then y * 45 - x
      else if x < 44 then y * 46 - x
      else y) xs
