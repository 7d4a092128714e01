-- $ arrc run FILE [1,2,3]
-- Found by fuzzing: a `let` with a type parameter and no other is a value.
entry demo [n] (xs: [n]i64): i64 =
  let total = reduce (+) 0 xs
  let shares 'a = map (* total) xs
  let first [k] : i64 = shares[0]
  in first
