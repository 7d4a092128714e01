-- $ arrc run FILE answer 42
entry answer: i64 = 42
