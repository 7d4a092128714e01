-- $ arrc run FILE once --interpret
entry once (x: i64): i64 = x
