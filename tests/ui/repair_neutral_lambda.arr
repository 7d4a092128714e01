-- The neutral element of an operator that is written out.
def a [n] (xs: [n]i64): i64 = reduce (\a b -> a + b) xs
def b [n] (xs: [n]f64): [n]f64 = scan (\x y -> x * y) xs
def c [n] (xs: [n]i64): i64 = reduce (\a b -> i64.max a b) xs
def d [n] (xs: [n]i64): i64 = reduce (\a b -> a - b) xs
entry main [n] (xs: [n]i64): i64 = a xs
