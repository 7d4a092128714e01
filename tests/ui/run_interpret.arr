-- $ arrc run --interpret FILE cells [10,0,30] 1
entry cells [n] (xs: [n]i64) (i: i64): ([n]i64, i64) = (map (+ i) xs, 10 / xs[i])
