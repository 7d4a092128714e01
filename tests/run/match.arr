-- `match`: names, `_`, tuples, records, constructors, literals and types in patterns, nested.

type option 'a = #some a | #none
type tree = #leaf i64 | #pair i64 i64 | #empty

-- ==
-- entry: integers
-- input { 0 } output { 10 }
-- input { 1 } output { 11 }
-- input { -1 } output { 9 }
-- input { 5 } output { 50 }
entry integers (x: i32): i32 =
  match x
  case 0 -> 10
  case 1 -> 11
  case -1 -> 9
  case n -> 10 * n

-- ==
-- entry: suffixes
-- input { 255u8 } output { 1 }
-- input { 0u8 } output { 2 }
-- input { 7u8 } output { 3 }
entry suffixes (x: u8): i32 =
  match x
  case 255u8 -> 1
  case 0 -> 2
  case _ -> 3

-- ==
-- entry: floats
-- input { 0.0 } output { 0 }
-- input { -0.0 } output { 0 }
-- input { 1.5 } output { 1 }
-- input { -2.0 } output { 2 }
-- input { f64.nan } output { 3 }
entry floats (x: f64): i32 =
  match x
  case 0 -> 0
  case 1.5 -> 1
  case -2.0 -> 2
  case _ -> 3

-- ==
-- entry: booleans
-- input { true } output { 1 }
-- input { false } output { 0 }
entry booleans (x: bool): i32 =
  match x
  case true -> 1
  case false -> 0

-- ==
-- entry: tuples
-- input { 0 true } output { 1 }
-- input { 0 false } output { 3 }
-- input { -1 true } output { 2 }
-- input { 7 false } output { 3 }
-- input { 7 true } output { 11 }
entry tuples (x: i32) (y: bool): i32 =
  match (x, y)
  case (0, true) -> 1
  case (-1, _) -> 2
  case (_, false) -> 3
  case (a, _) -> a + 4

-- ==
-- entry: records
-- input { 0 5 } output { 5 }
-- input { 3 0 } output { 3 }
-- input { 3 4 } output { 12 }
entry records (x: i32) (y: i32): i32 =
  match {x, y}
  case {x = 0, y} -> y
  case {y = 0, x = px} -> px
  case {x = a, y = b} -> a * b

-- ==
-- entry: typed
-- input { 5 } output { 6 }
entry typed (x: i64): i64 =
  match #some x
  case (#some (y: i64): option i64) -> y + 1
  case #none -> 0

-- ==
-- entry: nested
-- input { 0 } output { 100 }
-- input { 1 } output { 1 }
-- input { 2 } output { 9 }
-- input { 3 } output { 7 }
-- input { 4 } output { -1 }
entry nested (k: i64): i64 =
  let t: option (tree, bool) =
    if k == 0 then #some (#leaf 0, true)
    else if k == 1 then #some (#leaf k, true)
    else if k == 2 then #some (#pair 4 5, false)
    else if k == 3 then #some (#empty, true)
    else #none
  in match t
     case #some (#leaf 0, _) -> 100
     case #some (#leaf n, true) -> n
     case #some (#pair a b, _) -> a + b
     case #some (#leaf n, false) -> -n
     case #some (#empty, _) -> 7
     case #none -> -1

-- The value is computed once, and only the case that fits is.
-- ==
-- entry: only_one
-- input { 0 } output { 0 }
-- input { 5 } output { 20 }
entry only_one (x: i64): i64 =
  match x
  case 0 -> 0
  case n -> 100 / n

-- A case takes all cases behind it, unless it is in parentheses.
-- ==
-- entry: inside
-- input { 0 0 } output { 1 }
-- input { 0 9 } output { 2 }
-- input { 9 0 } output { 3 }
-- input { 9 9 } output { 4 }
entry inside (x: i32) (y: i32): i32 =
  match x
  case 0 -> (match y case 0 -> 1 case _ -> 2)
  case _ ->
    match y
    case 0 -> 3
    case _ -> 4

-- ==
-- entry: in_operands
-- input { 3 } output { 31 }
entry in_operands (x: i32): i32 = 10 * (match x case 0 -> 1 case n -> n) + 1

-- ==
-- entry: shadowed
-- input { 3 } output { 5 }
entry shadowed (x: i32): i32 =
  match x + 1
  case x -> x + 1

-- ==
-- entry: in_workers
-- input { [0, 1, 2, 3] } output { [5, 4, 2, 3] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry in_workers [n] (xs: [n]i32): [n]i32 =
  map (\x -> match x case 0 -> 5 case 1 -> 4 case n -> n) xs

-- ==
-- entry: in_filters
-- input { [0, 1, 2, 3] } output { [0, 3] }
entry in_filters [n] (xs: [n]i32): ?[k].[k]i32 =
  filter (\x -> match x case 1 -> false case 2 -> false case _ -> true) xs

-- ==
-- entry: arrays
-- input { 0 [1, 2] } output { [1, 2] }
-- input { 1 [1, 2] } output { [2, 4] }
-- input { 2 [1, 2] } output { [2, 1] }
entry arrays [n] (k: i32) (xs: [n]i64): [n]i64 =
  match k
  case 0 -> xs
  case 1 -> map (* 2) xs
  case _ -> generate n (\i -> xs[n - 1 - i])

-- Cases of different sizes give a size of its own.
-- ==
-- entry: sizes
-- input { 0 [1, 2] } output { [1, 2] }
-- input { 1 [1, 2] } output { empty([0]i64) }
-- input { 2 [1, 2] } output { [1, 2, 1, 2] }
entry sizes [n] (k: i32) (xs: [n]i64): ?[m].[m]i64 =
  match k
  case 0 -> xs
  case 1 -> []
  case _ -> xs ++ xs

-- ==
-- entry: bound_sizes
-- input { 2 } output { [0, 1] }
-- input { 0 } output { [7] }
entry bound_sizes (n: i64): ?[m].[m]i64 =
  match n
  case 0 -> [7]
  case m -> iota m

-- A local function in a case, and cases in a local function.
-- ==
-- entry: functions
-- input { 1 4 } output { 9 }
-- input { 0 4 } output { 4 }
entry functions (k: i32) (x: i64): i64 =
  let pick (o: option i64) = match o case #some y -> y case #none -> x
  in match k
     case 0 -> pick #none
     case _ -> let twice y = 2 * y in pick (#some (twice x + 1))

-- A polymorphic local function at two types.
-- ==
-- entry: polymorphic
-- input { 3 true } output { 3 true }
entry polymorphic (x: i64) (b: bool): (i64, bool) =
  let get (o: option i64) = match o case #some y -> y case #none -> 0
  let second p = match p case (_, y) -> y
  in (second (b, get (#some x)), second (x, b))

-- ==
-- entry: units
-- input { } output { 1 }
entry units: i32 =
  match ()
  case () -> 1

-- ==
-- entry: many
-- input { [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] } output { [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, -1] }
entry many [n] (xs: [n]i32): [n]i32 =
  map (\x ->
    match x
    case 0 -> 9
    case 1 -> 8
    case 2 -> 7
    case 3 -> 6
    case 4 -> 5
    case 5 -> 4
    case 6 -> 3
    case 7 -> 2
    case 8 -> 1
    case 9 -> 0
    case _ -> -1)
    xs
