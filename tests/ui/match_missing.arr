type option 'a = #some a | #none
type tree = #leaf i64 | #pair i64 i64 | #empty

entry demo (n: i64): i64 =
  let x: option tree = if n == 0 then #none else #some (#leaf n)
  in match x
     case #some (#pair a b) -> a + b
     case #some #empty -> 0
     case #none -> 1
