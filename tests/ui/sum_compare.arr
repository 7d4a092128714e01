type column [n] = #ints ([n]i64) | #none

def same [n] (a: column [n]) (b: column [n]): bool = a == b

entry demo [n] (xs: [n]i64): bool = same (#ints xs) #none
