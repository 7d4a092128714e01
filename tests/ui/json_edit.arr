-- $ arrc check --message-format=json FILE
entry demo [n] (xs: [n]i64): i64 = lenght xs
