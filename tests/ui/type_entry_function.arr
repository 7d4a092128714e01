entry apply (f: i64 -> i64) (x: i64): i64 = f x

entry adder (x: i64): i64 -> i64 = \y -> x + y
