def first_or (c: bool) (x: i64) = if c then #some x else #none

entry demo (x: i64): i64 = match first_or true x case _ -> x
