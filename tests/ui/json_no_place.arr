-- $ arrc run --message-format=json FILE
entry a: i64 = 1
entry b: i64 = 2
