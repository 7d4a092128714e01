-- $ arrc run FILE same @latin.csv:codes(place)
entry same [n] (codes: [n]i64): [n]i64 = codes
