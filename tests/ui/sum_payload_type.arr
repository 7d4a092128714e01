type option 'a = #some a | #none

entry demo (n: i64): i64 =
  let x: option i64 = #some true
  in match x case #some y -> y case #none -> 0
