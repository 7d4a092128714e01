entry demo (x: i64): i64 = {- 日本 -} y
