-- What the neutral element of such an operator is, only the user knows.
entry difference [n] (xs: [n]i32): i32 = reduce (\a b -> a - b) xs
def join (a: i32) (b: i32): i32 = a * 10 + b
entry joined [n] (xs: [n]i32): [n]i32 = scan join xs
