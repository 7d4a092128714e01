type option 'a = #some a | #none

entry demo (n: i64): i64 =
  let x: option i64 = if n == 0 then #none else #some n
  in match x
     case #some _ -> 1
     case #none -> 2
     case #some 3 -> 3
     case _ -> 4
