-- $ arrc check FILE
-- What is added stands before what is subtracted, and the sizes of functions have names that mean nothing else.
def half [n] (xs: [2 * n]i64): i64 = n
def rest [n] (xs: [n]i64): [n]i64 = replicate (10 - length xs) 0
def halves [n] (xs: [n]i64): i64 = half xs
def rows 'a [n] (x: a) (xs: [n]i64): [n]i64 = map (\y z -> y) xs
entry main (x: i64): i64 = sum 1 x
