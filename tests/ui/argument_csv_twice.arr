-- $ arrc run FILE sum @argument_csv_twice.csv:x
entry sum [n] (xs: [n]i64): i64 = i64.sum xs
