-- Many cases of one number: tables of constants and searches.

-- ==
-- entry: table
-- input { [0, 3, 9, 10, -1, 5] } output { [5, 8, 14, 100, 100, 10] }
entry table (xs: []i32): []i32 =
  map (\x -> match x
             case 0 -> 5 case 1 -> 6 case 2 -> 7 case 3 -> 8 case 4 -> 9
             case 5 -> 10 case 6 -> 11 case 7 -> 12 case 8 -> 13 case 9 -> 14
             case _ -> 100) xs

-- A default that is computed, and may fail.
-- ==
-- entry: table_else
-- input { [0i64, 7i64, 8i64] [3i64, 4i64, 2i64] } output { [5i64, 12i64, 4i64] }
-- input { [0i64, 9i64] [3i64, 0i64] } error: division by zero
entry table_else (xs: []i64) (ys: []i64): []i64 =
  map2 (\x y -> match x
                case 0 -> 5 case 1 -> 6 case 2 -> 7 case 3 -> 8 case 4 -> 9
                case 5 -> 10 case 6 -> 11 case 7 -> 12
                case _ -> x / y) xs ys

-- Numbers between the cases.
-- ==
-- entry: holes
-- input { [-3i8, -2i8, 0i8, 1i8, 12i8, 13i8, 127i8, -128i8] } output { [1.5, 0.0, 2.5, 0.0, 9.5, 0.0, 0.0, 0.0] }
entry holes (xs: []i8): []f64 =
  map (\x -> match x
             case -3 -> 1.5 case 0 -> 2.5 case 2 -> 3.5 case 4 -> 4.5 case 6 -> 5.5
             case 8 -> 6.5 case 10 -> 7.5 case 11 -> 8.5 case 12 -> 9.5
             case _ -> 0.0) xs

-- Far apart, and computed.
-- ==
-- entry: sparse
-- input { [1u64, 1000u64, 18446744073709551615u64, 5u64, 0u64, 9223372036854775808u64] } output { [2u64, 1001u64, 18446744073709551608u64, 50u64, 0u64, 9223372036854775809u64] }
entry sparse (xs: []u64): []u64 =
  map (\x -> match x
             case 1 -> x + 1 case 10 -> x + 2 case 100 -> x + 3 case 1000 -> x + 1
             case 10000 -> x + 5 case 100000 -> x + 6 case 9223372036854775808 -> x + 1
             case 18446744073709551615 -> x - 7 case 77 -> x
             case other -> other * 10) xs

-- Twice the same number: the first case has it.
-- ==
-- entry: chain
-- input { [3i64, 1i64, 8i64, 9i64] } output { [30i64, 10i64, 7i64, 0i64] }
entry chain (xs: []i64): []i64 =
  map (\x -> if x == 1 then 10 else if 2 == x then 20 else if x == 3 then 30 else if x == 3 then 31
             else if x == 4 then 40 else if x == 5 then 50 else if x == 6 then 60 else if x == 7 then 70
             else if x == 8 then 7 else 0) xs

-- Branches that make arrays of their own sizes, and one that is never run.
-- ==
-- entry: arrays
-- input { 3i64 } output { [3i64, 3i64, 3i64] }
-- input { 7i64 } output { [7i64] }
-- input { 20i64 } output { empty([0]i64) }
-- input { 0i64 } error: division by zero
entry arrays (x: i64): []i64 =
  if x == 0 then replicate (1 / x) x else if x == 1 then [1] else if x == 2 then [2, 2] else if x == 3 then [3, 3, 3]
  else if x == 4 then [4] else if x == 5 then [5] else if x == 6 then [6, 6] else if x == 7 then [7]
  else if x == 8 then iota 8 else []

-- All constructors, with and without a rest, and payloads.
type day = #mon | #tue | #wed | #thu | #fri | #sat | #sun | #none i64 | #other (i64, i64)
def day (x: i64): day =
  match x
  case 0 -> #mon case 1 -> #tue case 2 -> #wed case 3 -> #thu case 4 -> #fri case 5 -> #sat case 6 -> #sun
  case 7 -> #none 12
  case _ -> #other (x, 2 * x)

-- ==
-- entry: days
-- input { [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64] } output { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 12i64, 24i64] }
entry days (xs: []i64): []i64 =
  map (\x -> match day x
             case #mon -> 1 case #tue -> 2 case #wed -> 3 case #thu -> 4 case #fri -> 5 case #sat -> 6 case #sun -> 7
             case #none a -> a case #other (a, b) -> a + b) xs

-- ==
-- entry: weekend
-- input { [0i64, 5i64, 6i64, 7i64, 9i64] } output { [false, true, true, false, true] }
entry weekend (xs: []i64) =
  map (\x -> match day x
             case #mon -> false case #tue -> false case #wed -> false case #thu -> false case #fri -> false
             case #sat -> true case #sun -> true case #none _ -> false
             case #other (a, _) -> a > 8) xs

-- Results of several components.
-- ==
-- entry: pairs
-- input { 4i64 } output { 8i64 0.5 }
-- input { 40i64 } output { 0i64 1.5 }
entry pairs (x: i64): (i64, f64) =
  match x
  case 0 -> (1, 1.0) case 1 -> (2, 1.0) case 2 -> (3, 1.0) case 3 -> (5, 1.0) case 4 -> (8, 0.5)
  case 5 -> (13, 1.0) case 6 -> (21, 1.0) case 7 -> (34, 1.0) case _ -> (0, 1.5)
