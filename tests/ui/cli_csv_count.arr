-- $ arrc run FILE same @points.csv:codes(name) @points.csv:count(name)
entry same [n] (codes: [n]i64) (count: i64): ([n]i64, i64) = (codes, count)
