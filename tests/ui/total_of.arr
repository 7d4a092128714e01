entry truth (xs: []bool): bool = sum xs
entry number (x: i64): i64 = sum x
entry rows (xss: [][]i64): i64 = maximum xss
entry other (xs: []f64): i64 = product xs
entry more (xs: []f64): f64 = sum 0 xs
entry of_type (x: f64): f64 = f64.minimum x
entry near (xs: []f64): f64 = summ xs
entry inside (xs: []f64): f64 = minimun xs
