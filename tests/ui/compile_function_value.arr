def choose 'a (c: bool) (x: a) (y: a): a = if c then x else y

entry demo (up: bool) (x: i64): i64 = choose up (+ 1) (* 2) x
