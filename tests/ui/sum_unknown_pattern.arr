def get x = match x case #some y -> y case #none -> 0

entry demo (x: i64): i64 = x
