def add (x: i64) (y: i64): i64 = x + y

entry main (x: i64): i64 = add x
