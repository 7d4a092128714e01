def climb (f: i64 -> i64) (n: i64): i64 =
  if n == 0 then f 0 else climb (\x -> f (x + 1)) (n - 1)

entry demo (n: i64): i64 = climb (\x -> x) n
