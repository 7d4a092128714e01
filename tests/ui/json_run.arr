-- $ arrc run --message-format=json FILE demo 0
entry demo (x: i64): i64 = 1 / x
