type option 'a = #some a | #none

entry demo (n: i64): i64 =
  let x: option i64 = if n == 0 then #none else #some n
  let #some y = x
  let (0, z) = (n, y)
  in y + z
