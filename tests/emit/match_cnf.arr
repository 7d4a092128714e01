-- $ arrc build FILE --emit=core,cnf
-- A sum is a tag and the values of all constructors; a `match` is nested conditions on the tag.
type option 'a = #some a | #none

def half (x: i64): option i64 = if x % 2 == 0 then #some (x / 2) else #none

entry halves [n] (xs: [n]i64): i64 =
  let step (sum: i64) (x: option i64) =
    match x
    case #some 0 -> sum
    case #some y -> sum + y
    case #none -> sum - 1
  in fold step 0 (map half xs)

-- What is known of constructors is decided here: nothing is left of them.
entry known (x: i64): i64 =
  let y: option i64 = #some (x + 1)
  in match y
     case #some z -> 2 * z
     case #none -> 0
